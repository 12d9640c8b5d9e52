/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "recorded-paths.h"

#define ID(byte) ((BuildId) { .bytes = { byte }, .size = 20 })
#define FILE_OF(name, number) { .path = name, .cpumode = PERF_RECORD_MISC_USER, .inode = number }

static RecordedPaths identify(DsoHit *files, size_t n, const BuildIdEntry *ids, size_t n_ids) {
        _cleanup_free_ char *path = test_path("paths.data");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        RecordedPaths p = {};

        ck_assert_ok(record_put_finished_round(&b));
        reader = test_recording(path, &b, ids, n_ids);
        ck_assert_ok(recorded_paths_identify(&p, files, n, reader));
        return p;
}

static void expect(const RecordedPaths *p, const char *path, bool ambiguous, size_t n_files, uint8_t first_id) {
        const RecordedPath *found = recorded_paths_find(p, path);

        ck_assert_ptr_nonnull(found);
        ck_assert_uint_eq(found->ambiguous, ambiguous);
        ck_assert_uint_eq(found->n_files, n_files);
        ck_assert_uint_eq(found->files[0]->id.bytes[0], first_id);
        ck_assert_uint_eq(found->files[0]->id.size, first_id > 0 ? 20 : 0);
}

START_TEST(by_the_table) {
        DsoHit files[] = {
                FILE_OF("/one", 1), FILE_OF("/replaced", 2), FILE_OF("/in-vain", 3), FILE_OF("/replaced", 4), FILE_OF("/same", 5),
                FILE_OF("/same", 6), FILE_OF("/two-ids", 7),
        };
        const BuildIdEntry ids[] = {
                { .path = "/one", .id = ID(1) }, { .path = "/replaced", .id = ID(2) }, { .path = "/same", .id = ID(3) },
                { .path = "/same", .id = ID(3) }, { .path = "/two-ids", .id = ID(4) }, { .path = "/two-ids", .id = ID(5) },
                { .path = "/never-mapped", .id = ID(6) },
        };
        _cleanup_(recorded_paths_done) RecordedPaths p = identify(files, ELEMENTSOF(files), ids, ELEMENTSOF(ids));

        expect(&p, "/one", false, 1, 1);
        expect(&p, "/replaced", true, 2, 0);
        expect(&p, "/in-vain", false, 1, 0);
        expect(&p, "/same", false, 2, 3);
        ck_assert_uint_eq(files[4].id.bytes[0], files[5].id.bytes[0]);
        expect(&p, "/two-ids", true, 1, 0);
        ck_assert_ptr_null(recorded_paths_find(&p, "/never-mapped"));
}
END_TEST

START_TEST(by_the_maps) {
        DsoHit files[] = {
                { .path = "/one", .id = ID(1) }, { .path = "/replaced", .id = ID(2) }, { .path = "/replaced", .id = ID(3) },
                { .path = "/mixed", .id = ID(4) }, FILE_OF("/mixed", 1),
        };
        const BuildIdEntry ids[] = { { .path = "/one", .id = ID(7) }, { .path = "/mixed", .id = ID(4) } };
        _cleanup_(recorded_paths_done) RecordedPaths p = identify(files, ELEMENTSOF(files), ids, ELEMENTSOF(ids));

        expect(&p, "/one", false, 1, 1);
        expect(&p, "/replaced", true, 2, recorded_paths_find(&p, "/replaced")->files[0]->id.bytes[0]);
        ck_assert(recorded_paths_find(&p, "/mixed")->ambiguous);
        ck_assert_uint_eq(files[4].id.size, 0);
}
END_TEST

START_TEST(nothing_mapped) {
        _cleanup_(recorded_paths_done) RecordedPaths p = identify(NULL, 0, NULL, 0);

        ck_assert_ptr_null(recorded_paths_find(&p, "/one"));
}
END_TEST

TEST_RUN("recorded-paths", by_the_table, by_the_maps, nothing_mapped);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Build ids of binaries that were hit, below a root of our own with a copy of a real program in it. */

#include "build-id-memory.h"
#include "dso-hits.h"
#include "elf-build-id.h"
#include "perfdata-test.h"

/* Feeds hits of events that ask for build ids in records. */
static DsoHits *hits_in(const RecordBuffer *b) {
        static PerfDataEvent events[2];
        const struct perf_event_header *record;
        DsoHits *h = NULL;
        size_t n, cursor = 0;
        const PerfDataEvent *made = test_events(&n);

        ck_assert_uint_eq(n, ELEMENTSOF(events));
        memcpy(events, made, sizeof(events));
        events[1].attr.build_id = 1;
        ck_assert_ok(dso_hits_new(events, n, false, &h));
        while (record_next(b->data, b->size, &cursor, &record) == 1)
                ck_assert_ok(dso_hits_feed(h, record, record->size));
        return h;
}

static size_t entries_with(DsoHits *h, const char *root, BuildIdMemory *memory, const PerfBuildIdEntry **ret) {
        static FeatureTable *t; /* freed by the next call, or the test's end */
        size_t size;

        feature_table_free(t);
        t = NULL;
        if (!h)
                return 0;
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_build_ids(t, h, root, memory));
        ck_assert(feature_table_get(t, PERF_FEATURE_BUILD_ID, (const void **) ret, &size));
        return size;
}

static size_t entries(DsoHits *h, const char *root, const PerfBuildIdEntry **ret) {
        return entries_with(h, root, NULL, ret);
}

static ino_t make_root(const char *root) {
        _cleanup_free_ char *program = NULL;
        struct stat st;

        free(test_command("mkdir -p %s/bin && cp /bin/sh %s/bin/demo && mkfifo %s/bin/fifo", root, root, root));
        ck_assert(asprintf(&program, "%s/bin/demo", root) > 0);
        ck_assert_int_eq(stat(program, &st), 0);
        return st.st_ino;
}

START_TEST(the_file_that_was_mapped) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *root = test_path("root");
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        const PerfBuildIdEntry *e;
        BuildId expected = {};

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/demo", make_root(root));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        h = hits_in(&b);
        ck_assert_uint_eq(entries(h, root, &e), sizeof(*e) + 64);
        ck_assert_uint_eq(e->header.type, 0);
        ck_assert_uint_eq(e->header.misc, PERF_RECORD_MISC_USER | PERF_BUILD_ID_HAS_SIZE);
        ck_assert_uint_eq(e->header.size, sizeof(*e) + 64);
        ck_assert_uint_eq(e->pid, UINT32_MAX);
        ck_assert_uint_eq(e->size, 20);
        ck_assert_ok(build_id_of_file(AT_FDCWD, "/bin/sh", &expected));
        ck_assert_mem_eq(e->id, expected.bytes, 20);
        ck_assert_str_eq((const char *) (e + 1), "/bin/demo");
        entries(NULL, NULL, NULL);
}
END_TEST

START_TEST(no_id_rather_than_a_wrong_one) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *root = test_path("root");
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        const PerfBuildIdEntry *e;

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/demo", make_root(root) + 1); /* another file by now */
        test_put_map(&b, 7, 0x2000, 0x1000, "/bin/fifo", 0);
        test_put_map(&b, 7, 0x3000, 0x1000, "/bin", 0);
        test_put_map(&b, 7, 0x4000, 0x1000, "/bin/gone (deleted)", 0);
        for (uint64_t i = 1; i < 5; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, i << 12, 1);
        h = hits_in(&b);
        ck_assert_uint_eq(entries(h, root, &e), 0);
        entries(NULL, NULL, NULL);
}
END_TEST

START_TEST(the_kernel_modules_and_the_record_itself) {
        static const uint8_t note[] = { 4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *root = test_path("root"), *kernel = NULL, *module = NULL;
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        BuildId recorded = { .size = 3, .bytes = { 7, 8, 9 } };
        RecordMap m = {
                .pid = UINT32_MAX, .misc = PERF_RECORD_MISC_KERNEL, .start = UINT64_C(0xffffffffc0000000), .length = 0x1000,
                .path = "/lib/modules/6.1/kernel/fs/nls-x.ko.xz",
        };
        const PerfBuildIdEntry *e;

        ck_assert(asprintf(&kernel, "%s/sys/kernel/notes", root) > 0);
        ck_assert(asprintf(&module, "%s/sys/module/nls_x/notes/.note.gnu.build-id", root) > 0);
        free(test_command("mkdir -p %s/sys/kernel %s/sys/module/nls_x/notes", root, root));
        test_write_file(kernel, note, sizeof(note));
        test_write_file(module, note, sizeof(note));

        test_put_recording(&b, "//anon");
        ck_assert_ok(record_put_mmap(&b, &m, NULL));
        m = (RecordMap) {
                .pid = 7, .tid = 7, .misc = PERF_RECORD_MISC_USER, .start = 0x1000, .length = 0x1000, .path = "/nowhere",
                .build_id = &recorded,
        };
        ck_assert_ok(record_put_mmap2(&b, &m, NULL));
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffffc0000010), 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1010, 1);
        h = hits_in(&b);
        ck_assert_uint_eq(entries(h, root, &e), 3 * (sizeof(*e) + 64));
        ck_assert_str_eq((const char *) (e + 1), "[kernel.kallsyms]");
        ck_assert_uint_eq(e->header.misc, PERF_RECORD_MISC_KERNEL | PERF_BUILD_ID_HAS_SIZE);
        ck_assert_uint_eq(e->size, 4);
        e = (const PerfBuildIdEntry *) ((const uint8_t *) e + e->header.size);
        ck_assert_str_eq((const char *) (e + 1), "/lib/modules/6.1/kernel/fs/nls-x.ko.xz");
        ck_assert_uint_eq(e->id[3], 4);
        e = (const PerfBuildIdEntry *) ((const uint8_t *) e + e->header.size);
        ck_assert_uint_eq(e->size, 3);
        ck_assert_uint_eq(e->id[2], 9);
        entries(NULL, NULL, NULL);
}
END_TEST

START_TEST(the_vdso) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        const PerfBuildIdEntry *e;

        test_put_map(&b, 7, 0x1000, 0x1000, "[vdso]", 0);
        h = hits_in(&b);
        ck_assert_uint_eq(entries(h, NULL, &e), sizeof(*e) + 64);
        ck_assert_uint_eq(e->size, 20);
        entries(NULL, NULL, NULL);
}
END_TEST

/* The build ids of a process that has exited are found below the root of another process of its container, not of
 * other roots, which have other files. */
START_TEST(in_a_container_that_is_still_there) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *root = test_path("host"), *file = NULL;
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        const PerfBuildIdEntry *e;
        struct stat st;

        free(test_command("mkdir -p %s/proc/self/ns %s/proc/20/ns %s/proc/20/root/bin %s/proc/21/ns %s/proc/21/root/bin && cd %s/proc && "
                          "touch self/ns/mnt 20/ns/mnt 21/ns/mnt && cp /bin/sh 20/root/bin/demo && cp /bin/sh 21/root/bin/demo",
                          root, root, root, root, root, root));
        ck_assert(asprintf(&file, "%s/proc/21/root/bin/demo", root) > 0);
        ck_assert_int_eq(stat(file, &st), 0);
        test_put_map(&b, 20, 0x9000, 0x1000, "/bin/sleep", 1);
        test_put_map(&b, 21, 0x9000, 0x1000, "/bin/sleep", 2);
        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/demo", st.st_ino);
        test_put_map(&b, 7, 0x2000, 0x1000, "/bin/other", st.st_ino);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x2800, 1);
        h = hits_in(&b);
        ck_assert_uint_eq(entries(h, root, &e), sizeof(*e) + 64);
        ck_assert_str_eq((const char *) (e + 1), "/bin/demo");
        entries(NULL, NULL, NULL);
}
END_TEST

static DsoHits *hits_of_inode(ino_t inode) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/demo", inode);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        return hits_in(&b);
}

/* The second file is finished when the program is removed; another one of that name was never known. */
START_TEST(what_was_known) {
        _cleanup_free_ char *root = test_path("known"), *output = NULL;
        ino_t inode = make_root(root);
        _cleanup_dso_hits_free_ DsoHits *h = hits_of_inode(inode), *other = hits_of_inode(inode + 1);
        _cleanup_(build_id_memory_done) BuildIdMemory memory = {};
        const PerfBuildIdEntry *e;
        BuildId expected = {};

        ck_assert_uint_gt(entries_with(h, root, &memory, &e), 0);
        output = test_command("rm %s/bin/demo", root);
        ck_assert_uint_eq(entries(h, root, &e), 0);
        ck_assert_uint_eq(entries_with(other, root, &memory, &e), 0);
        ck_assert_uint_eq(entries_with(h, root, &memory, &e), sizeof(*e) + 64);
        ck_assert_ok(build_id_of_file(AT_FDCWD, "/bin/sh", &expected));
        ck_assert_mem_eq(e->id, expected.bytes, 20);
        entries(NULL, NULL, NULL);
}
END_TEST

/* The limit holds, since build ids that were not hit lately are dropped. */
START_TEST(memory_is_limited) {
        _cleanup_(build_id_memory_done) BuildIdMemory memory = {};
        DsoHit d = { .path = "/bin/demo", .cpumode = PERF_RECORD_MISC_USER };
        BuildId *id;

        for (d.inode = 1; d.inode <= BUILD_ID_MEMORY_MAX + 1; d.inode++) {
                ck_assert_ok(build_id_memory_get(&memory, &d, &id));
                *id = (BuildId) { .bytes = { 1 }, .size = 20 };
        }
        d.inode = 5;
        ck_assert_ok(build_id_memory_trim(&memory, &d, 1));
        ck_assert_uint_eq(memory.dsos.n - memory.dsos.n_spare, 1);
        ck_assert_ok(build_id_memory_get(&memory, &d, &id));
        ck_assert_uint_eq(id->size, 20);
        d.inode = 6;
        ck_assert_ok(build_id_memory_get(&memory, &d, &id));
        ck_assert_uint_eq(id->size, 0);
}
END_TEST

TEST_RUN("feature-build-id", the_file_that_was_mapped, no_id_rather_than_a_wrong_one, the_kernel_modules_and_the_record_itself,
         the_vdso, in_a_container_that_is_still_there, what_was_known, memory_is_limited);

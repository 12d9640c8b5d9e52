/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-program.h"
#include "made-samples.h"
#include "sample-walk.h"

typedef struct Seen {
        SampleWalk *walk;
        uint64_t times[8];
        char *comms[8];
        char *symbols[8], *paths[8];
        size_t n, n_records;
} Seen;

static void seen_done(Seen *seen) {
        for (size_t i = 0; i < seen->n; i++) {
                free(seen->comms[i]);
                free(seen->symbols[i]);
                free(seen->paths[i]);
        }
        sample_walk_free(seen->walk);
}

static int see_sample(void *userdata, const WalkedSample *s) {
        Seen *seen = userdata;
        NamedPlace named;
        uint32_t place;

        ck_assert_uint_eq(s->event->attr.config, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_ok(sample_walk_find(seen->walk, s->sample->pid, PERF_RECORD_MISC_USER, s->sample->ip, &place));
        ck_assert_ok(place_lookup_name(sample_walk_names(seen->walk), place, &named));
        seen->times[seen->n] = s->sample->time;
        seen->comms[seen->n] = strdup(sample_walk_comm(seen->walk, s->name));
        seen->symbols[seen->n] = strdup(named.symbol->name ?: "?");
        seen->paths[seen->n++] = strdup(named.path);
        return 0;
}

static int see_record(void *userdata, const WalkedRecord *r) {
        Seen *seen = userdata;

        ck_assert_uint_eq(r->record->type, PERF_RECORD_MMAP2);
        seen->n_records++;
        return 0;
}

static int walk(Seen *seen, PerfDataReader *reader, const SampleSelection *selection, Symbols *symbols) {
        const SampleWalkUser user = { .sample = see_sample, .record = see_record, .userdata = seen };

        ck_assert_ok(sample_walk_new(reader, selection, symbols, &seen->walk));
        return sample_walk_run(seen->walk, &user);
}

/* The build id of a binary is in the table at the file's end: the name is there for the first sample. */
START_TEST(names) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("program", made_source, "-O0"), *path = test_path("names.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        _cleanup_(seen_done) Seen seen = {};
        const SampleSelection all = {};
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 2000);
        test_put_sample(&b, 12, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 1000);
        test_put_sample(&b, 12, PERF_RECORD_MISC_USER, 8, 0x400000, 1500);
        reader = test_recording(path, &b, &id, 1);
        ck_assert_ok(symbols_new(NULL, "", &symbols));
        ck_assert_int_eq(walk(&seen, reader, &all, symbols), 0);
        ck_assert_uint_eq(seen.n, 3);
        ck_assert_uint_eq(seen.n_records, 1);
        ck_assert(seen.times[0] == 1000 && seen.times[1] == 1500 && seen.times[2] == 2000);
        ck_assert_str_eq(seen.symbols[0], "inner");
        ck_assert_str_eq(seen.paths[0], program);
        ck_assert_str_eq(seen.comms[0], ":7");
        ck_assert_str_eq(seen.symbols[1], "?");
        ck_assert_str_eq(seen.paths[1], "[unknown]");
        ck_assert_str_eq(seen.symbols[2], "inner");
}
END_TEST

START_TEST(selects) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("selects.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(seen_done) Seen seen = {};
        const SampleSpan span = { .since = 1500, .until = 2500 };
        const uint32_t pid = 7;
        const SampleSelection some = { .spans = &span, .n_spans = 1, .pids = &pid, .n_pids = 1 };

        for (uint64_t time = 1000; time < 4000; time += 500)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, time == 2000 ? 8 : 7, 0x400000, time);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_int_eq(walk(&seen, reader, &some, NULL), 0);
        ck_assert_uint_eq(seen.n, 2);
        ck_assert(seen.times[0] == 1500 && seen.times[1] == 2500);
}
END_TEST

START_TEST(leaves_out_idle_time) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("idle.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(seen_done) Seen seen = {};
        const SampleSelection busy = { .no_idle = true };

        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 0, UINT64_C(0xffffffff81000100), 1000);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 0, 0x400000, 1500);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffff81000100), 2500);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_int_eq(walk(&seen, reader, &busy, NULL), 0);
        ck_assert_uint_eq(seen.n, 2);
        ck_assert(seen.times[0] == 1500 && seen.times[1] == 2500);
}
END_TEST

TEST_RUN("sample-walk", names, selects, leaves_out_idle_time);

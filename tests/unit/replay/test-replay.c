/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-program.h"
#include "made-samples.h"
#include "replay.h"

typedef struct Seen {
        Replay *replay;
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
        replay_free(seen->replay);
}

static void see_sample(Seen *seen, const Moment *m) {
        NamedPlace named;
        uint32_t place;

        ck_assert_uint_eq(m->event->attr.config, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_ok(replay_find_place(seen->replay, m->sample->pid, PERF_RECORD_MISC_USER, m->sample->ip, &place));
        ck_assert_ok(place_lookup_name(replay_names(seen->replay), place, &named));
        seen->times[seen->n] = m->time;
        seen->comms[seen->n] = strdup(replay_name(seen->replay, m->name));
        seen->symbols[seen->n] = strdup(named.symbol->name ?: "?");
        seen->paths[seen->n++] = strdup(named.path);
}

/* Returns the end of the replay, which further steps repeat. */
static int see_all(Seen *seen, PerfDataReader *reader, const SampleSelection *selection, Symbols *symbols) {
        const ReplayOptions options = { .selection = selection, .named = true, .symbols = symbols };
        Moment m;
        int r;

        ck_assert_ok(replay_new(reader, &options, &seen->replay));
        while ((r = replay_next(seen->replay, &m)) == 1)
                if (moment_is_sample(&m))
                        see_sample(seen, &m);
                else {
                        ck_assert_uint_eq(m.record->type, PERF_RECORD_MMAP2);
                        seen->n_records++;
                }
        ck_assert_int_eq(replay_next(seen->replay, &m), r);
        return r;
}

/* The build id of a binary is in the table at the file's end: the name is there for the first sample. */
START_TEST(names) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("program", made_source, "-O0"), *path = test_path("names.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        _cleanup_(seen_done) Seen seen = {};
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 2000);
        test_put_sample(&b, 12, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 1000);
        test_put_sample(&b, 12, PERF_RECORD_MISC_USER, 8, 0x400000, 1500);
        reader = test_recording(path, &b, &id, 1);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &symbols));
        ck_assert_int_eq(see_all(&seen, reader, NULL, symbols), 0);
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
        ck_assert_int_eq(see_all(&seen, reader, &some, NULL), 0);
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
        ck_assert_int_eq(see_all(&seen, reader, &busy, NULL), 0);
        ck_assert_uint_eq(seen.n, 2);
        ck_assert(seen.times[0] == 1500 && seen.times[1] == 2500);
}
END_TEST

/* A pass that is made again has the same moments, and what was lost is counted once. */
START_TEST(rewound) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("rewound.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_replay_free_ Replay *replay = NULL;
        uint32_t places[2][2];
        Moment m;

        test_put_map(&b, 7, 0x400000, 0x100000, "/usr/bin/program", 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400020, 2000);
        test_put_sample(&b, 12, PERF_RECORD_MISC_USER, 7, 0x400010, 1000);
        ck_assert_ok(record_put_lost_samples(&b, 3, &(RecordTrailer) { .sample_type = TEST_SAMPLE_TYPE, .id = 11 }));
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ok(replay_new(reader, &(ReplayOptions) {}, &replay));
        for (size_t pass = 0; pass < 2; pass++) {
                size_t n = 0;

                while (replay_next(replay, &m) == 1)
                        if (moment_is_sample(&m)) {
                                ck_assert_uint_lt(n, 2);
                                ck_assert_uint_eq(m.time, n == 0 ? 1000 : 2000);
                                ck_assert_ok(replay_find_place(replay, 7, PERF_RECORD_MISC_USER, m.sample->ip, places[pass] + n++));
                        }
                ck_assert_uint_eq(n, 2);
                ck_assert_uint_eq(replay_totals(replay)->lost_samples, 3);
                replay_rewind(replay, (Watcher) {});
        }
        ck_assert(places[0][0] == places[1][0] && places[0][1] == places[1][1] && places[0][0] != places[0][1]);
}
END_TEST

static bool stop(void *userdata) {
        return false;
}

/* The watcher is asked after a thousand records. */
START_TEST(interrupted) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("interrupted.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_replay_free_ Replay *replay = NULL;
        size_t n = 0;
        Moment m;
        int r;

        for (uint64_t i = 0; i < 3000; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000, 1000 + i);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ok(replay_new(reader, &(ReplayOptions) { .watcher.go_on = stop }, &replay));
        while ((r = replay_next(replay, &m)) == 1)
                n += moment_is_sample(&m);
        ck_assert_int_eq(r, -EINTR);
        ck_assert(n > 0 && n < 3000);
        replay_rewind(replay, (Watcher) {});
        for (n = 0; (r = replay_next(replay, &m)) == 1;)
                n += moment_is_sample(&m);
        ck_assert_int_eq(r, 0);
        ck_assert_uint_eq(n, 3000);
}
END_TEST

/* A recording without rounds that is counted in parts: each sample sees what is true at its moment, and each record is a moment once,
 * which would see nothing of what comes behind the first part otherwise. */
START_TEST(parts) {
        const ReplayNeeds needs = { .records = 1u << PERF_RECORD_COMM, .chains = true, .limit = 4096 };
        const RecordTrailer begin = { .sample_type = TEST_SAMPLE_TYPE, .id = 11 };
        const RecordTrailer exec = { .sample_type = TEST_SAMPLE_TYPE, .time = 2000, .id = 11 };
        static const uint64_t chains[][1] = { { 0x400010 }, { 0x400020 } };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("parts.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_replay_free_ Replay *replay = NULL;
        size_t n = 0, n_records = 0, n_back = 0, n_words;
        uint64_t last = 0;
        Moment m;

        ck_assert_ok(record_put_comm(&b, 7, 7, "first", 0, &begin));
        ck_assert_ok(record_put_comm(&b, 7, 7, "second", PERF_RECORD_MISC_COMM_EXEC, &exec));
        for (uint64_t cpu = 0; cpu < 2; cpu++)
                for (uint64_t i = 0; i < 1000; i++)
                        made_sample(&b, 7, 7, 1001 + 2 * i + cpu, 3, chains[cpu], 1);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ok(replay_new(reader, &(ReplayOptions) { .needs = &needs }, &replay));
        while (replay_next(replay, &m) == 1) {
                n_records += !moment_is_sample(&m);
                if (!moment_is_sample(&m))
                        continue;
                n++;
                n_back += m.time < last;
                last = m.time;
                ck_assert_str_eq(replay_name(replay, m.name), m.time < 2000 ? "first" : "second");
                ck_assert(m.chain == 1 + !(m.time % 2) && m.sample->period == 3 && m.end == UNWIND_END_MAX);
                ck_assert_uint_eq(m.sample->ip, chains[m.time % 2 == 0][0]);
        }
        ck_assert_uint_eq(n, 2000);
        ck_assert_uint_eq(n_records, 2);
        ck_assert_uint_gt(n_back, 0);
        ck_assert_ptr_nonnull(replay_chain(replay, 2, &n_words));
        ck_assert_uint_eq(n_words, 2);
        ck_assert_uint_eq(replay_unwound(replay, 0)[UNWIND_WHOLE], 2000);
        replay_rewind(replay, (Watcher) {});
        for (n = 0; replay_next(replay, &m) == 1;)
                n += moment_is_sample(&m);
        ck_assert_uint_eq(n, 2000);
}
END_TEST

TEST_RUN("replay", names, selects, leaves_out_idle_time, rewound, interrupted, parts);

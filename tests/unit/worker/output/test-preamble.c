/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The records that a file begins with, and their order. */

#include "check-main.h"
#include "made-recording.h"
#include "preamble.h"

static RecordBuffer buffer;

/* Checks the order of types, each repetition once, without the functions of BPF, which depend on the machine. */
static void assert_types(const uint32_t *expected, size_t n) {
        const struct perf_event_header *h;
        uint32_t last = 0;
        size_t cursor = 0, i = 0;

        while (record_next(buffer.data, buffer.size, &cursor, &h) > 0) {
                if (h->type == last || h->type == PERF_RECORD_KSYMBOL)
                        continue;
                last = h->type;
                ck_assert_uint_lt(i, n);
                ck_assert_uint_eq(h->type, expected[i++]);
        }
        ck_assert_uint_eq(i, n);
}

static char *make_tree(void) {
        char *root = scratch_new();

        scratch_write_text(root, "proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000000 T _stext\nffffffff81001000 T _etext\n");
        scratch_write_text(root, "proc/9/stat", "9 (app) S 1 0 0 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0");
        scratch_write_text(root, "proc/9/status", "Name:\tapp\nTgid:\t9\n");
        scratch_write_text(root, "proc/9/task/9/comm", "app\n");
        scratch_write_text(root, "proc/9/maps", "");
        return root;
}

START_TEST(test_all_cpus) {
        static const uint32_t types[] = {
                PERF_RECORD_ID_INDEX, PERF_RECORD_MMAP, PERF_RECORD_EVENT_UPDATE, PERF_RECORD_THREAD_MAP, PERF_RECORD_CPU_MAP,
                PERF_RECORD_FORK, PERF_RECORD_COMM, PERF_RECORD_FINISHED_INIT,
        };
        _cleanup_(scratch_done) char *root = make_tree();
        Target target = TARGET_EMPTY;

        target.all_cpus = true;
        ck_assert_int_eq(preamble_put(&(PreambleOptions) { .set = &made.set, .target = &target, .root = root }, &buffer), 0);
        assert_types(types, ELEMENTSOF(types));
        record_buffer_done(&buffer);
}
END_TEST

/* A stream has no header to read names from. */
START_TEST(test_event_names) {
        _cleanup_(scratch_done) char *root = make_tree();
        Target target = TARGET_EMPTY;
        const struct perf_event_header *h;
        size_t cursor = 0;
        unsigned n = 0;

        target.all_cpus = true;
        ck_assert_int_eq(preamble_put(&(PreambleOptions) { .set = &made.set, .target = &target, .root = root, .event_names = true },
                                      &buffer), 0);
        while (record_next(buffer.data, buffer.size, &cursor, &h) > 0) {
                const char *name = h->type == PERF_RECORD_EVENT_UPDATE ? (const char *) h + 24 : NULL;

                n += name && (streq(name, "cpu-clock") || streq(name, "dummy:HG"));
        }
        ck_assert_uint_eq(n, MADE_MEMBERS);
        record_buffer_done(&buffer);
}
END_TEST

/* The target is a command: before its start the preamble has its name, in a later file its maps. */
START_TEST(test_command) {
        static const uint32_t types[] = {
                PERF_RECORD_ID_INDEX, PERF_RECORD_MMAP, PERF_RECORD_EVENT_UPDATE, PERF_RECORD_THREAD_MAP, PERF_RECORD_CPU_MAP,
                PERF_RECORD_COMM, PERF_RECORD_FINISHED_INIT,
        };
        _cleanup_(scratch_done) char *root = make_tree();
        Target target = TARGET_EMPTY;

        for (int started = 0; started < 2; started++) {
                const PreambleOptions o = {
                        .set = &made.set, .target = &target, .root = root, .command = started ? 0 : 9, .command_runs = started ? 9 : 0,
                };

                ck_assert_int_eq(preamble_put(&o, &buffer), 0);
                assert_types(types, ELEMENTSOF(types));
                record_buffer_done(&buffer);
        }
}
END_TEST

START_TEST(test_without_kernel) {
        static const uint32_t types[] = {
                PERF_RECORD_ID_INDEX, PERF_RECORD_THREAD_MAP, PERF_RECORD_CPU_MAP, PERF_RECORD_COMM, PERF_RECORD_FINISHED_INIT,
        };
        _cleanup_(scratch_done) char *root = make_tree();
        Target target = TARGET_EMPTY;
        pid_t pid = 9;

        for (unsigned m = 0; m < MADE_MEMBERS; m++)
                made.members[m].attr.exclude_kernel = 1;
        made.specs[0].unit = NULL;
        made.specs[0].scale = 1;
        ck_assert(!preamble_needs_kernel(&made.set));
        made.tids[0] = pid;
        target.pids = &pid;
        target.n_pids = 1;
        ck_assert_int_eq(preamble_put(&(PreambleOptions) { .set = &made.set, .target = &target, .root = root }, &buffer), 0);
        assert_types(types, ELEMENTSOF(types));
        record_buffer_done(&buffer);
}
END_TEST

/* The kernel gives the conversion of its clock only if user space may read the counter. */
START_TEST(test_time_conversion) {
        _cleanup_(scratch_done) char *root = make_tree();
        Target target = TARGET_EMPTY;
        const struct perf_event_header *h;
        size_t cursor = 0;

        made.pages[0].cap_user_time_zero = 1;
        ck_assert_int_eq(preamble_put(&(PreambleOptions) { .set = &made.set, .target = &target, .root = root }, &buffer), 0);
        ck_assert_int_eq(record_next(buffer.data, buffer.size, &cursor, &h), 1);
        ck_assert_uint_eq(h->type, PERF_RECORD_TIME_CONV);
        record_buffer_done(&buffer);
}
END_TEST

CHECK_MAIN_WITH("preamble", made_setup, made_teardown, test_all_cpus, test_event_names, test_command, test_without_kernel, test_time_conversion);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table itself: the invariants that its readers rely on. */

#include "check-main.h"
#include "options.h"

#define FOREACH_ROW(row) for (const OptionRow *row = option_table(); row->name || row->letter; row++)

START_TEST(test_names_are_unique) {
        FOREACH_ROW(a)
                for (const OptionRow *b = a + 1; b->name || b->letter; b++) {
                        ck_assert(!a->name || !b->name || !streq(a->name, b->name));
                        ck_assert(!a->letter || a->letter != b->letter);
                }
}
END_TEST

START_TEST(test_rows_are_whole) {
        FOREACH_ROW(row) {
                if (row->kind == OPTION_KIND_PERF && !row->help) {
                        ck_assert_ptr_nonnull(row->name);
                        continue;
                }
                ck_assert_ptr_nonnull(row->help);
                ck_assert_int_lt(row->group, _OPTION_GROUP_MAX);
                ck_assert((row->argument == OPTION_FLAG) == (row->value == NULL));
        }
}
END_TEST

/* The table has every option of perf record 6.1, as perf's --list-opts names them. */
START_TEST(test_knows_perf) {
        static const char *const names[] = {
                "event", "filter", "exclude-perf", "pid", "tid", "realtime", "no-buffering", "raw-samples", "all-cpus", "cpu", "count",
                "output", "no-inherit", "tail-synthesize", "overwrite", "no-bpf-event", "strict-freq", "freq", "mmap-pages",
                "mmap-flush", "group", "call-graph", "verbose", "quiet", "stat", "data", "phys-data", "data-page-size",
                "code-page-size", "sample-cpu", "sample-identifier", "timestamp", "period", "no-samples", "no-buildid-cache",
                "no-buildid", "cgroup", "delay", "kcore", "uid", "branch-any", "branch-filter", "weight", "transaction", "per-thread",
                "intr-regs", "user-regs", "running-time", "clockid", "snapshot", "aux-sample", "proc-map-timeout", "namespaces",
                "all-cgroups", "switch-events", "all-kernel", "all-user", "kernel-callchains", "user-callchains", "clang-path",
                "clang-opt", "vmlinux", "buildid-all", "buildid-mmap", "timestamp-filename", "timestamp-boundary", "switch-output",
                "switch-output-event", "switch-max-files", "dry-run", "aio", "affinity", "compression-level", "max-size",
                "num-thread-synthesize", "control", "synth", "debuginfod", "threads", "off-cpu",
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                bool found = false;

                FOREACH_ROW(row)
                        found = found || streq_ptr(row->name, names[i]);
                ck_assert_msg(found, "%s", names[i]);
        }
}
END_TEST

START_TEST(test_help_names_all) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        ck_assert_ptr_nonnull(f);
        usage_print(f);
        ck_assert_int_eq(fclose(f), 0);
        FOREACH_ROW(row) {
                _cleanup_free_ char *name = NULL;

                ck_assert_int_gt(asprintf(&name, "--%s", row->name ?: "call-graph"), 0);
                if (row->help)
                        ck_assert_msg(strstr(text, name) && strstr(text, row->help), "%s", name);
        }
        ck_assert_ptr_null(strstr(text, "--num-thread-synthesize"));
}
END_TEST

START_TEST(test_help_of_one) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        usage_print_option(f, "switch-output");
        usage_print_option(f, "g");
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_ptr_nonnull(strstr(text, "--switch-output[=<signal|size[BKMG]|time[smhd]>]"));
        ck_assert_ptr_nonnull(strstr(text, "\n    -g "));
        ck_assert_ptr_null(strstr(text, "--freq"));
}
END_TEST

CHECK_MAIN("option-table", test_names_are_unique, test_rows_are_whole, test_knows_perf, test_help_names_all, test_help_of_one);

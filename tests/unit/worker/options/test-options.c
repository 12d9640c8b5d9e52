/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Combinations of options. */

#include "check-main.h"
#include "options.h"
#include "quote.h"

static int settle(Options *o, const char *line, char ***notes, Diagnosis *d) {
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(split_words(line, 100, &words), 0);
        ck_assert_int_eq(options_parse(o, words, d), 0);
        return options_settle(o, notes, d);
}

START_TEST(test_default_target) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT, command = OPTIONS_DEFAULT, cpu = OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;

        ck_assert_int_eq(settle(&o, "-e cpu-clock", &notes, NULL), 0);
        ck_assert(o.target.all_cpus);
        ck_assert_int_eq(settle(&command, "-e cpu-clock true", &notes, NULL), 0);
        ck_assert(!command.target.all_cpus);
        ck_assert_int_eq(settle(&cpu, "-e cpu-clock -C 0", &notes, NULL), 0);
        ck_assert(!cpu.target.all_cpus);
        ck_assert_ptr_null(notes);
}
END_TEST

START_TEST(test_default_event) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;

        ck_assert_int_eq(settle(&o, "", &notes, NULL), 0);
        ck_assert_uint_eq(o.events.n_specs, 1);
        ck_assert_ptr_nonnull(startswith(o.events.specs[0].name, "cycles"));
        ck_assert(!o.timestamp_filename);
}
END_TEST

START_TEST(test_rate) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT, both = OPTIONS_DEFAULT, zero = OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {}, e = {};

        ck_assert_int_eq(settle(&o, "-F 99", &notes, NULL), 0);
        ck_assert_uint_eq(o.attr.frequency, 99);
        ck_assert(o.attr.user_rate);
        ck_assert_int_eq(settle(&both, "-F 99 -c 3", &notes, &d), -EINVAL);
        ck_assert_ptr_nonnull(d.sentence);
        ck_assert_int_eq(settle(&zero, "-F 0", &notes, &e), -EINVAL);
        ck_assert_str_eq(e.sentence, "frequency and count are zero, aborting");
}
END_TEST

START_TEST(test_contradictions) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT, cgroup = OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(settle(&o, "-a -p 1", &notes, NULL), 0);
        ck_assert(!o.target.all_cpus);
        ck_assert_uint_eq(strv_length(notes), 1);
        ck_assert_int_eq(settle(&cgroup, "-e cpu-clock -G x -p 1", &notes, &d), -EINVAL);
        ck_assert_str_eq(d.sentence, "cgroup monitoring only available in system-wide mode");
}
END_TEST

START_TEST(test_history) {
        static const struct {
                const char *line, *sentence;
        } wrong[] = {
                { "-M 1M --overwrite", "-M and --overwrite exclude each other" },
                { "-M 1M -e cpu-clock/overwrite/", "-M and --overwrite exclude each other" },
                { "-M 1M --tail-synthesize", "-M and --tail-synthesize exclude each other" },
                { "-M 1M --switch-output=1M", "-M and a size for --switch-output exclude each other" },
                { "-M 1M --no-timestamp", "-M needs the times of samples, which --no-timestamp leaves out" },
                { "--unwind --call-graph dwarf", "--unwind is for a history ring, which -M SIZE asks for" },
                { "--history-time=1h", "--history-time is for a history ring, which -M SIZE asks for" },
        };
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;

        ck_assert_int_eq(settle(&o, "-e cpu-clock -a -M 1M --switch-output=signal --history-time=1h", &notes, NULL), 0);
        ck_assert_int_eq(o.attr.sample_time, 1);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(options_done) Options w = OPTIONS_DEFAULT;
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_int_eq(settle(&w, wrong[i].line, &notes, &d), -EINVAL);
                ck_assert_str_eq(d.sentence, wrong[i].sentence);
        }
}
END_TEST

START_TEST(test_counting) {
        static const char each_unit[] = "--for-each-unit is for events that are counted (--history-interval) on CPUs (-a, -C), and "
                                        "excludes -G";
        static const struct {
                const char *line, *sentence;
        } wrong[] = {
                { "--history-interval=1s", "--history-interval is for a history ring, which -M SIZE asks for" },
                { "-M 1M --for-each-unit=a*", each_unit },
                { "-M 1M --history-interval=1s --for-each-unit=a* -p 1", each_unit },
                { "-e cs -a -G x -M 1M --history-interval=1s --for-each-unit=a*", each_unit },
                { "-M 1M --history-interval=1s -F 99", "--history-interval counts, and has no rate of samples (-F, -c)" },
                { "-M 1M --history-interval=1s -c 9", "--history-interval counts, and has no rate of samples (-F, -c)" },
                { "-M 1M --history-interval=1s -g", "--history-interval counts, and has no call stacks (-g, --call-graph)" },
        };
        _cleanup_(options_done) Options all = OPTIONS_DEFAULT, task = OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;

        ck_assert_int_eq(settle(&all, "-e cs -a -M 1M --history-interval=1s --for-each-unit=web-*.service", &notes, NULL), 0);
        ck_assert(all.attr.counting && all.attr.use_clock && all.attr.clock == CLOCK_MONOTONIC && !all.target.per_thread);
        ck_assert_int_eq(settle(&task, "-e cs -p 1 -k realtime -M 1M --history-interval=1s", &notes, NULL), 0);
        ck_assert(task.attr.counting && task.attr.clock == CLOCK_REALTIME && task.target.per_thread && task.attr.inherit);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(options_done) Options w = OPTIONS_DEFAULT;
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_int_eq(settle(&w, wrong[i].line, &notes, &d), -EINVAL);
                ck_assert_str_eq(d.sentence, wrong[i].sentence);
        }
}
END_TEST

/* As with perf, threads are recorded without their children, processes with theirs. */
START_TEST(test_inherit) {
        static const struct {
                const char *line;
                bool inherit;
        } cases[] = { { "-p 1", true }, { "-t 1", false }, { "-t 1 --inherit", true }, { "-p 1 -i", false }, { "-a", true } };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
                _cleanup_strv_free_ char **notes = NULL;

                ck_assert_int_eq(settle(&o, cases[i].line, &notes, NULL), 0);
                ck_assert_msg(o.attr.inherit == cases[i].inherit, "%s", cases[i].line);
        }
}
END_TEST

START_TEST(test_switch_output) {
        static const struct {
                const char *value;
                uint64_t size;
                usec_t time;
        } cases[] = {
                { "--switch-output", 0, 0 },
                { "--switch-output=signal", 0, 0 },
                { "--switch-output=100B", 100, 0 },
                { "--switch-output=3K", 3 * 1024, 0 },
                { "--switch-output=2M", 2 << 20, 0 },
                { "--switch-output=1G", 1 << 30, 0 },
                { "--switch-output=30s", 0, 30 * USEC_PER_SEC },
                { "--switch-output=5m", 0, 5 * USEC_PER_MINUTE },
                { "--switch-output=1h", 0, 60 * USEC_PER_MINUTE },
                { "--switch-output=1d", 0, 24 * 60 * USEC_PER_MINUTE },
        };
        static const char *const wrong[] = { "1x", "M", "0M", "1", "", "99999999999999999999K", "18446744073709551615G", "1M2" };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
                _cleanup_strv_free_ char **notes = NULL;

                ck_assert_int_eq(settle(&o, cases[i].value, &notes, NULL), 0);
                ck_assert(o.switch_output.enabled && o.timestamp_filename);
                ck_assert_uint_eq(o.switch_output.size, cases[i].size);
                ck_assert_uint_eq(o.switch_output.time, cases[i].time);
        }
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
                _cleanup_free_ char *word = NULL;

                ck_assert_int_gt(asprintf(&word, "--switch-output=%s", wrong[i]), 0);
                ck_assert_msg(options_parse(&o, (char *[]) { word, NULL }, NULL) == -EINVAL, "%s", word);
        }
}
END_TEST

START_TEST(test_max_files_in_any_order) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT, p = OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;

        ck_assert_int_eq(settle(&o, "--switch-max-files 3 --switch-output=1M", &notes, NULL), 0);
        ck_assert_uint_eq(o.switch_output.max_files, 3);
        ck_assert_int_eq(settle(&p, "--switch-output=1M --switch-max-files=4", &notes, NULL), 0);
        ck_assert_uint_eq(p.switch_output.max_files, 4);
        ck_assert_uint_eq(p.switch_output.size, 1 << 20);
}
END_TEST

START_TEST(test_pages) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT, aux = OPTIONS_DEFAULT, none = OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;

        ck_assert_int_eq(settle(&o, "-m 3", &notes, NULL), 0);
        ck_assert_uint_eq(o.pages, 4);
        ck_assert_int_eq(settle(&aux, "-m 1M,16", &notes, NULL), 0);
        ck_assert_uint_eq(aux.pages, (1u << 20) / (unsigned) sysconf(_SC_PAGESIZE));
        ck_assert_int_eq(settle(&none, "", &notes, NULL), 0);
        ck_assert_uint_eq(none.pages, 0);
}
END_TEST

CHECK_MAIN("options", test_default_target, test_default_event, test_rate, test_contradictions, test_history, test_counting, test_inherit, test_switch_output,
           test_max_files_in_any_order, test_pages);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Titles and ends, runs and intervals, and what is reported of failures. */

#include "stat-samples.h"

START_TEST(a_command) {
        Sample s;

        sample_init(&s, STAT_ALL, "context-switches");
        s.table.elapsed = 12949745;
        s.table.has_usage = true;
        s.table.user = 0.006035;
        assert_text(&s, &(StatStyle) { .format = STAT_TEXT }, SAMPLE_WHOLE,
                    "\n"
                    " Performance counter stats for 'true':\n"
                    "\n"
                    "              1311      context-switches                                                   \n"
                    "\n"
                    "       0.012949745 seconds time elapsed\n"
                    "\n"
                    "       0.006035000 seconds user\n"
                    "       0.000000000 seconds sys\n"
                    "\n\n");
        s.table.n_events = 0;
        s.table.n_places = 0;
        assert_text(&s, &(StatStyle) { .format = STAT_TEXT, .null = true }, SAMPLE_WHOLE,
                    "\n"
                    " Performance counter stats for 'true':\n"
                    "\n"
                    "       0.012949745 seconds time elapsed\n"
                    "\n"
                    "       0.006035000 seconds user\n"
                    "       0.000000000 seconds sys\n"
                    "\n\n");
}
END_TEST

/* Times have two digits more than their deviation has zeros. */
START_TEST(precision) {
        static const struct {
                double elapsed, deviation;
                const char *line;
        } cases[] = {
                { 723e3, 27.6e3, "         0.0007230 +- 0.0000276 seconds time elapsed  ( +-  3.82% )\n" },
                { 8.69e6, 1.1967e6, "           0.00869 +- 0.00120 seconds time elapsed  ( +- 13.77% )\n" },
                { 20e9, 0.5e9, "            20.000 +- 0.500 seconds time elapsed  ( +-  2.50% )\n" },
                { 200e9, 1.5e9, "            200.00 +- 1.50 seconds time elapsed  ( +-  0.75% )\n" },
                { 200e9, 0, "     200.000000000 +- 0.000000000 seconds time elapsed\n" },
        };
        Sample s;

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *text = NULL;
                const char *line;

                sample_init(&s, STAT_ALL, "context-switches");
                s.table.runs = 3;
                s.table.elapsed = cases[i].elapsed;
                s.table.elapsed_deviation = cases[i].deviation;
                text = sample_text(&s.table, &(StatStyle) { .format = STAT_TEXT }, SAMPLE_WHOLE);
                line = strstr(text, "\n\n   ");
                ck_assert_ptr_nonnull(line);
                line = strstr(line + 2, "\n\n") + 2;
                ck_assert_mem_eq(line, cases[i].line, strlen(cases[i].line));
                ck_assert_str_eq(line + strlen(cases[i].line), "\n");
        }
}
END_TEST

START_TEST(table_of_runs) {
        double times[] = { 0.00657, 0.00404, 0.00215 };
        Sample s;

        sample_init(&s, STAT_ALL, "!cycles");
        s.table.runs = 3;
        s.table.elapsed = 4253333;
        s.table.elapsed_deviation = 1280368;
        assert_text(&s, &(StatStyle) { .format = STAT_TEXT, .run_times = times }, SAMPLE_WHOLE,
                    "\n"
                    " Performance counter stats for 'true' (3 runs):\n"
                    "\n"
                    "   <not supported>      cycles                                                      \n"
                    "\n"
                    "           # Table of individual measurements:\n"
                    "           0.00657 (+0.00232) ########\n"
                    "           0.00404 (-0.00021) ##\n"
                    "           0.00215 (-0.00210) ####################\n"
                    "\n"
                    "           # Final result:\n"
                    "           0.00425 +- 0.00128 seconds time elapsed  ( +- 30.10% )\n"
                    "\n");
}
END_TEST

/* A table of an interval has no title and no end, the sum behind intervals has both. */
START_TEST(intervals) {
        const StatStyle style = { .format = STAT_TEXT, .intervals = true, .subject = "'true'" };
        const char *row = "     1.100288463               1311      context-switches                                                   \n";
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        Sample s;

        sample_init(&s, STAT_ALL, "context-switches");
        ck_assert_int_eq(stat_print_interval(&s.table, &style, 1100288463, false, f), 0);
        ck_assert_str_eq(text, row); /* it is flushed */
        ck_assert_int_eq(fclose(f), 0);
        assert_text(&s, &style, SAMPLE_WHOLE, row + strlen("     1.100288463 "));
        assert_text(&s, &style, SAMPLE_SUMMARY,
                    "\n"
                    " Performance counter stats for 'true':\n"
                    "\n"
                    "              1311      context-switches                                                   \n"
                    "\n"
                    "       0.723000000 seconds time elapsed\n"
                    "\n");
}
END_TEST

/* Moments are shown as the time of day, in as many columns. */
START_TEST(times_of_day) {
        const StatStyle style = { .format = STAT_TEXT, .intervals = true, .wall_clock = true, .wall_offset = 1795258398000000000 };
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        Sample s;

        ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
        sample_init(&s, STAT_ALL, "context-switches");
        ck_assert_int_eq(stat_print_interval(&s.table, &style, 1100288463, false, f), 0);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_str_eq(text, " 10:53:19.100288               1311      context-switches                                                   \n");
}
END_TEST

START_TEST(watchdog) {
        static const char hint[] = "Some events weren't counted. Try disabling the NMI watchdog:\n"
                                   "\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
                                   "\tperf stat ...\n"
                                   "\techo 1 > /proc/sys/kernel/nmi_watchdog\n";
        const StatStyle style = { .format = STAT_TEXT, .nmi_watchdog = true };
        _cleanup_free_ char *hinted = NULL, *supported = NULL;
        Sample s;

        sample_init(&s, STAT_ALL, "context-switches bus-cycles");
        hinted = sample_text(&s.table, &style, SAMPLE_WHOLE);
        ck_assert_ptr_nonnull(strstr(hinted, " seconds time elapsed\n\nSome"));
        ck_assert_str_eq(strstr(hinted, "Some"), hint);
        sample_init(&s, STAT_ALL, "context-switches !bus-cycles");
        supported = sample_text(&s.table, &style, SAMPLE_WHOLE);
        ck_assert_ptr_null(strstr(supported, "Some"));
}
END_TEST

START_TEST(errors_of_writing) {
        FILE *f = fopen("/dev/full", "we");
        Sample s;

        ck_assert_ptr_nonnull(f);
        sample_init(&s, STAT_ALL, "context-switches");
        ck_assert_int_eq(stat_print(&s.table, &(StatStyle) { .format = STAT_TEXT, .subject = "'true'" }, f), -ENOSPC);
        (void) fclose(f);
}
END_TEST

CHECK_MAIN("stat-print", a_command, precision, table_of_runs, intervals, times_of_day, watchdog, errors_of_writing);

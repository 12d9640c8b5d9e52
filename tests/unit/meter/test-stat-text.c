/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows for people, at all places, with all that can stand behind a value. */

#include <locale.h>

#include "scratch.h"
#include "stat-samples.h"

static const StatStyle text = { .format = STAT_TEXT };

START_TEST(one_place) {
        Sample s;

        sample_init(&s, STAT_ALL, "task-clock context-switches cycles instructions stalled-cycles-backend branches branch-misses cache-misses "
                    "!bus-cycles");
        assert_rows(&s, &text,
                    "            923.46 msec task-clock                       #    1.277 CPUs utilized          \n"
                    "              1311      context-switches                 #    1.420 K/sec                  \n"
                    "        3691357802      cycles                           #    3.997 GHz                    \n"
                    "        2891357802      instructions                     #    0.78  insn per cycle         \n"
                    "                                                  #    0.41  stalled cycles per insn\n"
                    "        1191357802      stalled-cycles-backend           #   32.27% backend cycles idle    \n"
                    "         591357802      branches                         #  640.374 M/sec                  \n"
                    "          64166666      branch-misses                    #   10.85% of all branches          (77.78%)\n"
                    "     <not counted>      cache-misses                                                  (0.00%)\n"
                    "   <not supported>      bus-cycles                                                  \n");
}
END_TEST

START_TEST(cpus) {
        Sample s;

        sample_init(&s, STAT_BY_CPU, "task-clock cycles instructions stalled-cycles-backend branch-misses bus-cycles");
        assert_rows(&s, &text,
                    "CPU0                   523.46 msec task-clock                       #    0.724 CPUs utilized          \n"
                    "CPU1                   400.00 msec task-clock                       #    0.553 CPUs utilized          \n"
                    "CPU0               2345678901      cycles                           #    4.481 GHz                    \n"
                    "CPU1               1345678901      cycles                           #    3.364 GHz                    \n"
                    "CPU0               1945678901      instructions                     #    0.83  insn per cycle         \n"
                    "CPU0                                                                 #    0.33  stalled cycles per insn\n"
                    "CPU1                945678901      instructions                     #    0.70  insn per cycle         \n"
                    "CPU1                                                                 #    0.58  stalled cycles per insn\n"
                    "CPU0                645678901      stalled-cycles-backend           #   27.53% backend cycles idle    \n"
                    "CPU1                545678901      stalled-cycles-backend           #   40.55% backend cycles idle    \n"
                    "CPU0                 37500000      branch-misses                                                        (80.00%)\n"
                    "CPU1                 26666666      branch-misses                                                        (75.00%)\n"
                    "CPU0            <not counted>      bus-cycles                                                  \n"
                    "CPU1            <not counted>      bus-cycles                                                  \n");
}
END_TEST

START_TEST(parts_of_the_machine) {
        Sample s;

        sample_init(&s, STAT_BY_CORE, "context-switches !cycles");
        assert_rows(&s, &text,
                    "S0-D0-C0           1               1234      context-switches                                                   \n"
                    "S0-D0-C0           1    <not supported>      cycles                                                      \n"
                    "S0-D0-C1           1                 77      context-switches                                                   \n"
                    "S0-D0-C1           1    <not supported>      cycles                                                      \n");
        sample_init(&s, STAT_BY_DIE, "context-switches !cycles");
        assert_rows(&s, &text,
                    "S0-D0           2               1311      context-switches                                                   \n"
                    "S0-D0           1    <not supported>      cycles                                                      \n");
        sample_init(&s, STAT_BY_SOCKET, "context-switches !cycles");
        assert_rows(&s, &text,
                    "S0        2               1311      context-switches                                                   \n"
                    "S0        1    <not supported>      cycles                                                      \n");
        sample_init(&s, STAT_BY_NODE, "context-switches !cycles");
        assert_rows(&s, &text,
                    "N0        2               1311      context-switches                                                   \n"
                    "N0        1    <not supported>      cycles                                                      \n");
}
END_TEST

/* The largest count of an event comes first, whatever the order of the places is. */
START_TEST(threads) {
        Sample s;

        sample_init(&s, STAT_BY_THREAD, "context-switches task-clock cache-misses");
        s.values[0].value = 12;
        s.values[1].value = 3e10;
        assert_rows(&s, &text,
                    "            bash-4711            30000000000      context-switches                 #   75.000 G/sec                  \n"
                    "     kworker/0:1-5                        12      context-switches                 #   22.925 /sec                   \n"
                    "     kworker/0:1-5                    523.46 msec task-clock                       #    0.724 CPUs utilized          \n"
                    "            bash-4711                 400.00 msec task-clock                       #    0.553 CPUs utilized          \n"
                    "     kworker/0:1-5             <not counted>      cache-misses                                                  (0.00%)\n"
                    "            bash-4711          <not counted>      cache-misses                                                  (0.00%)\n");
        s.values[0].value = 0;
        assert_rows(&s, &(StatStyle) { .format = STAT_TEXT, .omit_zeros = true },
                    "            bash-4711            30000000000      context-switches                 #   75.000 G/sec                  \n"
                    "     kworker/0:1-5                    523.46 msec task-clock                       #    0.724 CPUs utilized          \n"
                    "            bash-4711                 400.00 msec task-clock                       #    0.553 CPUs utilized          \n");
}
END_TEST

/* The widest unit of those that were opened is the width of all; a group comes behind the name, long names push what follows. */
START_TEST(units_and_groups) {
        Sample s;

        sample_init(&s, STAT_ALL, "task-clock power/energy-pkg/ !cycles");
        assert_rows(&s, &text,
                    "            923.46 msec   task-clock                       #    1.277 CPUs utilized          \n"
                    "            124.47 Joules power/energy-pkg/                #  134.782 /sec                   \n"
                    "   <not supported>        cycles                                                      \n");
        sample_init(&s, STAT_ALL, "task-clock !power/energy-pkg/ cache-misses");
        s.events[0].cgroup = s.events[2].cgroup = "/";
        s.events[1].cgroup = "a\nb\033";
        s.events[2].name = "a-name-of-an-event-that-is-longer-than-others";
        assert_rows(&s, &text,
                    "            923.46 msec task-clock                       / #    1.277 CPUs utilized          \n"
                    "   <not supported> Joules power/energy-pkg/         a b?                                   \n"
                    "     <not counted>      a-name-of-an-event-that-is-longer-than-others /                                     (0.00%)\n");
}
END_TEST

START_TEST(deviations) {
        Sample s;

        sample_init(&s, STAT_ALL, "task-clock context-switches branch-misses !cycles");
        s.table.runs = 3;
        s.table.elapsed_deviation = 99594000;
        s.values[0] = (StatValue) { 3649000, 3649000, 3649000, 276300 };
        s.values[2].deviation = 64166666.0 / 3;
        s.values[3].deviation = 5;
        assert_text(&s, &text, SAMPLE_WHOLE,
                    "\n Performance counter stats for 'true' (3 runs):\n\n"
                    "              3.65 msec task-clock                       #    0.005 CPUs utilized            ( +-  7.57% )\n"
                    "              1311      context-switches                 #  359.277 K/sec                  \n"
                    "          64166666      branch-misses                                                        ( +- 33.33% )  (77.78%)\n"
                    "   <not supported>      cycles                                                      \n"
                    "\n"
                    "            0.7230 +- 0.0996 seconds time elapsed  ( +- 13.78% )\n\n");
}
END_TEST

/* Columns of metrics are as wide as their titles; those that perf can colour have room for that. */
START_TEST(metrics_alone) {
        const StatStyle style = { .format = STAT_TEXT, .metric_only = true };
        Sample s;
        const char *names = "task-clock context-switches cycles instructions stalled-cycles-backend branches branch-misses cache-misses";

        sample_init(&s, STAT_BY_CPU, names);
        assert_rows(&s, &style,
                    "                       GHz       insn per cycle  backend cycles idle branch-misses of all branches "
                    "cache-misses of all cache refs \n"
                    "CPU0                      4.481                0.83                     0.33                        27.53%       "
                    "                          10.85%                      \n"
                    "CPU1                      3.364                0.70                     0.58                        40.55%       "
                    "                          10.85%                      \n");
        sample_init(&s, STAT_BY_CORE, names);
        assert_rows(&s, &style,
                    "                        \n"
                    "S0-D0-C0           1                4.481                0.83                     0.33                        27.53%"
                    "                                 10.85%                      \n"
                    "S0-D0-C1           1                3.364                0.70                     0.58                        40.55%"
                    "                                 10.85%                      \n");
        sample_init(&s, STAT_ALL, "context-switches !cycles");
        assert_rows(&s, &style, "\n                     \n");
        sample_init(&s, STAT_BY_CPU, "cycles");
        assert_text(&s, &style, SAMPLE_INTERVAL,
                    "#           time CPU                      Ghz \n"
                    "     1.100288463 CPU0                            \n"
                    "     1.100288463 CPU1                            \n");
}
END_TEST

START_TEST(intervals) {
        Sample s;

        sample_init(&s, STAT_ALL, "context-switches cycles");
        assert_text(&s, &text, SAMPLE_INTERVAL,
                    "#           time             counts unit events\n"
                    "     1.100288463               1311      context-switches                                                   \n"
                    "     1.100288463         3691357802      cycles                                                             \n");
        sample_init(&s, STAT_BY_CPU, "context-switches");
        assert_text(&s, &text, SAMPLE_INTERVAL,
                    "#           time CPU                    counts unit events\n"
                    "     1.100288463 CPU0                     1234      context-switches                                                   \n"
                    "     1.100288463 CPU1                       77      context-switches                                                   \n");
        sample_init(&s, STAT_BY_CORE, "instructions stalled-cycles-backend");
        s.table.n_places = 1;
        s.values[1] = s.values[2];
        assert_text(&s, &text, SAMPLE_INTERVAL,
                    "#           time core            cpus             counts unit events\n"
                    "     1.100288463 S0-D0-C0           1         1945678901      instructions                                                       \n"
                    "     1.100288463 S0-D0-C0           1                                                   #    0.33  stalled cycles per insn\n"
                    "     1.100288463 S0-D0-C0           1          645678901      stalled-cycles-backend           #    0.00% backend cycles idle    \n");
}
END_TEST

/* The titles of columns, perf's for each kind of place. */
START_TEST(titles) {
        static const struct {
                StatPlacing placing;
                const char *title;
        } cases[] = {
                { STAT_BY_DIE, "#           time die          cpus             counts unit events\n" },
                { STAT_BY_SOCKET, "#           time socket cpus             counts unit events\n" },
                { STAT_BY_NODE, "#           time node   cpus             counts unit events\n" },
                { STAT_BY_THREAD, "#           time             comm-pid                  counts unit events\n" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *written = NULL;
                Sample s;

                sample_init(&s, cases[i].placing, "context-switches");
                written = sample_text(&s.table, &text, SAMPLE_INTERVAL);
                ck_assert_ptr_nonnull(startswith(written, cases[i].title));
        }
}
END_TEST

/* Red, magenta, yellow, which take no columns. */
START_TEST(colours) {
        Sample s;

        sample_init(&s, STAT_ALL, "cycles stalled-cycles-backend stalled-cycles-frontend branches branch-misses");
        s.values[4].value = s.values[3].value / 4;
        s.values[4].running = s.values[4].enabled;
        assert_rows(&s, &(StatStyle) { .format = STAT_TEXT, .colour = true },
                    "        3691357802      cycles                                                             \n"
                    "        1191357802      stalled-cycles-backend           # \033[33m  32.27%\033[m backend cycles idle    \n"
                    "         591357802      stalled-cycles-frontend          # \033[33m  16.02%\033[m frontend cycles idle   \n"
                    "         591357802      branches                                                           \n"
                    "         147839450      branch-misses                    # \033[31m  25.00%\033[m of all branches        \n");
        s.values[1].value = 0.51 * s.values[0].value;
        assert_rows(&s, &(StatStyle) { .format = STAT_TEXT, .colour = true, .metric_only = true },
                    "\n                                 \033[35m  51.00%\033[m             \033[33m  16.02%\033[m                       "
                    "\033[31m  25.00%\033[m \n");
}
END_TEST

/* A locale of LC_NUMERIC alone, as localedef(1) writes it for glibc. */
static void make_locale(const char *folder) {
        const struct {
                uint32_t magic, n, offsets[6];
                char point[2], separator[2], grouping[2], nothing[2];
                uint32_t wide_point, wide_separator;
                char codeset[6];
        } file = { 0x20031114, 6, { 32, 34, 36, 40, 44, 48 }, ",", ".", "\3", "", ',', '.', "UTF-8" };

        scratch_write(folder, "xx/LC_NUMERIC", &file, sizeof(file));
        ck_assert_int_eq(setenv("LOCPATH", folder, 1), 0);
        ck_assert_ptr_nonnull(setlocale(LC_NUMERIC, "xx"));
}

START_TEST(big_numbers) {
        _cleanup_(scratch_done) char *folder = scratch_new();
        Sample s;

        make_locale(folder);
        sample_init(&s, STAT_ALL, "task-clock cycles");
        s.values[0].value *= 1000;
        assert_text(&s, &(StatStyle) { .format = STAT_TEXT, .big_numbers = true }, SAMPLE_WHOLE,
                    "\n Performance counter stats for 'true':\n\n"
                    "        923.456,79 msec task-clock                       # 1277,257 CPUs utilized          \n"
                    "     3.691.357.802      cycles                           #    0,004 GHz                    \n"
                    "\n       0,723000000 seconds time elapsed\n\n");
        assert_text(&s, &(StatStyle) { .format = STAT_SEPARATED, .separator = ";" }, SAMPLE_WHOLE,
                    "923456.79;msec;task-clock;923456789;100.00;1277.257;CPUs utilized\n"
                    "3691357802;;cycles;923456789;100.00;0.004;GHz\n");
        s.table.n_events = 1;
        assert_text(&s, &(StatStyle) { .format = STAT_JSON }, SAMPLE_WHOLE,
                    "{\"counter-value\" : \"923456.789000\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : 923456789, "
                    "\"pcnt-running\" : 100.00, \"metric-value\" : 1277.256970, \"metric-unit\" : \"CPUs utilized\"}\n");
        ck_assert_str_eq(localeconv()->decimal_point, ","); /* as it was */
}
END_TEST

CHECK_MAIN("stat-text", one_place, cpus, parts_of_the_machine, threads, units_and_groups, deviations, metrics_alone, intervals, titles,
           colours, big_numbers);

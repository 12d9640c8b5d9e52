/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows with separators, at all places. */

#include "stat-samples.h"

static const StatStyle separated = { .format = STAT_SEPARATED };

/* An event that never ran has 0.00 percent, where perf has 100.00. */
START_TEST(one_place) {
        Sample s;

        sample_init(&s, STAT_ALL, "task-clock context-switches cycles instructions stalled-cycles-backend branches branch-misses cache-misses "
                    "bus-cycles !LLC-loads");
        assert_text(&s, &separated, SAMPLE_WHOLE,
                    "923.46,msec,task-clock,923456789,100.00,1.277,CPUs utilized\n"
                    "1311,,context-switches,923456789,100.00,1.420,K/sec\n"
                    "3691357802,,cycles,923456789,100.00,3.997,GHz\n"
                    "2891357802,,instructions,923456789,100.00,0.78,insn per cycle\n"
                    ",,,,,0.41,stalled cycles per insn\n"
                    "1191357802,,stalled-cycles-backend,923456789,100.00,32.27,backend cycles idle\n"
                    "591357802,,branches,923456789,100.00,640.374,M/sec\n"
                    "64166666,,branch-misses,700000000,77.00,10.85,of all branches\n"
                    "<not counted>,,cache-misses,0,0.00,,\n"
                    "<not counted>,,bus-cycles,0,0.00,,\n"
                    "<not supported>,,LLC-loads,0,0.00,,\n");
}
END_TEST

START_TEST(places) {
        static const struct {
                StatPlacing placing;
                const char *first; /* lines */
        } cases[] = {
                /* As perf's where it counts right, of CPUs and threads. */
                { STAT_BY_CPU, "CPU0,1945678901,,instructions,523456789,100.00,,\nCPU0,,,,,,0.33,stalled cycles per insn\n"
                               "CPU1,945678901,,instructions,400000000,100.00,,\n" },
                { STAT_BY_CORE, "S0-D0-C0,1,1945678901,,instructions,523456789,100.00,,\nS0-D0-C0,1,,,,,,0.33,stalled cycles per insn\n"
                                "S0-D0-C0,1,645678901,,stalled-cycles-backend,523456789,100.00,0.00,backend cycles idle\n" },
                { STAT_BY_DIE, "S0-D0,2,2891357802,,instructions,923456789,100.00,,\nS0-D0,2,,,,,,0.41,stalled cycles per insn\n" },
                { STAT_BY_SOCKET, "S0,2,2891357802,,instructions,923456789,100.00,,\nS0,2,,,,,,0.41,stalled cycles per insn\n" },
                { STAT_BY_NODE, "N0,2,2891357802,,instructions,923456789,100.00,,\nN0,2,,,,,,0.41,stalled cycles per insn\n" },
                { STAT_BY_THREAD, "kworker/0:1-5,1945678901,,instructions,523456789,100.00,,\n"
                                  "kworker/0:1-5,,,,,,0.33,stalled cycles per insn\n" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *text = NULL;
                Sample s;

                sample_init(&s, cases[i].placing, "instructions stalled-cycles-backend");
                text = sample_text(&s.table, &separated, SAMPLE_WHOLE);
                text[strlen(cases[i].first)] = '\0';
                ck_assert_str_eq(text, cases[i].first);
        }
}
END_TEST

START_TEST(deviations_and_groups) {
        Sample s;

        sample_init(&s, STAT_ALL, "task-clock instructions stalled-cycles-backend !cycles");
        s.table.runs = 3;
        s.values[0] = (StatValue) { 3837174, 3837174, 3837174, 158859 };
        for (size_t i = 0; i < s.table.n_events; i++)
                s.events[i].cgroup = "/a";
        s.values[3].deviation = 7;
        assert_text(&s, &(StatStyle) { .format = STAT_SEPARATED, .separator = "||" }, SAMPLE_WHOLE,
                    "3.84||msec||task-clock||/a||4.14%||3837174||100.00||0.005||CPUs utilized\n"
                    "2891357802||||instructions||/a||0.00%||923456789||100.00||||\n"
                    "||||||||||||||0.41||stalled cycles per insn\n"
                    "1191357802||||stalled-cycles-backend||/a||0.00%||923456789||100.00||0.00||backend cycles idle\n"
                    "<not supported>||||cycles||/a||0.00%||0||0.00||||\n");
}
END_TEST

START_TEST(intervals_and_their_sum) {
        Sample s;

        sample_init(&s, STAT_BY_CORE, "context-switches instructions stalled-cycles-backend");
        s.table.n_places = 1;
        for (size_t i = 0; i < 3; i++)
                s.values[i] = s.values[2 * i];
        assert_text(&s, &separated, SAMPLE_INTERVAL,
                    "     1.100288463,S0-D0-C0,1,1234,,context-switches,523456789,100.00,,\n"
                    "     1.100288463,S0-D0-C0,1,1945678901,,instructions,523456789,100.00,,\n"
                    "     1.100288463,S0-D0-C0,1,,,,,,0.33,stalled cycles per insn\n"
                    "     1.100288463,S0-D0-C0,1,645678901,,stalled-cycles-backend,523456789,100.00,0.00,backend cycles idle\n");
        sample_init(&s, STAT_ALL, "context-switches !cycles");
        assert_text(&s, &(StatStyle) { .format = STAT_SEPARATED, .intervals = true, .csv_summary = true }, SAMPLE_SUMMARY,
                    "         summary,1311,,context-switches,923456789,100.00,,\n"
                    "         summary,<not supported>,,cycles,0,0.00,,\n");
        assert_text(&s, &(StatStyle) { .format = STAT_SEPARATED, .intervals = true }, SAMPLE_SUMMARY,
                    "1311,,context-switches,923456789,100.00,,\n"
                    "<not supported>,,cycles,0,0.00,,\n");
}
END_TEST

START_TEST(metrics_alone) {
        const StatStyle style = { .format = STAT_SEPARATED, .metric_only = true, .csv_summary = true };
        Sample s;

        sample_init(&s, STAT_BY_CPU, "task-clock context-switches cycles instructions stalled-cycles-backend branches branch-misses cache-misses");
        assert_text(&s, &style, SAMPLE_WHOLE,
                    "cpu,GHz,insn per cycle,backend cycles idle,branch-misses of all branches,cache-misses of all cache refs,\n"
                    "CPU0,4.481,0.83,0.33,27.53,10.85,,\n"
                    "CPU1,3.364,0.70,0.58,40.55,10.85,,\n");
        sample_init(&s, STAT_BY_CORE, "context-switches cycles");
        assert_text(&s, &style, SAMPLE_INTERVAL,
                    " time,core,cpus,\n"
                    "     1.100288463,S0-D0-C0,1,,\n"
                    "     1.100288463,S0-D0-C1,1,,\n");
        sample_init(&s, STAT_ALL, "task-clock cycles !branches");
        assert_text(&s, &style, SAMPLE_SUMMARY, "\n         summary,3.997,,\n");
}
END_TEST

CHECK_MAIN("stat-separated", one_place, places, deviations_and_groups, intervals_and_their_sum, metrics_alone);

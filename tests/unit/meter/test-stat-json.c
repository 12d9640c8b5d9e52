/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Objects of JSON at all places, and names of all kinds in them. */

#include "stat-samples.h"

static const StatStyle json = { .format = STAT_JSON };

/* An event that never ran has 0.00 percent, where perf has 100.00; without a metric its unit is empty, where perf has "(null)". */
START_TEST(one_place) {
        Sample s;

        sample_init(&s, STAT_ALL, "task-clock cycles instructions stalled-cycles-backend branches branch-misses cache-misses bus-cycles !LLC-loads");
        assert_text(&s, &json, SAMPLE_WHOLE,
                    "{\"counter-value\" : \"923.456789\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : 923456789, "
                    "\"pcnt-running\" : 100.00, \"metric-value\" : 1.277257, \"metric-unit\" : \"CPUs utilized\"}\n"
                    "{\"counter-value\" : \"3691357802.000000\", \"unit\" : \"\", \"event\" : \"cycles\", \"event-runtime\" : 923456789, "
                    "\"pcnt-running\" : 100.00, \"metric-value\" : 3.997326, \"metric-unit\" : \"GHz\"}\n"
                    "{\"counter-value\" : \"2891357802.000000\", \"unit\" : \"\", \"event\" : \"instructions\", \"event-runtime\" : 923456789, "
                    "\"pcnt-running\" : 100.00, \"metric-value\" : 0.783278, \"metric-unit\" : \"insn per cycle\"}\n"
                    "{\"metric-value\" : 0.412041, \"metric-unit\" : \"stalled cycles per insn\"}\n"
                    "{\"counter-value\" : \"1191357802.000000\", \"unit\" : \"\", \"event\" : \"stalled-cycles-backend\", "
                    "\"event-runtime\" : 923456789, \"pcnt-running\" : 100.00, \"metric-value\" : 32.274243, "
                    "\"metric-unit\" : \"backend cycles idle\"}\n"
                    "{\"counter-value\" : \"591357802.000000\", \"unit\" : \"\", \"event\" : \"branches\", \"event-runtime\" : 923456789, "
                    "\"pcnt-running\" : 100.00, \"metric-value\" : 640.374091, \"metric-unit\" : \"M/sec\"}\n"
                    "{\"counter-value\" : \"64166666.000000\", \"unit\" : \"\", \"event\" : \"branch-misses\", \"event-runtime\" : 700000000, "
                    "\"pcnt-running\" : 77.00, \"metric-value\" : 10.850735, \"metric-unit\" : \"of all branches\"}\n"
                    "{\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : \"cache-misses\", \"event-runtime\" : 0, "
                    "\"pcnt-running\" : 0.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n"
                    "{\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : \"bus-cycles\", \"event-runtime\" : 0, "
                    "\"pcnt-running\" : 0.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n"
                    "{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"LLC-loads\", \"event-runtime\" : 0, "
                    "\"pcnt-running\" : 0.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n");
        sample_init(&s, STAT_ALL, "context-switches");
        assert_text(&s, &json, SAMPLE_WHOLE,
                    "{\"counter-value\" : \"1311.000000\", \"unit\" : \"\", \"event\" : \"context-switches\", \"event-runtime\" : 923456789, "
                    "\"pcnt-running\" : 100.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n");
}
END_TEST

START_TEST(places) {
        static const struct {
                StatPlacing placing;
                const char *first; /* what the objects begin with, that of a further metric too */
        } cases[] = {
                { STAT_BY_CPU, "\"cpu\" : \"0\", " },
                { STAT_BY_CORE, "\"core\" : \"S0-D0-C0\", \"aggregate-number\" : 1, " },
                { STAT_BY_DIE, "\"die\" : \"S0-D0\", \"aggregate-number\" : 2, " },
                { STAT_BY_SOCKET, "\"socket\" : \"S0\", \"aggregate-number\" : 2, " },
                { STAT_BY_NODE, "\"node\" : \"N0\", \"aggregate-number\" : 2, " },
                { STAT_BY_THREAD, "\"thread\" : \"kworker/0:1-5\", " },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                for (SamplePart part = SAMPLE_WHOLE; part <= SAMPLE_SUMMARY; part++) {
                        _cleanup_free_ char *text = NULL;
                        const char *rest;
                        Sample s;

                        sample_init(&s, cases[i].placing, "instructions stalled-cycles-backend");
                        text = sample_text(&s.table, &json, part);
                        for (unsigned line = 0; line < 2; line++) {
                                rest = startswith(line == 0 ? text : strchr(text, '\n') + 1,
                                                  part == SAMPLE_INTERVAL ? "{\"interval\" : 1.100288463, " : "{");
                                rest = rest ? startswith(rest, cases[i].first) : NULL;
                                ck_assert_ptr_nonnull(rest);
                                ck_assert_ptr_nonnull(startswith(rest, line == 0 ? "\"counter-value\" : \"" : "\"metric-value\" : 0."));
                        }
                }
}
END_TEST

START_TEST(deviations) {
        Sample s;

        sample_init(&s, STAT_ALL, "context-switches !cycles");
        s.table.runs = 3;
        s.values[0].deviation = 131.1;
        assert_text(&s, &json, SAMPLE_WHOLE,
                    "{\"counter-value\" : \"1311.000000\", \"unit\" : \"\", \"event\" : \"context-switches\", \"variance\" : 10.00, "
                    "\"event-runtime\" : 923456789, \"pcnt-running\" : 100.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n"
                    "{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"cycles\", \"variance\" : 0.00, "
                    "\"event-runtime\" : 0, \"pcnt-running\" : 0.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n");
}
END_TEST

/* Users name events, and anyone control groups and threads. */
START_TEST(hostile_names) {
        Sample s;

        sample_init(&s, STAT_BY_THREAD, "context-switches");
        s.table.n_places = 1;
        s.places[0].comm = "a\"b\\";
        s.events[0].name = "x\", \"event\" : \"y\n\xff";
        s.events[0].cgroup = "/\x1b[31m\"";
        s.events[0].unit = "\"";
        assert_text(&s, &json, SAMPLE_WHOLE,
                    "{\"thread\" : \"a\\\"b\\\\-5\", \"counter-value\" : \"1234.000000\", \"unit\" : \"\\\"\", "
                    "\"event\" : \"x\\\", \\\"event\\\" : \\\"y\\u000a\xef\xbf\xbd\", \"cgroup\" : \"/\\u001b[31m\\\"\", "
                    "\"event-runtime\" : 523456789, \"pcnt-running\" : 100.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n");
}
END_TEST

/* perf 6.1 has no valid JSON here; this is what later ones write. */
START_TEST(metrics_alone) {
        const StatStyle style = { .format = STAT_JSON, .metric_only = true };
        Sample s;

        sample_init(&s, STAT_BY_CORE, "task-clock cycles instructions branches branch-misses !bus-cycles");
        s.events[4].name = "b\"m";
        assert_text(&s, &style, SAMPLE_WHOLE,
                    "{\"core\" : \"S0-D0-C0\", \"aggregate-number\" : 1, \"GHz\" : \"4.481\", \"insn per cycle\" : \"0.83\", "
                    "\"b\\\"m of all branches\" : \"10.85\"}\n"
                    "{\"core\" : \"S0-D0-C1\", \"aggregate-number\" : 1, \"GHz\" : \"3.364\", \"insn per cycle\" : \"0.70\", "
                    "\"b\\\"m of all branches\" : \"10.85\"}\n");
        sample_init(&s, STAT_ALL, "cycles");
        assert_text(&s, &style, SAMPLE_INTERVAL, "{\"interval\" : 1.100288463}\n");
        assert_text(&s, &style, SAMPLE_WHOLE, "{}\n");
}
END_TEST

CHECK_MAIN("stat-json", one_place, places, deviations, hostile_names, metrics_alone);

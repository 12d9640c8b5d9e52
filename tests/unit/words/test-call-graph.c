/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words of --call-graph, with the observed limits of perf record 6.1. */

#include "call-graph.h"
#include "check-main.h"

START_TEST(test_parse) {
        static const struct {
                const char *words;
                CallGraph expected;
                const char *formatted;
        } cases[] = {
                { "no", { CALL_GRAPH_NONE, 0, 0 }, "no" },
                { "fp", { CALL_GRAPH_FP, 0, 0 }, "fp" },
                { "fp,5", { CALL_GRAPH_FP, 0, 5 }, "fp,5" },
                { "dwarf", { CALL_GRAPH_DWARF, 8192, 0 }, "dwarf,8192" },
                { "dwarf,100", { CALL_GRAPH_DWARF, 104, 0 }, "dwarf,104" },
                { "dwarf,0x10", { CALL_GRAPH_DWARF, 16, 0 }, "dwarf,16" },
                { "dwarf,16K", { CALL_GRAPH_DWARF, 16384, 0 }, "dwarf,16384" },
                { "dwarf,65528", { CALL_GRAPH_DWARF, 65528, 0 }, "dwarf,65528" },
                { "lbr", { CALL_GRAPH_LBR, 0, 0 }, "lbr" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *words = NULL;
                CallGraph g;

                ck_assert_msg(call_graph_parse(cases[i].words, &g, NULL) == 0, "%s", cases[i].words);
                ck_assert_int_eq(g.mode, cases[i].expected.mode);
                ck_assert_uint_eq(g.dump_size, cases[i].expected.dump_size);
                ck_assert_uint_eq(g.max_stack, cases[i].expected.max_stack);
                words = call_graph_format(&g);
                ck_assert_str_eq(words, cases[i].formatted);
        }
}
END_TEST

START_TEST(test_wrong) {
        static const struct {
                const char *words, *said;
        } cases[] = {
                { "", "Unknown --call-graph" },           { "fpx", "Unknown --call-graph option value: fpx" },
                { "dwarf,0", "max 65528" },               { "dwarf,65529", "max 65528): 65529" },
                { "dwarf,", "Incorrect stack dump size" }, { "dwarf,12x", "Incorrect stack dump size" },
                { "dwarf,-8", "Incorrect stack dump" },   { "lbr,3", "No more arguments needed for --call-graph lbr" },
                { "no,1", "No more arguments" },          { "fp,0", "from 1 to 65535" },
                { "fp,65536", "from 1 to 65535" },        { "fp,", "from 1 to 65535" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                CallGraph g = { .dump_size = 42 };

                ck_assert_msg(call_graph_parse(cases[i].words, &g, &d) < 0, "%s", cases[i].words);
                ck_assert_uint_eq(g.dump_size, 42);
                ck_assert_msg(d.sentence && strstr(d.sentence, cases[i].said), "%s: %s", cases[i].words, d.sentence);
        }
}
END_TEST

CHECK_MAIN("call-graph", test_parse, test_wrong);

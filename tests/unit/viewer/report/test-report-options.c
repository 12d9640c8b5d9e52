/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "quote.h"
#include "report-options.h"
#include "strv.h"

static int parse(ReportOptions *o, const char *line) {
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(split_words(line, 64, &words), 0);
        return report_options_parse(o, (int) strv_length(words), words);
}

START_TEST(test_call_graph) {
        ReportOptions o;

        ck_assert_int_eq(parse(&o, "report"), 0);
        ck_assert(o.graph.type == CALL_GRAPH_GRAPH && o.graph.least == 0.5 && !o.graph.order_set);
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report -g fractal,2,5,caller,period --no-children"), 0);
        ck_assert(o.graph.type == CALL_GRAPH_FRACTAL && o.graph.least == 2 && o.graph.limit == 5 && o.graph.caller && o.counting.no_children);
        ck_assert(o.graph.value == CALL_GRAPH_PERIOD);
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report -g --stdio"), 0);
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report --call-graph=callee,address"), 0);
        ck_assert(o.graph.order_set && !o.graph.caller && o.graph.key == CALL_KEY_ADDRESS);
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report -g nonsense"), -EINVAL);
        report_options_done(&o);
}
END_TEST

START_TEST(test_browser) {
        static const struct {
                const char *line;
                bool browser, entries;
        } lines[] = {
                { "report", false, true }, { "report --tui -s comm", true, true }, { "report --tui --plain", false, true },
                { "report --plain --tui", true, true }, { "report --tui --stdio", false, true }, { "report --tui --json", true, false },
                { "report --tui --stats", true, false }, { "report -D", false, false }, { "report -I", false, false },
                { "report --mmaps", false, false }, { "report --off-cpu", false, false }, { "report --header-only", false, false },
                { "report --hierarchy", false, false }, { "report -t,", false, false },
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                ReportOptions o;

                ck_assert_int_eq(parse(&o, lines[i].line), 0);
                ck_assert_msg(o.browser == lines[i].browser && report_options_show_entries(&o) == lines[i].entries, "%s", lines[i].line);
                report_options_done(&o);
        }
}
END_TEST

START_TEST(test_modes) {
        ReportOptions o;

        ck_assert_int_eq(parse(&o, "report -s comm"), 0);
        ck_assert(!o.counting.branches_set && !o.counting.memory);
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report -b --mem-mode -s symbol_from,local_weight -F mem,overhead"), 0);
        ck_assert(o.counting.branches && o.counting.branches_set && o.counting.memory);
        ck_assert_uint_eq(o.words.keys.n, 2);
        ck_assert_int_eq(o.words.keys.all[1], REPORT_FIELD_LOCAL_WEIGHT);
        ck_assert_int_eq(o.words.fields.all[0], REPORT_FIELD_MEMORY_LEVEL);
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report -b --no-branch-stack"), 0);
        ck_assert(!o.counting.branches && o.counting.branches_set);
        report_options_done(&o);
}
END_TEST

/* Each field has a word, which means it. What is shorter may be another one's, and is none where perf has another key for it. */
START_TEST(test_words) {
        for (int field = 0; field < _REPORT_FIELD_MAX; field++) {
                ck_assert_ptr_nonnull(report_field_type((ReportField) field)->word);
                ck_assert_int_eq(report_field_from_word(report_field_type((ReportField) field)->word), field);
        }
        ck_assert_int_eq(report_field_from_word("tid"), REPORT_FIELD_PID);
        ck_assert_int_eq(report_field_from_word("T"), REPORT_FIELD_TRANSACTION);
        ck_assert_int_eq(report_field_from_word("overhead_"), REPORT_FIELD_SYSTEM);
        ck_assert_int_eq(report_field_from_word("Lock"), REPORT_FIELD_LOCKED);
        for (size_t i = 0; i < 5; i++)
                ck_assert_int_lt((int) report_field_from_word((const char *[]) { "", "i", "TID", "uni", "commx" }[i]), 0);
}
END_TEST

START_TEST(test_time) {
        ReportOptions o;

        ck_assert_int_eq(parse(&o, "report --time 1.5,2"), 0);
        ck_assert_uint_eq(o.select.times[0].span.since, 1500000000);
        ck_assert_uint_eq(o.select.times[0].span.until, 2000000000);
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report --time ,0.000000001"), 0);
        ck_assert(o.select.n_times == 1 && o.select.times[0].span.since == 0 && o.select.times[0].span.until == 1);
        report_options_done(&o);
        for (size_t i = 0; i < 5; i++) {
                static const char *const bad[] = { "1", "2,1", "x,", "1.0000000001,", "99999999999999999999," };
                char line[64];

                (void) snprintf(line, sizeof(line), "report --time %s", bad[i]);
                ck_assert_int_eq(parse(&o, line), -EINVAL);
                report_options_done(&o);
        }
}
END_TEST

START_TEST(test_keys) {
        ReportOptions o;

        ck_assert_int_eq(parse(&o, "report -f -s +cpu,time -F +Per"), 0);
        ck_assert(o.words.keys.n == 2 && o.words.keys.added && o.words.keys.all[0] == REPORT_FIELD_CPU && o.words.default_keys);
        ck_assert(o.words.fields.n == 1 && o.words.fields.added && o.words.fields.all[0] == REPORT_FIELD_PERIOD);
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report -s p,s,sym,srcf,c -g srcline -U"), 0); /* of several, the first one of perf's list */
        ck_assert(o.words.keys.n == 4 && o.words.keys.all[0] == REPORT_FIELD_PID && o.words.keys.all[1] == REPORT_FIELD_SYMBOL);
        ck_assert(o.words.keys.all[2] == REPORT_FIELD_SOURCE_FILE && o.words.keys.all[3] == REPORT_FIELD_COMM);
        ck_assert(!o.words.keys.added && !o.words.default_keys && o.graph.key == CALL_KEY_LINE && o.names.plain_addresses);
        report_options_done(&o);
}
END_TEST

START_TEST(test_listed) {
        _cleanup_free_ char *path = test_path("names"), *line = NULL;
        ReportOptions o;

        test_write_file(path, "one\n\ntwo words\n", 15);
        ck_assert_int_gt(asprintf(&line, "report -S zero,file://%s,three", path), 0);
        ck_assert_int_eq(parse(&o, line), 0);
        ck_assert_uint_eq(strv_length(o.select.symbols), 4);
        ck_assert_str_eq(o.select.symbols[2], "two words");
        report_options_done(&o);
        ck_assert_int_eq(parse(&o, "report -c file:///nonexistent/names"), -ENOENT);
        report_options_done(&o);
}
END_TEST

START_TEST(test_bad) {
        static const char *const bad[] = {
                "report -s non(sense)", "report -F non+sense", "report --pid x", "report -C 5-", "report -t ab", "report -w 5,x", "report -w 70000", "report --percent-limit 101",
                "report --max-stack 99999", "report --percentage x",
                "report -p (", "report --group-sort-idx x", "report --ignore-callees (", "report -s comm,+cpu", "report -s ++cpu", "report --stdio-color x", "report --json=long", "report --json --header", "report --json --mmaps", "report --time-quantum 0", "report --time-quantum x", "report excess", "report --no-such-option",
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                ReportOptions o;

                ck_assert_int_eq(parse(&o, bad[i]), -EINVAL);
                report_options_done(&o);
        }
}
END_TEST

TEST_RUN("report-options", test_browser, test_call_graph, test_modes, test_words, test_keys, test_listed, test_time, test_bad);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-samples.h"
#include "report-print.h"
#include "strv.h"

static char *report_of(const RecordBuffer *b, char *const *words) {
        _cleanup_(report_options_done) ReportOptions o = {};
        _cleanup_(place_names_done) PlaceNames names = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        (void) setenv("SYSTEMD_COLORS", "false", 1); /* the test may run on a terminal */
        ck_assert_ok(report_options_parse(&o, (int) strv_length(words), (char **) words));
        t = made_planned_table(b, NULL, &(SampleTablePlan) { .dimensions = report_needs(&o).dimensions, .facets = report_needs(&o).facets,
                                                                .slice = o.counting.slice });
        ck_assert_ok(place_names_init(&names, sample_table_places(t), NULL));
        ck_assert_ok(report_print(t, &names, &o, f));
        (void) fclose(f);
        return text;
}

#define REPORT_OF(b, ...) report_of((b), (char *const[]) { (char *) "report", __VA_ARGS__, NULL })

static void put_demo(RecordBuffer *b) {
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };

        ck_assert_ok(record_put_comm(b, 7, 7, "demo", 0, &none));
        test_put_map(b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        for (uint64_t i = 0; i < 3; i++)
                MADE_SAMPLE(b, 7, 7, 1000 + i, 0x400010, 0x400100);
        MADE_SAMPLE(b, 7, 7, 1003, 0x400020, 0x400100);
}

/* The output of perf report 6.1 for these samples. */
START_TEST(without_children) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        put_demo(&b);
        text = REPORT_OF(&b, (char *) "--no-children");
        ck_assert_str_eq(text,
                         "# To display the perf.data header info, please use --header/--header-only options.\n"
                         "#\n"
                         "#\n"
                         "# Total Lost Samples: 0\n"
                         "#\n"
                         "# Samples: 4  of event 'event 1'\n"
                         "# Event count (approx.): 4\n"
                         "#\n"
                         "# Overhead  Command  Shared Object     Symbol                \n"
                         "# ........  .......  ................  ......................\n"
                         "#\n"
                         "    75.00%  demo     demo              [.] 0x0000000000000010\n"
                         "            |\n"
                         "            ---0x400010\n"
                         "               0x400100\n"
                         "\n"
                         "    25.00%  demo     demo              [.] 0x0000000000000020\n"
                         "            |\n"
                         "            ---0x400020\n"
                         "               0x400100\n"
                         "\n\n\n");
}
END_TEST

START_TEST(with_children) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        put_demo(&b);
        text = REPORT_OF(&b, (char *) "-q", (char *) "-s", (char *) "comm");
        ck_assert_str_eq(text,
                         "   100.00%   100.00%  demo   \n"
                         "            |\n"
                         "            ---0x400100\n"
                         "               |          \n"
                         "               |--75.00%--0x400010\n"
                         "               |          \n"
                         "                --25.00%--0x400020\n"
                         "\n\n\n");
}
END_TEST

START_TEST(separated) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL, *threads = NULL;

        put_demo(&b);
        text = REPORT_OF(&b, (char *) "-q", (char *) "-t.", (char *) "-gnone", (char *) "--no-children", (char *) "-n", (char *) "-sdso");
        ck_assert_str_eq(text, " 100.00%. 4          .demo         \n\n\n");
        threads = REPORT_OF(&b, (char *) "-q", (char *) "-t:", (char *) "-gnone", (char *) "--no-children", (char *) "-spid,sym");
        ck_assert_ptr_nonnull(strstr(threads, ":      7.demo"));
}
END_TEST

/* Four samples in /bin/demo, of which none has a name, and two in a function of the kernel. */
static void put_two_binaries(RecordBuffer *b) {
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };

        put_demo(b);
        ck_assert_ok(record_put_ksymbol(b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_a", &none));
        for (uint64_t i = 0; i < 2; i++)
                test_put_sample(b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffffc0001010), 1004 + i);
}

START_TEST(cut_chains) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *resolved = NULL, *chains = NULL, *callees = NULL;

        put_two_binaries(&b);
        MADE_SAMPLE(&b, 7, 7, 1010, 0x400010, PERF_CONTEXT_KERNEL, UINT64_C(0xffffffffc0001010), PERF_CONTEXT_USER, 0x400100);
        MADE_SAMPLE(&b, 7, 7, 1011, 0x400010, PERF_CONTEXT_KERNEL, UINT64_C(0xffffffffc0001010), PERF_CONTEXT_USER, 0x400110);
        callees = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "--ignore-callees=prog_a$", (char *) "-scomm", (char *) "-ssym", (char *) "-n");
        ck_assert_ptr_nonnull(strstr(callees, "    50.00%             4  demo     [k] bpf_prog_a\n"
                                              "            |\n"
                                              "            ---bpf_prog_a\n"
                                              "               |          \n"
                                              "               |--12.50%--0x400110\n"));
        resolved = REPORT_OF(&b, (char *) "--no-children", (char *) "-U", (char *) "-n", (char *) "-gnone", (char *) "-ssym");
        ck_assert_ptr_nonnull(strstr(resolved, "# Samples: 2  of event 'event 1'\n# Event count (approx.): 2\n"));
        ck_assert_ptr_nonnull(strstr(resolved, "#\n   100.00%             2  [k] bpf_prog_a\n\n\n"));
        chains = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-U", (char *) "--ignore-callees=prog_a$", (char *) "-ssym");
        ck_assert_str_eq(chains, "   100.00%  [k] bpf_prog_a\n\n\n");
}
END_TEST

/* On a terminal samples count for what they hit, idle time and processes are above the table, and names are cut in their middle. */
START_TEST(screen) {
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL, *callers = NULL;

        put_demo(&b);
        ck_assert_ok(record_put_fork(&b, 7, 7, 8, 7, 0, 0, &none));
        ck_assert_ok(record_put_comm(&b, 7, 8, "helper", 0, &none));
        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_that_has_a_name_for_pages", &none));
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 0, UINT64_C(0xffffffffc0001010), 1004);
        MADE_SAMPLE(&b, 7, 8, 1005, 0x400010, 0x400100);
        text = REPORT_OF(&b, (char *) "--columns=54");
        ck_assert_str_eq(text,
                         "    Samples: 6 of event 'event 1'\n"
                         "       Idle: 16.7%; --no-idle leaves it out of the shares\n"
                         "  Processes: demo 83.3%\n"
                         " No symbols: demo 83.3%\n"
                         "             debug symbols help; where it was made, 'perfctl cp DUMP --bundle'\n\n"
                         "Overhead  Command  Shared Object   Symbol\n"
                         "  66.67%  demo     demo            [.] (no symbol)\n"
                         "  16.67%  helper   demo            [.] (no symbol)\n"
                         "  16.67%  swapper  bpf_pr…r_pages  [k] bpf_p…for_pages\n\n");
        callers = REPORT_OF(&b, (char *) "--columns=64", (char *) "--children", (char *) "-sdso");
        ck_assert_str_eq(callers,
                         "    Samples: 6 of event 'event 1'\n"
                         "       Idle: 16.7%; --no-idle leaves it out of the shares\n"
                         "  Processes: demo 83.3%\n"
                         " No symbols: demo 83.3%\n"
                         "             debug symbols help; where it was made, 'perfctl cp DUMP --bundle'\n\n"
                         "Children      Self  Shared Object\n"
                         "  83.33%    83.33%  demo\n"
                         "  16.67%    16.67%  bpf_prog_that_has_a_name_for_pages\n\n");
}
END_TEST

START_TEST(modes) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        put_demo(&b);
        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_1", NULL));
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffffc0001010), 2000);
        text = REPORT_OF(&b, (char *) "-qgnone", (char *) "--showcpuutilization", (char *) "--no-children", (char *) "-scomm");
        ck_assert_str_eq(text, "   100.00%    20.00%    80.00%  demo   \n\n\n");
}
END_TEST

static void put_switch(RecordBuffer *b, bool out, uint64_t time) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .time = time };
        size_t start = record_begin(b, PERF_RECORD_SWITCH, out ? PERF_RECORD_MISC_SWITCH_OUT : 0);

        ck_assert_ok(record_end(b, start, &trailer));
}

/* Alone 300, then beside another thread 200, half of which is the time that passed. */
START_TEST(latency) {
        static const uint64_t chain[] = { 0x400010 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *sorted = NULL, *columns = NULL, *filtered = NULL;

        put_switch(&b, false, 1000);
        for (uint64_t i = 0; i < 3; i++)
                made_sample(&b, 7, 7, 1001 + i, 100, chain, 1);
        put_switch(&b, false, 1010);
        made_sample(&b, 7, 8, 1011, 100, chain, 1);
        made_sample(&b, 7, 7, 1012, 100, chain, 1);
        put_switch(&b, true, 1020);
        sorted = REPORT_OF(&b, (char *) "-qgnone", (char *) "--no-children", (char *) "--latency", (char *) "-sparallelism");
        ck_assert_str_eq(sorted, "    75.00%    60.00%            1\n    25.00%    40.00%            2\n\n\n");
        columns = REPORT_OF(&b, (char *) "-gnone", (char *) "--hierarchy", (char *) "-s", (char *) "latency,parallelism,comm");
        ck_assert_msg(strstr(columns, "#     Latency  Parallelism / Command\n"), "%s", columns);
        filtered = REPORT_OF(&b, (char *) "-qgnone", (char *) "--no-children", (char *) "--parallelism=2-4", (char *) "-F", (char *) "latency,period");
        ck_assert_str_eq(filtered, "    25.00%           200\n\n\n");
}
END_TEST

/* As perf report --hierarchy prints it. */
START_TEST(hierarchy) {
        static const char *const header = "# Overhead  Command / Symbol\n";
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL, *limited = NULL, *columns = NULL;

        put_demo(&b);
        text = REPORT_OF(&b, (char *) "--hierarchy", (char *) "-qgnone", (char *) "-n");
        ck_assert_str_eq(text, "   100.00%             4        demo   \n"
                               "      100.00%             4        demo            \n"
                               "          75.00%             3        [.] 0x0000000000000010\n"
                               "          25.00%             1        [.] 0x0000000000000020\n"
                               "\n\n");
        limited = REPORT_OF(&b, (char *) "--hierarchy", (char *) "-gnone", (char *) "--percent-limit=80", (char *) "-s", (char *) "comm,sym");
        ck_assert_msg(strstr(limited, "#    Overhead  Command / Symbol\n"
                                      "# ...........  .........................\n"
                                      "#\n"
                                      "   100.00%     demo   \n"
                                      "                  no entry >= 80.00%\n"), "%s: %s", header, limited);
        columns = REPORT_OF(&b, (char *) "--hierarchy", (char *) "-qgnone", (char *) "-t,", (char *) "-s", (char *) "sym,comm");
        ck_assert_msg(strstr(columns, " 75.00%,[.] 0x0000000000000010\n    75.00%,demo\n 25.00%,"), "%s", columns);
}
END_TEST

START_TEST(added_fields) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        put_demo(&b);
        text = REPORT_OF(&b, (char *) "-F+period,sample", (char *) "-sCO,time", (char *) "-gnone", (char *) "--ns");
        ck_assert_ptr_nonnull(strstr(text, "# Children      Self        Period       Samples  Command  Time            \n"));
        ck_assert_ptr_nonnull(strstr(text, "   100.00%   100.00%             4             4  demo     0.000000000\n"));
}
END_TEST

#define SELECTED(...) \
        REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-sdso,sym", (char *) "-n", __VA_ARGS__)

START_TEST(selected) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *name = NULL, *path = NULL, *relative = NULL, *function = NULL, *part = NULL, *none = NULL;

        put_two_binaries(&b);
        name = SELECTED((char *) "--dsos=demo,other");
        path = SELECTED((char *) "-d", (char *) "/bin/demo,x");
        ck_assert_ptr_nonnull(strstr(name, " 3  demo "));
        ck_assert_ptr_nonnull(strstr(name, " 1  demo "));
        ck_assert_ptr_null(strstr(name, "bpf"));
        ck_assert_str_eq(name, path);
        function = SELECTED((char *) "-Sbpf_prog_a,demo");
        part = SELECTED((char *) "--symbol-filter=_prog");
        ck_assert_str_eq(function, part);
        ck_assert_ptr_nonnull(strstr(part, "] bpf_prog_a\n\n\n"));
        relative = SELECTED((char *) "-Sbpf_prog_a", (char *) "--percentage=relative");
        ck_assert(startswith(relative, "# symbol: bpf_prog_a\n   100.00% "));
        none = SELECTED((char *) "-Sdemo,x");
        ck_assert_str_eq(none, "\n\n");
}
END_TEST

/* A function that is called by one of another binary, of which both columns would be the same in each line if only those that were
 * hit had one. */
START_TEST(selected_with_callers) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *function = NULL, *binary = NULL, *json = NULL;

        put_two_binaries(&b);
        MADE_SAMPLE(&b, 7, 7, 1010, 0x400010, PERF_CONTEXT_KERNEL, UINT64_C(0xffffffffc0001010), PERF_CONTEXT_USER, 0x400100);
        function = REPORT_OF(&b, (char *) "-gnone", (char *) "-sdso,sym", (char *) "-Sbpf_prog_a");
        ck_assert_ptr_null(strstr(function, "# symbol: "));
        ck_assert_ptr_nonnull(strstr(function, "[k] bpf_prog_a\n"));
        binary = REPORT_OF(&b, (char *) "-gnone", (char *) "-sdso,sym", (char *) "-ddemo", (char *) "-cdemo");
        ck_assert_ptr_null(strstr(binary, "# dso: "));
        ck_assert_ptr_nonnull(strstr(binary, "[k] bpf_prog_a\n"));
        json = REPORT_OF(&b, (char *) "-gnone", (char *) "-sdso,sym", (char *) "-ddemo", (char *) "--json");
        ck_assert_ptr_nonnull(strstr(json, "\"symbol\":\"bpf_prog_a\""));
}
END_TEST

START_TEST(stub) {
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "_ZN1a1fEi@plt", &none));
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffffc0001010), 1000);
        text = SELECTED((char *) "--stdio");
        ck_assert_msg(strstr(text, "] a::f@plt\n"), "%s", text);
}
END_TEST

/* A key with one value is no column, unless none remained. */
START_TEST(one_value) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *left_out = NULL, *all = NULL;

        put_demo(&b);
        left_out = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-scomm,dso", (char *) "-cdemo");
        ck_assert_str_eq(left_out, "# comm: demo\n   100.00%  demo            \n\n\n");
        all = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-scomm", (char *) "-cdemo");
        ck_assert_str_eq(all, "# comm: demo\n   100.00%  demo   \n\n\n");
}
END_TEST

/* A function without a name makes room for its address, though it is no column. */
START_TEST(room_for_addresses) {
        _cleanup_(record_buffer_done) RecordBuffer named = {}, both = {};
        _cleanup_free_ char *narrow = NULL, *wide = NULL;
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };

        ck_assert_ok(record_put_ksymbol(&named, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_a", &none));
        test_put_sample(&named, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffffc0001010), 1004);
        narrow = REPORT_OF(&named, (char *) "--no-children", (char *) "-gnone", (char *) "-sdso");
        ck_assert_ptr_nonnull(strstr(narrow, "# Overhead  Shared Object\n"));
        put_demo(&both);
        wide = REPORT_OF(&both, (char *) "--no-children", (char *) "-gnone", (char *) "-sdso");
        ck_assert_ptr_nonnull(strstr(wide, "# Overhead  Shared Object   \n"));
}
END_TEST

START_TEST(by_time) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        MADE_SAMPLE(&b, 7, 7, 5000199000, 0x400010);
        MADE_SAMPLE(&b, 7, 7, 5000200000, 0x400020);
        MADE_SAMPLE(&b, 7, 7, 5000399000, 0x400020);
        text = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-stime", (char *) "--time-quantum=200us");
        ck_assert_str_eq(text, "    66.67%  5.000200\n    33.33%  5.000000\n\n\n");
}
END_TEST

/* Names that would control a terminal or break a line never do. */
START_TEST(hostile_names) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };

        ck_assert_ok(record_put_comm(&b, 7, 7, "a\x1b]0;x\x07\n", 0, &none));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/\x1b[2J\xff\r\nx", 1);
        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf\x1b[1m\n", &none));
        MADE_SAMPLE(&b, 7, 7, 1000, 0x400010);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffffc0001010), 1001);
        text = REPORT_OF(&b, (char *) "-g", (char *) "folded");
        for (const char *p = text; *p; p++)
                ck_assert_msg((unsigned char) *p >= ' ' || *p == '\n', "byte %02x in %s", (unsigned char) *p, text);
        ck_assert_ptr_nonnull(strstr(text, "bpf?[1m"));
        ck_assert_ptr_nonnull(strstr(text, "?[2J\xef\xbf\xbd  x"));
        ck_assert_ptr_null(strstr(text, "\xff"));
        free(steal_ptr(text));
        text = REPORT_OF(&b, (char *) "--json", (char *) "-scomm,dso,sym");
        for (const char *p = text; *p; p++)
                ck_assert_msg((unsigned char) *p >= ' ' || *p == '\n', "byte %02x in %s", (unsigned char) *p, text);
        ck_assert_ptr_nonnull(strstr(text, "\"symbol\":\"bpf?[1m \""));
        ck_assert_ptr_null(strstr(text, "\xff"));
}
END_TEST

/* Four samples whose call chains differ: with a parent that is the second function, the first one, and none. */
static void put_parents(RecordBuffer *b) {
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };

        ck_assert_ok(record_put_ksymbol(b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_a", &none));
        ck_assert_ok(record_put_ksymbol(b, UINT64_C(0xffffffffc0002000), 0x100, 1, 0, "bpf_prog_b", &none));
        ck_assert_ok(record_put_ksymbol(b, UINT64_C(0xffffffffc0003000), 0x100, 1, 0, "bpf_prog_a", &none));
        for (uint64_t i = 0; i < 4; i++)
                test_put_sample(b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffffc0001010) + (i << 12), 1000 + i);
}

START_TEST(parents) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL, *only = NULL, *json = NULL, *nothing = NULL;

        put_parents(&b);
        text = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-sparent", (char *) "-pprog_a$");
        ck_assert_str_eq(text, "    50.00%  bpf_prog_a   \n    50.00%  [other]      \n\n\n");
        only = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-stid", (char *) "-p^bpf_prog_[ab]$", (char *) "-x");
        ck_assert_ptr_nonnull(strstr(only, "    50.00%        7:"));
        ck_assert_ptr_nonnull(strstr(only, "bpf_prog_b"));
        ck_assert_ptr_null(strstr(only, "other"));
        json = REPORT_OF(&b, (char *) "--json", (char *) "--no-children", (char *) "-gnone", (char *) "-sparent", (char *) "-pprog_a$");
        ck_assert_ptr_nonnull(strstr(json, "\"parent\":\"bpf_prog_a\"}"));
        ck_assert_ptr_null(strstr(json, "other"));
        nothing = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-x");
        ck_assert_str_eq(nothing, "\n\n");
}
END_TEST

START_TEST(colors) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL, *columns = NULL;

        for (uint64_t i = 0; i < 200; i++)
                MADE_SAMPLE(&b, i < 190 ? 1 : i < 199 ? 2 : 3, i < 190 ? 1 : i < 199 ? 2 : 3, 1000 + i, 0x400010);
        text = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-spid", (char *) "--stdio-color=always");
        ck_assert_ptr_nonnull(strstr(text, "  \x1b[31m  95.00%\x1b[m        1:"));
        ck_assert_ptr_nonnull(strstr(text, "  \x1b[32m   4.50%\x1b[m        2:"));
        ck_assert_ptr_nonnull(strstr(text, "     0.50%        3:"));
        columns = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-t,", (char *) "--stdio-color=always");
        ck_assert_ptr_null(strchr(columns, '\x1b'));
}
END_TEST

START_TEST(objects) {
        _cleanup_(record_buffer_done) RecordBuffer b = {}, demo = {};
        _cleanup_free_ char *text = NULL, *chains = NULL, *none = NULL;

        put_two_binaries(&b);
        text = REPORT_OF(&b, (char *) "--json", (char *) "-gnone", (char *) "-sdso,sym,pid,cpu", (char *) "--percent-limit=20", (char *) "--no-children");
        ck_assert_str_eq(text,
                         "{\"lost_samples\":0,\"lost_records\":0,\"throttled\":0,\"throttled_nsec\":0,\"unreadable\":0,\"events\":["
                         "{\"event\":\"event 1\",\"samples\":6,\"period\":6,\"rows\":["
                         "{\"overhead\":50.000000,\"samples\":3,\"period\":3,\"tid\":7,\"dso\":\"demo\","
                         "\"address\":\"0x10\",\"level\":\".\",\"cpu\":0},"
                         "{\"overhead\":33.333333,\"samples\":2,\"period\":2,\"tid\":7,\"dso\":\"bpf_prog_a\",\"symbol\":\"bpf_prog_a\","
                         "\"level\":\"k\",\"cpu\":0}]}]}\n");
        put_demo(&demo);
        chains = REPORT_OF(&demo, (char *) "--json=short", (char *) "-scomm", (char *) "-gcaller");
        ck_assert_ptr_nonnull(strstr(chains, "\"rows\":[{\"overhead\":100.000000,\"overhead_children\":100.000000,\"samples\":4,\"period\":4,"
                                             "\"samples_children\":4,\"period_children\":4,\"comm\":\"demo\",\"callchains\":["
                                             "{\"overhead\":100.000000,\"samples\":4,\"period\":4,\"frames\":["
                                             "{\"address\":\"0x400100\",\"dso\":\"demo\"}],\"calls\":["
                                             "{\"overhead\":75.000000,\"samples\":3,\"period\":3,\"frames\":["
                                             "{\"address\":\"0x400010\",\"dso\":\"demo\"}]},"));
        none = REPORT_OF(&b, (char *) "--json", (char *) "-cnobody");
        ck_assert_ptr_nonnull(strstr(none, "\"events\":["));
}
END_TEST

/* A column is as wide as the last name of a thread, and earlier ones are cut off. */
START_TEST(cut_between_characters) {
        const RecordTrailer before = { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .time = 999 };
        const RecordTrailer after = { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .time = 1001 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_ok(record_put_comm(&b, 7, 7, "123456\u00e9", 0, &before));
        MADE_SAMPLE(&b, 7, 7, 1000, 0x400010);
        ck_assert_ok(record_put_comm(&b, 7, 7, "sh", 0, &after));
        text = REPORT_OF(&b, (char *) "-q", (char *) "--no-children", (char *) "-gnone", (char *) "-scomm");
        ck_assert_str_eq(text, "   100.00%  123456 \n\n\n");
}
END_TEST

TEST_RUN("report-print", cut_chains, added_fields, without_children, with_children, separated, selected, selected_with_callers, stub, one_value,
         room_for_addresses, by_time, hostile_names, objects, parents, colors, cut_between_characters,
         screen, hierarchy, modes, latency);

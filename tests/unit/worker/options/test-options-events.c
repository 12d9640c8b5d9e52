/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The options for fields of samples, from the word to the attribute: these are the lines of perf record -vv of perf
 * 6.1 on x86-64 for "-e cpu-clock WORDS true", without the fields that are always the same. */

#include "attr.h"
#include "attr-describe.h"
#include "check-main.h"
#include "options.h"
#include "quote.h"

static int parse(Options *o, const char *line, Diagnosis *d) {
        _cleanup_strv_free_ char **words = NULL, **notes = NULL;
        int r;

        ck_assert_int_eq(split_words(line, 100, &words), 0);
        r = options_parse(o, words, d);
        return r < 0 ? r : options_settle(o, &notes, d);
}

/* Returns the differences from a plain "-e cpu-clock": the usual rate and read_format are left out, and only a
 * disabled bpf_event is shown. */
static char *describe_difference(const struct perf_event_attr *attr) {
        struct perf_event_attr a = *attr;
        _cleanup_free_ char *text = NULL;
        char *ret = NULL;

        a.type = PERF_TYPE_HARDWARE;
        a.size = 0;
        a.disabled = a.inherit = a.mmap = a.comm = a.freq = a.task = a.sample_id_all = a.exclude_guest = a.mmap2 = false;
        a.comm_exec = a.ksymbol = a.bpf_event = false;
        if (a.sample_period == ATTR_DEFAULT_FREQUENCY)
                a.sample_period = 0;
        if (a.read_format == (PERF_FORMAT_ID | PERF_FORMAT_LOST))
                a.read_format = 0;
        text = attr_describe(&a, ATTR_FORM_LIST);
        ck_assert_int_ge(asprintf(&ret, "%s%s", text, attr->bpf_event ? "" : ", bpf_event: 0"), 0);
        return ret;
}

#if defined(__x86_64__)
START_TEST(test_attributes) {
        static const struct {
                const char *words, *expected;
        } cases[] = {
                { "-d", "sample_type: IP|TID|TIME|ADDR|PERIOD|DATA_SRC, mmap_data: 1" },
                { "--phys-data", "sample_type: IP|TID|TIME|PERIOD|PHYS_ADDR" },
                { "--data-page-size", "sample_type: IP|TID|TIME|PERIOD|DATA_PAGE_SIZE" },
                { "--code-page-size", "sample_type: IP|TID|TIME|PERIOD|CODE_PAGE_SIZE" },
                { "-n", "sample_type: IP|TID|TIME|PERIOD" },
                { "-R", "sample_type: IP|TID|TIME|CPU|PERIOD|RAW" },
                { "-T", "sample_type: IP|TID|TIME|PERIOD" },
                { "--no-timestamp", "sample_type: IP|TID|PERIOD" },
                { "-P", "sample_type: IP|TID|TIME|PERIOD" },
                { "--no-period", "sample_type: IP|TID|TIME" },
                { "-W", "sample_type: IP|TID|TIME|PERIOD|WEIGHT_STRUCT" },
                { "--transaction", "sample_type: IP|TID|TIME|PERIOD" },
                { "-b", "sample_type: IP|TID|TIME|PERIOD|BRANCH_STACK, branch_sample_type: ANY" },
                { "-j any,u", "sample_type: IP|TID|TIME|PERIOD|BRANCH_STACK, branch_sample_type: USER|ANY" },
                { "--user-regs=ax,ip", "sample_type: IP|TID|TIME|PERIOD|REGS_USER, sample_regs_user: 0x101" },
                { "--call-graph dwarf,1000 --user-regs=ax",
                  "sample_type: IP|TID|TIME|ADDR|CALLCHAIN|PERIOD|REGS_USER|STACK_USER|DATA_SRC, mmap_data: 1, "
                  "exclude_callchain_user: 1, sample_regs_user: 0x181, sample_stack_user: 1000" },
                { "--intr-regs=ax", "sample_type: IP|TID|TIME|PERIOD|REGS_INTR, sample_regs_intr: 0x1" },
                { "--user-regs", "sample_type: IP|TID|TIME|PERIOD|REGS_USER, sample_regs_user: 0xff0fff" },
                { "-k monotonic", "sample_type: IP|TID|TIME|PERIOD, use_clockid: 1, clockid: 1" },
                { "-kraw", "sample_type: IP|TID|TIME|PERIOD, use_clockid: 1, clockid: 4" },
                { "-k 7", "sample_type: IP|TID|TIME|PERIOD, use_clockid: 1, clockid: 7" },
                { "--namespaces", "sample_type: IP|TID|TIME|PERIOD, namespaces: 1" },
                { "--all-cgroups", "sample_type: IP|TID|TIME|PERIOD|CGROUP, cgroup: 1" },
                { "--all-user", "sample_type: IP|TID|TIME|PERIOD, exclude_kernel: 1" },
                { "--all-kernel", "sample_type: IP|TID|TIME|PERIOD, exclude_user: 1" },
                { "--sample-cpu", "sample_type: IP|TID|TIME|CPU|PERIOD" },
                { "--sample-identifier", "sample_type: IP|TID|TIME|PERIOD|IDENTIFIER" },
                { "--switch-events", "sample_type: IP|TID|TIME|PERIOD, context_switch: 1" },
                { "--kernel-callchains -g", "sample_type: IP|TID|TIME|CALLCHAIN|PERIOD, exclude_callchain_user: 1" },
                { "--user-callchains -g", "sample_type: IP|TID|TIME|CALLCHAIN|PERIOD, exclude_callchain_kernel: 1" },
                { "--running-time",
                  "sample_type: IP|TID|TIME|PERIOD, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID|LOST" },
                { "--no-bpf-event", "sample_type: IP|TID|TIME|PERIOD, bpf_event: 0" },
                { "-s",
                  "sample_type: IP|TID|TIME|PERIOD, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID|LOST, "
                  "inherit_stat: 1" },
                { "--call-graph dwarf,1000",
                  "sample_type: IP|TID|TIME|ADDR|CALLCHAIN|PERIOD|REGS_USER|STACK_USER|DATA_SRC, mmap_data: 1, "
                  "exclude_callchain_user: 1, sample_regs_user: 0xff0fff, sample_stack_user: 1000" },
                { "--call-graph fp,5", "sample_type: IP|TID|TIME|CALLCHAIN|PERIOD, sample_max_stack: 5" },
                { "--call-graph lbr",
                  "sample_type: IP|TID|TIME|CALLCHAIN|PERIOD|BRANCH_STACK, "
                  "branch_sample_type: USER|CALL_STACK|NO_FLAGS|NO_CYCLES|HW_INDEX" },
                { "--call-graph lbr -b",
                  "sample_type: IP|TID|TIME|CALLCHAIN|PERIOD|BRANCH_STACK, branch_sample_type: ANY" },
                { "-c 1000 -P", "{ sample_period, sample_freq }: 1000, sample_type: IP|TID|TIME|PERIOD" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
                _cleanup_free_ char *line = NULL, *described = NULL;
                struct perf_event_attr a, *attrs[] = { &a };

                ck_assert_int_ge(asprintf(&line, "-e cpu-clock %s true", cases[i].words), 0);
                ck_assert_msg(parse(&o, line, NULL) == 0, "%s", line);
                attr_build(&o.events.specs[0], &o.attr, true, &a);
                attr_unify(attrs, 1, o.attr.identifier);
                a.config = 0;
                described = describe_difference(&a);
                ck_assert_msg(streq(described, cases[i].expected), "%s:\n%s\n%s", line, described, cases[i].expected);
        }
}
END_TEST
#else
START_TEST(test_attributes) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&o, "-e cpu-clock -d true", NULL), 0);
        ck_assert(o.attr.address);
}
END_TEST
#endif

START_TEST(test_transaction) { /* perf -vv has no name for it */
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        struct perf_event_attr a;

        ck_assert_int_eq(parse(&o, "-e cpu-clock --transaction true", NULL), 0);
        attr_build(&o.events.specs[0], &o.attr, true, &a);
        ck_assert(a.sample_type & PERF_SAMPLE_TRANSACTION);
}
END_TEST

START_TEST(test_group) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&o, "--group -e cs -e {faults,cpu-clock} true", NULL), 0);
        for (size_t i = 0; i < 3; i++) {
                ck_assert(o.events.specs[i].group == 1 && o.events.specs[i].group_size == 3);
                ck_assert_int_eq(o.events.specs[i].leader, i == 0);
        }
}
END_TEST

START_TEST(test_registers_asked) {
        _cleanup_(options_done) Options user = OPTIONS_DEFAULT, intr = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&user, "--user-regs=?", NULL), 0);
        ck_assert_ptr_nonnull(user.registers);
        ck_assert_int_eq(parse(&intr, "-I?", NULL), 0);
        ck_assert_ptr_nonnull(intr.registers);
}
END_TEST

START_TEST(test_stacks_taken_back) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT, wrong = OPTIONS_DEFAULT;
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(parse(&o, "-f -g --no-call-graph true", NULL), 0);
        ck_assert_int_eq(o.attr.call_graph.mode, CALL_GRAPH_NONE);
        ck_assert_str_eq(o.command[0], "true");
        ck_assert_int_eq(parse(&wrong, "--no-call-graph=fp true", &d), -EINVAL);
        ck_assert_str_eq(d.sentence, "option `--no-call-graph' takes no value");
}
END_TEST

START_TEST(test_refused) {
        static const struct {
                const char *line;
                int r;
                const char *says;
        } cases[] = {
                { "-A true", -ENOKEY, "unknown switch `A'" },
                { "-b -j any true", -EINVAL, "Can't use --branch-any (-b) with --branch-filter (-j)" },
                { "-j any -b true", -EINVAL, "Can't use --branch-any" },
                { "-j foo true", -EINVAL, "unknown branch filter foo" },
                { "-k foo true", -EINVAL, "unknown clockid foo" },
                { "--user-regs=foo true", -EINVAL, "Unknown register \"foo\"" },
                { "--call-graph dwarf,70000 true", -ERANGE, "Incorrect stack dump size (max 65528): 70000" },
                { "--kernel-callchains --user-callchains -g true", -EINVAL, "exclude each other" },
                { "-F 4000000000 --strict-freq true", -ERANGE, "Maximum frequency rate" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_msg(parse(&o, cases[i].line, &d) == cases[i].r, "%s", cases[i].line);
                ck_assert_msg(strstr(d.sentence, cases[i].says) != NULL, "%s: %s", cases[i].line, d.sentence);
        }
}
END_TEST

CHECK_MAIN("options-events", test_attributes, test_transaction, test_group, test_registers_asked, test_stacks_taken_back,
           test_refused);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An event's own terms overrule the options for all samples. The worker's test of options compares the fields that
 * only options set with perf. */

#include "attr.h"
#include "check-main.h"
#include "grammar.h"
#include "sample-registers.h"
#include "test-machine.h"

static const GrammarSources sources = { .event_source = TEST_EVENT_SOURCE("intel"), .tracefs = TEST_DATA "/tracefs" };

static struct perf_event_attr build(const char *text, const AttrOptions *o) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        struct perf_event_attr a;

        ck_assert_msg(event_specs_parse(&list, text, &sources, NULL) == 0, "%s", text);
        attr_build(&list.specs[0], o, true, &a);
        return a;
}

static AttrOptions with(const char *words) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        ck_assert_int_eq(call_graph_parse(words, &o.call_graph, NULL), 0);
        return o;
}

#define DWARF (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

START_TEST(test_term_alone) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;
        struct perf_event_attr a = build("cs/call-graph=dwarf,stack-size=100/", &o);

        ck_assert_uint_eq(a.sample_type & (DWARF | PERF_SAMPLE_CALLCHAIN), DWARF | PERF_SAMPLE_CALLCHAIN);
        ck_assert_uint_eq(a.sample_type & (PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC), PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC);
        ck_assert_uint_eq(a.sample_stack_user, 104);
        ck_assert_uint_eq(a.sample_regs_user, SAMPLE_REGISTERS_ALL);
        ck_assert(a.exclude_callchain_user && a.mmap_data);

        a = build("cs/stack-size=100/", &o);
        ck_assert_uint_eq(a.sample_type & (DWARF | PERF_SAMPLE_CALLCHAIN), 0);
}
END_TEST

START_TEST(test_term_over_dwarf) {
        AttrOptions o = with("dwarf");
        struct perf_event_attr a = build("cs/call-graph=no/", &o);

        ck_assert_uint_eq(a.sample_type & (DWARF | PERF_SAMPLE_CALLCHAIN), 0);
        ck_assert(!a.sample_regs_user && !a.sample_stack_user && !a.exclude_callchain_user);

        a = build("cs/max-stack=7/", &o);
        ck_assert_uint_eq(a.sample_type & (DWARF | PERF_SAMPLE_CALLCHAIN), PERF_SAMPLE_CALLCHAIN);
        ck_assert(a.sample_max_stack == 7 && !a.exclude_callchain_user);

        a = build("cs/stack-size=64/", &o);
        ck_assert_uint_eq(a.sample_type & DWARF, DWARF);
        ck_assert_uint_eq(a.sample_stack_user, 64);

        o.user_registers = 1;
        a = build("cs/call-graph=fp/", &o);
        ck_assert_uint_eq(a.sample_type & DWARF, PERF_SAMPLE_REGS_USER);
        ck_assert_uint_eq(a.sample_regs_user, 1);
}
END_TEST

START_TEST(test_branches) {
        AttrOptions lbr = with("lbr"), any = ATTR_OPTIONS_DEFAULT, plain = ATTR_OPTIONS_DEFAULT;
        struct perf_event_attr a = build("cs/call-graph=fp/", &lbr);

        ck_assert(!(a.sample_type & PERF_SAMPLE_BRANCH_STACK) && !a.branch_sample_type);
        a = build("cs:k", &lbr); /* branch records of user level only are useless for it */
        ck_assert_uint_eq(a.sample_type & (PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_CALLCHAIN), PERF_SAMPLE_CALLCHAIN);
        a = build("dummy", &lbr);
        ck_assert(!(a.sample_type & PERF_SAMPLE_BRANCH_STACK));

        any.branch_type = PERF_SAMPLE_BRANCH_ANY;
        a = build("cs/branch_type=no/", &any);
        ck_assert(!(a.sample_type & PERF_SAMPLE_BRANCH_STACK));
        a = build("cs/branch_type='any_call,u'/", &plain);
        ck_assert(a.sample_type & PERF_SAMPLE_BRANCH_STACK);
        ck_assert_uint_eq(a.branch_sample_type, PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER);
}
END_TEST

START_TEST(test_registers_of_dummy) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;
        struct perf_event_attr a;

        o.user_registers = o.intr_registers = 3;
        a = build("dummy", &o);
        ck_assert(!(a.sample_type & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR)));
        o.call_graph = (CallGraph) { .mode = CALL_GRAPH_DWARF, .dump_size = 8192 };
        a = build("dummy", &o);
        ck_assert_uint_eq(a.sample_regs_user, SAMPLE_REGISTERS_UNWIND);
        a = build("cs", &o);
        ck_assert_uint_eq(a.sample_regs_user, SAMPLE_REGISTERS_UNWIND | 3);
}
END_TEST

START_TEST(test_time) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;
        struct perf_event_attr a;

        o.per_thread = true;
        o.inherit = false;
        a = build("cs", &o);
        ck_assert(!(a.sample_type & PERF_SAMPLE_TIME));
        o.sample_time = 1;
        a = build("cs", &o);
        ck_assert(a.sample_type & PERF_SAMPLE_TIME);
        o.sample_time = 0;
        o.per_thread = false;
        a = build("cs/period=5/", &o);
        ck_assert(!(a.sample_type & (PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)));
        o.sample_period = 1;
        a = build("cs/period=5/", &o);
        ck_assert(a.sample_type & PERF_SAMPLE_PERIOD);
}
END_TEST

CHECK_MAIN("attr-samples", test_term_alone, test_term_over_dwarf, test_branches, test_registers_of_dummy, test_time);

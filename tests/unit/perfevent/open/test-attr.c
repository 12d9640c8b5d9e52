/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Attributes, compared with the output of perf evlist -v of perf 6.1 for the same options. */

#include <time.h>

#include "attr.h"
#include "attr-describe.h"
#include "check-main.h"
#include "grammar.h"
#include "ring.h"
#include "sample-registers.h"
#include "sysctl.h"
#include "test-machine.h"

static const GrammarSources sources = { .event_source = TEST_EVENT_SOURCE("intel"), .tracefs = TEST_DATA "/tracefs" };

/* Checks the attribute of the n-th event of text; tracking is the one that carries the side band. */
static void assert_attr(const char *text, size_t n, const AttrOptions *o, size_t tracking, const char *expected) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        struct perf_event_attr attrs[8], *pointers[8];
        _cleanup_free_ char *described = NULL;
        size_t leader = 0;

        ck_assert_int_eq(event_specs_parse(&list, text, &sources, NULL), 0);
        for (size_t i = 0; i < list.n_specs; i++) {
                attr_build(&list.specs[i], o, i == tracking, &attrs[i]);
                if (list.specs[i].leader)
                        leader = i;
                else if (list.specs[leader].sample_read)
                        attr_follow_leader(&attrs[i], &list.specs[i], &attrs[leader]);
                pointers[i] = &attrs[i];
        }
        attr_unify(pointers, list.n_specs, o->identifier);
        ck_assert_uint_eq(attrs[n].size, sizeof(attrs[n]));
        attrs[n].size = PERF_ATTR_SIZE_VER7; /* independent of the kernel's headers */
        described = attr_describe(&attrs[n], ATTR_FORM_LIST);
        ck_assert_str_eq(described, expected);
}

#define TRACKED "sample_id_all: 1, exclude_guest: 1, mmap2: 1, comm_exec: 1, ksymbol: 1, bpf_event: 1"

START_TEST(test_command) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        o.enable_on_exec = true;
        assert_attr("cpu-clock", 0, &o, 0,
                    "type: 1, size: 128, { sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|PERIOD, "
                    "read_format: ID|LOST, disabled: 1, inherit: 1, mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, task: 1, " TRACKED);
        assert_attr("sched:sched_switch,cs", 0, &o, 0,
                    "type: 2, size: 128, config: 0x13c, { sample_period, sample_freq }: 1, "
                    "sample_type: IP|TID|TIME|CPU|PERIOD|RAW|IDENTIFIER, read_format: ID|LOST, disabled: 1, inherit: 1, mmap: 1, "
                    "comm: 1, enable_on_exec: 1, task: 1, " TRACKED);
        assert_attr("sched:sched_switch,cs", 1, &o, 0,
                    "type: 1, size: 128, config: 0x3, { sample_period, sample_freq }: 4000, "
                    "sample_type: IP|TID|TIME|PERIOD|IDENTIFIER, read_format: ID|LOST, disabled: 1, inherit: 1, freq: 1, "
                    "enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1");
        assert_attr("mem:0x1000:rw", 0, &o, 0,
                    "type: 5, size: 128, { sample_period, sample_freq }: 1, sample_type: IP|TID|TIME, read_format: ID|LOST, "
                    "disabled: 1, inherit: 1, mmap: 1, comm: 1, enable_on_exec: 1, task: 1, " TRACKED ", bp_type: 3, "
                    "{ bp_addr, config1 }: 0x1000, { bp_len, config2 }: 0x4");
}
END_TEST

/* As perf stat record has them. */
START_TEST(test_counting) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        o.counting = o.has_cpu = o.identifier = true;
        o.call_graph.mode = CALL_GRAPH_FP;
        assert_attr("cpu-clock,sched:sched_switch", 0, &o, 2,
                    "type: 1, size: 128, sample_type: IDENTIFIER, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, "
                    "disabled: 1, inherit: 1, exclude_guest: 1");
        o.use_clock = true;
        o.clock = CLOCK_MONOTONIC;
        o.inherit = false;
        assert_attr("cpu-clock,sched:sched_switch", 1, &o, 2,
                    "type: 2, size: 128, config: 0x13c, sample_type: IDENTIFIER, "
                    "read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, disabled: 1, exclude_guest: 1, use_clockid: 1, clockid: 1");
}
END_TEST

START_TEST(test_all_cpus) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        o.has_cpu = true;
        o.call_graph.mode = CALL_GRAPH_FP;
        o.frequency = 99;
        o.user_rate = true;
        assert_attr("cpu-clock,dummy", 0, &o, 1,
                    "type: 1, size: 128, { sample_period, sample_freq }: 99, sample_type: IP|TID|TIME|CALLCHAIN|ID|CPU|PERIOD, "
                    "read_format: ID|LOST, disabled: 1, inherit: 1, freq: 1, sample_id_all: 1, exclude_guest: 1");
        o.overwrite = true;
        o.call_graph.mode = CALL_GRAPH_NONE;
        o.user_rate = false;
        assert_attr("sched:sched_switch", 0, &o, 1,
                    "type: 2, size: 128, config: 0x13c, { sample_period, sample_freq }: 1, "
                    "sample_type: IP|TID|TIME|CPU|PERIOD|RAW, read_format: ID|LOST, disabled: 1, inherit: 1, "
                    "sample_id_all: 1, exclude_guest: 1, write_backward: 1");
        o.overwrite = false;
        o.user_rate = true;
        o.period = 1000;
        o.frequency = 0;
        assert_attr("sched:sched_wakeup,cs", 0, &o, 9,
                    "type: 2, size: 128, config: 0x13d, { sample_period, sample_freq }: 1000, "
                    "sample_type: IP|TID|TIME|CPU|PERIOD|RAW|IDENTIFIER, read_format: ID|LOST, disabled: 1, inherit: 1, "
                    "sample_id_all: 1, exclude_guest: 1");
}
END_TEST

START_TEST(test_per_thread) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        o.per_thread = true;
        o.inherit = false;
        assert_attr("cpu-clock", 0, &o, 0,
                    "type: 1, size: 128, { sample_period, sample_freq }: 4000, sample_type: IP|TID|PERIOD, read_format: ID|LOST, "
                    "disabled: 1, mmap: 1, comm: 1, freq: 1, task: 1, " TRACKED);
}
END_TEST

START_TEST(test_inherit_stat) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        o.stat = o.enable_on_exec = true;
        assert_attr("cpu-clock", 0, &o, 0,
                    "type: 1, size: 128, { sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|PERIOD, "
                    "read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID|LOST, disabled: 1, inherit: 1, mmap: 1, comm: 1, "
                    "freq: 1, inherit_stat: 1, enable_on_exec: 1, task: 1, " TRACKED);
}
END_TEST

START_TEST(test_no_buffering) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        o.no_buffering = o.enable_on_exec = true;
        assert_attr("cpu-clock", 0, &o, 0,
                    "type: 1, size: 128, { sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|PERIOD, "
                    "read_format: ID|LOST, disabled: 1, inherit: 1, mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, task: 1, "
                    TRACKED ", { wakeup_events, wakeup_watermark }: 1");
}
END_TEST

START_TEST(test_terms) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        o.has_cpu = true;
        o.call_graph = (CallGraph) { .mode = CALL_GRAPH_FP, .max_stack = 100 };
        assert_attr("cs/period=7,overwrite,max-stack=5,no-inherit/", 0, &o, 9,
                    "type: 1, size: 128, config: 0x3, { sample_period, sample_freq }: 7, sample_type: IP|TID|TIME|CALLCHAIN|CPU, "
                    "read_format: ID|LOST, disabled: 1, sample_id_all: 1, exclude_guest: 1, write_backward: 1, sample_max_stack: 5");
        assert_attr("cs/freq=5,call-graph=no,time=0/", 0, &o, 9,
                    "type: 1, size: 128, config: 0x3, { sample_period, sample_freq }: 5, sample_type: IP|TID|CPU|PERIOD, "
                    "read_format: ID|LOST, disabled: 1, inherit: 1, freq: 1, sample_id_all: 1, exclude_guest: 1");
}
END_TEST

START_TEST(test_groups) {
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        o.enable_on_exec = true;
        assert_attr("{cpu-clock,cs}:S", 0, &o, 9,
                    "type: 1, size: 128, { sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|READ|ID|PERIOD, "
                    "read_format: ID|GROUP|LOST, disabled: 1, freq: 1, enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1");
        assert_attr("{cpu-clock,cs}:S", 1, &o, 9,
                    "type: 1, size: 128, config: 0x3, sample_type: IP|TID|TIME|READ|ID|PERIOD, read_format: ID|GROUP|LOST, "
                    "sample_id_all: 1, exclude_guest: 1");
        assert_attr("{cpu-clock,cs/period=4/}:S", 1, &o, 9,
                    "type: 1, size: 128, config: 0x3, { sample_period, sample_freq }: 4, sample_type: IP|TID|TIME|READ|ID|PERIOD, "
                    "read_format: ID|GROUP|LOST, sample_id_all: 1, exclude_guest: 1");
        assert_attr("{cs}:S", 0, &o, 9,
                    "type: 1, size: 128, config: 0x3, { sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|READ|ID|PERIOD, "
                    "read_format: ID|LOST, disabled: 1, inherit: 1, freq: 1, enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1");
}
END_TEST

START_TEST(test_default_event) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        AttrOptions o = ATTR_OPTIONS_DEFAULT;
        struct perf_event_attr a;

        ck_assert_int_eq(event_specs_add_default(&list, NULL), 0);
        attr_build(&list.specs[0], &o, true, &a);
        ck_assert_uint_eq(a.precise_ip, 3);
        ck_assert(!a.exclude_guest);
}
END_TEST

/* The times of events that may share a counter are requested, unless that changes samples. */
START_TEST(test_times) {
        static const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        _cleanup_(event_specs_done) EventSpecs list = {};
        AttrOptions o = ATTR_OPTIONS_DEFAULT;
        struct perf_event_attr a;

        ck_assert_int_eq(event_specs_parse(&list, "cycles,L1-dcache-load-misses,r1a8,cs,{cycles,instructions}:S", &sources, NULL), 0);
        for (size_t i = 0; i < list.n_specs; i++) {
                attr_build(&list.specs[i], &o, false, &a);
                ck_assert_uint_eq(a.read_format & times, 0);
                attr_ask_times(&a, &list.specs[i]);
                ck_assert_uint_eq(a.read_format & times, i < 3 ? times : 0);
        }
        attr_build(&list.specs[0], &o, false, &a);
        attr_ask_times(&a, &list.specs[0]);
        attr_fall_back_to_clock(&a, &o);
        ck_assert(a.type == PERF_TYPE_SOFTWARE && a.config == PERF_COUNT_SW_CPU_CLOCK && !(a.read_format & times));
        o.stat = true;
        attr_build(&list.specs[0], &o, false, &a);
        attr_fall_back_to_clock(&a, &o);
        ck_assert_uint_eq(a.read_format & times, times);
}
END_TEST

START_TEST(test_rate) {
        int max = sysctl_read("kernel/perf_event_max_sample_rate", 0);
        _cleanup_strv_free_ char **notes = NULL;
        AttrOptions o = ATTR_OPTIONS_DEFAULT;

        ck_assert_int_eq(attr_options_set_rate(&o, 10, 10, false, &notes, NULL), -EINVAL);
        ck_assert_int_eq(attr_options_set_rate(&o, 0, 500, false, &notes, NULL), 0);
        ck_assert(o.period == 500 && o.frequency == 0 && o.user_rate);
        ck_assert_int_eq(attr_options_set_rate(&o, 1, 0, false, &notes, NULL), 0);
        ck_assert(o.period == 0 && o.frequency == 1 && o.user_rate && !notes);
        if (max <= 0)
                return;
        ck_assert_int_eq(attr_options_set_rate(&o, UINT64_MAX, 0, false, &notes, NULL), 0);
        ck_assert_uint_eq(o.frequency, (uint64_t) max);
        ck_assert_ptr_null(notes);
        ck_assert_int_eq(attr_options_set_rate(&o, (uint64_t) max + 1, 0, false, &notes, NULL), 0);
        ck_assert_uint_eq(o.frequency, (uint64_t) max);
        ck_assert_uint_eq(strv_length(notes), 1);
        ck_assert_int_eq(attr_options_set_rate(&o, (uint64_t) max, 0, true, &notes, NULL), 0);
        ck_assert_int_eq(attr_options_set_rate(&o, (uint64_t) max + 1, 0, true, &notes, NULL), -ERANGE);
}
END_TEST

START_TEST(test_record_parts) {
        struct perf_event_attr a = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
        size_t plain = attr_record_max(&a, 0);

        ck_assert_uint_lt(plain, 512);
        ck_assert_uint_eq(attr_record_max(&a, 1000), plain); /* without RAW it does not count */
        a.sample_type |= PERF_SAMPLE_RAW;
        ck_assert_uint_eq(attr_record_max(&a, 1000), plain + 1008);

        a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
        a.sample_max_stack = 10;
        ck_assert_uint_ge(attr_record_max(&a, 0), plain + 88);
        ck_assert_uint_lt(attr_record_max(&a, 0), plain + 400);
        a.sample_max_stack = 0; /* the machine's: 127 by default */
        ck_assert_uint_gt(attr_record_max(&a, 0), plain);

        a.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
        a.sample_regs_user = 7;
        a.sample_stack_user = 8192;
        ck_assert_uint_eq(attr_record_max(&a, 0), plain + 32 + 8208);
}
END_TEST

START_TEST(test_record_limit) {
        struct perf_event_attr a = { .sample_type = PERF_SAMPLE_STACK_USER, .sample_stack_user = 65528 };

        ck_assert_uint_eq(attr_record_max(&a, 0), RING_RECORD_MAX);
        a = (struct perf_event_attr) { .mmap = 1 };
        ck_assert_uint_gt(attr_record_max(&a, 0), 4096);
}
END_TEST

/* An event's own terms overrule the options for all samples. The worker's test of options compares the fields that only options
 * set with perf. */
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

CHECK_MAIN("attr", test_command, test_counting, test_all_cpus, test_per_thread, test_inherit_stat, test_no_buffering, test_terms,
           test_groups, test_default_event, test_times, test_rate, test_record_parts, test_record_limit,
           test_term_alone, test_term_over_dwarf, test_branches, test_registers_of_dummy, test_time);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Terms of all events, of PMUs, named events; those that are refused. */

#include "check-main.h"
#include "grammar.h"

static void parse_on(const char *machine, EventSpecs *list, const char *text) {
        _cleanup_free_ char *root = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        GrammarSources sources = { .tracefs = TEST_DATA "/tracefs" };

        ck_assert_int_gt(asprintf(&root, TEST_DATA "/sys-%s", machine), 0);
        sources.event_source = root;
        ck_assert_msg(event_specs_parse(list, text, &sources, &d) == 0, "%s: %s", text, d.sentence);
}

START_TEST(test_terms) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        const EventTerms *t;

        parse_on("intel", &list, "cs/period=5,max-stack=7,no-inherit,overwrite,name=foo/u");
        t = &list.specs[0].terms;
        ck_assert_str_eq(list.specs[0].name, "foo");
        ck_assert(t->has_period && t->period == 5 && !t->has_frequency);
        ck_assert_uint_eq(t->max_stack, 7);
        ck_assert(t->has_inherit && !t->inherit && t->has_overwrite && t->overwrite);
        ck_assert(list.specs[0].attr.exclude_kernel);

        parse_on("intel", &list, "cs/freq=0x10,call-graph=no,time=0,inherit,no-overwrite=0/,cs/period=1,freq=2,call-graph=fp,inherit=0/");
        t = &list.specs[1].terms;
        ck_assert(t->has_frequency && t->frequency == 16 && t->has_call_graph && t->call_graph.mode == CALL_GRAPH_NONE);
        ck_assert(t->has_time && !t->time && t->has_inherit && t->inherit && t->has_overwrite && t->overwrite);
        t = &list.specs[2].terms;
        ck_assert(!t->has_period && t->has_frequency && t->call_graph.mode == CALL_GRAPH_FP && t->has_inherit && !t->inherit);

        parse_on("intel", &list, "cs/name='a/b,c'/,cs//,1:0/config=5,config1=6,config2=7/");
        ck_assert_str_eq(list.specs[3].name, "a/b,c");
        ck_assert_str_eq(list.specs[4].name, "cs//");
        ck_assert_uint_eq(list.specs[5].attr.config, 5);
        ck_assert_uint_eq(list.specs[5].attr.config1, 6);
        ck_assert_uint_eq(list.specs[5].attr.config2, 7);
}
END_TEST

START_TEST(test_stack_terms) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        const EventTerms *t;

        parse_on("intel", &list, "cs/call-graph=dwarf/,cs/call-graph='dwarf,4095',stack-size=100/,sched:sched_switch/call-graph=lbr/");
        t = &list.specs[0].terms;
        ck_assert(t->has_call_graph && t->call_graph.mode == CALL_GRAPH_DWARF && t->call_graph.dump_size == 8192);
        ck_assert_uint_eq(t->stack_size, 0);
        t = &list.specs[1].terms;
        ck_assert(t->call_graph.dump_size == 4096 && t->stack_size == 104);
        ck_assert_int_eq(list.specs[2].terms.call_graph.mode, CALL_GRAPH_LBR);
}
END_TEST

START_TEST(test_tracepoint_terms) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse_on("intel", &list, "sched:sched_process_*/max-stack=3,no-inherit/k");
        ck_assert_uint_eq(list.n_specs, 2);
        for (size_t i = 0; i < 2; i++)
                ck_assert(list.specs[i].terms.max_stack == 3 && list.specs[i].terms.has_inherit);
}
END_TEST

START_TEST(test_pmu) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        const EventSpec *s;

        parse_on("intel", &list, "cpu/event=0x0e,umask=0x01,inv,cmask=0x01/u");
        s = &list.specs[0];
        ck_assert_str_eq(s->name, "cpu/event=0x0e,umask=0x01,inv,cmask=0x01/u");
        ck_assert_uint_eq(s->attr.type, 4);
        ck_assert_uint_eq(s->attr.config, 0x0180010e);
        ck_assert_uint_eq(s->n_cpus, 0);

        parse_on("intel", &list, "cpu/mem-loads,ldlat=30,period=1000/,uncore_imc_1/cas_count_read/,mem-stores:u,cpu/config=0x3c,config1=1/");
        ck_assert_uint_eq(list.specs[1].attr.config, 0x1cd);
        ck_assert_uint_eq(list.specs[1].attr.config1, 30); /* over the alias's own 3 */
        ck_assert(list.specs[1].terms.has_period);
        ck_assert_uint_eq(list.specs[2].attr.type, 19);
        ck_assert_uint_eq(list.specs[2].n_cpus, 2);
        ck_assert_int_eq(list.specs[2].cpus[1], 1);
        ck_assert_str_eq(list.specs[3].name, "mem-stores:u");
        ck_assert_uint_eq(list.specs[3].attr.config, 0x82d0);
        ck_assert_uint_eq(list.specs[4].attr.config, 0x3c);
        ck_assert_uint_eq(list.specs[4].attr.config1, 1);
}
END_TEST

START_TEST(test_other_machines) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse_on("amd", &list, "cpu/event=0x1c5/,ibs_op/cnt_ctl=1/p,amd_l3/event=4,slicemask=0xf/");
        ck_assert_uint_eq(list.specs[0].attr.config, UINT64_C(0x1000000c5));
        ck_assert_uint_eq(list.specs[1].attr.config, 1 << 19);
        ck_assert_uint_eq(list.specs[2].attr.config, UINT64_C(0xf000000000004));
        parse_on("arm", &list, "armv8_pmuv3_0/l1d_cache_refill,long/");
        ck_assert_uint_eq(list.specs[3].attr.config, 3);
        ck_assert_uint_eq(list.specs[3].attr.config1, 1);
        ck_assert_uint_eq(list.specs[3].n_cpus, 4);
        parse_on("hybrid", &list, "cpu_core/cpu-cycles/,cpu_atom/cpu-cycles/");
        ck_assert_int_eq(list.specs[5].cpus[0], 4);
}
END_TEST

static void assert_refused(const char *machine, const char *text, int error, size_t column, const char *says) {
        _cleanup_free_ char *root = NULL;
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        GrammarSources sources = { .tracefs = TEST_DATA "/tracefs" };
        int r;

        ck_assert_int_gt(asprintf(&root, TEST_DATA "/sys-%s", machine), 0);
        sources.event_source = root;
        r = event_specs_parse(&list, text, &sources, &d);
        ck_assert_msg(r == error, "%s: %d %s", text, r, d.sentence);
        ck_assert_msg(d.column == column, "%s: column %zu: %s", text, d.column, d.sentence);
        ck_assert_msg(strstr(d.sentence, says) != NULL, "%s: %s", text, d.sentence);
        ck_assert_uint_eq(list.n_specs, 0);
}

START_TEST(test_refused) {
        assert_refused("intel", "cs/period=/", -EINVAL, 11, "missing");
        assert_refused("intel", "cs/period/", -EINVAL, 4, "number");
        assert_refused("intel", "cs/period=x/", -EINVAL, 11, "number");
        assert_refused("intel", "cs/foo/", -EINVAL, 4, "no term foo");
        assert_refused("intel", "cs/period=5", -EINVAL, 3, "not closed");
        assert_refused("intel", "cs/period=5}/", -EINVAL, 11, "number");
        assert_refused("intel", "cs/period=5,/", -EINVAL, 13, "wanted");
        assert_refused("intel", "cs/name/", -EINVAL, 4, "missing");
        assert_refused("intel", "cs/name='x/", -EINVAL, 9, "quote");
        assert_refused("intel", "cs/time=2/", -EINVAL, 9, "0 or 1");
        assert_refused("intel", "cs/max-stack=0/", -EINVAL, 14, "65535");
        assert_refused("intel", "cs/max-stack=65536/", -EINVAL, 14, "65535");
        assert_refused("intel", "cs/call-graph/", -EINVAL, 4, "Unknown --call-graph");
        assert_refused("intel", "cs/stack-size=65529/", -ERANGE, 15, "max 65528");
        assert_refused("intel", "sched:sched_switch/period=5/", -EINVAL, 20, "not one of tracepoints");
        assert_refused("intel", "cpu/nosuch=1/", -ENOENT, 5, "event,");
        assert_refused("intel", "cpu/nosuch/", -ENOENT, 5, "no term or event nosuch");
        assert_refused("intel", "cpu/umask=0x100/", -ERANGE, 11, "0xff");
        assert_refused("intel", "cpu/event=x/", -EINVAL, 11, "number");
        assert_refused("intel", "software/foo/", -ENOENT, 10, "none");
        assert_refused("intel", "uncore_imc_2/event=1/", -ENOENT, 1, "uncore_imc_2");
        assert_refused("arm", "arm_cmn_0/xp_any/", -EINVAL, 11, "nodeid");
        assert_refused("arm", "armv8_pmuv3_0/threshold=1/", -ENOENT, 15, "threshold");
        assert_refused("arm", "broken/x/", -EINVAL, 1, "broken");
}
END_TEST

CHECK_MAIN("grammar-terms", test_terms, test_stack_terms, test_tracepoint_terms, test_pmu, test_other_machines, test_refused);

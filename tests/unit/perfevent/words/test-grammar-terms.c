/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Terms of all events, of PMUs, named events, and refused terms. */

#include "check-main.h"
#include "grammar.h"
#include "test-machine.h"

static void parse_on(const char *machine, EventSpecs *list, const char *text) {
        _cleanup_free_ char *root = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        GrammarSources sources = { .tracefs = TEST_DATA "/tracefs" };

        ck_assert_int_gt(asprintf(&root, TEST_EVENT_SOURCE("%s"), machine), 0);
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
        ck_assert_uint_eq(list.specs[1].attr.config1, 31); /* added to the alias's own 3, as with perf */
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

/* Named events may have a unit; a name may stand for several PMUs. */
START_TEST(test_several_pmus) {
        static const char *const texts[] = { "imc/cas_count_read/u", "uncore_imc/CAS_COUNT_read/u", "cas_count_read:u" };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                _cleanup_(event_specs_done) EventSpecs list = {};

                parse_on("intel", &list, texts[i]);
                ck_assert_uint_eq(list.n_specs, 2);
                ck_assert_uint_eq(list.specs[0].attr.type + list.specs[1].attr.type, 18 + 19);
                for (size_t n = 0; n < 2; n++) {
                        ck_assert_str_eq(list.specs[n].name, texts[i]);
                        ck_assert_uint_eq(list.specs[n].attr.config, 0x304);
                        ck_assert_uint_eq(list.specs[n].n_cpus, 2);
                        ck_assert_str_eq(list.specs[n].unit, "MiB");
                        ck_assert_double_eq(list.specs[n].scale, 6.103515625e-5);
                        ck_assert(list.specs[n].attr.exclude_kernel);
                }
        }
}
END_TEST

/* Clocks count nanoseconds, except by their PMU's number, as with perf. */
START_TEST(test_units_of_clocks) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse_on("intel", &list, "cpu-clock,software/config=0/");
        ck_assert_uint_eq(list.n_specs, 2);
        ck_assert_str_eq(list.specs[0].unit, "msec");
        ck_assert_ptr_null(list.specs[1].unit);
        ck_assert_double_eq(list.specs[1].scale, 1);
}
END_TEST

/* Terms that set words are applied first, in any order; then bits are added. */
START_TEST(test_order) {
        static const struct {
                const char *text;
                uint64_t config;
        } table[] = {
                { "cpu/event=1,event=2/", 3 },         { "cpu/umask=2,config=0x10/", 0x210 },   { "cpu/r1a8/", 0x1a8 },
                { "cpu/r0x1a8,umask=2/", 0x3a8 },      { "cpu/umask=2,r1a8/", 0x3a8 },          { "cpu/event=mem-stores/", 0x82d0 },
                { "cpu/mem-stores,umask=1/", 0x83d0 }, { "cpu/ event=1, umask=1/", 0x101 },     { "cpu/event=1,percore/", 1 },
                { "mem-stores/umask=1/", 0x83d0 },     { "mem-stores/period=5,cmask=1/", 0x10082d0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                _cleanup_(event_specs_done) EventSpecs list = {};

                parse_on("intel", &list, table[i].text);
                ck_assert_msg(list.specs[0].attr.config == table[i].config, "%s: %#llx", table[i].text,
                              (unsigned long long) list.specs[0].attr.config);
        }
}
END_TEST

START_TEST(test_wanted_value) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse_on("arm", &list, "arm_cmn/nodeid=5,xp_any/,xp_any/nodeid=7/");
        ck_assert_uint_eq(list.specs[0].attr.config, UINT64_C(0x500000000006));
        ck_assert_uint_eq(list.specs[1].attr.config, UINT64_C(0x700000000006));
}
END_TEST

static const EventSpec *find_core(const EventSpecs *list, const char *name) {
        for (size_t i = 0; i < list->n_specs; i++)
                if (streq(list->specs[i].name, name))
                        return &list->specs[i];
        ck_abort_msg("no %s", name);
}

/* On a hybrid machine an event of the CPU is one for each kind of core. */
START_TEST(test_hybrid) {
        static const struct {
                const char *text;
                size_t n;
                const char *name;
                uint32_t type;
                uint64_t config;
        } table[] = {
                { "cycles", 2, "cpu_core/cycles/", PERF_TYPE_HARDWARE, UINT64_C(4) << 32 },
                { "cpu-cycles:p", 2, "cpu_atom/cpu-cycles:p/", PERF_TYPE_HARDWARE, UINT64_C(10) << 32 },
                { "LLC-load-misses:u", 2, "cpu_atom/LLC-load-misses/", PERF_TYPE_HW_CACHE, UINT64_C(10) << 32 | 0x10002 },
                { "r3c", 2, "cpu_atom/r3c/", 10, 0x3c },
                { "4:0x3c", 2, "cpu_core/4:0x3c/", 4, 0x3c },
                { "cycles/name=foo/", 2, "cpu_core/foo/", PERF_TYPE_HARDWARE, UINT64_C(4) << 32 },
                { "cycles/period=5/", 2, "cycles/period=5/", PERF_TYPE_HARDWARE, 0 },
                { "cpu_core/instructions,period=5/u", 1, "cpu_core/instructions/", PERF_TYPE_HARDWARE, UINT64_C(4) << 32 | 1 },
                { "cpu_core/LLC-loads/u", 1, "cpu_core/LLC-loads/", PERF_TYPE_HW_CACHE, UINT64_C(4) << 32 | 2 },
                { "cpu_core/cpu-cycles/", 1, "cpu_core/cpu-cycles/", 4, 0x3c },
                { "cpu_core/r3c/", 1, "cpu_core/r3c/", 4, 0x3c },
                { "faults", 1, "faults", PERF_TYPE_SOFTWARE, 2 },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                _cleanup_(event_specs_done) EventSpecs list = {};
                const EventSpec *s;

                parse_on("hybrid", &list, table[i].text);
                ck_assert_msg(list.n_specs == table[i].n, "%s: %zu", table[i].text, list.n_specs);
                s = find_core(&list, table[i].name);
                ck_assert_uint_eq(s->attr.type, table[i].type);
                ck_assert_msg(table[i].config == 0 || s->attr.config == table[i].config, "%s", table[i].text);
                ck_assert(table[i].n == 1 || s->n_cpus == (strstr(table[i].name, "cpu_core") ? 2 : 3));
        }
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
        ck_assert_int_eq(list.specs[5].cpus[0], 2);
}
END_TEST

static void assert_refused(const char *machine, const char *text, int error, size_t column, const char *says) {
        _cleanup_free_ char *root = NULL;
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        GrammarSources sources = { .tracefs = TEST_DATA "/tracefs" };
        int r;

        ck_assert_int_gt(asprintf(&root, TEST_EVENT_SOURCE("%s"), machine), 0);
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
        assert_refused("intel", "cs/period=5,/", -EINVAL, 13, "expected");
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
        assert_refused("intel", "software/foo/", -ENOENT, 10, "no term or event foo; valid terms: config,");
        assert_refused("intel", "cpu/mem-load/", -ENOENT, 5, "did you mean mem-loads?");
        assert_refused("intel", "cpu/umsk=1/", -ENOENT, 5, "did you mean umask?");
        assert_refused("intel", "cs/perod=1/", -EINVAL, 4, "did you mean period?");
        assert_refused("intel", "cpu/@foo=1/", -EOPNOTSUPP, 5, "@foo");
        assert_refused("intel", "{cs,imc/cas_count_read/}", -EINVAL, 5, "2 PMUs");
        assert_refused("hybrid", "{cs,cycles}", -EINVAL, 5, "/cycles/");
        assert_refused("hybrid", "cpu_core/cycles,foo/", -EINVAL, 17, "no term foo");
        assert_refused("arm", "{cs,xp_any}", -EINVAL, 5, "nodeid=VALUE");
        assert_refused("intel", "uncore_imc_2/event=1/", -ENOENT, 1, "uncore_imc_2");
        assert_refused("arm", "arm_cmn_0/xp_any/", -EINVAL, 11, "nodeid");
        #ifndef PERF_ATTR_SIZE_VER8
        assert_refused("arm", "armv8_pmuv3_0/threshold=1/", -ENOENT, 15, "threshold");
#endif
        assert_refused("arm", "broken/x/", -EINVAL, 1, "broken");
}
END_TEST

CHECK_MAIN("grammar-terms", test_terms, test_stack_terms, test_tracepoint_terms, test_pmu, test_several_pmus, test_units_of_clocks, test_order, test_wanted_value,
           test_hybrid, test_other_machines, test_refused);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Kinds of events, lists and groups, modifiers, and the column of errors. Names and numbers are perf 6.1's for the same words. */

#include "check-main.h"
#include "grammar.h"
#include "test-machine.h"

static const GrammarSources sources = { .event_source = TEST_EVENT_SOURCE("intel"), .tracefs = TEST_DATA "/tracefs" };

static void parse(EventSpecs *list, const char *text) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r = event_specs_parse(list, text, &sources, &d);

        ck_assert_msg(r == 0, "%s: %d %s", text, r, d.sentence);
}

static void assert_event(const EventSpec *s, const char *name, uint32_t type, uint64_t config) {
        ck_assert_str_eq(s->name, name);
        ck_assert_uint_eq(s->attr.type, type);
        ck_assert_uint_eq(s->attr.config, config);
        ck_assert_uint_eq(s->attr.size, sizeof(struct perf_event_attr));
}

START_TEST(test_kinds) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse(&list, "cpu-clock,cs:u,r1a8,1:9,LLC-load-misses:k, cycles/period=5/ ,0x4:0x10//u");
        ck_assert_uint_eq(list.n_specs, 7);
        assert_event(&list.specs[0], "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
        assert_event(&list.specs[1], "cs:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
        assert_event(&list.specs[2], "r1a8", PERF_TYPE_RAW, 0x1a8);
        assert_event(&list.specs[3], "1:9", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
        assert_event(&list.specs[4], "LLC-load-misses", PERF_TYPE_HW_CACHE, 0x10002);
        assert_event(&list.specs[5], "cycles/period=5/", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
        assert_event(&list.specs[6], "0x4:0x10//u", 4, 0x10);
        ck_assert(list.specs[1].leader && list.specs[1].group == 0);
        ck_assert_uint_eq(list.specs[1].column, 11);
        ck_assert_uint_eq(list.specs[5].column, 44);
}
END_TEST

/* The event is found by name and by number, as with perf. */
START_TEST(test_bpf_output) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse(&list, "bpf-output,bpf-output/no-inherit,name=evt/,1:10");
        assert_event(&list.specs[0], "bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT);
        assert_event(&list.specs[1], "evt", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT);
        ck_assert(list.specs[1].terms.has_inherit && !list.specs[1].terms.inherit);
        for (size_t i = 0; i < 3; i++) {
                ck_assert_uint_eq(list.specs[i].attr.sample_period, 1);
                ck_assert_uint_eq(list.specs[i].attr.sample_type,
                                  PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD);
        }
}
END_TEST

START_TEST(test_breakpoints) {
        static const struct {
                const char *text, *name;
                uint64_t address;
                uint32_t access;
                uint64_t length;
        } good[] = {
                { "mem:0x1000", "mem:0x1000", 0x1000, 3, 4 },      { "mem:4096:rw", "mem:4096:rw", 4096, 3, 4 },
                { "mem:0x1000:x", "mem:0x1000:x", 0x1000, 4, 8 },  { "mem:0x1000/8:w:u", "mem:0x1000", 0x1000, 2, 8 },
                { "mem:0x1000/1", "mem:0x1000", 0x1000, 3, 1 },    { "mem:0x1000:u", "mem:0x1000:u", 0x1000, 3, 4 },
        };

        for (size_t i = 0; i < ELEMENTSOF(good); i++) {
                _cleanup_(event_specs_done) EventSpecs list = {};
                const EventSpec *s;

                parse(&list, good[i].text);
                s = &list.specs[0];
                assert_event(s, good[i].name, PERF_TYPE_BREAKPOINT, 0);
                ck_assert_uint_eq(s->attr.bp_addr, good[i].address);
                ck_assert_uint_eq(s->attr.bp_type, good[i].access);
                ck_assert_uint_eq(s->attr.bp_len, good[i].length);
                ck_assert_uint_eq(s->attr.sample_period, 1);
        }
}
END_TEST

START_TEST(test_tracepoints) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse(&list, "sched:sched_switch");
        assert_event(&list.specs[0], "sched:sched_switch", PERF_TYPE_TRACEPOINT, 316);
        ck_assert_str_eq(list.specs[0].tracepoint_system, "sched");
        ck_assert_str_eq(list.specs[0].tracepoint_name, "sched_switch");
        ck_assert_uint_eq(list.specs[0].attr.sample_period, 1);
        ck_assert_uint_eq(list.specs[0].attr.sample_type,
                          PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD);

        parse(&list, "sched:sched_process_*:k");
        ck_assert_uint_eq(list.n_specs, 3);
        ck_assert_uint_eq(list.last_begin, 1);
        for (size_t i = 1; i < 3; i++) {
                ck_assert_ptr_nonnull(startswith(list.specs[i].name, "sched:sched_process_ex"));
                ck_assert(list.specs[i].attr.exclude_user); /* modifiers are for each of them */
        }
        parse(&list, "*:sys_enter_*,*:*");
        ck_assert_uint_eq(list.n_specs, 3 + 2 + 7);
}
END_TEST

START_TEST(test_groups) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse(&list, "cs,{cpu-clock,faults:u}:S,{ task-clock , cs }");
        ck_assert_uint_eq(list.n_specs, 5);
        ck_assert_uint_eq(list.specs[0].group, 0);
        ck_assert_uint_eq(list.specs[1].group, 1);
        ck_assert_uint_eq(list.specs[2].group, 1);
        ck_assert_uint_eq(list.specs[2].group_size, 2);
        ck_assert(list.specs[1].leader && !list.specs[2].leader);
        ck_assert(list.specs[1].sample_read && list.specs[2].sample_read && !list.specs[3].sample_read);
        ck_assert_uint_eq(list.specs[4].group, 2);
        ck_assert_str_eq(list.specs[3].name, "task-clock");
        parse(&list, "{cs}");
        ck_assert_uint_eq(list.specs[5].group, 3);
        ck_assert_ptr_null(list.specs[5].group_name);
        parse(&list, "foo{cs,faults}:u,bar:{cs}");
        ck_assert_str_eq(list.specs[6].group_name, "foo");
        ck_assert(!list.specs[7].group_name && list.specs[7].attr.exclude_kernel);
        ck_assert_str_eq(list.specs[8].group_name, "bar");
}
END_TEST

/* On a hybrid machine the default is an event for each kind of core. */
START_TEST(test_default) {
        const GrammarSources hybrid = { .event_source = TEST_EVENT_SOURCE("hybrid") };
        _cleanup_(event_specs_done) EventSpecs list = {}, cores = {};

        ck_assert_int_eq(event_specs_add_default(&list, &sources), 0);
        ck_assert_str_eq(list.specs[0].name, "cycles");
        ck_assert(list.specs[0].precise_max && !list.specs[0].attr.exclude_guest);
        ck_assert_int_eq(event_specs_add_default(&cores, &hybrid), 0);
        ck_assert_uint_eq(cores.n_specs, 2);
        ck_assert(cores.specs[1].precise_max && !cores.specs[1].attr.exclude_guest && cores.specs[1].n_cpus == 2);
}
END_TEST

/* The list is unchanged, the column is that of the error, the sentence names it. */
START_TEST(test_refused) {
        static const struct {
                const char *text;
                int error;
                size_t column;
                const char *says;
        } bad[] = {
                { "", -EINVAL, 1, "expected here" },
                { "cs,", -EINVAL, 4, "expected here" },
                { "cs,,faults", -EINVAL, 4, "before \",\"" },
                { "cs}", -EINVAL, 3, "\"}\"" },
                { "{cs", -EINVAL, 1, "not closed" },
                { "{cs faults}", -EINVAL, 5, "not closed" },
                { "{}", -EINVAL, 2, "before \"}\"" },
                { "cs,{cs,{cs}}", -EINVAL, 8, "group" },
                { "nosuch", -EINVAL, 1, "no event nosuch" },
                { "cs,nosuch:u", -EINVAL, 4, "no event nosuch" },
                { "cs,nosuch:nosuch", -ENOENT, 4, "no tracepoint nosuch:nosuch" },
                { "cs faults", -EINVAL, 4, "\"f\"" },
                { "sched:nosuch*", -ENOENT, 1, "No tracepoint matches sched:nosuch*" },
                { "sched:sched_swich", -ENOENT, 1, "did you mean sched_switch?" },
                { "shed:sched_switch", -ENOENT, 1, "did you mean sched?" },
                { "sched_switch", -EINVAL, 1, "a tracepoint sched:sched_switch" },
                { "cycels", -EINVAL, 1, "did you mean cycles?" },
                { "LLC-load-mises:u", -EINVAL, 1, "did you mean LLC-load-misses" },
                { "cppu/event=1/", -ENOENT, 1, "did you mean cpu?" },
                { "probe:tcp_sendmsg", -ENOENT, 1, "no kprobes" },
                { "probe_libc:malloc", -ENOENT, 1, "perf probe -x PATH malloc, with the path of libc" },
                { "sdt_node:gc__start", -ENOENT, 1, "--add PATH/node; perf probe sdt_node:gc__start" },
                { "sched:", -EINVAL, 7, "missing" },
                { "nosuchpmu/event=1/", -ENOENT, 1, "no PMU nosuchpmu" },
                { "intel_pt//", -EOPNOTSUPP, 1, "intel_pt" },
                { "bpf-output/x/", -EINVAL, 12, "no term x" },
                { "duration_time", -EOPNOTSUPP, 1, "perf stat" },
                { "inst_retired.any", -EINVAL, 1, "--pfm-events" },
                { "x.o", -EOPNOTSUPP, 1, "BPF" },
                { "mem:", -EINVAL, 5, "address" },
                { "mem:foo", -EINVAL, 5, "foo" },
                { "mem:0x1000/3", -EINVAL, 12, "1, 2, 4 or 8" },
                { "mem:0x1000:rwr", -EINVAL, 14, "twice" },
                { "mem:0x1000/4/x/", -EINVAL, 14, "no terms" },
                { "r12345678901234567", -EINVAL, 1, "64 bits" },
                { "1:", -EINVAL, 3, "not a number" },
                { "4294967296:1", -EINVAL, 1, "type" },
                { "sched:../../x", -EINVAL, 1, "not the name" },
                { "sched:..", -EINVAL, 1, "not the name" },
                { "../sched:x", -ENOENT, 1, "no PMU" },
        };
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse(&list, "cs");
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                int r = event_specs_parse(&list, bad[i].text, &sources, &d);

                ck_assert_msg(r == bad[i].error, "%s: %d %s", bad[i].text, r, d.sentence);
                ck_assert_msg(d.column == bad[i].column, "%s: column %zu: %s", bad[i].text, d.column, d.sentence);
                ck_assert_msg(strstr(d.sentence, bad[i].says) != NULL, "%s: %s", bad[i].text, d.sentence);
                ck_assert_int_eq(event_specs_parse(&list, bad[i].text, &sources, NULL), bad[i].error);
                ck_assert_uint_eq(list.n_specs, 1);
                ck_assert_uint_eq(list.n_groups, 0);
        }
        parse(&list, "{cs,cs}"); /* and the numbers continue */
        ck_assert_uint_eq(list.specs[2].group, 1);
}
END_TEST

START_TEST(test_limits) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = malloc(GRAMMAR_LENGTH_MAX + 2);

        memset(text, 'a', GRAMMAR_LENGTH_MAX + 1);
        text[GRAMMAR_LENGTH_MAX + 1] = 0;
        ck_assert_int_eq(event_specs_parse(&list, text, &sources, &d), -E2BIG);
        diagnosis_reset(&d);
        for (size_t i = 0; i < GRAMMAR_LENGTH_MAX - 2; i += 3)
                memcpy(text + i, "cs,", 3);
        text[GRAMMAR_LENGTH_MAX] = 0;
        ck_assert_int_eq(event_specs_parse(&list, text, &sources, &d), -E2BIG);
        ck_assert_ptr_nonnull(strstr(d.sentence, "4096"));
        ck_assert_uint_eq(list.n_specs, 0);
}
END_TEST

START_TEST(test_without_tracefs) {
        GrammarSources nowhere = { .tracefs = "/nowhere", .event_source = "/nowhere" };
        _cleanup_(event_specs_done) EventSpecs list = {};

        ck_assert_int_eq(event_specs_parse(&list, "sched:sched_switch", &nowhere, NULL), -ENOENT);
        ck_assert_int_eq(event_specs_parse(&list, "*:*", &nowhere, NULL), -ENOENT);
        ck_assert_int_eq(event_specs_parse(&list, "nosuch", &nowhere, NULL), -EINVAL);
        ck_assert_int_eq(event_specs_parse(&list, "cs", &nowhere, NULL), 0);
}
END_TEST

static struct perf_event_attr attr_of(const char *text, EventSpec *ret_copy) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_msg(event_specs_parse(&list, text, NULL, &d) == 0, "%s: %s", text, d.sentence);
        if (ret_copy)
                *ret_copy = list.specs[0]; /* its flags only: the strings are freed */
        return list.specs[list.n_specs - 1].attr;
}

static void assert_levels(const char *text, bool user, bool kernel, bool hv, bool guest, bool host) {
        struct perf_event_attr a = attr_of(text, NULL);

        ck_assert_msg(a.exclude_user == !user && a.exclude_kernel == !kernel && a.exclude_hv == !hv, "%s", text);
        ck_assert_msg(a.exclude_guest == !guest && a.exclude_host == !host, "%s: guest %d host %d", text, !a.exclude_guest, !a.exclude_host);
}

START_TEST(test_levels) {
        assert_levels("cs", true, true, true, false, true);
        assert_levels("cs:u", true, false, false, false, true);
        assert_levels("cs:k", false, true, false, true, true);
        assert_levels("cs:uk", true, true, false, false, true);
        assert_levels("cs:h", false, false, true, true, true);
        assert_levels("cs:G", true, true, true, true, false);
        assert_levels("cs:H", true, true, true, false, true);
        assert_levels("cs:GH", true, true, true, true, true);
        assert_levels("cs:Gu", true, false, false, true, false);
        assert_levels("cs:I", true, true, true, true, true);
        assert_levels("cs:", true, true, true, false, true);
        ck_assert(attr_of("cs:I", NULL).exclude_idle);
}
END_TEST

START_TEST(test_precision) {
        EventSpec s;

        ck_assert_uint_eq(attr_of("cycles:p", NULL).precise_ip, 1);
        ck_assert_uint_eq(attr_of("cycles:ppp", NULL).precise_ip, 3);
        ck_assert_uint_eq(attr_of("cycles:upp", NULL).precise_ip, 2);
        (void) attr_of("cycles:P", &s);
        ck_assert(s.precise_max);
}
END_TEST

START_TEST(test_flag_modifiers) {
        EventSpec s;

        ck_assert(attr_of("cs:D", NULL).pinned);
        ck_assert(attr_of("cs:e", NULL).exclusive);
        (void) attr_of("cs:SW", &s);
        ck_assert(s.sample_read && s.weak && !s.keep_guest);
        (void) attr_of("cs:G", &s);
        ck_assert(s.keep_guest);
}
END_TEST

/* A group's letters are added to those of its events, and pin only its leader. */
START_TEST(test_group_modifiers) {
        struct perf_event_attr last = attr_of("{cs,faults:u}:D", NULL);
        EventSpec s;

        ck_assert(!last.pinned && last.exclude_kernel);
        (void) attr_of("{cs,faults}:D", &s);
        ck_assert(s.attr.pinned);
        ck_assert(!s.attr.exclude_host && s.attr.exclude_guest);
        last = attr_of("{cs,faults:u}:k", NULL);
        ck_assert(!last.exclude_user && !last.exclude_kernel && last.exclude_hv);
}
END_TEST

START_TEST(test_refused_modifiers) {
        static const struct {
                const char *text;
                size_t column;
                const char *says;
        } bad[] = {
                { "cs:x", 4, "\"x\"" },      { "cs:ub", 5, "\"b\"" },      { "cs:uku", 6, "twice" }, { "cs:pppp", 7, "ppp" },
                { "cs::u", 4, "expected" },  { "cs//u:k", 6, "expected" }, { "{cs}:q", 6, "\"q\"" }, { "cs:{", 5, "expected" },
                { "{cycles:pp}:pp", 14, "ppp" },
        };
        _cleanup_(event_specs_done) EventSpecs list = {};

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_msg(event_specs_parse(&list, bad[i].text, NULL, &d) == -EINVAL, "%s", bad[i].text);
                ck_assert_msg(d.column == bad[i].column, "%s: column %zu: %s", bad[i].text, d.column, d.sentence);
                ck_assert_msg(strstr(d.sentence, bad[i].says) != NULL, "%s: %s", bad[i].text, d.sentence);
        }
        ck_assert_uint_eq(list.n_specs, 0);
}
END_TEST

CHECK_MAIN("grammar", test_kinds, test_breakpoints, test_bpf_output, test_tracepoints, test_groups, test_default, test_refused,
           test_limits, test_without_tracefs, test_levels, test_precision, test_flag_modifiers, test_group_modifiers,
           test_refused_modifiers);

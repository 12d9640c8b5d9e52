/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The list of a made-up machine: the rows of each kind, the matches of patterns; a pattern does not open other
 * events. */

#include <dlfcn.h>
#include "check-main.h"
#include "event-list.h"
#include "made-set.h"
#include "pfm-event.h"
#include "skip.h"
#include "test-machine.h"

static const GrammarSources sources = { .event_source = TEST_EVENT_SOURCE("intel"), .tracefs = TEST_DATA "/tracefs",
                                        .kallsyms = TEST_DATA "/kallsyms" };
static EventList list;
static EventListOptions options = { .sources = &sources, .pfm_library = "libnone.so" };

static void setup(void) {
        options.ops = fake_ops(&made.kernel);
}

static void teardown(void) {
        assert_all_closed();
        event_list_done(&list);
}

static void choose(char *pattern) {
        char *const patterns[] = { pattern, NULL };

        event_list_done(&list);
        ck_assert_int_eq(event_list_add_matching(&list, pattern ? patterns : NULL, &options, NULL), 0);
}

static const EventRow *find(const char *name) {
        for (size_t i = 0; i < list.n_rows; i++)
                if (streq(list.rows[i].name, name))
                        return &list.rows[i];
        return NULL;
}

START_TEST(test_all) {
        static const struct {
                const char *name, *alias;
                EventGroup group;
                bool is_form;
        } some[] = {
                { "cycles", "cpu-cycles", EVENT_GROUP_HARDWARE, false },
                { "context-switches", "cs", EVENT_GROUP_SOFTWARE, false },
                { "cpu-clock", NULL, EVENT_GROUP_SOFTWARE, false },
                { "L1-dcache-load-misses", NULL, EVENT_GROUP_CACHE, false },
                { "LLC-prefetch-misses", NULL, EVENT_GROUP_CACHE, false },
                { "rNNN", NULL, EVENT_GROUP_RAW, true },
                { "cpu/TERM=VALUE,.../", NULL, EVENT_GROUP_RAW, true },
                { "uprobe:PATH:SYMBOL[+OFFSET][%return]", NULL, EVENT_GROUP_PROBE, true },
                { "sched:sched_switch", NULL, EVENT_GROUP_TRACEPOINT, false },
        };

        choose(NULL);
        for (size_t i = 0; i < ELEMENTSOF(some); i++) {
                const EventRow *row = find(some[i].name);

                ck_assert_msg(row, "%s", some[i].name);
                ck_assert_pstr_eq(row->alias, some[i].alias);
                ck_assert_int_eq(row->group, some[i].group);
                ck_assert(row->is_form == some[i].is_form);
                ck_assert_int_eq(row->error, 0);
                ck_assert_ptr_null(row->reason);
        }
        ck_assert_ptr_null(find("iTLB-stores"));
        ck_assert_ptr_null(find("cpu-cycles"));
        ck_assert_ptr_null(find("kprobe/TERM=VALUE,.../"));
}
END_TEST

START_TEST(test_pmu) {
        const EventRow *row;

        choose((char[]){ "pmu" });
        row = find("cpu/mem-loads/");
        ck_assert_ptr_nonnull(row);
        ck_assert_pstr_eq(row->pmu, "cpu");
        ck_assert_ptr_nonnull(strstr(row->description, "event="));
        ck_assert_ptr_null(find("cycles"));
        row = find("uncore_imc_0/cas_count_read/");
        ck_assert_pstr_eq(row->unit, "MiB");
        ck_assert_double_eq(row->scale, 6.103515625e-5);
        ck_assert_uint_eq(row->attr.config, UINT64_C(0x304));
        for (size_t i = 0; i < list.n_rows; i++)
                ck_assert_int_eq(list.rows[i].group, EVENT_GROUP_PMU);
}
END_TEST

static size_t count(char *pattern) {
        choose(pattern);
        return list.n_rows;
}

START_TEST(test_patterns) {
        ck_assert_uint_eq(count((char[]){ "sched:*" }), 4);
        ck_assert_str_eq(list.rows[0].name, "sched:sched_process_exec"); /* in alphabetical order */
        ck_assert_uint_eq(count((char[]){ "sched:sched_s?itch" }), 1);
        ck_assert_uint_eq(count((char[]){ "sched_s?itch" }), 1);
        ck_assert_uint_eq(count((char[]){ "sched:switch" }), 0);
        ck_assert_uint_eq(count((char[]){ "SWITCH" }), 3); /* context-, cgroup-, sched: */
        ck_assert_uint_eq(count((char[]){ "cs" }), 1);     /* an alias */
        ck_assert_uint_eq(count((char[]){ "hw" }), 10);
        ck_assert_uint_eq(count((char[]){ "hardware" }), 10);
        ck_assert_uint_eq(count((char[]){ "sdt" }), 0);
        ck_assert_uint_eq(count((char[]){ "nothing-such" }), 0);
}
END_TEST

/* Tracepoints are slow to close, and are not opened; nor are events that no pattern matches. */
START_TEST(test_opens_no_tracepoint) {
        choose((char[]){ "*:*" });
        ck_assert_uint_eq(made.kernel.n_opens, 1); /* mem:… */
        choose((char[]){ "tracepoint" });
        ck_assert_uint_eq(made.kernel.n_opens, 1);
        ck_assert_uint_eq(list.n_rows, 7);
}
END_TEST

static void check_switch(void) {
        const EventRow *row = find("sched:sched_switch");

        ck_assert_int_eq(row->attr.type, PERF_TYPE_TRACEPOINT);
        ck_assert_uint_gt(row->attr.config, 0);
        ck_assert_uint_gt(strv_length(row->fields), 0);
        ck_assert_str_eq(row->fields[0], "char prev_comm[16]");
}

/* A tracepoint has its fields if they are wanted, and all generic events say what they count. */
START_TEST(test_described) {
        choose((char[]){ "sched:sched_switch" });
        ck_assert_ptr_null(find("sched:sched_switch")->fields);
        options.fields = true;
        choose((char[]){ "sched:sched_switch" });
        check_switch();
        event_list_done(&list);
        ck_assert_int_eq(event_list_add_named(&list, "sched:sched_switch,cs:u,L1-dcache-load-misses", &options, NULL), 0);
        check_switch();
        ck_assert_str_eq(find("cs:u")->description, "Switches of a CPU from one thread to another");
        ck_assert_str_eq(find("L1-dcache-load-misses")->description, "Loads that missed the data cache of level 1");
        options.fields = false;
        choose(NULL);
        for (size_t i = 0; i < list.n_rows; i++)
                if (list.rows[i].group <= EVENT_GROUP_CACHE)
                        ck_assert_msg(list.rows[i].description && list.rows[i].attr.size > 0, "%s", list.rows[i].name);
}
END_TEST

START_TEST(test_reason) {
        made.kernel.refuse = fake_no_counters;
        choose((char[]){ "cycles" });
        ck_assert_int_eq(find("cycles")->error, -ENOENT);
        ck_assert_ptr_nonnull(strstr(find("cycles")->reason, "The cycles event is not supported"));
}
END_TEST

START_TEST(test_named) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        made.kernel.refuse = fake_no_counters;
        ck_assert_int_eq(event_list_add_named(&list, "{cs,instructions}:u,sched:sched_switch,kprobe:vfs_read,r1", &options, NULL), 0);
        ck_assert_uint_eq(list.n_rows, 5);
        ck_assert_uint_eq(made.kernel.n_events, 4);
        ck_assert_int_eq(list.rows[0].group, EVENT_GROUP_SOFTWARE);
        ck_assert_int_eq(list.rows[1].error, -ENOENT);
        ck_assert_ptr_nonnull(strstr(list.rows[1].reason, "instructions"));
        ck_assert_int_eq(list.rows[2].group, EVENT_GROUP_TRACEPOINT);
        ck_assert_int_eq(list.rows[3].group, EVENT_GROUP_PROBE);
        ck_assert_int_eq(list.rows[4].group, EVENT_GROUP_RAW);
        ck_assert_int_eq(event_list_add_named(&list, "nonsense", &options, &d), -EINVAL);
        ck_assert_ptr_nonnull(strstr(d.sentence, "nonsense"));
        ck_assert_uint_eq(list.n_rows, 5);
}
END_TEST

/* The events are those of a CPU that this machine need not have. */
START_TEST(test_pfm) {
        void *library = dlopen(PFM_LIBRARY, RTLD_NOW);
        const EventRow *row;

        if (!library)
                SKIP("libpfm is not installed");
        (void) dlclose(library);
        ck_assert_int_eq(setenv("LIBPFM_FORCE_PMU", "skl", 1), 0);
        ck_assert_int_eq(setenv("LIBPFM_ENCODE_INACTIVE", "1", 1), 0);
        options.pfm_library = NULL;
        choose((char[]){ "MEM_LOAD_RETIRED:L1_*" });
        ck_assert_uint_eq(list.n_rows, 2);
        row = find("MEM_LOAD_RETIRED:L1_MISS");
        ck_assert_ptr_nonnull(row);
        ck_assert_int_eq(row->group, EVENT_GROUP_PFM);
        ck_assert_int_eq(row->error, 0);
        ck_assert_ptr_nonnull(row->description);
        ck_assert_uint_gt(count((char[]){ "pfm" }), 100);
}
END_TEST

START_TEST(test_missing) {
        static const GrammarSources none = { .event_source = TEST_DATA "/none", .tracefs = TEST_DATA "/none" };
        EventListOptions nothing = { .sources = &none, .ops = options.ops, .pfm_library = "libnone.so" };
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(event_list_add_matching(&list, NULL, &nothing, &d), -ENOENT);
        ck_assert_ptr_nonnull(d.sentence);
        ck_assert_ptr_nonnull(find("cpu-clock"));
        ck_assert_int_eq(find("kprobe:SYMBOL[+OFFSET][%return]")->error, -ENOENT);
        ck_assert_ptr_nonnull(strstr(find("kprobe:SYMBOL[+OFFSET][%return]")->reason, "CONFIG_KPROBE_EVENTS"));
}
END_TEST

START_TEST(test_groups) {
        for (EventGroup g = 0; g < _EVENT_GROUP_MAX; g++) {
                ck_assert_int_eq(event_group_from_string(event_group_to_string(g)), g);
                ck_assert_ptr_nonnull(event_group_title(g));
        }
        ck_assert_int_lt(event_group_from_string("cycles"), 0);
        ck_assert(event_list_is_pattern("a*") && event_list_is_pattern("[ab]") && !event_list_is_pattern("cs:u"));
}
END_TEST

CHECK_MAIN_WITH("event-list", setup, teardown, test_all, test_pmu, test_patterns, test_opens_no_tracepoint, test_reason, test_named,
                test_described, test_pfm, test_missing, test_groups);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names to numbers and back. The numbers of cache events, and the combinations that exist, are perf's. */

#include "check-main.h"
#include "event-name.h"

START_TEST(test_find) {
        uint64_t config = 0;
        uint32_t type = 0;

        ck_assert(event_name_find("cs", &type, &config));
        ck_assert_uint_eq(type, PERF_TYPE_SOFTWARE);
        ck_assert_uint_eq(config, PERF_COUNT_SW_CONTEXT_SWITCHES);
        ck_assert(event_name_find("ref-cycles", &type, &config));
        ck_assert_uint_eq(type, PERF_TYPE_HARDWARE);
        ck_assert_uint_eq(config, PERF_COUNT_HW_REF_CPU_CYCLES);
        ck_assert(!event_name_find("cycle", &type, &config));
        ck_assert(!event_name_find("cyclesx", &type, &config));
        ck_assert(!event_name_find("", &type, &config));
}
END_TEST

START_TEST(test_cache) {
        static const struct {
                const char *name;
                uint64_t config;
        } good[] = {
                { "L1-dcache-load-misses", 0x10000 }, { "L1-dcache-stores", 0x100 },     { "L1-icache-prefetches", 0x201 },
                { "LLC-loads-misses", 0x10002 },      { "LLC-misses", 0x10002 },         { "iTLB-loads", 0x4 },
                { "branch-load-misses", 0x10005 },    { "node-prefetches", 0x206 },      { "L1-dcache-misses-loads", 0x10000 },
                { "d-tlb-store-miss", 0x10103 },      { "node", 0x6 },                   { "l1d-speculative-read", 0x200 },
        };
        static const char *const bad[] = {
                "iTLB-stores", "L1-icache-stores", "L1-dcache-", "L1-dcache-foo", "L1-dcache-load-misses-load", "L1", "", "LLCloads",
                "branch-prefetches", "L1-dcache-load-stores",
        };
        uint64_t config;

        for (size_t i = 0; i < ELEMENTSOF(good); i++) {
                ck_assert_msg(event_name_find_cache(good[i].name, &config), "%s", good[i].name);
                ck_assert_msg(config == good[i].config, "%s is %#llx", good[i].name, (unsigned long long) config);
        }
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                ck_assert_msg(!event_name_find_cache(bad[i], &config), "%s", bad[i]);
}
END_TEST

static void assert_name(struct perf_event_attr attr, const char *name) {
        _cleanup_free_ char *s = event_name_of(&attr);

        ck_assert_str_eq(s, name);
}

/* The names are those of perf evlist on a machine without counters. */
START_TEST(test_name_of) {
        struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE, .exclude_guest = true }, a = clock;

        assert_name(clock, "cpu-clock");
        a.precise_ip = 2;
        assert_name(a, "cpu-clock:ppH");
        a = clock;
        a.exclude_kernel = a.exclude_hv = true;
        assert_name(a, "cpu-clock:uH");
        a = (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE, .exclude_user = true, .exclude_hv = true, .exclude_host = true };
        assert_name(a, "cpu-clock:kG");
        a = (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE, .precise_ip = 3 };
        assert_name(a, "cpu-clock:ppp");
        a = (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY };
        assert_name(a, "dummy:HG");
        a = (struct perf_event_attr){ .type = PERF_TYPE_RAW, .config = 0x1a8, .exclude_guest = true };
        assert_name(a, "raw 0x1a8");
}
END_TEST

CHECK_MAIN("event-name", test_find, test_cache, test_name_of);

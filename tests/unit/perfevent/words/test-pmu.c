/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* PMUs of made-up machines. */

#include "check-main.h"
#include "pmu.h"
#include "strv.h"
#include "test-machine.h"

START_TEST(test_open) {
        _cleanup_(pmu_freep) Pmu *p = NULL;
        _cleanup_free_ char *terms = NULL;

        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("intel"), "uncore_imc_1", &p), 0);
        ck_assert_uint_eq(p->type, 19);
        ck_assert_uint_eq(p->n_cpus, 2);
        ck_assert_int_eq(p->cpus[0], 0);
        ck_assert_uint_eq(p->n_formats, 2);
        terms = pmu_list_terms(p);
        ck_assert_str_eq(terms, "event,umask");
}
END_TEST

START_TEST(test_absent) {
        Pmu *p = NULL;

        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("intel"), "nosuch", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_DATA "/nowhere", "cpu", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("intel"), "", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("intel"), "..", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("intel"), "../../../../../../amd/sys/bus/event_source/devices/cpu", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("arm"), "broken", &p), -EINVAL);
        ck_assert_ptr_null(p);
        ck_assert_ptr_null(pmu_free(NULL));
}
END_TEST

START_TEST(test_software) {
        _cleanup_(pmu_freep) Pmu *p = NULL;

        if (access(PMU_DEFAULT_ROOT "/software", F_OK) < 0)
                return;
        ck_assert_int_eq(pmu_open(NULL, "software", &p), 0);
        ck_assert_uint_eq(p->type, 1);
        ck_assert_uint_eq(p->n_formats, 0);
}
END_TEST

START_TEST(test_terms) {
        _cleanup_(pmu_freep) Pmu *p = NULL;
        uint64_t words[PMU_WORDS] = { 0, 0, 9 };

        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("amd"), "cpu", &p), 0);
        ck_assert_uint_eq(pmu_term_max(p, "event"), 0xfff);
        ck_assert_uint_eq(pmu_term_max(p, "nosuch"), 0);
        ck_assert_int_eq(pmu_set_term(p, "event", 0xfc5, words), 0);
        ck_assert_uint_eq(words[0], UINT64_C(0xf000000c5));
        ck_assert_int_eq(pmu_set_term(p, "event", 0x002, words), 0); /* added to the earlier one */
        ck_assert_uint_eq(words[0], UINT64_C(0xf000000c7));
        ck_assert_int_eq(pmu_set_term(p, "cmask", 0x80, words), 0);
        ck_assert_uint_eq(words[0], UINT64_C(0xf800000c7));
        ck_assert_int_eq(pmu_set_term(p, "event", 0x1000, words), -ERANGE);
        ck_assert_int_eq(pmu_set_term(p, "nosuch", 1, words), -ENOENT);
        ck_assert_uint_eq(words[0], UINT64_C(0xf800000c7));
        ck_assert_uint_eq(words[2], 9);
}
END_TEST

START_TEST(test_wide_term) {
        _cleanup_(pmu_freep) Pmu *p = NULL;
        uint64_t words[PMU_WORDS] = {};

        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("intel"), "cpu", &p), 0);
        ck_assert_uint_eq(pmu_term_max(p, "offcore_rsp"), UINT64_MAX);
        ck_assert_int_eq(pmu_set_term(p, "offcore_rsp", UINT64_MAX, words), 0);
        ck_assert_uint_eq(words[1], UINT64_MAX);
}
END_TEST

START_TEST(test_config3) {
        _cleanup_(pmu_freep) Pmu *p = NULL;

        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("arm"), "armv8_pmuv3_0", &p), 0);
        ck_assert_int_eq(pmu_has_term(p, "threshold"), PMU_WORDS > 3);
        ck_assert(pmu_has_term(p, "long") && !pmu_has_term(p, "nosuch"));
}
END_TEST

static void assert_names(char **names, const char *expected) {
        _cleanup_free_ char *joined = NULL;

        strv_sort(names);
        joined = strv_join(names, " ");
        ck_assert_str_eq(joined, expected);
        strv_free(names);
}

START_TEST(test_aliases) {
        _cleanup_(pmu_freep) Pmu *p = NULL, *imc = NULL;
        _cleanup_(pmu_alias_done) PmuAlias loads = {}, reads = {};
        PmuAlias none;
        char **names = NULL;

        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("intel"), "cpu", &p), 0);
        ck_assert_int_eq(pmu_read_alias(p, "MEM-loads", &loads), 0);
        ck_assert_str_eq(loads.terms, "event=0xcd,umask=0x1,ldlat=3");
        ck_assert(!loads.unit && loads.scale == 1);
        ck_assert_int_eq(pmu_read_alias(p, "nosuch", &none), -ENOENT);
        ck_assert_int_eq(pmu_read_alias(p, "../type", &none), -ENOENT);
        ck_assert_int_eq(pmu_list_aliases(p, &names), 0);
        assert_names(names, "cpu-cycles instructions mem-loads mem-stores topdown-slots");

        ck_assert_int_eq(pmu_open(TEST_EVENT_SOURCE("intel"), "uncore_imc_0", &imc), 0);
        ck_assert_int_eq(pmu_read_alias(imc, "cas_count_read", &reads), 0);
        ck_assert_str_eq(reads.unit, "MiB");
        ck_assert_double_eq(reads.scale, 6.103515625e-5);
        ck_assert_int_eq(pmu_read_alias(imc, "cas_count_read.unit", &none), -ENOENT);
        names = NULL;
        ck_assert_int_eq(pmu_list_aliases(imc, &names), 0);
        assert_names(names, "cas_count_read");
}
END_TEST

/* Rows of a name and its PMUs; "": none. */
START_TEST(test_find) {
        static const struct {
                const char *name, *found;
        } table[] = {
                { "cpu", "cpu" }, { "uncore_imc", "uncore_imc_0 uncore_imc_1" }, { "imc", "uncore_imc_0 uncore_imc_1" },
                { "imc_1", "uncore_imc_1" }, { "uncore_imc_0", "uncore_imc_0" }, { "uncore_i", "" }, { "uncore", "" },
                { "uncore_imc_", "" }, { "imc_*", "" }, { "", "" }, { "..", "" }, { "c", "" },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                char **names = NULL;
                int r = pmu_find(TEST_EVENT_SOURCE("intel"), table[i].name, &names);

                ck_assert_msg(r == (*table[i].found ? 0 : -ENOENT), "%s: %d", table[i].name, r);
                if (r == 0)
                        assert_names(names, table[i].found);
        }
}
END_TEST

START_TEST(test_find_alias) {
        char **names = NULL;

        ck_assert_int_eq(pmu_find_alias(TEST_EVENT_SOURCE("intel"), "cas_count_read", &names), 0);
        assert_names(names, "uncore_imc_0 uncore_imc_1");
        names = NULL;
        ck_assert_int_eq(pmu_find_alias(TEST_EVENT_SOURCE("intel"), "Topdown-Slots", &names), 0);
        assert_names(names, "cpu");
        names = NULL;
        ck_assert_int_eq(pmu_find_alias(TEST_EVENT_SOURCE("intel"), "cas_count_read.unit", &names), -ENOENT);
        ck_assert_int_eq(pmu_find_alias(TEST_EVENT_SOURCE("intel"), "nosuch", &names), -ENOENT);
        ck_assert_int_eq(pmu_find_alias(TEST_DATA "/nowhere", "cpu-cycles", &names), -ENOENT);
}
END_TEST

START_TEST(test_hybrid) {
        char **names = NULL;

        ck_assert_int_eq(pmu_find_hybrid(TEST_EVENT_SOURCE("intel"), &names), 0);
        ck_assert_ptr_null(names);
        ck_assert_int_eq(pmu_find_hybrid(TEST_DATA "/nowhere", &names), 0);
        ck_assert_int_eq(pmu_find_hybrid(TEST_EVENT_SOURCE("hybrid"), &names), 0);
        assert_names(names, "cpu_atom cpu_core");
        ck_assert(pmu_is_hybrid(TEST_EVENT_SOURCE("hybrid"), "cpu_core"));
        ck_assert(!pmu_is_hybrid(TEST_EVENT_SOURCE("arm"), "armv8_pmuv3_0")); /* it has CPUs, but another name */
}
END_TEST

CHECK_MAIN("pmu", test_open, test_absent, test_software, test_terms, test_wide_term, test_config3, test_aliases, test_find,
           test_find_alias, test_hybrid);

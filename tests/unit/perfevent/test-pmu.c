/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* PMUs of made-up machines. */

#include "check-main.h"
#include "pmu.h"

START_TEST(test_open) {
        _cleanup_(pmu_freep) Pmu *p = NULL;
        _cleanup_free_ char *terms = NULL;

        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-intel", "uncore_imc_1", &p), 0);
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

        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-intel", "nosuch", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_DATA "/nowhere", "cpu", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-intel", "", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-intel", "..", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-intel", "../sys-amd/cpu", &p), -ENOENT);
        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-arm", "broken", &p), -EINVAL);
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
        uint64_t words[3] = { 0, 0, 9 };

        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-amd", "cpu", &p), 0);
        ck_assert_uint_eq(pmu_term_max(p, "event"), 0xfff);
        ck_assert_uint_eq(pmu_term_max(p, "nosuch"), 0);
        ck_assert_int_eq(pmu_set_term(p, "event", 0xfc5, words), 0);
        ck_assert_uint_eq(words[0], UINT64_C(0xf000000c5));
        ck_assert_int_eq(pmu_set_term(p, "event", 0x101, words), 0); /* instead of the earlier one */
        ck_assert_uint_eq(words[0], UINT64_C(0x100000001));
        ck_assert_int_eq(pmu_set_term(p, "cmask", 0x80, words), 0);
        ck_assert_uint_eq(words[0], UINT64_C(0x180000001));
        ck_assert_int_eq(pmu_set_term(p, "event", 0x1000, words), -ERANGE);
        ck_assert_int_eq(pmu_set_term(p, "nosuch", 1, words), -ENOENT);
        ck_assert_uint_eq(words[0], UINT64_C(0x180000001));
        ck_assert_uint_eq(words[2], 9);
}
END_TEST

START_TEST(test_wide_term) {
        _cleanup_(pmu_freep) Pmu *p = NULL;
        uint64_t words[3] = {};

        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-intel", "cpu", &p), 0);
        ck_assert_uint_eq(pmu_term_max(p, "offcore_rsp"), UINT64_MAX);
        ck_assert_int_eq(pmu_set_term(p, "offcore_rsp", UINT64_MAX, words), 0);
        ck_assert_uint_eq(words[1], UINT64_MAX);
}
END_TEST

START_TEST(test_aliases) {
        _cleanup_(pmu_freep) Pmu *p = NULL, *found = NULL;
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(pmu_open(TEST_DATA "/sys-intel", "cpu", &p), 0);
        ck_assert_int_eq(pmu_read_alias(p, "mem-loads", &text), 0);
        ck_assert_str_eq(text, "event=0xcd,umask=0x1,ldlat=3");
        ck_assert_int_eq(pmu_read_alias(p, "nosuch", &text), -ENOENT);
        ck_assert_int_eq(pmu_read_alias(p, "../type", &text), -ENOENT);
        ck_assert_int_eq(pmu_find_alias(TEST_DATA "/sys-intel", "topdown-slots", &found), 0);
        ck_assert_str_eq(found->name, "cpu");
        ck_assert_int_eq(pmu_find_alias(TEST_DATA "/sys-intel", "nosuch", &found), -ENOENT);
        ck_assert_int_eq(pmu_find_alias(TEST_DATA "/nowhere", "cpu-cycles", &found), -ENOENT);
}
END_TEST

CHECK_MAIN("pmu", test_open, test_absent, test_software, test_terms, test_wide_term, test_aliases);

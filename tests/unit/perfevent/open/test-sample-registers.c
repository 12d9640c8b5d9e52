/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Registers by name; a made-up kernel decides which of them are available. */

#include <fcntl.h>
#include "check-main.h"
#include "sample-registers.h"

static int no_counter(void *userdata, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags) {
        return -ENOENT;
}

static int with_vectors(void *userdata, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags) {
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static const EventOps plain = { .open = no_counter }, rich = { .open = with_vectors };

#if defined(__x86_64__)
START_TEST(test_available) {
        ck_assert_uint_eq(sample_registers_available(SAMPLE_REGISTERS_USER, &rich), 0xff0fff);
        ck_assert_uint_eq(sample_registers_available(SAMPLE_REGISTERS_INTR, &plain), 0xff0fff);
        ck_assert_uint_eq(sample_registers_available(SAMPLE_REGISTERS_INTR, &rich), 0xffffffff00ff0fff);
}
END_TEST

START_TEST(test_parse) {
        uint64_t all = sample_registers_available(SAMPLE_REGISTERS_INTR, &rich), mask = 0;

        ck_assert_int_eq(sample_registers_parse("ax", all, &mask, NULL), 0);
        ck_assert_uint_eq(mask, 0x1);
        ck_assert_int_eq(sample_registers_parse("AX,ip", all, &mask, NULL), 0);
        ck_assert_uint_eq(mask, 0x101);
        ck_assert_int_eq(sample_registers_parse("r15,flags,xmm1", all, &mask, NULL), 0);
        ck_assert_uint_eq(mask, UINT64_C(1) << PERF_REG_X86_R15 | UINT64_C(1) << PERF_REG_X86_FLAGS | UINT64_C(3) << PERF_REG_X86_XMM1);
}
END_TEST

START_TEST(test_list) {
        _cleanup_free_ char *general = sample_registers_list(SAMPLE_REGISTERS_ALL), *vector = sample_registers_list(UINT64_C(3) << 32);

        ck_assert_str_eq(general, "AX BX CX DX SI DI BP SP IP FLAGS CS SS R8 R9 R10 R11 R12 R13 R14 R15"); /* as perf's */
        ck_assert_str_eq(vector, "XMM0");
}
END_TEST
#else
START_TEST(test_available) {
        ck_assert_uint_eq(sample_registers_available(SAMPLE_REGISTERS_USER, &rich), SAMPLE_REGISTERS_ALL);
        ck_assert_uint_eq(sample_registers_available(SAMPLE_REGISTERS_INTR, &plain), SAMPLE_REGISTERS_ALL);
}
END_TEST

START_TEST(test_parse) {
        uint64_t mask = 0;

        ck_assert_int_eq(sample_registers_parse("pc", UINT64_C(1) << 32, &mask, NULL), SAMPLE_REGISTERS_ALL ? 0 : -EINVAL);
}
END_TEST

START_TEST(test_list) {
        _cleanup_free_ char *none = sample_registers_list(0);

        ck_assert_str_eq(none, "");
}
END_TEST
#endif

START_TEST(test_wrong) {
        static const char *const wrong[] = { "", "ax,", "al", "ax ip", "XMM0", "ds" };

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                uint64_t mask = 42;

                ck_assert_msg(sample_registers_parse(wrong[i], SAMPLE_REGISTERS_ALL, &mask, &d) == -EINVAL, "%s", wrong[i]);
                ck_assert_uint_eq(mask, 42);
                ck_assert_ptr_nonnull(strstr(d.sentence, "available registers: "));
        }
}
END_TEST

CHECK_MAIN("sample-registers", test_available, test_parse, test_list, test_wrong);

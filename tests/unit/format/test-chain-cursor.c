/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "chain-cursor.h"
#include "perfdata-test.h"

START_TEST(markers) {
        const uint64_t words[] = { 0x10, 0x20, PERF_CONTEXT_KERNEL, 0x30, 0x40, PERF_CONTEXT_HV, 0x50, PERF_CONTEXT_USER, 0x60, 0x70 };
        const struct {
                uint64_t ip;
                uint16_t cpumode;
                bool caller;
        } wanted[] = {
                { 0x10, PERF_RECORD_MISC_USER, false },   { 0x20, PERF_RECORD_MISC_USER, true },
                { 0x30, PERF_RECORD_MISC_KERNEL, false }, { 0x40, PERF_RECORD_MISC_KERNEL, true },
                { 0x50, PERF_RECORD_MISC_HYPERVISOR, false }, { 0x60, PERF_RECORD_MISC_USER, false },
                { 0x70, PERF_RECORD_MISC_USER, true },
        };
        ChainCursor c = chain_cursor_of(words, ELEMENTSOF(words));

        for (size_t i = 0; i < ELEMENTSOF(wanted); i++) {
                ck_assert_int_eq(chain_cursor_next(&c), 1);
                ck_assert_uint_eq(c.ip, wanted[i].ip);
                ck_assert_uint_eq(c.cpumode, wanted[i].cpumode);
                ck_assert_int_eq(c.caller, wanted[i].caller);
        }
        ck_assert_int_eq(chain_cursor_next(&c), 0);
        ck_assert_int_eq(chain_cursor_next(&c), 0);
}
END_TEST

/* A chain may lie at any address, and ends at a marker of a guest. */
START_TEST(others) {
        const uint64_t words[] = { 0x10, PERF_CONTEXT_GUEST, 0x20 };
        uint8_t bytes[sizeof(words) + 1];
        ChainCursor c = chain_cursor_of(bytes + 1, ELEMENTSOF(words)), empty = chain_cursor_of(NULL, 0);

        memcpy(bytes + 1, words, sizeof(words));
        ck_assert_int_eq(chain_cursor_next(&c), 1);
        ck_assert_uint_eq(c.ip, 0x10);
        ck_assert_int_eq(chain_cursor_next(&c), -EOPNOTSUPP);
        ck_assert_int_eq(chain_cursor_next(&empty), 0);
}
END_TEST

TEST_RUN("chain-cursor", markers, others);

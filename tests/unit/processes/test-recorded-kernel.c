/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "recorded-kernel.h"

START_TEST(maps_of_modules) {
        const MapRecord a = { .kernel = true, .start = 0x2000, .length = 0x1000 }, b = { .kernel = true, .start = 0x1000, .length = 0x3000 },
                        broken = { .kernel = true, .start = UINT64_MAX - 1, .length = 0x1000 },
                        core = { .kernel = true, .symbol = "_stext", .page_offset = 0x9000 },
                        later = { .kernel = true, .symbol = "_text", .page_offset = 0x9900 };
        _cleanup_(recorded_kernel_done) RecordedKernel k = {};

        ck_assert_ok(recorded_kernel_take(&k, &a, "[a]"));
        ck_assert_ok(recorded_kernel_take(&k, &b, "[b]"));
        ck_assert_ok(recorded_kernel_take(&k, &a, "[a]"));
        ck_assert_ok(recorded_kernel_take(&k, &broken, "[c]"));
        ck_assert_ok(recorded_kernel_take(&k, &core, "[kernel.kallsyms]"));
        ck_assert_ok(recorded_kernel_take(&k, &later, "[kernel.kallsyms]"));
        ck_assert_uint_eq(k.n_modules, 2);
        ck_assert_uint_eq(recorded_kernel_module(&k, "[b]", 0x2800)->start, 0x1000);
        ck_assert_uint_eq(recorded_kernel_module(&k, "[a]", 0x2800)->start, 0x2000);
        ck_assert_ptr_null(recorded_kernel_module(&k, "[a]", 0x3000));
        ck_assert_ptr_null(recorded_kernel_module(&k, "[a]", 0x1800));
        ck_assert_str_eq(k.symbol, "_stext");
        ck_assert_uint_eq(k.reference, 0x9000);
        for (uint64_t i = 0; i < 2 * RECORDED_MODULES_MAX; i++)
                ck_assert_ok(recorded_kernel_take(&k, &(MapRecord) { .kernel = true, .start = i << 12, .length = 1 }, "[d]"));
        ck_assert_uint_eq(k.n_modules, RECORDED_MODULES_MAX);
}
END_TEST

TEST_RUN("recorded-kernel", maps_of_modules);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "memory-limit.h"
#include "strv.h"

#define GIGABYTE (UINT64_C(1) << 30)
#define MEGABYTE (UINT64_C(1) << 20)

static SessionSettings *settings;

static void setup(void) {
        ck_assert_int_eq(session_settings_new(&settings), 0);
}

static void teardown(void) {
        settings = session_settings_free(settings);
}

START_TEST(test_modes) {
        uint64_t rings = 16 * MEGABYTE * (uint64_t) sysconf(_SC_NPROCESSORS_CONF); /* twice */

        ck_assert_uint_eq(memory_limit_default(settings, 8 * MEGABYTE), 4 * GIGABYTE + rings);
        settings->record.mode = RECORD_MODE_OVERWRITE;
        ck_assert_uint_eq(memory_limit_default(settings, 8 * MEGABYTE), GIGABYTE + rings);
        settings->record.mode = RECORD_MODE_HISTORY;
        ck_assert_uint_eq(memory_limit_default(settings, 8 * MEGABYTE), GIGABYTE + 64 * MEGABYTE + rings);
        settings->record.history_size = 2 * GIGABYTE;
        ck_assert_uint_eq(memory_limit_default(settings, 8 * MEGABYTE), 3 * GIGABYTE + rings);
        settings->record.buffer_size = 16 * MEGABYTE;
        ck_assert_uint_eq(memory_limit_default(settings, 8 * MEGABYTE), 3 * GIGABYTE + 2 * rings);
}
END_TEST

START_TEST(test_no_limit) {
        ck_assert_uint_eq(memory_limit_default(settings, UINT64_MAX / 2 + 1), 0);
        ck_assert_int_eq(strv_extend(&settings->record.command, "make"), 0);
        ck_assert_uint_eq(memory_limit_default(settings, 0), 0);
        settings->record.command = strv_free(settings->record.command);
        ck_assert_uint_gt(memory_limit_default(settings, 0), 0);
        settings->recorder = strdup("/usr/bin/perf");
        ck_assert_uint_eq(memory_limit_default(settings, 0), 0);
        free(steal_ptr(settings->recorder));
        settings->run = strdup("-e cycles make");
        ck_assert_uint_eq(memory_limit_default(settings, 0), 0);
}
END_TEST

CHECK_MAIN_WITH("memory-limit", setup, teardown, test_modes, test_no_limit);

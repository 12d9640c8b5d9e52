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
}
END_TEST

/* Half of the machine's memory, or what the recorder itself may need. */
static void assert_has_half(void) {
        uint64_t half = (uint64_t) sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t) sysconf(_SC_PAGESIZE), n_cpus = (uint64_t) sysconf(_SC_NPROCESSORS_CONF);

        settings->record.mode = RECORD_MODE_OVERWRITE;
        ck_assert_uint_eq(memory_limit_default(settings, MEGABYTE), MAX_OF(half, GIGABYTE + 2 * MEGABYTE * n_cpus));
        settings->record.mode = RECORD_MODE_HISTORY;
        settings->record.history_size = 1024 * GIGABYTE;
        ck_assert_uint_eq(memory_limit_default(settings, MEGABYTE), 1025 * GIGABYTE + 2 * MEGABYTE * n_cpus);
}

START_TEST(test_other_programs) {
        ck_assert_int_eq(strv_extend(&settings->record.command, "make"), 0);
        assert_has_half();
        settings->record.command = strv_free(settings->record.command);
        settings->recorder = strdup("/usr/bin/perf");
        assert_has_half();
        free(steal_ptr(settings->recorder));
        settings->run = strdup("-e cycles make");
        assert_has_half();
}
END_TEST

CHECK_MAIN_WITH("memory-limit", setup, teardown, test_modes, test_no_limit, test_other_programs);

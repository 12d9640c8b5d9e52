/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "session-config.h"
#include "session.h"
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

        ck_assert_uint_eq(session_config_memory_limit(settings, 8 * MEGABYTE), 4 * GIGABYTE + rings);
        settings->record.mode = RECORD_MODE_OVERWRITE;
        ck_assert_uint_eq(session_config_memory_limit(settings, 8 * MEGABYTE), GIGABYTE + rings);
        settings->record.mode = RECORD_MODE_HISTORY;
        ck_assert_uint_eq(session_config_memory_limit(settings, 8 * MEGABYTE), GIGABYTE + 64 * MEGABYTE + rings);
        settings->record.history_size = 2 * GIGABYTE;
        ck_assert_uint_eq(session_config_memory_limit(settings, 8 * MEGABYTE), 3 * GIGABYTE + rings);
        settings->record.buffer_size = 16 * MEGABYTE;
        ck_assert_uint_eq(session_config_memory_limit(settings, 8 * MEGABYTE), 3 * GIGABYTE + 2 * rings);
}
END_TEST

START_TEST(test_no_limit) {
        ck_assert_uint_eq(session_config_memory_limit(settings, UINT64_MAX / 2 + 1), 0);
}
END_TEST

/* Half of the machine's memory, or what the recorder itself may need. */
static void assert_has_half(void) {
        uint64_t half = (uint64_t) sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t) sysconf(_SC_PAGESIZE), n_cpus = (uint64_t) sysconf(_SC_NPROCESSORS_CONF);

        settings->record.mode = RECORD_MODE_OVERWRITE;
        ck_assert_uint_eq(session_config_memory_limit(settings, MEGABYTE), MAX_OF(half, GIGABYTE + 2 * MEGABYTE * n_cpus));
        settings->record.mode = RECORD_MODE_HISTORY;
        settings->record.history_size = 1024 * GIGABYTE;
        ck_assert_uint_eq(session_config_memory_limit(settings, MEGABYTE), 1025 * GIGABYTE + 2 * MEGABYTE * n_cpus);
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

static uint64_t hash_of(const char *assignment) {
        char *const assignments[] = { (char *) "Record.Event=cpu-clock", (char *) assignment, NULL };
        _cleanup_(session_config_done) SessionConfig config = {};
        SessionSettings *hashed;

        ck_assert_int_eq(session_settings_from_assignments(assignments, &hashed, NULL), 0);
        ck_assert_int_eq(session_config_set_settings(&config, hashed), 0);
        return session_config_hash(&config);
}

START_TEST(test_hash) {
        static const char *const different[] = {
                "Record.Event=context-switches", "Record.Frequency=99", "Record.Period=99", "Record.CallGraph=fp", "Record.CPU=0",
                "Record.PID=1", "Record.UserID=root", "Record.Unit=a.service", "Record.BufferSize=1M", "Record.Mode=overwrite",
                "Record.Inherit=no", "Scope.Slice=a.slice", "Scope.CPUWeight=5", "Scope.MemoryMax=1G", "Scope.Nice=5",
                "Session.Recorder=/usr/bin/perf",
        };
        uint64_t plain = hash_of(NULL);

        ck_assert_uint_eq(hash_of("Session.Description=other"), plain); /* a setting that does not affect the
                                                                         * recorder */
        ck_assert_uint_eq(hash_of("Session.Restart=always"), plain);
        for (size_t i = 0; i < ELEMENTSOF(different); i++) {
                ck_assert_msg(hash_of(different[i]) != plain, "%s", different[i]);
                for (size_t k = 0; k < i; k++)
                        ck_assert_uint_ne(hash_of(different[i]), hash_of(different[k]));
        }
}
END_TEST

CHECK_MAIN_WITH("session-config", setup, teardown, test_modes, test_no_limit, test_other_programs, test_hash);

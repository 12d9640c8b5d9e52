/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/stat.h>

#include "daemon-fixture.h"
#include "session-record.h"

static uint64_t hash_of(const char *assignment) {
        _cleanup_(session_settings_freep) SessionSettings *settings = NULL;
        char *const assignments[] = { (char *) "Record.Event=cpu-clock", (char *) assignment, NULL };

        ck_assert_int_eq(session_settings_from_assignments(assignments, &settings, NULL), 0);
        return session_settings_hash(settings);
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

static void read_state(const char *name, SessionRecord *ret) {
        char text[4096] = "";

        ck_assert_int_gt(pread(session(name)->entry.fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_int_eq(session_record_parse(text, ret), 0);
}

START_TEST(test_state_follows) {
        _cleanup_(session_record_done) SessionRecord up = {}, paused = {}, stopped = {};
        int fd;

        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        read_state("a", &up);
        ck_assert_int_eq(up.phase, PHASE_UP);
        ck_assert_int_eq(up.pid, session_main_pid(session("a")));
        ck_assert(!up.is_paused);
        fd = session("a")->entry.fd;
        ck_assert_int_eq(run_verb(manager_pause, "a"), 0);
        read_state("a", &paused);
        ck_assert(paused.is_paused);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        read_state("a", &stopped);
        ck_assert_int_eq(stopped.phase, PHASE_NONE);
        ck_assert_int_eq(stopped.pid, 0);
        ck_assert(stopped.stop_asked);
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        ck_assert_int_eq(session("a")->entry.fd, fd); /* the same descriptor for its lifetime */
        session_forget(session("a"));
        ck_assert_int_eq(session("a")->entry.fd, -EBADF);
}
END_TEST

START_TEST(test_a_shorter_text) {
        Session *s;
        struct stat before, after;

        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        s = session("a");
        session_set_error(s, "a sentence of some length");
        session_save(s);
        ck_assert_int_eq(fstat(s->entry.fd, &before), 0);
        session_set_error(s, NULL);
        session_save(s);
        ck_assert_int_eq(fstat(s->entry.fd, &after), 0);
        ck_assert_int_lt(after.st_size, before.st_size);
}
END_TEST

CHECK_MAIN_WITH("session-store", daemon_fixture_setup, daemon_fixture_teardown, test_hash, test_state_follows,
                test_a_shorter_text);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/stat.h>

#include "daemon-fixture.h"

static void read_state(const char *name, SessionRecord *ret) {
        char text[4096] = "";

        ck_assert_int_gt(pread(session(name)->entry.fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_int_eq(session_record_parse(strdup(text), ret), 0);
}

START_TEST(test_state_follows) {
        _cleanup_(session_record_done) SessionRecord up = {}, paused = {}, stopped = {};
        int fd;

        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        read_state("a", &up);
        ck_assert_str_eq(session_record_text(&up, "phase"), "up");
        ck_assert_uint_eq(session_record_number(&up, "pid", INT32_MAX), (uint64_t) session_view(session("a")).main_pid);
        ck_assert_uint_eq(session_record_number(&up, "paused", 1), 0);
        fd = session("a")->entry.fd;
        ck_assert_int_eq(run_verb(manager_pause, "a"), 0);
        read_state("a", &paused);
        ck_assert_uint_eq(session_record_number(&paused, "paused", 1), 1);
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        read_state("a", &stopped);
        ck_assert_str_eq(session_record_text(&stopped, "phase"), "none");
        ck_assert_ptr_null(session_record_text(&stopped, "pid"));
        ck_assert_uint_eq(session_record_number(&stopped, "stop-asked", 1), 1);
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        ck_assert_int_eq(session("a")->entry.fd, fd); /* the same descriptor for its lifetime */
        session_drop_entry(session("a"));
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

/* A session reads what it wrote. */
START_TEST(test_there_and_back) {
        char *assignments[] = { (char *) "Record.Event=cpu-clock", (char *) "Session.Description=a \\n b", NULL };
        Session written = { .name = (char *) "a", .recorder = RECORDER_EMPTY, .restart = { .n_restarts = 9, .start_again = true },
                            .rings = { .hands_over = true, .begin = 12 }, .error = (char *) "why",
                            .config = { .transient = true, .assignments = strv_copy(assignments) } };
        Session s = { .recorder = RECORDER_EMPTY };
        _cleanup_(session_record_done) SessionRecord record = {};
        Recorder *recorder = &written.recorder;
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        recorder->phase = PHASE_UP;
        recorder->process.pid = 77;
        recorder->scope.control_group = strdup("/perf-recorder.slice/x");
        recorder->unit_group = strdup("system.slice/x.service");
        recorder->reported.error = strdup("\\");
        recorder->reported.trouble = strdup("a\nb");
        recorder->reported.error_number = ENOSPC;
        recorder->output.position = UINT64_MAX;
        recorder->start_timestamp = 12345678901;
        recorder->settings_hash = 7;
        recorder->counters.lost_told = 8;
        recorder->blocked = (RecorderBlocked) { .error = EIO, .is_dump = true, .since = 10, .lost = 11 };
        recorder->reported.stopping = recorder->is_paused = true;
        recorder->lent = (RecorderLent) { .asked = 3, .reported = 2, .is_all = true };
        session_put_record(&written, f);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_int_eq(session_record_parse(text, &record), 0);
        ck_assert_str_eq(session_record_text(&record, "result"), "success");
        ck_assert_str_eq(session_record_text(&record, "error"), "why");

        ck_assert_int_eq(session_get_record(&s, &record), 0);
        ck_assert_int_eq(s.entry.pid, 77);
        ck_assert_int_eq(s.recorder.process.pid, 0);
        ck_assert_int_eq(s.recorder.phase, PHASE_UP);
        ck_assert_uint_eq(s.recorder.lent.asked, 3);
        ck_assert_uint_eq(s.recorder.lent.reported, 2);
        ck_assert(s.recorder.lent.is_all);
        ck_assert_str_eq(s.recorder.scope.control_group, recorder->scope.control_group);
        ck_assert_str_eq(s.recorder.unit_group, recorder->unit_group);
        ck_assert_str_eq(s.recorder.reported.error, recorder->reported.error);
        ck_assert_str_eq(s.recorder.reported.trouble, recorder->reported.trouble);
        ck_assert_int_eq(s.recorder.reported.error_number, ENOSPC);
        ck_assert_uint_eq(s.recorder.output.position, UINT64_MAX);
        ck_assert_uint_eq(s.recorder.start_timestamp, 12345678901);
        ck_assert_uint_eq(s.recorder.settings_hash, 7);
        ck_assert_uint_eq(s.recorder.counters.lost_told, 8);
        ck_assert_int_eq(s.recorder.blocked.error, EIO);
        ck_assert(s.recorder.blocked.is_dump);
        ck_assert_uint_eq(s.recorder.blocked.since, 10);
        ck_assert_uint_eq(s.recorder.blocked.lost, 11);
        ck_assert(s.recorder.reported.stopping && s.recorder.is_paused);
        ck_assert_uint_eq(s.restart.n_restarts, 9);
        ck_assert(s.restart.start_again && !s.restart.stop_asked);
        ck_assert(s.rings.hands_over);
        ck_assert_uint_eq(s.rings.begin, 12);
        ck_assert_int_eq(session_config_read(&s.config, &record), 0);
        ck_assert(s.config.transient && strv_equal(s.config.assignments, assignments));
        recorder_done(&written.recorder);
        recorder_done(&s.recorder);
        session_config_done(&written.config);
        session_config_done(&s.config);
}
END_TEST

START_TEST(test_a_phase_that_does_not_exist) {
        Session s = { .recorder = RECORDER_EMPTY };
        _cleanup_(session_record_done) SessionRecord record = {};

        ck_assert_int_eq(session_record_parse(strdup("name=a\nphase=flying\nend=1\n"), &record), 0);
        ck_assert_int_eq(session_get_record(&s, &record), -EBADMSG);
}
END_TEST

CHECK_MAIN_WITH("session-store", daemon_fixture_setup, daemon_fixture_teardown, test_state_follows,
                test_a_shorter_text, test_there_and_back, test_a_phase_that_does_not_exist);

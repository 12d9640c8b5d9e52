/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* This is what is known of a recorder's process, and its end: the descriptors, the control protocol, its output, the requests
 * that are out. How it is started and what comes after it are the session's affair. */

#include "recorder-process.h"

#include <stdarg.h>

#include "string-table.h"

static const char *const recorder_phase_table[_PHASE_MAX] = {
        [PHASE_NONE] = "none", [PHASE_LOOKUP] = "lookup", [PHASE_WAIT] = "wait", [PHASE_SCOPE] = "scope", [PHASE_EXEC] = "exec",
        [PHASE_OPEN] = "open", [PHASE_UP] = "up",         [PHASE_TERM] = "term", [PHASE_KILL] = "kill",   [PHASE_DELAY] = "delay",
};

DEFINE_STRING_TABLE(recorder_phase, RecorderPhase);

bool recorder_phase_has_process(RecorderPhase phase) {
        return phase == PHASE_EXEC || phase == PHASE_OPEN || phase == PHASE_UP || phase == PHASE_TERM || phase == PHASE_KILL;
}

void recorder_process_reset(RecorderProcess *r) {
        r->announced_stop = r->is_paused = false;
        r->lost_told = 0;
        r->output.last_line = (free(r->output.last_line), NULL);
        r->error = (free(r->error), NULL);
        r->error_number = 0;
}

void recorder_process_note_failure(RecorderProcess *r, SessionResult result, int error, const char *format, ...) {
        char *sentence;
        va_list ap;
        int n;

        if (r->failure.sentence)
                return;
        va_start(ap, format);
        n = vasprintf(&sentence, format, ap);
        va_end(ap);
        if (n >= 0)
                r->failure = (RecorderFailure) { .result = result, .error = error, .sentence = sentence };
}

void recorder_process_done(RecorderProcess *r) {
        control_waiter_free(r->ready_ping);
        control_free(r->control);
        output_tail_free(r->output.tail);
        scope_request_free(r->scope_request);
        sd_event_source_disable_unref(r->exit_source);
        sd_event_source_disable_unref(r->gate_source);
        sd_event_source_disable_unref(r->timer);
        safe_close(r->pidfd);
        safe_close(r->gate_fd);
        safe_close(r->directory_fd);
        safe_close(r->counters_fd);
        free(r->control_group);
        free(r->unit_group);
        free(r->error);
        free(r->output.last_line);
        free(r->failure.sentence);
        *r = (RecorderProcess) RECORDER_PROCESS_EMPTY;
}

void recorder_process_write(const RecorderProcess *r, FILE *f) {
        session_record_put_text(f, "phase", recorder_phase_to_string(r->phase));
        session_record_put_text(f, "control-group", r->control_group);
        session_record_put_text(f, "recorder-error", r->error);
        session_record_put_number(f, "pid", (uint64_t) r->pid);
        session_record_put_number(f, "output-position", r->output.position);
        session_record_put_number(f, "start-timestamp", r->start_timestamp);
        session_record_put_number(f, "settings-hash", r->settings_hash);
        session_record_put_number(f, "lost-told", r->lost_told);
        session_record_put_number(f, "recorder-errno", (uint64_t) r->error_number);
        session_record_put_number(f, "cannot-write", (uint64_t) r->blocked.error);
        session_record_put_number(f, "cannot-write-since", r->blocked.since);
        session_record_put_number(f, "cannot-write-lost", r->blocked.lost);
        session_record_put_number(f, "outstanding", r->control ? control_unawaited(r->control) : 0);
        session_record_put_number(f, "announced-stop", r->announced_stop);
        session_record_put_number(f, "paused", r->is_paused);
}

int recorder_process_read(RecorderProcess *p, const SessionRecord *r) {
        RecorderPhase phase = recorder_phase_from_string(session_record_text(r, "phase") ?: "none");

        if (phase < 0)
                return -EBADMSG;
        if (free_and_strdup(&p->control_group, session_record_text(r, "control-group")) < 0 ||
            free_and_strdup(&p->error, session_record_text(r, "recorder-error")) < 0)
                return -ENOMEM;
        p->phase = phase;
        p->output.position = session_record_number(r, "output-position", UINT64_MAX);
        p->start_timestamp = session_record_number(r, "start-timestamp", UINT64_MAX);
        p->settings_hash = session_record_number(r, "settings-hash", UINT64_MAX);
        p->lost_told = session_record_number(r, "lost-told", UINT64_MAX);
        p->error_number = (int) session_record_number(r, "recorder-errno", INT32_MAX);
        p->blocked.error = (int) session_record_number(r, "cannot-write", INT32_MAX);
        p->blocked.since = session_record_number(r, "cannot-write-since", UINT64_MAX);
        p->blocked.lost = session_record_number(r, "cannot-write-lost", UINT64_MAX);
        p->announced_stop = session_record_number(r, "announced-stop", 1);
        p->is_paused = session_record_number(r, "paused", 1);
        return 0;
}

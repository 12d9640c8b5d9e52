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

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder has ended: it was asked to (stop, restart), ended by itself, or failed (recorder-process.c). Its end is reported to
 * those who wait and to the journal. restart-policy.c decides what comes next: nothing, a start at once, or one after a while. */

#include <perf-recorder/control-words.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/message-ids.h>

#include "format-text.h"
#include "session-parts.h"
#include "utf8.h"

static const char *reason_to_stop(const Session *s) {
        if (s->restart.stop_reason)
                return s->restart.stop_reason;
        if (s->host->exiting)
                return s->host->end_reason ?: "perf-recorderd was stopped";
        return s->restart.start_again ? "restarted" : "stopped";
}

/* Sends the reason for its last dump. The ack is not awaited: the recorder may hang. */
static void send_reason(Session *s) {
        char word[PR_CONTROL_WORD_MAX], line[PR_DUMP_DETAIL_MAX], by[SESSION_BY_SIZE];
        ControlWaiter *ack;

        if (s->recorder.phase != PHASE_UP || !s->recorder.control || session_config_is_foreign(&s->config))
                return;
        (void) utf8_line_to(line, sizeof(line), s->recorder.failure.sentence ?: reason_to_stop(s));
        snprintf(word, sizeof(word), PR_CONTROL_REASON " %s%s", line,
                 s->recorder.failure.sentence || s->restart.stop_reason ? "" : session_by(s, by, sizeof(by)));
        if (control_send(s->recorder.control, word, NULL, NULL, &ack) >= 0)
                control_waiter_free(ack);
}

void session_on_stopping(void *userdata) {
        Session *s = userdata;

        (void) session_renew_directory(s); /* its last file is to have a place */
        send_reason(s);
}

static int on_restart(sd_event_source *source, uint64_t usec, void *userdata) {
        Session *s = userdata;

        s->restart.n_restarts++;
        session_begin_start(s, true);
        return 0;
}

void session_retry(Session *s) {
        if (s->recorder.phase == PHASE_DELAY && s->restart.n_tries > 0)
                (void) on_restart(NULL, 0, s);
}

static void tell_end(const Session *s, bool had_process) {
        char by[SESSION_BY_SIZE];

        if (s->result != SESSION_RESULT_SUCCESS)
                session_log(s, LOG_ERR, PR_MESSAGE_SESSION_FAILED, "Failed (%s): %s", session_result_to_string(s->result),
                            s->error ?: "");
        else if (had_process)
                session_log(s, LOG_INFO, PR_MESSAGE_SESSION_STOPPED, "Stopped%s",
                            s->restart.stop_asked ? session_by(s, by, sizeof(by)) : "");
}

/* The failure for callers of Start: one of its own kind, or that the recorder failed. */
static Failure start_failure(int error) {
        switch (failure_of(error)) {
        case FAILURE_NO_SPACE:
        case FAILURE_LIMIT:
        case FAILURE_TIMEOUT:
        case FAILURE_BAD_SETTING:
        case FAILURE_NO_MEMORY:
                return failure_of(error);
        default:
                return FAILURE_RECORDER;
        }
}

/* The last dump, which is made while it ends, did not fit. */
static bool had_no_space(const Session *s, int error) {
        return s->result != SESSION_RESULT_SUCCESS && (error == -ENOSPC || error == -EDQUOT || error == -EROFS);
}

/* Returns the sentence for when the rings are dropped. NULL: no recorder has left anything that is not in a dump. */
static char *describe_loss(const Session *s, int error, const char *more) {
        const char *why = had_no_space(s, error) ? s->error ?: "" : ring_keeper_has_left(&s->rings) ? s->rings.ended : NULL;

        return why ? format_text("what it had in memory is lost%s: %s", more, why) : NULL;
}

static Failure loss_failure(const Session *s, int error, const char *loss) {
        return !loss ? FAILURE_NONE : had_no_space(s, error) ? FAILURE_NO_SPACE : FAILURE_RECORDER;
}

static void tell_waiters(Session *s, const RecorderEnd *end, const char *loss) {
        const char *sentence = s->error ?: "it ended before it recorded";
        _cleanup_free_ char *longer = NULL;

        if (s->restart.stop_asked && s->result == SESSION_RESULT_SUCCESS)
                sentence = "it was stopped in the meantime";
        else if (s->recorder.phase == PHASE_DELAY && s->restart.n_tries > 0)
                longer = format_text("%s (it is tried again until it records or is stopped)", sentence);
        if (!s->restart.start_again)
                gather_list_leave(&s->start_waiters, start_failure(end->error), longer ?: sentence);
        if (end->killed && !loss)
                gather_list_leave(&s->stop_waiters, FAILURE_TIMEOUT, s->error ?: "");
        else
                gather_list_leave(&s->stop_waiters, loss_failure(s, end->error, loss), loss);
}

/* A recorder that exited cleanly has written the content of its rings, if it had them. */
static bool has_unsaved_rings(const Session *s) {
        return s->result != SESSION_RESULT_SUCCESS || ring_keeper_has_left(&s->rings);
}

static void come_to_rest(Session *s) {
        s->host->calls->files_changed(s->host->userdata); /* what it left half written */
        s->recorder.phase = PHASE_NONE;
        session_drop_rings(s, has_unsaved_rings(s) ? "it is not started again" : NULL);
        if (session_config_has_bad_file(&s->config))
                session_show_bad_file(s);
        recorder_set_phase(&s->recorder, PHASE_NONE, SESSION_CHANGE_STATE | SESSION_CHANGE_PROCESS);
        session_drop_caller(s);
        if (s->config.transient || s->doomed)
                session_leave(s);
        else
                session_leave_if_idle(s);
}

static void keep_unsaved_rings(Session *s, pid_t pid) {
        if (has_unsaved_rings(s))
                session_keep_rings_for_successor(s, pid);
        else
                session_drop_rings(s, NULL);
}

/* The successor gets the samples of a recorder that was killed, or had no room on the disk. */
static void start_again(Session *s, pid_t pid, int error) {
        _cleanup_free_ char *loss = session_can_give_rings(s) ? NULL : describe_loss(s, error, ", and it is started again");
        Failure failure = loss_failure(s, error, loss);

        gather_list_leave(&s->stop_waiters, failure, loss);
        if (failure)
                gather_list_leave(&s->start_waiters, failure, loss);
        keep_unsaved_rings(s, pid);
        s->recorder.phase = PHASE_NONE;
        restart_policy_reset(&s->restart);
        session_begin_start(s, false);
}

void session_on_ended(const RecorderEnd *end, void *userdata) {
        Session *s = userdata;
        bool repeated = s->restart.n_tries > 0 && end->sentence && streq_ptr(s->error, end->sentence);
        _cleanup_free_ char *loss = NULL;
        RestartStep step;
        usec_t delay;

        s->delay = sd_event_source_disable_unref(s->delay);
        if (end->at_gate)
                ring_keeper_uncount_give(&s->rings);
        if (end->pid > 0)
                session_tell_lost(s);
        session_end_dumps(s, FAILURE_RECORDER, "its recorder ended before the dump was written");
        session_end_windows(s, FAILURE_NOT_RUNNING, "its recorder ended");
        s->result = end->result;
        session_set_error(s, end->result == SESSION_RESULT_SUCCESS ? NULL : end->sentence);
        step = restart_policy_decide(&s->restart, s->config.settings, end, !s->doomed && !s->host->exiting,
                                     !s->config.transient, &delay);
        if (step != RESTART_STEP_RETRY || !repeated)
                tell_end(s, end->pid > 0);
        if (step == RESTART_STEP_NOW) {
                start_again(s, end->pid, end->error);
                return;
        }
        loss = describe_loss(s, end->error, "");
        s->restart.start_again = false;
        s->restart.n_tries = step == RESTART_STEP_RETRY ? s->restart.n_tries + 1 : 0;
        if (step != RESTART_STEP_REST && sd_event_add_time_relative(s->host->event, &s->delay, CLOCK_MONOTONIC, delay,
                                                                   10 * USEC_PER_MSEC, on_restart, s) >= 0) {
                keep_unsaved_rings(s, end->at_gate ? 0 : end->pid);
                session_drop_caller(s);
                recorder_set_phase(&s->recorder, PHASE_DELAY, SESSION_CHANGE_STATE | SESSION_CHANGE_PROCESS);
        } else
                come_to_rest(s);
        tell_waiters(s, end, loss);
}

static void begin_stop(Session *s) {
        s->restart.stop_asked = true;
        if (s->recorder.process.pid > 0)
                recorder_terminate(&s->recorder);
        else /* it was about to start, or to start again: what ended the last one stays its result */
                recorder_end(&s->recorder, s->recorder.phase == PHASE_DELAY ? s->result : SESSION_RESULT_SUCCESS, 0, s->error);
}

void session_stop(Session *s, Gather *g) {
        session_note_caller(s);
        s->restart.start_again = false;
        gather_list_join(&s->stop_waiters, g);
        if (s->recorder.phase == PHASE_NONE)
                gather_list_leave(&s->stop_waiters, FAILURE_NONE, NULL);
        else
                begin_stop(s);
}

/* Without good settings it goes on as it is, and the caller is told what is wrong. */
void session_restart(Session *s, Gather *g) {
        _cleanup_free_ char *sentence = NULL;
        int r = 0;

        if (s->recorder.phase == PHASE_NONE) {
                session_start(s, g);
                return;
        }
        session_note_caller(s);
        gather_list_join(&s->start_waiters, g);
        if (session_config_has_bad_file(&s->config) || !s->config.settings) {
                gather_list_leave(&s->start_waiters, FAILURE_BAD_SETTING, s->error ?: "");
                return;
        }
        if (s->recorder.phase == PHASE_UP && base_directory_is_missing(&s->host->base)) {
                r = -ENOENT;
                sentence = format_text(BASE_DIRECTORY_MISSING "; it goes on recording", s->host->base.path);
        } else if (s->recorder.phase == PHASE_UP) {
                r = session_renew_directory(s);
                if (r < 0)
                        sentence = format_text("its directory %s is gone and cannot be made again: %s; it goes on recording",
                                               s->directory, strerror(-r));
        }
        if (r < 0) { /* what is in memory would be lost */
                gather_list_leave(&s->start_waiters, FAILURE_RECORDER, sentence);
                return;
        }
        s->restart.start_again = true;
        begin_stop(s);
}

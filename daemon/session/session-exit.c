/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How a recorder goes: asked for, by itself, or because it failed. Its end is seen by its pidfd alone, whoever its parent
 * is by now, and every end comes through session_end(): one place that frees what belonged to the recorder, says how
 * it ended, and decides what comes next.
 *
 * The exit status of a recorder that a former daemon started is the service manager's to wait for and not ours. The kernel
 * may tell it nevertheless (pidfd-status.h). Where it does not, such a one ended well if it had announced its end (STOPPING=1,
 * no X_PERF_ERROR) or was told to end; otherwise it failed. */

#include <signal.h>
#include <stdarg.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include <perf-recorder/control-words.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/message-ids.h>

#include "fd-file.h"
#include "parse-number.h"
#include "pidfd-status.h"
#include "restart-policy.h"
#include "session-parts.h"
#include "utf8.h"

#define PARENT_TIMEOUT_USEC (2 * USEC_PER_SEC)
#define REASON_SHOWN_MAX 2000 /* bytes */

static int signal_process(const Session *s, int sig) {
        return pidfd_send_signal(s->recorder.pidfd, sig, NULL, 0) < 0 ? -errno : 0;
}

/* As if the caller had sent it, for a recorder says in its dumps whose signal it was: pidfd_send_signal(2) lets a sender
 * write what sigqueue(3) writes. */
static int signal_for(const Session *s, const Caller *caller, int sig) {
        siginfo_t info = { .si_signo = sig, .si_code = SI_QUEUE };

        info.si_pid = caller->pid;
        info.si_uid = caller->uid;
        return pidfd_send_signal(s->recorder.pidfd, sig, &info, 0) < 0 ? -errno : 0;
}

int session_kill(Session *s, int sig) {
        const Caller *caller = s->host->caller;
        JournalSession j = session_journal(s);

        if (s->recorder.pid <= 0 || s->recorder.pidfd < 0)
                return -ESRCH;
        if (caller)
                journal_log_session(&j, LOG_INFO, NULL, "SIG%s sent by %s", signal_name(sig) ?: "?", caller->text);
        return caller && caller->pid > 0 ? signal_for(s, caller, sig) : signal_process(s, sig);
}

/* The last dump takes as long as the disk is slow: a recorder has its time while it makes progress with it. */
static bool makes_progress(Session *s) {
        uint64_t before = s->recorder.stop_progress;
        PrCounters c;

        session_counters(s, &c);
        s->recorder.stop_progress = c.progress;
        return c.progress != before;
}

static int on_stop_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        Session *s = userdata;
        JournalSession j = session_journal(s);
        char silence[64];

        if (makes_progress(s) && session_set_timer(s, s->host->stop_silence, on_stop_timeout) >= 0)
                return 0;
        format_timespan(silence, sizeof(silence), s->host->stop_silence);
        journal_log_session(&j, LOG_WARNING, NULL, "PID %d has not ended and made no progress for %s: killing it",
                            (int) s->recorder.pid, silence);
        recorder_process_note_failure(&s->recorder, SESSION_RESULT_TIMEOUT, -ETIMEDOUT,
                              "it did not end after SIGTERM, made no progress for %s, and was killed", silence);
        (void) signal_process(s, SIGKILL);
        session_set_phase(s, PHASE_KILL, 0);
        return 0;
}

static const char *reason_to_stop(const Session *s) {
        if (s->restart.stop_reason)
                return s->restart.stop_reason;
        if (s->host->exiting)
                return s->host->end_reason ?: "perf-recorderd was stopped";
        return s->restart.start_again ? "restarted" : "stopped";
}

/* For its last dump. It is no harm if it does not get there: the recorder may hang. */
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

/* SIGCONT as well, so that a stopped process gets to the other one; before it, since a process that is ending may be
 * traced by then (leak sanitizers do), and SIGCONT takes a tracer's stop away. A child at its gate ends with the gate. */
void session_terminate(Session *s) {
        if (s->recorder.phase == PHASE_TERM || s->recorder.phase == PHASE_KILL)
                return;
        s->recorder.gate_source = sd_event_source_disable_unref(s->recorder.gate_source);
        if (s->recorder.phase == PHASE_SCOPE) {
                s->recorder.scope_given_up |= s->recorder.scope_request != NULL;
                s->recorder.scope_request = scope_request_free(s->recorder.scope_request);
                s->recorder.gate_fd = safe_close(s->recorder.gate_fd);
        } else {
                (void) session_renew_directory(s); /* its last file is to have a place */
                send_reason(s);
                (void) signal_process(s, SIGCONT);
                (void) signal_process(s, SIGTERM);
        }
        (void) makes_progress(s);
        (void) session_set_timer(s, s->host->stop_silence, on_stop_timeout);
        session_set_phase(s, PHASE_TERM, 0);
}

void session_fail(Session *s, SessionResult result, int error, const char *format, ...) {
        _cleanup_free_ char *sentence = NULL;
        va_list ap;
        int n;

        va_start(ap, format);
        n = vasprintf(&sentence, format, ap);
        va_end(ap);
        if (n < 0)
                sentence = NULL;
        if (s->recorder.pid <= 0) {
                session_end(s, result, error, sentence ?: "no memory");
                return;
        }
        recorder_process_note_failure(&s->recorder, result, error, "%s", sentence ?: "no memory");
        session_terminate(s);
}

/* True if its cgroup still has processes: a command of the recorder's may outlive it. */
static bool scope_is_populated(const Session *s) {
        static const char *const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

        for (size_t i = 0; s->recorder.control_group && i < ELEMENTSOF(roots); i++) {
                _cleanup_free_ char *path = NULL, *text = NULL;

                if (asprintf(&path, "%s%s/cgroup.events", roots[i], s->recorder.control_group) < 0) {
                        path = NULL;
                        return false;
                }
                if (read_file(path, 4096, &text, NULL) >= 0)
                        return strstr(text, "populated 1");
        }
        return false;
}

/* A scope that was asked for and not answered is made all the same, around a process that is gone by then. */
static void end_scope(Session *s) {
        bool is_asked_for = s->recorder.scope_request && s->recorder.phase != PHASE_LOOKUP && s->recorder.phase != PHASE_WAIT;

        s->recorder.scope_request = scope_request_free(s->recorder.scope_request);
        if (is_asked_for || s->recorder.scope_given_up || (s->recorder.pid > 0 && scope_is_populated(s)))
                scope_stop(s->host->scopes, s->scope_name);
        s->recorder.scope_given_up = false;
}

static void release_recorder(Session *s) {
        output_tail_drain(s->recorder.output.tail);
        s->recorder.output.tail = output_tail_free(s->recorder.output.tail);
        session_tell_suppressed(s);
        s->recorder.ready_ping = control_waiter_free(s->recorder.ready_ping);
        s->recorder.control = control_free(s->recorder.control);
        end_scope(s);
        s->recorder.exit_source = sd_event_source_disable_unref(s->recorder.exit_source);
        s->recorder.gate_source = sd_event_source_disable_unref(s->recorder.gate_source);
        s->recorder.timer = sd_event_source_disable_unref(s->recorder.timer);
        s->recorder.gate_fd = safe_close(s->recorder.gate_fd);
        s->recorder.pidfd = safe_close(s->recorder.pidfd);
        s->recorder.directory_fd = safe_close(s->recorder.directory_fd);
        s->recorder.control_group = (free(s->recorder.control_group), NULL);
        s->recorder.unit_group = (free(s->recorder.unit_group), NULL);
        s->recorder.pid = 0;
        s->recorder.is_paused = false;
        s->recorder.blocked.error = 0;
}

static int on_restart(sd_event_source *source, uint64_t usec, void *userdata) {
        Session *s = userdata;
        JournalSession j = session_journal(s);

        s->restart.n_restarts++;
        if (s->restart.n_tries <= 1) /* a reason that lasts is in the journal once */
                journal_log_session(&j, LOG_INFO, PR_MESSAGE_SESSION_RESTARTED, "Starting it again, restart %u",
                                    s->restart.n_restarts);
        session_begin_start(s);
        return 0;
}

static void tell_end(const Session *s, bool had_process) {
        JournalSession j = session_journal(s);
        char by[SESSION_BY_SIZE];

        if (s->result != SESSION_RESULT_SUCCESS)
                journal_log_session(&j, LOG_ERR, PR_MESSAGE_SESSION_FAILED, "Failed (%s): %s", session_result_to_string(s->result),
                                    session_error(s));
        else if (had_process)
                journal_log_session(&j, LOG_INFO, PR_MESSAGE_SESSION_STOPPED, "Stopped%s",
                                    s->restart.stop_asked ? session_by(s, by, sizeof(by)) : "");
}

/* Callers of Start hear this: a failure of its own kind, or that the recorder failed. */
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

static void tell_stopped(Session *s, bool lost) {
        _cleanup_free_ char *sentence = NULL;

        if (lost && asprintf(&sentence, "what it had in memory is lost: %s", session_error(s)) < 0)
                sentence = NULL;
        gather_list_leave(&s->stop_waiters, lost ? FAILURE_NO_SPACE : FAILURE_NONE, sentence);
}

static void tell_waiters(Session *s, int error) {
        const char *sentence = *session_error(s) ? session_error(s) : "it ended before it recorded";
        _cleanup_free_ char *longer = NULL;

        if (s->restart.stop_asked && s->result == SESSION_RESULT_SUCCESS)
                sentence = "it was stopped meanwhile";
        else if (s->recorder.phase == PHASE_DELAY && s->restart.n_tries > 0 &&
                 asprintf(&longer, "%s (it is tried again until it records or is stopped)", sentence) < 0)
                longer = NULL;
        if (!s->restart.start_again)
                gather_list_leave(&s->start_waiters, start_failure(error), longer ?: sentence);
        tell_stopped(s, had_no_space(s, error));
}

static void come_to_rest(Session *s) {
        s->host->calls->files_changed(s->host->userdata); /* what it left half written */
        s->recorder.phase = PHASE_NONE;
        session_drop_rings(s, s->result == SESSION_RESULT_SUCCESS ? NULL : "it is not started again");
        if (session_config_has_bad_file(&s->config))
                session_show_bad_file(s);
        session_set_phase(s, PHASE_NONE, SESSION_CHANGE_STATE | SESSION_CHANGE_PROCESS);
        session_drop_caller(s);
        if (s->config.transient || s->doomed)
                session_leave(s);
        else
                session_forget_if_idle(s);
}

/* One that ended in order has written what its rings held. */
static void delay_restart(Session *s, pid_t pid) {
        if (s->result == SESSION_RESULT_SUCCESS)
                session_drop_rings(s, NULL);
        else
                session_hold_rings(s, pid);
        session_drop_caller(s);
        session_set_phase(s, PHASE_DELAY, SESSION_CHANGE_STATE | SESSION_CHANGE_PROCESS);
}

/* A last dump that does not fit on the disk goes to the successor, as after a kill. */
static void start_again(Session *s, pid_t pid, int error) {
        bool unsaved = had_no_space(s, error), lost = unsaved && !session_can_give_rings(s);
        _cleanup_free_ char *sentence = NULL;

        if (lost && asprintf(&sentence, "what it had in memory is lost, and it is started again: %s", session_error(s)) < 0)
                sentence = NULL;
        tell_stopped(s, lost);
        if (lost)
                gather_list_leave(&s->start_waiters, FAILURE_NO_SPACE, sentence);
        if (unsaved)
                session_hold_rings(s, pid);
        else
                session_drop_rings(s, NULL);
        s->recorder.phase = PHASE_NONE;
        session_reset_start(s);
        session_begin_start(s);
}

void session_end(Session *s, SessionResult result, int error, const char *sentence) {
        const RecorderEnd end = { .result = result, .error = error, .recorded = s->recorder.phase == PHASE_UP };
        bool had_process = s->recorder.pid > 0, repeated = s->restart.n_tries > 0 && sentence && streq_ptr(s->error, sentence);
        RestartStep step;
        pid_t pid = s->recorder.pid;
        usec_t delay;

        release_recorder(s);
        if (had_process)
                session_tell_lost(s);
        session_end_dumps(s, FAILURE_RECORDER, "its recorder ended before the dump was written");
        s->result = result;
        session_set_error(s, result == SESSION_RESULT_SUCCESS ? NULL : sentence);
        step = restart_policy_decide(&s->restart, s->config.settings, &end, !s->doomed && !s->host->exiting,
                                     !s->config.transient, &delay);
        if (step != RESTART_STEP_RETRY || !repeated)
                tell_end(s, had_process);
        if (step == RESTART_STEP_NOW) {
                start_again(s, pid, error);
                return;
        }
        s->restart.start_again = false;
        s->restart.n_tries = step == RESTART_STEP_RETRY ? s->restart.n_tries + 1 : 0;
        if (step != RESTART_STEP_REST && session_set_timer(s, delay, on_restart) >= 0)
                delay_restart(s, pid);
        else
                come_to_rest(s);
        tell_waiters(s, error);
}

/* systemd.service(5): these signals are a clean end too; perf ends itself by the one it got. */
static bool is_clean_signal(int sig) {
        return sig == SIGTERM || sig == SIGINT || sig == SIGHUP || sig == SIGPIPE;
}

/* One that is cut ends with a word. */
static int shown_length(const char *reason) {
        int n = utf8_prefix(reason, REASON_SHOWN_MAX);
        const char *blank = reason[n] ? memrchr(reason, ' ', (size_t) n) : NULL;

        return blank && blank - reason > n / 2 ? (int) (blank - reason) : n;
}

/* The best reason there is: what it reported, otherwise, if it chose to end, the last line it wrote. */
static void end_with_reason(Session *s, SessionResult result, const char *what) {
        _cleanup_free_ char *sentence = NULL;
        const char *reason = s->recorder.error ?: result == SESSION_RESULT_EXIT_CODE ? s->recorder.output.last_line : NULL;
        int shown = reason ? shown_length(reason) : 0, n;

        if (!reason)
                n = asprintf(&sentence, "it %s", what);
        else if (!reason[shown])
                n = asprintf(&sentence, "it %s: %s", what, reason);
        else
                n = asprintf(&sentence, "it %s: %.*s…; 'perfctl log %s' has all of it", what, shown, reason, s->name);
        if (n < 0)
                sentence = NULL;
        if (s->recorder.error_number == ENOBUFS) /* MaxLockedMemory= */
                result = SESSION_RESULT_RESOURCES;
        session_end(s, result, -s->recorder.error_number, sentence ?: what);
}

static void end_unknown(Session *s) {
        bool clean = s->restart.stop_asked || (s->recorder.announced_stop && !s->recorder.error);

        if (clean)
                session_end(s, SESSION_RESULT_SUCCESS, 0, NULL);
        else
                end_with_reason(s, s->recorder.error ? SESSION_RESULT_EXIT_CODE : SESSION_RESULT_SIGNAL,
                                s->recorder.error ? "failed" : "ended; how is not known, since a former daemon started it");
}

static void end_with_status(Session *s, const siginfo_t *info) {
        char what[128];

        if (info->si_code == CLD_EXITED && info->si_status == 0)
                session_end(s, SESSION_RESULT_SUCCESS, 0, NULL);
        else if (info->si_code == CLD_EXITED) {
                snprintf(what, sizeof(what), "exited with status %d", info->si_status);
                end_with_reason(s, SESSION_RESULT_EXIT_CODE, what);
        } else if (is_clean_signal(info->si_status))
                session_end(s, SESSION_RESULT_SUCCESS, 0, NULL);
        else {
                snprintf(what, sizeof(what), "was killed by SIG%s%s", signal_name(info->si_status) ?: "?",
                         info->si_code == CLD_DUMPED ? " and dumped core" : "");
                end_with_reason(s, info->si_code == CLD_DUMPED ? SESSION_RESULT_CORE_DUMP : SESSION_RESULT_SIGNAL, what);
        }
}

static void end_recorder(Session *s, const siginfo_t *info) {
        _cleanup_free_ char *failure = NULL;

        output_tail_drain(s->recorder.output.tail);
        failure = steal_ptr(s->recorder.failure.sentence);
        if (failure)
                session_end(s, s->recorder.failure.result, s->recorder.failure.error, failure);
        else if (info)
                end_with_status(s, info);
        else
                end_unknown(s);
}

static int on_not_waited_for(sd_event_source *source, uint64_t usec, void *userdata) {
        end_recorder(userdata, NULL);
        return 0;
}

/* One that a former daemon started has the service manager for its parent, which waits for it in a moment. */
static bool await_parent(Session *s) {
        return sd_event_source_set_io_events(s->recorder.exit_source, 0) >= 0 && /* EPOLLHUP comes nevertheless */
               session_set_timer(s, PARENT_TIMEOUT_USEC, on_not_waited_for) >= 0;
}

int session_on_exit(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        Session *s = userdata;
        siginfo_t info = {};
        int r;

        r = waitid(P_PIDFD, (id_t) fd, &info, WEXITED | WNOHANG);
        if (r >= 0) {
                if (info.si_pid != 0)
                        end_recorder(s, &info);
                return 0;
        }
        r = pidfd_read_status(fd, &info);
        if (r != 0 || !await_parent(s))
                end_recorder(s, r > 0 ? &info : NULL);
        return 0;
}

static void begin_stop(Session *s) {
        s->restart.stop_asked = true;
        if (s->recorder.pid > 0)
                session_terminate(s);
        else /* it was about to start, or to start again: what ended the last one stays its result */
                session_end(s, s->recorder.phase == PHASE_DELAY ? s->result : SESSION_RESULT_SUCCESS, 0, s->error);
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

/* Without good settings it goes on as it is, and the caller hears what is wrong. */
void session_restart(Session *s, Gather *g) {
        _cleanup_free_ char *sentence = NULL;
        int r;

        if (s->recorder.phase == PHASE_NONE) {
                session_start(s, g);
                return;
        }
        session_note_caller(s);
        gather_list_join(&s->start_waiters, g);
        if (session_config_has_bad_file(&s->config) || !s->config.settings) {
                gather_list_leave(&s->start_waiters, FAILURE_BAD_SETTING, session_error(s));
                return;
        }
        r = s->recorder.phase == PHASE_UP ? session_renew_directory(s) : 0;
        if (r < 0) { /* what is in memory would be lost */
                if (asprintf(&sentence, "its directory %s is gone and %s: %s; it goes on recording", s->directory,
                             s->host->base_requested ? "is being made again" : "cannot be made again",
                             s->host->base_requested ? "try again" : strerror(-r)) < 0)
                        sentence = NULL;
                gather_list_leave(&s->start_waiters, FAILURE_RECORDER, sentence);
                return;
        }
        s->restart.start_again = true;
        begin_stop(s);
}

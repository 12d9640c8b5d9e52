/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder: its phases, its lines for the journal, what the next daemon has to know of it, and its end. It ends because it was
 * asked to, by itself, or because it failed. Its end is seen only by its pidfd, whoever its parent is by now, and every end comes
 * through recorder_end(), which frees what belonged to the process and has the session decide what comes next. How its process
 * starts is in recorder-start.c.
 *
 * The exit status of a recorder that a previous daemon started is the service manager's to wait for and not ours. The kernel
 * may report it nevertheless. Where it does not, such a one ended well if it had announced its end (STOPPING=1,
 * no X_PERF_ERROR) or was asked to exit; otherwise it failed. */

#include "recorder-process.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include "control-group.h"
#include "format-text.h"
#include "frozen-group.h"
#include "parse-number.h"
#include "string-table.h"
#include "utf8.h"

#define OUTPUT_INTERVAL_USEC (30 * USEC_PER_SEC)
#define OUTPUT_BURST 1000u /* lines: a tenth of what journald.conf(5) lets a service write in that time */
#define PARENT_TIMEOUT_USEC (2 * USEC_PER_SEC)
#define REASON_SHOWN_MAX 2000 /* bytes */
#define LOOKS_PER_SILENCE 15 /* at the progress of one that ends */

static const char *const recorder_phase_table[_PHASE_MAX] = {
        [PHASE_NONE] = "none", [PHASE_LOOKUP] = "lookup", [PHASE_WAIT] = "wait", [PHASE_SCOPE] = "scope", [PHASE_EXEC] = "exec",
        [PHASE_OPEN] = "open", [PHASE_UP] = "up",         [PHASE_TERM] = "term", [PHASE_KILL] = "kill",   [PHASE_DELAY] = "delay",
};

DEFINE_STRING_TABLE(recorder_phase, RecorderPhase);

bool recorder_phase_has_process(RecorderPhase phase) {
        return phase == PHASE_EXEC || phase == PHASE_OPEN || phase == PHASE_UP || phase == PHASE_TERM || phase == PHASE_KILL;
}

void recorder_done(Recorder *r) {
        control_waiter_free(r->ready_ping);
        control_free(r->control);
        output_tail_free(r->output.tail);
        safe_close(r->output.fd);
        scope_request_free(r->scope.request);
        sd_event_source_disable_unref(r->process.exit_source);
        sd_event_source_disable_unref(r->process.gate_source);
        sd_event_source_disable_unref(r->timer);
        safe_close(r->process.pidfd);
        safe_close(r->process.gate_fd);
        safe_close(r->directory_fd);
        safe_close(r->counters.fd);
        free(r->process.program);
        free(r->scope.control_group);
        free(r->unit_group);
        free(r->reported.trouble);
        free(r->reported.error);
        free(r->output.last_line);
        free(r->failure.sentence);
        *r = (Recorder) RECORDER_EMPTY;
}

void recorder_reset(Recorder *r) {
        r->timer = sd_event_source_disable_unref(r->timer);
        r->reported.stopping = r->is_paused = false;
        r->counters.lost_told = 0;
        r->lent = (RecorderLent) { .shown = r->lent.shown };
        r->output.last_line = (free(r->output.last_line), NULL);
        r->reported.trouble = (free(r->reported.trouble), NULL);
        r->reported.error = (free(r->reported.error), NULL);
        r->reported.error_number = 0;
}

void recorder_set_phase(Recorder *r, RecorderPhase phase, SessionChange also) {
        r->phase = phase;
        r->owner->changed(also, r->owner->userdata);
}

int recorder_set_timer(Recorder *r, usec_t usec, sd_event_time_handler_t handler) {
        r->timer = sd_event_source_disable_unref(r->timer);
        return sd_event_add_time_relative(r->owner->host->event, &r->timer, CLOCK_MONOTONIC, usec, 10 * USEC_PER_MSEC, handler, r);
}

/* Read and not mapped: a look now and then is cheaper than a page for each session. */
bool recorder_read_counters(const Recorder *r, PrCounters *ret) {
        PrCounters c;

        if (r->counters.fd < 0 || pread(r->counters.fd, &c, sizeof(c), 0) != sizeof(c) || c.magic != PR_COUNTERS_MAGIC)
                return false;
        *ret = c;
        return true;
}

uint64_t recorder_cpu_usage(const Recorder *r) {
        uint64_t nsec = UINT64_MAX;

        if (r->scope.control_group)
                (void) control_group_cpu_usage("", r->scope.control_group, &nsec);
        return nsec;
}

char *recorder_frozen_by(const Recorder *r) {
        return r->scope.control_group ? frozen_group_find("", r->scope.control_group) : NULL;
}

static void tell_suppressed(Recorder *r) {
        JournalSession j = r->owner->journal(r->owner->userdata);

        if (r->output.n_suppressed > 0)
                journal_log_session(&j, LOG_WARNING, NULL, "%" PRIu64 " lines of its output suppressed", r->output.n_suppressed);
        if (r->output.bytes_skipped > 0)
                journal_log_session(&j, LOG_WARNING, NULL, "%" PRIu64 " bytes of its output skipped, which came faster than they "
                                    "are read", r->output.bytes_skipped);
        r->output.n_suppressed = r->output.bytes_skipped = 0;
}

/* The journal limits what a service writes to it, all sessions of ours together: one may not take the others' share. */
void recorder_forward(Recorder *r, const char *line, size_t length) {
        JournalSession j = r->owner->journal(r->owner->userdata);

        if (!rate_limit_below(&r->output.limit, OUTPUT_INTERVAL_USEC, OUTPUT_BURST)) {
                r->output.n_suppressed++;
                return;
        }
        tell_suppressed(r);
        journal_forward(&j, line, length);
}

/* With a caller it is as if the caller had sent it, for a recorder says in its dumps whose signal it was: pidfd_send_signal(2)
 * lets a sender write what sigqueue(3) writes. */
int recorder_signal(const Recorder *r, const Caller *caller, int sig) {
        siginfo_t info = { .si_signo = sig, .si_code = SI_QUEUE };

        if (r->process.pid <= 0 || r->process.pidfd < 0)
                return -ESRCH;
        if (caller) {
                info.si_pid = caller->pid;
                info.si_uid = caller->uid;
        }
        return pidfd_send_signal(r->process.pidfd, sig, caller ? &info : NULL, 0) < 0 ? -errno : 0;
}

/* The last dump takes as long as the disk is slow: a recorder has its time while it makes progress with it. */
static void look_at_progress(Recorder *r) {
        PrCounters c = {};

        (void) recorder_read_counters(r, &c);
        if (c.progress != r->counters.progress.counter)
                r->counters.progress = (RecorderProgress) { .counter = c.progress, .time = now_usec(CLOCK_MONOTONIC) };
}

/* The first reason counts. */
static void note_failure(Recorder *r, SessionResult result, int error, const char *sentence) {
        char *copy = r->failure.sentence ? NULL : strdup(sentence);

        if (copy)
                r->failure = (RecorderFailure) { .result = result, .error = error, .sentence = copy };
}

static int on_stop_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        Recorder *r = userdata;
        JournalSession j = r->owner->journal(r->owner->userdata);
        _cleanup_free_ char *frozen = NULL;
        char silence[64], sentence[512];

        look_at_progress(r);
        if (now_usec(CLOCK_MONOTONIC) - r->counters.progress.time < r->owner->host->stop_silence &&
            recorder_set_timer(r, r->owner->host->stop_silence / LOOKS_PER_SILENCE, on_stop_timeout) >= 0)
                return 0;
        format_timespan(silence, sizeof(silence), r->owner->host->stop_silence);
        frozen = recorder_frozen_by(r);
        journal_log_session(&j, LOG_WARNING, NULL, "PID %d has not ended and made no progress for %s: killing it",
                            (int) r->process.pid, silence);
        snprintf(sentence, sizeof(sentence), "it did not end after SIGTERM, made no progress for %s, and was killed%s%s%s", silence,
                 frozen ? " (" : "", frozen ?: "", frozen ? " is frozen)" : "");
        note_failure(r, SESSION_RESULT_TIMEOUT, -ETIMEDOUT, sentence);
        (void) recorder_signal(r, NULL, SIGKILL); /* in case that there is no bus */
        scope_kill(r->owner->host->scopes, r->owner->scope_name); /* its command as well, which it may be waiting for */
        recorder_set_phase(r, PHASE_KILL, 0);
        return 0;
}

/* SIGCONT as well, so that a stopped process gets to the other one; before it, since a process that is ending may be
 * traced by then (leak sanitizers do), and SIGCONT takes a tracer's stop away. A child at its gate ends with the gate. */
void recorder_terminate(Recorder *r) {
        _cleanup_free_ char *frozen = NULL;

        if (r->phase == PHASE_TERM || r->phase == PHASE_KILL)
                return;
        r->process.gate_source = sd_event_source_disable_unref(r->process.gate_source);
        if (r->phase == PHASE_SCOPE) {
                r->scope.given_up |= r->scope.request != NULL;
                r->scope.request = scope_request_free(r->scope.request);
                r->process.gate_fd = safe_close(r->process.gate_fd);
        } else {
                r->owner->stopping(r->owner->userdata);
                (void) recorder_signal(r, NULL, SIGCONT);
                (void) recorder_signal(r, NULL, SIGTERM);
                frozen = recorder_frozen_by(r);
                if (frozen && streq(frozen, r->owner->scope_name)) /* a slice that is frozen has others in it, and stays so */
                        scope_thaw(r->owner->host->scopes, r->owner->scope_name);
        }
        look_at_progress(r);
        r->counters.progress.time = now_usec(CLOCK_MONOTONIC);
        (void) recorder_set_timer(r, r->owner->host->stop_silence / LOOKS_PER_SILENCE, on_stop_timeout);
        recorder_set_phase(r, PHASE_TERM, 0);
}

void recorder_fail(Recorder *r, SessionResult result, int error, const char *format, ...) {
        _cleanup_free_ char *sentence = NULL;
        va_list ap;

        va_start(ap, format);
        sentence = format_text_va(format, ap);
        va_end(ap);
        if (r->process.pid <= 0) {
                recorder_end(r, result, error, sentence ?: "no memory");
                return;
        }
        note_failure(r, result, error, sentence ?: "no memory");
        recorder_terminate(r);
}

/* A scope that was asked for and not answered is made all the same, around a process that is gone by then. A command of the
 * recorder's may outlive it. */
static void end_scope(Recorder *r) {
        _cleanup_free_ char *state = NULL;
        bool is_asked_for = r->scope.request && r->phase != PHASE_LOOKUP && r->phase != PHASE_WAIT;

        r->scope.request = scope_request_free(r->scope.request);
        if (r->process.pid > 0 && r->scope.control_group &&
            control_group_read("", r->scope.control_group, "cgroup.events", &state) >= 0 && strstr(state, "populated 1")) {
                JournalSession j = r->owner->journal(r->owner->userdata);

                journal_log_session(&j, LOG_NOTICE, NULL,
                                    "Its command has not ended with the recorder: ending it, and killing it after 15s");
                r->scope.is_left = true;
        }
        if (r->scope.is_left)
                scope_stop_left(r->owner->host->scopes, r->owner->scope_name);
        else if (is_asked_for || r->scope.given_up)
                scope_stop(r->owner->host->scopes, r->owner->scope_name);
        r->scope.given_up = false;
}

void recorder_end(Recorder *r, SessionResult result, int error, const char *sentence) {
        const RecorderEnd end = { .result = result, .error = error, .sentence = sentence, .recorded = r->phase == PHASE_UP,
                                  .pid = r->process.pid, .killed = r->phase == PHASE_KILL,
                                  .at_gate = r->process.at_gate };

        output_tail_drain(r->output.tail);
        r->output.tail = output_tail_free(r->output.tail);
        r->output.fd = safe_close(r->output.fd);
        tell_suppressed(r);
        r->ready_ping = control_waiter_free(r->ready_ping);
        r->control = control_free(r->control);
        end_scope(r);
        r->process.exit_source = sd_event_source_disable_unref(r->process.exit_source);
        r->process.gate_source = sd_event_source_disable_unref(r->process.gate_source);
        r->timer = sd_event_source_disable_unref(r->timer);
        r->process.gate_fd = safe_close(r->process.gate_fd);
        r->process.pidfd = safe_close(r->process.pidfd);
        r->directory_fd = safe_close(r->directory_fd);
        r->process.program = (free(r->process.program), NULL);
        r->scope.control_group = (free(r->scope.control_group), NULL);
        r->process.pid = 0;
        r->is_paused = r->process.at_gate = false;
        r->blocked.error = 0;
        r->owner->ended(&end, r->owner->userdata);
}

/* A reason that is cut ends at the end of a word. */
static int shown_length(const char *reason) {
        int n = utf8_prefix(reason, REASON_SHOWN_MAX);
        const char *blank = reason[n] ? memrchr(reason, ' ', (size_t) n) : NULL;

        return blank && blank - reason > n / 2 ? (int) (blank - reason) : n;
}

/* The best reason there is: what it reported, otherwise, if it chose to end, the last line it wrote. */
static void end_with_reason(Recorder *r, SessionResult result, const char *what) {
        _cleanup_free_ char *sentence = NULL;
        const char *reason = r->reported.error ?: result == SESSION_RESULT_EXIT_CODE ? r->output.last_line : NULL;
        int shown = reason ? shown_length(reason) : 0;

        if (!reason)
                sentence = format_text("it %s", what);
        else if (!reason[shown])
                sentence = format_text("it %s: %s", what, reason);
        else
                sentence = format_text("it %s: %.*s…; 'perfctl log %s' has all of it", what, shown, reason, r->owner->name);
        if (r->reported.error_number == ENOBUFS) /* MaxLockedMemory= */
                result = SESSION_RESULT_RESOURCES;
        recorder_end(r, result, -r->reported.error_number, sentence ?: what);
}

static void end_unknown(Recorder *r) {
        bool clean = r->owner->is_stop_asked(r->owner->userdata) || (r->reported.stopping && !r->reported.error);

        if (clean)
                recorder_end(r, SESSION_RESULT_SUCCESS, 0, NULL);
        else
                end_with_reason(r, r->reported.error ? SESSION_RESULT_EXIT_CODE : SESSION_RESULT_SIGNAL,
                                r->reported.error ? "failed" : "ended with an unknown status, since a previous daemon started it");
}

/* systemd.service(5): some signals are a clean end too; perf ends itself by the one it got. */
static void end_with_status(Recorder *r, const siginfo_t *info) {
        int n = info->si_status;
        bool clean = info->si_code == CLD_EXITED ? n == 0 : n == SIGTERM || n == SIGINT || n == SIGHUP || n == SIGPIPE;
        char what[128];

        if (clean)
                recorder_end(r, SESSION_RESULT_SUCCESS, 0, NULL);
        else if (info->si_code == CLD_EXITED) {
                snprintf(what, sizeof(what), "exited with status %d", info->si_status);
                end_with_reason(r, SESSION_RESULT_EXIT_CODE, what);
        } else {
                snprintf(what, sizeof(what), "was killed by SIG%s%s", signal_name(info->si_status) ?: "?",
                         info->si_code == CLD_DUMPED ? " and dumped core" : "");
                end_with_reason(r, info->si_code == CLD_DUMPED ? SESSION_RESULT_CORE_DUMP : SESSION_RESULT_SIGNAL, what);
        }
}

static void end_process(Recorder *r, const siginfo_t *info) {
        _cleanup_free_ char *failure = NULL;

        output_tail_drain(r->output.tail);
        failure = steal_ptr(r->failure.sentence);
        if (failure)
                recorder_end(r, r->failure.result, r->failure.error, failure);
        else if (info)
                end_with_status(r, info);
        else
                end_unknown(r);
}

/* struct pidfd_info, PIDFD_GET_INFO and PIDFD_INFO_EXIT of linux/pidfd.h, which Debian 12's does not have. */
typedef struct PidfdInfo {
        uint64_t mask, cgroup_id;
        uint32_t pid, tgid, ppid, ruid, rgid, euid, egid, suid, sgid, fsuid, fsgid;
        int32_t exit_code; /* as wait(2) has it */
} PidfdInfo;

#define GET_INFO _IOWR(0xFF, 11, PidfdInfo)
#define INFO_EXIT (UINT64_C(1) << 3)

/* A child of ours is for waitid(2). Of others the kernel keeps the status as long as somebody has a pidfd, since 6.15. */
int pidfd_read_status(int pidfd, siginfo_t *ret) {
        PidfdInfo info = { .mask = INFO_EXIT };

        _Static_assert(sizeof(info) == 64, "PIDFD_INFO_SIZE_VER0");
        if (ioctl(pidfd, GET_INFO, &info) < 0)
                return errno == ENOTTY || errno == EINVAL ? -EOPNOTSUPP : -errno;
        if (!(info.mask & INFO_EXIT))
                return 0;
        if (WIFEXITED(info.exit_code)) {
                ret->si_code = CLD_EXITED;
                ret->si_status = WEXITSTATUS(info.exit_code);
        } else {
                ret->si_code = WCOREDUMP(info.exit_code) ? CLD_DUMPED : CLD_KILLED;
                ret->si_status = WTERMSIG(info.exit_code);
        }
        return 1;
}

static int on_not_waited_for(sd_event_source *source, uint64_t usec, void *userdata) {
        end_process(userdata, NULL);
        return 0;
}

int recorder_on_exit(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        Recorder *r = userdata;
        siginfo_t info = {};
        int k;

        k = waitid(P_PIDFD, (id_t) fd, &info, WEXITED | WNOHANG);
        if (k >= 0) {
                if (info.si_pid != 0)
                        end_process(r, &info);
                return 0;
        }
        k = pidfd_read_status(fd, &info);
        /* One that a previous daemon started has the service manager for its parent, which waits for it in a moment. EPOLLHUP comes
         * nevertheless. */
        if (k == 0 && sd_event_source_set_io_events(r->process.exit_source, 0) >= 0 &&
            recorder_set_timer(r, PARENT_TIMEOUT_USEC, on_not_waited_for) >= 0)
                return 0;
        end_process(r, k > 0 ? &info : NULL);
        return 0;
}

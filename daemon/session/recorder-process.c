/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder's process starts, once its session has the words for it: its directory, the fork, the scope, the gate, and then
 * the wait until it says READY=1 or, if it is a foreign one, acks a ping. Each step ends in a callback of the event loop, so
 * that any number of recorders start side by side; every failure ends in recorder_fail(). Its end is in recorder-exit.c.
 *
 * Nothing is opened for the recorder here that it could open itself: events and files are its own. */

#include "recorder-process.h"

#include <signal.h>
#include <sys/pidfd.h>

#include <perf-recorder/control-words.h>

#include "fd-file.h"
#include "frozen-group.h"
#include "spawn.h"
#include "string-table.h"
#include "utf8.h"

#define START_TIMEOUT_USEC (90 * USEC_PER_SEC)
#define LINE_MAX_BYTES 4096 /* as long as a line of our own recorder's */
#define OUTPUT_INTERVAL_USEC (30 * USEC_PER_SEC)
#define OUTPUT_BURST 1000u /* lines: a tenth of what journald.conf(5) lets a service write in that time */

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
        r->output.last_line = (free(r->output.last_line), NULL);
        r->reported.trouble = (free(r->reported.trouble), NULL);
        r->reported.error = (free(r->reported.error), NULL);
        r->reported.error_number = 0;
}

void recorder_set_phase(Recorder *r, RecorderPhase phase, SessionChange also) {
        r->phase = phase;
        r->handler->changed(also, r->userdata);
}

int recorder_set_timer(Recorder *r, usec_t usec, sd_event_time_handler_t handler) {
        r->timer = sd_event_source_disable_unref(r->timer);
        return sd_event_add_time_relative(r->host->event, &r->timer, CLOCK_MONOTONIC, usec, 10 * USEC_PER_MSEC, handler, r);
}

/* Read and not mapped: a look now and then is cheaper than a page for each session. */
bool recorder_read_counters(const Recorder *r, PrCounters *ret) {
        PrCounters c;

        if (r->counters.fd < 0 || pread(r->counters.fd, &c, sizeof(c), 0) != sizeof(c) || c.magic != PR_COUNTERS_MAGIC)
                return false;
        *ret = c;
        return true;
}

void recorder_tell_suppressed(Recorder *r) {
        JournalSession j = r->handler->journal(r->userdata);

        if (r->output.n_suppressed > 0)
                journal_log_session(&j, LOG_WARNING, NULL, "%" PRIu64 " lines of its output suppressed", r->output.n_suppressed);
        if (r->output.bytes_skipped > 0)
                journal_log_session(&j, LOG_WARNING, NULL, "%" PRIu64 " bytes of its output skipped, which came faster than they "
                                    "are read", r->output.bytes_skipped);
        r->output.n_suppressed = r->output.bytes_skipped = 0;
}

/* The journal limits what a service writes to it, all sessions of ours together: one may not take the others' share. */
void recorder_forward(Recorder *r, const char *line, size_t length) {
        JournalSession j = r->handler->journal(r->userdata);

        if (!rate_limit_below(&r->output.limit, OUTPUT_INTERVAL_USEC, OUTPUT_BURST)) {
                r->output.n_suppressed++;
                return;
        }
        recorder_tell_suppressed(r);
        journal_forward(&j, line, length);
}

static void on_line(const char *line, size_t length, void *userdata) {
        _cleanup_free_ char *copy = utf8_line(line, length, LINE_MAX_BYTES);
        Recorder *r = userdata;

        /* The recorder prints such lines after its command has failed, and none of them is a reason. */
        if (copy && !startswith(copy, "[ perf record: ")) {
                free(r->output.last_line);
                r->output.last_line = steal_ptr(copy);
        }
        recorder_forward(r, line, length);
}

static void on_skipped(uint64_t bytes, void *userdata) {
        Recorder *r = userdata;

        r->output.bytes_skipped += bytes;
}

static void on_moved(uint64_t position, void *userdata) {
        Recorder *r = userdata;

        r->output.position = position;
        r->handler->changed(0, r->userdata);
}

/* Watches of inotify(7) are few, and shared with all of the user's programs: a session can do without. */
void recorder_follow_output(Recorder *r) {
        const OutputHandler handler = { .line = on_line, .skipped = on_skipped, .moved = on_moved, .userdata = r };
        JournalSession j = r->handler->journal(r->userdata);
        int k = output_tail_new(r->host->tails, r->output.fd, r->output.position, &handler, &r->output.tail);

        if (k < 0)
                journal_log_session(&j, LOG_WARNING, NULL, "Its output does not get to the journal: %s", strerror(-k));
}

static void on_acked(void *userdata) {
        Recorder *r = userdata;

        r->handler->changed(0, r->userdata);
}

int recorder_talk(Recorder *r, SessionFifos *fifos, unsigned outstanding) {
        return control_new(r->host->acks, fifos, outstanding, on_acked, r, &r->control);
}

int recorder_prepare(Recorder *r) {
        SessionFifos fifos = SESSION_FIFOS_EMPTY;
        int k;

        k = base_directory_open_session(&r->host->base, r->name, &r->directory_fd);
        if (k >= 0)
                k = session_directory_open_fifos(r->directory_fd, true, &fifos);
        if (k >= 0)
                k = recorder_talk(r, &fifos, 0);
        if (k >= 0)
                k = session_directory_open_output(r->directory_fd, true, &r->output.fd);
        r->output.position = 0;
        if (k < 0)
                return k;
        recorder_follow_output(r);
        return 0;
}

/* The page of the last recorder is used again, and made zero except for a successor. */
static int prepare_counters(Recorder *r, bool is_successor) {
        if (r->counters.fd < 0) {
                int fd = open_memfd("perf-recorder-counters", PR_COUNTERS_SIZE);

                if (fd < 0)
                        return fd;
                r->counters.fd = fd;
                return 0;
        }
        if (is_successor)
                return 0;
        if (ftruncate(r->counters.fd, 0) < 0 || ftruncate(r->counters.fd, PR_COUNTERS_SIZE) < 0)
                return -errno;
        return 0;
}

int recorder_watch_process(Recorder *r, pid_t pid, int pidfd) {
        int k;

        r->process.pidfd = pidfd;
        r->process.pid = pid;
        k = sd_event_add_io(r->host->event, &r->process.exit_source, pidfd, EPOLLIN, recorder_on_exit, r);
        if (k < 0) { /* its end would not be seen: it must not begin */
                (void) pidfd_send_signal(pidfd, SIGKILL, NULL, 0);
                r->process.pidfd = safe_close(pidfd);
                r->process.pid = 0;
        }
        return k;
}

int recorder_fork(Recorder *r, const RecorderPlan *plan) {
        _cleanup_strv_free_ char **environment = NULL;
        Spawned child = SPAWNED_EMPTY;
        SpawnRequest request = {
                .program = plan->argv[0],
                .argv = plan->argv,
                .directory_fd = r->directory_fd,
                .output_fd = r->output.fd,
                .takeover_fd = plan->takeover_fd,
                .nice = plan->nice,
        };
        int k;

        k = prepare_counters(r, plan->takeover_fd >= 0);
        if (k >= 0)
                k = free_and_strdup(&r->process.program, plan->argv[0]);
        if (k >= 0)
                k = spawn_environment(plan->assignments, &environment);
        request.environment = environment;
        request.counters_fd = r->counters.fd;
        if (k >= 0)
                k = spawn_held(&request, &child);
        if (k < 0)
                return k;
        r->is_foreign = plan->is_foreign;
        r->process.gate_fd = child.gate_fd;
        r->process.at_gate = true;
        k = recorder_watch_process(r, child.pid, child.pidfd);
        if (k >= 0)
                r->start_timestamp = now_usec(CLOCK_REALTIME);
        return k;
}

char *recorder_frozen_by(const Recorder *r) {
        return r->scope.control_group ? frozen_group_find("", r->scope.control_group) : NULL;
}

static int on_start_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        Recorder *r = userdata;
        _cleanup_free_ char *frozen = recorder_frozen_by(r);

        r->process.at_gate |= frozen != NULL;
        if (r->phase == PHASE_LOOKUP || r->phase == PHASE_SCOPE)
                recorder_fail(r, SESSION_RESULT_TIMEOUT, -ETIMEDOUT,
                              "systemd did not answer within 90 s: the machine may be overloaded");
        else if (frozen)
                recorder_fail(r, SESSION_RESULT_TIMEOUT, -ETIMEDOUT,
                              "it did not run for 90 s, because %s is frozen: 'systemctl thaw %s' lets it", frozen, frozen);
        else
                recorder_fail(r, SESSION_RESULT_TIMEOUT, -ETIMEDOUT,
                              "it did not report that its events are open within 90 s%s%s",
                              r->output.last_line ? "; the last line of its output: " : ", and has no output",
                              r->output.last_line ?: "");
        return 0;
}

int recorder_limit_start(Recorder *r) {
        return recorder_set_timer(r, START_TIMEOUT_USEC, on_start_timeout);
}

static void on_ready_ping(int error, usec_t round_trip, void *userdata) {
        Recorder *r = userdata;

        r->ready_ping = NULL;
        if (error >= 0 && r->phase == PHASE_OPEN)
                r->handler->opened(r->userdata);
}

/* The word waits in the FIFO until it is read. */
void recorder_ask_ready(Recorder *r) {
        int k = control_send(r->control, PR_CONTROL_PING, on_ready_ping, r, &r->ready_ping);

        if (k < 0)
                recorder_fail(r, SESSION_RESULT_RESOURCES, k, "cannot write to its control FIFO: %s", strerror(-k));
}

static int on_gate(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        const char *step = "talking to it";
        Recorder *r = userdata;
        int k;

        k = spawn_result(fd, &step);
        if (k == 0)
                return 0;
        r->process.gate_source = sd_event_source_disable_unref(r->process.gate_source);
        r->process.gate_fd = safe_close(r->process.gate_fd);
        if (k < 0)
                recorder_fail(r, SESSION_RESULT_EXIT_CODE, k, "%s could not be started: %s failed: %s", r->process.program,
                              step, strerror(-k));
        else if (r->phase == PHASE_EXEC) {
                r->phase = PHASE_OPEN; /* shown as the phase before, and to the next daemon the same */
                if (r->is_foreign)
                        recorder_ask_ready(r);
        }
        return 0;
}

static int read_control_group(pid_t pid, char **ret) {
        _cleanup_free_ char *text = NULL;
        char path[64], *line, *end;
        int k;

        snprintf(path, sizeof(path), "/proc/%d/cgroup", (int) pid);
        k = read_file(path, 64 * 1024, &text, NULL);
        if (k < 0)
                return k;
        line = strstr(text, "0::/");
        if (!line || (line > text && line[-1] != '\n'))
                return -ENODATA;
        line += strlen("0::");
        end = strchr(line, '\n');
        if (end)
                *end = '\0';
        return free_and_strdup(ret, line);
}

static void on_scope_started(int error, const char *text, void *userdata) {
        Recorder *r = userdata;
        int k;

        r->scope.request = NULL;
        if (error < 0) {
                r->scope.given_up = error == -ETIMEDOUT; /* it may come later */
                recorder_fail(r, SESSION_RESULT_RESOURCES, error, "%s", text);
                return;
        }
        r->scope.is_left = false;
        (void) read_control_group(r->process.pid, &r->scope.control_group);
        k = sd_event_add_io(r->host->event, &r->process.gate_source, r->process.gate_fd, EPOLLIN, on_gate, r);
        if (k >= 0)
                k = sd_event_source_set_priority(r->process.gate_source, EVENT_PRIORITY_GATE);
        if (k >= 0)
                k = spawn_release(r->process.gate_fd);
        if (k < 0)
                recorder_fail(r, SESSION_RESULT_RESOURCES, k, "its process could not be let through: %s", strerror(-k));
        else {
                r->process.at_gate = false;
                recorder_set_phase(r, PHASE_EXEC, 0);
        }
}

int recorder_enter_scope(Recorder *r, const char *description, const ScopeSettings *settings) {
        const ScopePlan plan = { .unit = r->scope_name, .description = description, .settings = settings,
                                 .pid = r->process.pid, .is_left = r->scope.is_left };
        int k = scope_start(r->host->scopes, &plan, on_scope_started, r, &r->scope.request);

        return k < 0 ? k : recorder_limit_start(r);
}

void recorder_write_record(const Recorder *r, FILE *f) {
        session_record_put_text(f, "phase", recorder_phase_to_string(r->phase));
        session_record_put_text(f, "control-group", r->scope.control_group);
        session_record_put_text(f, "unit-group", r->unit_group);
        session_record_put_text(f, "recorder-error", r->reported.error);
        session_record_put_text(f, "recorder-trouble", r->reported.trouble);
        session_record_put_number(f, "pid", (uint64_t) r->process.pid);
        session_record_put_number(f, "output-position", r->output.position);
        session_record_put_number(f, "start-timestamp", r->start_timestamp);
        session_record_put_number(f, "settings-hash", r->settings_hash);
        session_record_put_number(f, "lost-told", r->counters.lost_told);
        session_record_put_number(f, "recorder-errno", (uint64_t) r->reported.error_number);
        session_record_put_number(f, "cannot-write", (uint64_t) r->blocked.error);
        session_record_put_number(f, "cannot-write-dump", r->blocked.is_dump);
        session_record_put_number(f, "cannot-write-since", r->blocked.since);
        session_record_put_number(f, "cannot-write-lost", r->blocked.lost);
        session_record_put_number(f, "outstanding", r->control ? control_unawaited(r->control) : 0);
        session_record_put_number(f, "announced-stop", r->reported.stopping);
        session_record_put_number(f, "paused", r->is_paused);
}

int recorder_read_record(Recorder *r, const SessionRecord *record) {
        RecorderPhase phase = recorder_phase_from_string(session_record_text(record, "phase") ?: "none");

        if (phase < 0)
                return -EBADMSG;
        if (free_and_strdup(&r->scope.control_group, session_record_text(record, "control-group")) < 0 ||
            free_and_strdup(&r->unit_group, session_record_text(record, "unit-group")) < 0 ||
            free_and_strdup(&r->reported.error, session_record_text(record, "recorder-error")) < 0 ||
            free_and_strdup(&r->reported.trouble, session_record_text(record, "recorder-trouble")) < 0)
                return -ENOMEM;
        r->phase = phase;
        r->output.position = session_record_number(record, "output-position", UINT64_MAX);
        r->start_timestamp = session_record_number(record, "start-timestamp", UINT64_MAX);
        r->settings_hash = session_record_number(record, "settings-hash", UINT64_MAX);
        r->counters.lost_told = session_record_number(record, "lost-told", UINT64_MAX);
        r->reported.error_number = (int) session_record_number(record, "recorder-errno", INT32_MAX);
        r->blocked.error = (int) session_record_number(record, "cannot-write", INT32_MAX);
        r->blocked.is_dump = session_record_number(record, "cannot-write-dump", 1);
        r->blocked.since = session_record_number(record, "cannot-write-since", UINT64_MAX);
        r->blocked.lost = session_record_number(record, "cannot-write-lost", UINT64_MAX);
        r->reported.stopping = session_record_number(record, "announced-stop", 1);
        r->is_paused = session_record_number(record, "paused", 1);
        return 0;
}

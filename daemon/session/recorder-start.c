/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder's process starts, once its session has the words for it: its directory, the fork, the scope, the gate, and then
 * the wait until it says READY=1 or, if it is a foreign one, acks a ping. Each step ends in a callback of the event loop, so
 * that any number of recorders start side by side; every failure ends in recorder_fail().
 *
 * Nothing is opened for the recorder here that it could open itself: events and files are its own. */

#include "recorder-process.h"

#include <signal.h>
#include <sys/pidfd.h>

#include <perf-recorder/control-words.h>

#include "fd-file.h"
#include "spawn.h"
#include "utf8.h"

#define START_TIMEOUT_USEC (90 * USEC_PER_SEC)
#define LINE_MAX_BYTES 4096 /* as long as a line of our own recorder's */

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
        r->owner->changed(0, r->owner->userdata);
}

/* Watches of inotify(7) are few, and shared with all of the user's programs: a session can do without. */
void recorder_follow_output(Recorder *r) {
        const OutputHandler handler = { .line = on_line, .skipped = on_skipped, .moved = on_moved, .userdata = r };
        JournalSession j = r->owner->journal(r->owner->userdata);
        int k = output_tail_new(r->owner->host->tails, r->output.fd, r->output.position, &handler, &r->output.tail);

        if (k < 0)
                journal_log_session(&j, LOG_WARNING, NULL, "Its output does not get to the journal: %s", strerror(-k));
}

static void on_acked(void *userdata) {
        Recorder *r = userdata;

        r->owner->changed(0, r->owner->userdata);
}

int recorder_talk(Recorder *r, SessionFifos *fifos, unsigned outstanding) {
        return control_new(r->owner->host->acks, fifos, outstanding, on_acked, r, &r->control);
}

int recorder_prepare(Recorder *r) {
        SessionFifos fifos = SESSION_FIFOS_EMPTY;
        int k;

        k = base_directory_open_session(&r->owner->host->base, r->owner->name, &r->directory_fd);
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
        k = sd_event_add_io(r->owner->host->event, &r->process.exit_source, pidfd, EPOLLIN, recorder_on_exit, r);
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
                r->owner->opened(r->owner->userdata);
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
        k = sd_event_add_io(r->owner->host->event, &r->process.gate_source, r->process.gate_fd, EPOLLIN, on_gate, r);
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
        const ScopePlan plan = { .unit = r->owner->scope_name, .description = description, .settings = settings,
                                 .pid = r->process.pid, .is_left = r->scope.is_left };
        int k = scope_start(r->owner->host->scopes, &plan, on_scope_started, r, &r->scope.request);

        return k < 0 ? k : recorder_limit_start(r);
}

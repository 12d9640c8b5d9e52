/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How a recorder comes: checks, the control group of Unit= if there is one, which is waited for as long as the unit does
 * not run, the fork, the scope, the gate, and then the wait until it says READY=1 or, if it is a foreign one, acks a ping.
 * Each step ends in a callback of the event loop, so that any number of sessions start side by side; every failure ends in
 * session_fail() or session_end().
 *
 * Nothing is opened for the recorder here that it could open itself: events and files are its own. */

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/pidfd.h>

#include <perf-recorder/control-words.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/message-ids.h>

#include "fd-file.h"
#include "memory-limit.h"
#include "run-line.h"
#include "session-internal.h"
#include "spawn.h"

#define START_TIMEOUT_USEC (90 * USEC_PER_SEC)
#define CONTROL_OPTION "--control=fifo:control,ack"

/* As systemd counts: starts within an interval that begins with the first of them. */
static bool within_start_limit(SessionObject *s) {
        const SessionSettings *settings = s->config.settings;

        return settings->start_limit_interval_usec == 0 || settings->start_limit_burst == 0 ||
               rate_limit_below(&s->start_limit, settings->start_limit_interval_usec, settings->start_limit_burst);
}

/* The first of several -m is the default that any later one replaces. */
static int add_default_buffer_size(const Manager *m, char ***argv) {
        if (m->settings.default_buffer_size == 0)
                return 0;
        return strv_extend(argv, "-m") < 0 ? -ENOMEM : strv_extendf(argv, "%" PRIu64 "B", m->settings.default_buffer_size);
}

/* A foreign recorder is perf, or takes perf's words: its first one is "record". */
static int build_argv(const SessionObject *s, char *const *words, char ***ret) {
        _cleanup_strv_free_ char **argv = NULL;
        const char *program = session_config_is_foreign(&s->config) ? s->config.settings->recorder : s->manager->worker;
        int r;

        r = strv_extend(&argv, program);
        if (r >= 0 && session_config_is_foreign(&s->config))
                r = strv_extend(&argv, "record");
        if (r >= 0)
                r = strv_extend(&argv, CONTROL_OPTION);
        if (r >= 0)
                r = add_default_buffer_size(s->manager, &argv);
        if (r >= 0 && s->config.transient && !session_config_is_foreign(&s->config))
                r = strv_extend(&argv, "--untrusted");
        if (r >= 0)
                r = strv_extend_strv(&argv, words);
        if (r < 0)
                return r;
        *ret = steal_ptr(argv);
        return 0;
}

/* The kernel counts a ring as its user's locked memory each time that it is mapped, and takes that back once (up to 6.18 at
 * least): who is limited in it would soon have none left. */
static bool can_keep_rings(const SessionObject *s) {
        return !session_config_is_foreign(&s->config) && geteuid() == 0;
}

static int build_environment(const SessionObject *s, bool takes_over, char ***ret) {
        const char *socket = notify_socket_path(s->manager->notify);
        _cleanup_strv_free_ char **own = NULL;
        uint64_t left = session_locked_memory_left(s);
        int r;

        r = strv_extendf(&own, "NOTIFY_SOCKET=%s", socket);
        if (r >= 0)
                r = strv_extendf(&own, PR_RUNTIME_DIRECTORY_ENV "=%.*s", (int) (strrchr(socket, '/') - socket), socket);
        if (r >= 0)
                r = strv_extendf(&own, PR_SESSION_ENV "=%s", s->name);
        if (r >= 0)
                r = strv_extendf(&own, "%s=%d", PR_COUNTERS_ENV, SPAWN_COUNTERS_FD);
        if (r >= 0 && left != UINT64_MAX)
                r = strv_extendf(&own, PR_LOCKED_MEMORY_ENV "=%" PRIu64, left);
        if (r >= 0 && can_keep_rings(s))
                r = strv_extend(&own, PR_KEEP_ENV "=1");
        if (r >= 0 && takes_over)
                r = strv_extendf(&own, PR_TAKEOVER_ENV "=%d", SPAWN_TAKEOVER_FD);
        return r < 0 ? r : spawn_environment(own, ret);
}

/* The page of the last recorder is nobody's any more: it is made zero and used again. */
static int prepare_counters(SessionObject *s) {
        s->look->given = (RingSamples) {};
        if (s->counters_fd < 0) {
                int fd = open_memfd("perf-recorder-counters", PR_COUNTERS_SIZE);

                if (fd < 0)
                        return fd;
                s->counters_fd = fd;
                return 0;
        }
        if (ftruncate(s->counters_fd, 0) < 0 || ftruncate(s->counters_fd, PR_COUNTERS_SIZE) < 0)
                return -errno;
        return 0;
}

/* Watches of inotify(7) are few, and shared with all of the user's programs: a session can do without. */
void session_follow_output(SessionObject *s, int output_fd) {
        OutputHandler handler = session_output_handler;
        JournalSession j = session_journal(s);
        int r;

        handler.userdata = s;
        r = output_tail_new(s->manager->tails, output_fd, s->output_position, &handler, &s->tail);
        if (r < 0)
                journal_log_session(&j, LOG_WARNING, NULL, "Its output does not get to the journal: %s", strerror(-r));
}

static void control_changed(void *userdata) {
        session_save(userdata);
}

/* Everything on disk: its directory, the FIFOs, the output file. */
static int prepare_directory(SessionObject *s, int *ret_output_fd) {
        _cleanup_close_ int output_fd = -EBADF;
        ControlFifos fifos = CONTROL_FIFOS_EMPTY;
        int r;

        r = session_renew_directory(s);
        if (r >= 0)
                r = base_directory_open_session(&s->manager->base, s->name, &s->directory_fd);
        if (r >= 0)
                r = session_directory_make_fifo(s->directory_fd, "control");
        if (r >= 0)
                r = session_directory_make_fifo(s->directory_fd, "ack");
        if (r >= 0)
                r = control_fifos_open(s->directory_fd, &fifos);
        if (r >= 0)
                r = control_new(s->manager->acks, &fifos, 0, control_changed, s, &s->control);
        if (r >= 0)
                r = session_directory_open_output(s->directory_fd, true, &output_fd);
        s->output_position = 0;
        if (r >= 0)
                session_follow_output(s, output_fd);
        if (r < 0)
                return r;
        *ret_output_fd = steal_fd(&output_fd);
        return 0;
}

int session_watch_process(SessionObject *s, pid_t pid, int pidfd) {
        int r;

        s->pidfd = pidfd;
        s->pid = pid;
        r = sd_event_add_io(s->manager->event, &s->exit_source, pidfd, EPOLLIN, session_on_exit, s);
        if (r < 0) { /* nobody would see its end: it must not begin */
                (void) pidfd_send_signal(pidfd, SIGKILL, NULL, 0);
                s->pidfd = safe_close(pidfd);
                s->pid = 0;
        }
        return r;
}

static int on_start_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        SessionObject *s = userdata;

        if (s->phase == PHASE_LOOKUP || s->phase == PHASE_SCOPE)
                session_fail(s, SESSION_RESULT_TIMEOUT, -ETIMEDOUT,
                             "systemd did not answer within 90 s: the machine may be overloaded");
        else
                session_fail(s, SESSION_RESULT_TIMEOUT, -ETIMEDOUT,
                             "it did not report that its events are open within 90 s: see its output");
        return 0;
}

int session_limit_start(SessionObject *s) {
        return session_set_timer(s, START_TIMEOUT_USEC, on_start_timeout);
}

static void on_ready_ping(int error, usec_t round_trip, void *userdata) {
        SessionObject *s = userdata;

        s->ready_ping = NULL;
        if (error >= 0 && s->phase == PHASE_OPEN)
                session_go_up(s);
}

/* perf acks from the loop that it enters once all events are open; the word waits in the FIFO until then. */
void session_await_ready(SessionObject *s) {
        int r;

        session_set_phase(s, PHASE_OPEN, 0);
        if (!session_config_is_foreign(&s->config))
                return;
        r = control_send(s->control, PR_CONTROL_PING, on_ready_ping, s, &s->ready_ping);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot write to its control FIFO: %s", strerror(-r));
}

void session_go_up(SessionObject *s) {
        JournalSession j = session_journal(s);
        bool was_up = s->phase == PHASE_UP;
        char by[SESSION_BY_SIZE];

        if (was_up || s->phase == PHASE_TERM || s->phase == PHASE_KILL || !session_fits_locked_memory(s))
                return;
        s->timer = sd_event_source_disable_unref(s->timer);
        s->n_tries = 0;
        s->result = SESSION_RESULT_SUCCESS;
        session_set_error(s, NULL);
        session_set_phase(s, PHASE_UP, 0);
        if (session_config_has_bad_file(&s->config))
                session_show_bad_file(s);
        journal_log_session(&j, LOG_INFO, PR_MESSAGE_SESSION_STARTED, "Started recording%s: PID %d, %s",
                            session_by(s, by, sizeof(by)), (int) s->pid, session_object_command(s));
        session_drop_caller(s);
        gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
}

static int on_gate(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        SessionObject *s = userdata;
        const char *step = "talking to it";
        int r;

        r = spawn_result(fd, &step);
        if (r == 0)
                return 0;
        s->gate_source = sd_event_source_disable_unref(s->gate_source);
        s->gate_fd = safe_close(s->gate_fd);
        if (r < 0)
                session_fail(s, SESSION_RESULT_EXIT_CODE, r, "%s could not be started: %s failed: %s",
                             session_config_is_foreign(&s->config) ? s->config.settings->recorder : s->manager->worker, step, strerror(-r));
        else if (s->phase == PHASE_EXEC)
                session_await_ready(s);
        return 0;
}

static int read_control_group(pid_t pid, char **ret) {
        _cleanup_free_ char *text = NULL;
        char path[64], *line, *end;
        int r;

        snprintf(path, sizeof(path), "/proc/%d/cgroup", (int) pid);
        r = read_file(path, 64 * 1024, &text, NULL);
        if (r < 0)
                return r;
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
        SessionObject *s = userdata;
        int r;

        s->scope_request = NULL;
        if (error < 0) {
                s->scope_given_up = error == -ETIMEDOUT; /* it may come later */
                session_fail(s, SESSION_RESULT_RESOURCES, error, "%s", text);
                return;
        }
        (void) read_control_group(s->pid, &s->control_group);
        r = sd_event_add_io(s->manager->event, &s->gate_source, s->gate_fd, EPOLLIN, on_gate, s);
        if (r >= 0)
                r = sd_event_source_set_priority(s->gate_source, EVENT_PRIORITY_GATE);
        if (r >= 0)
                r = spawn_release(s->gate_fd);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "its process could not be let through: %s", strerror(-r));
        else
                session_set_phase(s, PHASE_EXEC, 0);
}

static int ask_for_scope(SessionObject *s) {
        _cleanup_free_ char *description = NULL;
        ScopeSettings settings = s->config.settings->scope;
        ScopePlan plan = { .unit = s->scope_name, .settings = &settings, .pid = s->pid };

        if (settings.memory_max == 0 && settings.memory_high == 0)
                settings.memory_max = memory_limit_default(s->config.settings, s->manager->settings.default_buffer_size);

        if (asprintf(&description, "Performance recording: %s", session_object_description(s)) < 0) {
                description = NULL;
                return -ENOMEM;
        }
        plan.description = description;
        return scope_start(s->manager->scopes, &plan, on_scope_started, s, &s->scope_request);
}

static int fork_recorder(SessionObject *s, char *const *argv, int output_fd) {
        _cleanup_strv_free_ char **environment = NULL;
        _cleanup_close_ int takeover_fd = -EBADF;
        Spawned child = SPAWNED_EMPTY;
        SpawnRequest request = {
                .program = argv[0],
                .argv = argv,
                .directory_fd = s->directory_fd,
                .output_fd = output_fd,
                .counters_fd = s->counters_fd,
                .nice = s->config.settings->scope.nice,
        };
        int r;

        r = build_environment(s, session_give_rings(s, &takeover_fd), &environment);
        if (r < 0)
                return r;
        request.environment = environment;
        request.takeover_fd = takeover_fd;
        r = spawn_held(&request, &child);
        if (r < 0)
                return r;
        s->gate_fd = child.gate_fd;
        return session_watch_process(s, child.pid, child.pidfd);
}

static void launch(SessionObject *s, char *const *argv) {
        _cleanup_close_ int output_fd = -EBADF;
        int r;

        r = prepare_directory(s, &output_fd);
        if (r < 0) {
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot prepare %s: %s", s->directory, strerror(-r));
                return;
        }
        r = prepare_counters(s);
        if (r >= 0)
                r = fork_recorder(s, argv, output_fd);
        if (r < 0) {
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot start a process: %s", strerror(-r));
                return;
        }
        s->start_timestamp = now_usec(CLOCK_REALTIME);
        s->settings_hash = session_settings_hash(s->config.settings);
        s->phase = PHASE_SCOPE;
        session_store(s);
        session_set_phase(s, PHASE_SCOPE, SESSION_CHANGE_PROCESS);
        r = ask_for_scope(s);
        if (r >= 0)
                r = session_limit_start(s);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot ask systemd for its scope: %s", strerror(-r));
}

static void prepare_and_launch(SessionObject *s) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        _cleanup_strv_free_ char **words = NULL, **argv = NULL;
        int r;

        r = run_line_from_settings(s->config.settings, s->unit_group, &words, &d);
        if (r < 0) {
                sentence = diagnosis_format(&d);
                session_fail(s, SESSION_RESULT_RESOURCES, r == -EINVAL ? -EBADMSG : r, "%s", sentence ?: strerror(-r));
                return;
        }
        r = build_argv(s, words, &argv);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "no memory");
        else if (session_check_limits(s))
                launch(s, argv);
}

static void on_control_group(int error, const char *text, void *userdata);

/* Recording begins when the unit runs: callers of Start need not wait for that. */
static void wait_for_unit(SessionObject *s, const char *why) {
        JournalSession j = session_journal(s);
        int r;

        r = scope_await_unit(s->manager->scopes, s->config.settings->record.unit, on_control_group, s, &s->scope_request);
        if (r < 0) {
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot ask systemd about %s: %s", s->config.settings->record.unit,
                             strerror(-r));
                return;
        }
        session_set_error(s, why);
        s->phase = PHASE_WAIT;
        session_store(s);
        session_set_phase(s, PHASE_WAIT, 0);
        journal_log_session(&j, LOG_INFO, PR_MESSAGE_SESSION_WAITING, "Waiting: %s", why);
        gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
}

static void on_control_group(int error, const char *text, void *userdata) {
        SessionObject *s = userdata;

        s->scope_request = NULL;
        s->timer = sd_event_source_disable_unref(s->timer);
        if ((error == -ESRCH || (error == -ENOENT && !session_object_is_made_up(s))) && !s->config.transient)
                wait_for_unit(s, text);
        else if (error < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, error, "%s", text);
        else if (free_and_strdup(&s->unit_group, text + strspn(text, "/")) < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, -ENOMEM, "no memory");
        else
                prepare_and_launch(s);
}

static void look_up_unit(SessionObject *s) {
        int r;

        session_set_phase(s, PHASE_LOOKUP, 0);
        r = scope_find_control_group(s->manager->scopes, s->config.settings->record.unit, on_control_group, s, &s->scope_request);
        if (r >= 0)
                r = session_limit_start(s);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot ask systemd about %s: %s", s->config.settings->record.unit,
                             strerror(-r));
}

static void refuse_start(SessionObject *s) {
        _cleanup_free_ char *sentence = NULL;

        if (asprintf(&sentence, "it was started too often in a short time; the last time: %s",
                     s->error ?: "it ended without an error") < 0)
                sentence = NULL;
        session_end(s, SESSION_RESULT_START_LIMIT_HIT, 0, sentence);
}

/* From PHASE_NONE or PHASE_DELAY. A try that follows one whose reason may pass does not count for the start limit. */
void session_begin_start(SessionObject *s) {
        s->timer = sd_event_source_disable_unref(s->timer);
        s->announced_stop = s->is_paused = s->stop_asked = s->start_again = s->outdated = false;
        s->lost_told = 0;
        s->rings.refused = false;
        s->last_line = (free(s->last_line), NULL);
        s->recorder_error = (free(s->recorder_error), NULL);
        s->recorder_errno = 0;
        if (s->n_tries == 0 && !within_start_limit(s))
                refuse_start(s);
        else if (s->config.settings->record.unit && !s->config.settings->run)
                look_up_unit(s);
        else
                prepare_and_launch(s);
}

const char *session_why_not_up(const SessionObject *s) {
        switch (s->phase) {
        case PHASE_WAIT:
                return "it waits for its unit, and records as soon as that runs";
        case PHASE_DELAY:
                return "its recorder ended and is about to be started again: try again in a moment";
        case PHASE_TERM:
        case PHASE_KILL:
                return s->start_again ? "its recorder is being restarted: try again in a moment" : "it is being stopped";
        case PHASE_NONE:
                return "it is not running: start it first";
        default:
                return "its recorder is being started: try again in a moment";
        }
}

void session_reset_start(SessionObject *s) {
        s->start_limit = (RateLimit){};
        s->n_restarts = s->n_tries = 0;
}

void session_object_start(SessionObject *s, Gather *g) {
        session_note_caller(s);
        gather_list_join(&s->start_waiters, g);
        if (!s->config.settings)
                gather_list_leave(&s->start_waiters, FAILURE_BAD_SETTING, session_object_error(s));
        else if (s->phase == PHASE_UP || s->phase == PHASE_WAIT)
                gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
        else if (s->phase == PHASE_TERM || s->phase == PHASE_KILL)
                s->start_again = true;
        else if (s->phase == PHASE_NONE || s->phase == PHASE_DELAY) {
                session_reset_start(s);
                session_begin_start(s);
        }
}

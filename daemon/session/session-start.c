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
#include "session-parts.h"
#include "spawn.h"

#define START_TIMEOUT_USEC (90 * USEC_PER_SEC)
#define CONTROL_OPTION "--control=fifo:control,ack"

/* The first of several -m is the default that any later one replaces. */
static int add_default_buffer_size(const SessionHost *host, char ***argv) {
        if (host->settings.default_buffer_size == 0)
                return 0;
        return strv_extend(argv, "-m") < 0 ? -ENOMEM : strv_extendf(argv, "%" PRIu64 "B", host->settings.default_buffer_size);
}

static const char *program_of(const Session *s) {
        return session_config_is_foreign(&s->config) ? s->config.settings->recorder : s->host->worker;
}

/* A foreign recorder is perf, or takes perf's words: its first one is "record". */
static int build_argv(const Session *s, char *const *words, char ***ret) {
        _cleanup_strv_free_ char **argv = NULL;
        int r;

        r = strv_extend(&argv, program_of(s));
        if (r >= 0 && session_config_is_foreign(&s->config))
                r = strv_extend(&argv, "record");
        if (r >= 0)
                r = strv_extend(&argv, CONTROL_OPTION);
        if (r >= 0)
                r = add_default_buffer_size(s->host, &argv);
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
static bool can_keep_rings(const Session *s) {
        return !session_config_is_foreign(&s->config) && geteuid() == 0;
}

static int build_environment(const Session *s, bool takes_over, char ***ret) {
        const char *socket = notify_socket_path(s->host->notify);
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
static int prepare_counters(Session *s) {
        s->look->given = (RingSamples) {};
        if (s->recorder.counters_fd < 0) {
                int fd = open_memfd("perf-recorder-counters", PR_COUNTERS_SIZE);

                if (fd < 0)
                        return fd;
                s->recorder.counters_fd = fd;
                return 0;
        }
        if (ftruncate(s->recorder.counters_fd, 0) < 0 || ftruncate(s->recorder.counters_fd, PR_COUNTERS_SIZE) < 0)
                return -errno;
        return 0;
}

/* Watches of inotify(7) are few, and shared with all of the user's programs: a session can do without. */
void session_follow_output(Session *s, int output_fd) {
        OutputHandler handler = session_output_handler;
        JournalSession j = session_journal(s);
        int r;

        handler.userdata = s;
        r = output_tail_new(s->host->tails, output_fd, s->recorder.output.position, &handler, &s->recorder.output.tail);
        if (r < 0)
                journal_log_session(&j, LOG_WARNING, NULL, "Its output does not get to the journal: %s", strerror(-r));
}

static void control_changed(void *userdata) {
        session_save(userdata);
}

/* Everything on disk: its directory, the FIFOs, the output file. */
static int prepare_directory(Session *s, int *ret_output_fd) {
        _cleanup_close_ int output_fd = -EBADF;
        ControlFifos fifos = CONTROL_FIFOS_EMPTY;
        int r;

        r = session_renew_directory(s);
        if (r >= 0)
                r = base_directory_open_session(&s->host->base, s->name, &s->recorder.directory_fd);
        if (r >= 0)
                r = session_directory_make_fifo(s->recorder.directory_fd, "control");
        if (r >= 0)
                r = session_directory_make_fifo(s->recorder.directory_fd, "ack");
        if (r >= 0)
                r = control_fifos_open(s->recorder.directory_fd, &fifos);
        if (r >= 0)
                r = control_new(s->host->acks, &fifos, 0, control_changed, s, &s->recorder.control);
        if (r >= 0)
                r = session_directory_open_output(s->recorder.directory_fd, true, &output_fd);
        s->recorder.output.position = 0;
        if (r >= 0)
                session_follow_output(s, output_fd);
        if (r < 0)
                return r;
        *ret_output_fd = steal_fd(&output_fd);
        return 0;
}

int session_watch_process(Session *s, pid_t pid, int pidfd) {
        int r;

        s->recorder.pidfd = pidfd;
        s->recorder.pid = pid;
        r = sd_event_add_io(s->host->event, &s->recorder.exit_source, pidfd, EPOLLIN, session_on_exit, s);
        if (r < 0) { /* nobody would see its end: it must not begin */
                (void) pidfd_send_signal(pidfd, SIGKILL, NULL, 0);
                s->recorder.pidfd = safe_close(pidfd);
                s->recorder.pid = 0;
        }
        return r;
}

static int on_start_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        Session *s = userdata;

        if (s->recorder.phase == PHASE_LOOKUP || s->recorder.phase == PHASE_SCOPE)
                session_fail(s, SESSION_RESULT_TIMEOUT, -ETIMEDOUT,
                             "systemd did not answer within 90 s: the machine may be overloaded");
        else
                session_fail(s, SESSION_RESULT_TIMEOUT, -ETIMEDOUT,
                             "it did not report that its events are open within 90 s: see its output");
        return 0;
}

int session_limit_start(Session *s) {
        return session_set_timer(s, START_TIMEOUT_USEC, on_start_timeout);
}

static void on_ready_ping(int error, usec_t round_trip, void *userdata) {
        Session *s = userdata;

        s->recorder.ready_ping = NULL;
        if (error >= 0 && s->recorder.phase == PHASE_OPEN)
                session_go_up(s);
}

/* A recorder acks from the loop that it enters once all events are open; the word waits in the FIFO until then. */
void session_await_ready(Session *s, bool ask) {
        int r;

        session_set_phase(s, PHASE_OPEN, 0);
        if (!ask)
                return;
        r = control_send(s->recorder.control, PR_CONTROL_PING, on_ready_ping, s, &s->recorder.ready_ping);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot write to its control FIFO: %s", strerror(-r));
}

void session_go_up(Session *s) {
        JournalSession j = session_journal(s);
        bool was_up = s->recorder.phase == PHASE_UP;
        char by[SESSION_BY_SIZE];

        if (was_up || s->recorder.phase == PHASE_TERM || s->recorder.phase == PHASE_KILL || !session_fits_locked_memory(s))
                return;
        s->recorder.timer = sd_event_source_disable_unref(s->recorder.timer);
        s->restart.n_tries = 0;
        s->result = SESSION_RESULT_SUCCESS;
        session_set_error(s, NULL);
        session_set_phase(s, PHASE_UP, 0);
        if (session_config_has_bad_file(&s->config))
                session_show_bad_file(s);
        journal_log_session(&j, LOG_INFO, PR_MESSAGE_SESSION_STARTED, "Started recording%s: PID %d, %s",
                            session_by(s, by, sizeof(by)), (int) s->recorder.pid, session_command(s));
        session_drop_caller(s);
        gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
}

static int on_gate(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        Session *s = userdata;
        const char *step = "talking to it";
        int r;

        r = spawn_result(fd, &step);
        if (r == 0)
                return 0;
        s->recorder.gate_source = sd_event_source_disable_unref(s->recorder.gate_source);
        s->recorder.gate_fd = safe_close(s->recorder.gate_fd);
        if (r < 0)
                session_fail(s, SESSION_RESULT_EXIT_CODE, r, "%s could not be started: %s failed: %s",
                             program_of(s), step, strerror(-r));
        else if (s->recorder.phase == PHASE_EXEC)
                session_await_ready(s, session_config_is_foreign(&s->config));
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
        Session *s = userdata;
        int r;

        s->recorder.scope_request = NULL;
        if (error < 0) {
                s->recorder.scope_given_up = error == -ETIMEDOUT; /* it may come later */
                session_fail(s, SESSION_RESULT_RESOURCES, error, "%s", text);
                return;
        }
        (void) read_control_group(s->recorder.pid, &s->recorder.control_group);
        r = sd_event_add_io(s->host->event, &s->recorder.gate_source, s->recorder.gate_fd, EPOLLIN, on_gate, s);
        if (r >= 0)
                r = sd_event_source_set_priority(s->recorder.gate_source, EVENT_PRIORITY_GATE);
        if (r >= 0)
                r = spawn_release(s->recorder.gate_fd);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "its process could not be let through: %s", strerror(-r));
        else
                session_set_phase(s, PHASE_EXEC, 0);
}

static int ask_for_scope(Session *s) {
        _cleanup_free_ char *description = NULL;
        ScopeSettings settings = s->config.settings->scope;
        ScopePlan plan = { .unit = s->scope_name, .settings = &settings, .pid = s->recorder.pid };

        if (settings.memory_max == 0 && settings.memory_high == 0)
                settings.memory_max = memory_limit_default(s->config.settings, s->host->settings.default_buffer_size);

        if (asprintf(&description, "Performance recording: %s", session_description(s)) < 0) {
                description = NULL;
                return -ENOMEM;
        }
        plan.description = description;
        return scope_start(s->host->scopes, &plan, on_scope_started, s, &s->recorder.scope_request);
}

static int fork_recorder(Session *s, char *const *argv, int output_fd) {
        _cleanup_strv_free_ char **environment = NULL;
        _cleanup_close_ int takeover_fd = -EBADF;
        Spawned child = SPAWNED_EMPTY;
        SpawnRequest request = {
                .program = argv[0],
                .argv = argv,
                .directory_fd = s->recorder.directory_fd,
                .output_fd = output_fd,
                .counters_fd = s->recorder.counters_fd,
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
        s->recorder.gate_fd = child.gate_fd;
        return session_watch_process(s, child.pid, child.pidfd);
}

static void launch(Session *s, char *const *argv) {
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
        s->recorder.start_timestamp = now_usec(CLOCK_REALTIME);
        s->recorder.settings_hash = session_settings_hash(s->config.settings);
        s->recorder.phase = PHASE_SCOPE;
        session_store(s);
        session_set_phase(s, PHASE_SCOPE, SESSION_CHANGE_PROCESS);
        r = ask_for_scope(s);
        if (r >= 0)
                r = session_limit_start(s);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot ask systemd for its scope: %s", strerror(-r));
}

static void prepare_and_launch(Session *s) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        _cleanup_strv_free_ char **words = NULL, **argv = NULL;
        int r;

        r = run_line_from_settings(s->config.settings, s->recorder.unit_group, &words, &d);
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
static void wait_for_unit(Session *s, const char *why) {
        JournalSession j = session_journal(s);
        int r;

        r = scope_await_unit(s->host->scopes, s->config.settings->record.unit, on_control_group, s, &s->recorder.scope_request);
        if (r < 0) {
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot ask systemd about %s: %s", s->config.settings->record.unit,
                             strerror(-r));
                return;
        }
        session_set_error(s, why);
        s->recorder.phase = PHASE_WAIT;
        session_store(s);
        session_set_phase(s, PHASE_WAIT, 0);
        journal_log_session(&j, LOG_INFO, PR_MESSAGE_SESSION_WAITING, "Waiting: %s", why);
        gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
}

static void on_control_group(int error, const char *text, void *userdata) {
        Session *s = userdata;

        s->recorder.scope_request = NULL;
        s->recorder.timer = sd_event_source_disable_unref(s->recorder.timer);
        if ((error == -ESRCH || (error == -ENOENT && !session_is_made_up(s))) && !s->config.transient)
                wait_for_unit(s, text);
        else if (error < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, error, "%s", text);
        else if (free_and_strdup(&s->recorder.unit_group, text + strspn(text, "/")) < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, -ENOMEM, "no memory");
        else
                prepare_and_launch(s);
}

static void look_up_unit(Session *s) {
        int r;

        session_set_phase(s, PHASE_LOOKUP, 0);
        r = scope_find_control_group(s->host->scopes, s->config.settings->record.unit, on_control_group, s,
                                     &s->recorder.scope_request);
        if (r >= 0)
                r = session_limit_start(s);
        if (r < 0)
                session_fail(s, SESSION_RESULT_RESOURCES, r, "cannot ask systemd about %s: %s", s->config.settings->record.unit,
                             strerror(-r));
}

static void refuse_start(Session *s) {
        _cleanup_free_ char *sentence = NULL;

        if (asprintf(&sentence, "it was started too often in a short time; the last time: %s",
                     s->error ?: "it ended without an error") < 0)
                sentence = NULL;
        session_end(s, SESSION_RESULT_START_LIMIT_HIT, 0, sentence);
}

/* From PHASE_NONE or PHASE_DELAY. */
void session_begin_start(Session *s) {
        s->recorder.timer = sd_event_source_disable_unref(s->recorder.timer);
        s->restart.stop_asked = s->restart.start_again = s->restart.outdated = false;
        s->rings.refused = false;
        recorder_process_reset(&s->recorder);
        if (!restart_policy_may_start(&s->restart, s->config.settings))
                refuse_start(s);
        else if (s->config.settings->record.unit && !s->config.settings->run)
                look_up_unit(s);
        else
                prepare_and_launch(s);
}

const char *session_why_not_up(const Session *s) {
        switch (s->recorder.phase) {
        case PHASE_WAIT:
                return "it waits for its unit, and records as soon as that runs";
        case PHASE_DELAY:
                return "its recorder ended and is about to be started again: try again in a moment";
        case PHASE_TERM:
        case PHASE_KILL:
                return s->restart.start_again ? "its recorder is being restarted: try again in a moment" : "it is being stopped";
        case PHASE_NONE:
                return "it is not running: start it first";
        default:
                return "its recorder is being started: try again in a moment";
        }
}

void session_reset_start(Session *s) {
        s->restart.limit = (RateLimit){};
        s->restart.n_restarts = s->restart.n_tries = 0;
}

void session_start(Session *s, Gather *g) {
        session_note_caller(s);
        gather_list_join(&s->start_waiters, g);
        if (!s->config.settings)
                gather_list_leave(&s->start_waiters, FAILURE_BAD_SETTING, session_error(s));
        else if (s->recorder.phase == PHASE_UP || s->recorder.phase == PHASE_WAIT)
                gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
        else if (s->recorder.phase == PHASE_TERM || s->recorder.phase == PHASE_KILL)
                s->restart.start_again = true;
        else if (s->recorder.phase == PHASE_NONE || s->recorder.phase == PHASE_DELAY) {
                session_reset_start(s);
                session_begin_start(s);
        }
}

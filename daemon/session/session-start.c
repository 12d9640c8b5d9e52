/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A session starts: limits, the control group of Unit= if there is one, which is waited for as long as the unit does not run, the
 * words of the command line, and then the recorder's own steps (recorder-start.c), until its events are open. Each step ends in
 * a callback of the event loop, so that any number of sessions start side by side; every failure ends in recorder_fail() or
 * recorder_end().
 *
 * perf-recorderd.conf(5) limits what sessions have in all: MaxSessions= and MaxLockedMemory=. How much memory a recorder's rings
 * need is known to its own parser only: it gets what is left and refuses by itself, before it opens an event. What it has then
 * is in its counters, and counted again when it reports that it records. A foreign recorder has no counters and no limit. */

#include <perf-recorder/environment.h>
#include <perf-recorder/message-ids.h>

#include "format-text.h"
#include "parse-size.h"
#include "run-line.h"
#include "session-name.h"
#include "session-parts.h"
#include "spawn.h"

#define CONTROL_OPTION "--control=fifo:control,ack"

static uint64_t locked_memory_left(const Session *s) {
        uint64_t max = s->host->settings.max_locked_memory;

        if (max == UINT64_MAX)
                return max;
        return max - MIN_OF(max, s->host->calls->sum(session_ring_bytes, s, s->host->userdata));
}

static bool fits_locked_memory(Session *s) {
        char wanted[32], free_bytes[32];
        uint64_t left = locked_memory_left(s), ring_bytes;

        ring_bytes = left == UINT64_MAX ? 0 : session_ring_bytes(s);
        if (ring_bytes <= left)
                return true;
        recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, -ENOBUFS,
                      "its rings lock %s of memory, and MaxLockedMemory= leaves %s: make them smaller (BufferSize=, -m), or stop "
                      "another session",
                      format_size(wanted, sizeof(wanted), ring_bytes), format_size(free_bytes, sizeof(free_bytes), left));
        return false;
}

/* A foreign recorder is perf, or takes perf's words: its first one is "record". */
static int build_argv(const Session *s, char *const *words, char ***ret) {
        uint64_t buffer_size = s->host->settings.default_buffer_size;
        bool is_foreign = session_config_is_foreign(&s->config);
        _cleanup_strv_free_ char **argv = NULL;
        int r;

        r = strv_extend(&argv, is_foreign ? s->config.settings->recorder : s->host->worker);
        if (r >= 0 && is_foreign)
                r = strv_extend(&argv, "record");
        if (r >= 0)
                r = strv_extend(&argv, CONTROL_OPTION);
        if (r >= 0 && buffer_size > 0) /* the first of several -m is the default that any later one replaces */
                r = strv_extend(&argv, "-m");
        if (r >= 0 && buffer_size > 0)
                r = strv_extendf(&argv, "%" PRIu64 "B", buffer_size);
        if (r >= 0 && s->config.transient && !is_foreign)
                r = strv_extend(&argv, "--untrusted");
        if (r >= 0)
                r = strv_extend_strv(&argv, words);
        if (r < 0)
                return r;
        *ret = steal_ptr(argv);
        return 0;
}

static int build_assignments(Session *s, bool takes_over, char ***ret) {
        const char *socket = notify_socket_path(s->host->notify);
        _cleanup_strv_free_ char **own = NULL;
        uint64_t left = locked_memory_left(s);
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
        /* The kernel counts a ring as its user's locked memory each time that it is mapped, and takes that back once (up to 6.18 at
         * least): a user who is limited in it would soon have none left. */
        if (r >= 0 && !session_config_is_foreign(&s->config) && geteuid() == 0)
                r = strv_extend(&own, PR_KEEP_ENV "=1");
        s->recorder.makes_windows = !session_config_is_foreign(&s->config);
        if (r >= 0 && s->recorder.makes_windows)
                r = strv_extend(&own, PR_WINDOWS_ENV "=1");
        if (r >= 0)
                r = session_put_lent(s, &own);
        if (r >= 0 && takes_over)
                r = strv_extendf(&own, PR_TAKEOVER_ENV "=%d", SPAWN_TAKEOVER_FD);
        if (r < 0)
                return r;
        *ret = steal_ptr(own);
        return 0;
}

void session_on_opened(void *userdata) {
        Session *s = userdata;
        char by[SESSION_BY_SIZE];

        if (!fits_locked_memory(s))
                return;
        s->recorder.timer = sd_event_source_disable_unref(s->recorder.timer);
        s->restart.n_tries = 0;
        s->result = SESSION_RESULT_SUCCESS;
        session_set_error(s, NULL);
        recorder_set_phase(&s->recorder, PHASE_UP, 0);
        if (session_config_has_bad_file(&s->config))
                session_show_bad_file(s);
        session_log(s, LOG_INFO, PR_MESSAGE_SESSION_STARTED, "Started recording%s: PID %d, %s",
                    session_by(s, by, sizeof(by)), (int) s->recorder.process.pid, s->config.command ?: "");
        session_drop_caller(s);
        gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
}

/* Rings that are kept are given to the child that is forked now. */
static int fork_recorder(Session *s, char *const *argv) {
        _cleanup_strv_free_ char **assignments = NULL;
        _cleanup_close_ int takeover_fd = -EBADF;
        RecorderPlan plan = {
                .argv = argv,
                .nice = s->config.settings->scope.nice,
                .is_foreign = session_config_is_foreign(&s->config),
        };
        int r;

        s->look->given = (RingSamples) {};
        r = build_assignments(s, session_give_rings(s, &takeover_fd), &assignments);
        if (r < 0)
                return r;
        plan.assignments = assignments;
        plan.takeover_fd = takeover_fd;
        return recorder_fork(&s->recorder, &plan);
}

static int enter_scope(Session *s) {
        _cleanup_free_ char *description = NULL;
        ScopeSettings settings = s->config.settings->scope;

        if (settings.memory_max == 0 && settings.memory_high == 0)
                settings.memory_max = session_config_memory_limit(s->config.settings, s->host->settings.default_buffer_size);
        description = format_text("Performance recording: %s", session_view(s).description);
        if (!description)
                return -ENOMEM;
        return recorder_enter_scope(&s->recorder, description, &settings);
}

static void launch(Session *s, char *const *argv) {
        int r;

        r = scope_client_connect(s->host->scopes);
        if (r < 0) { /* a process, which gets the rings, would be forked in vain */
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, r, "cannot ask systemd for its scope: %s", strerror(-r));
                return;
        }
        if (base_directory_is_missing(&s->host->base)) {
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, -ENOENT, BASE_DIRECTORY_MISSING, s->host->base.path);
                return;
        }
        r = recorder_prepare(&s->recorder);
        if (r < 0) {
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, r, "cannot prepare %s: %s", s->directory, strerror(-r));
                return;
        }
        r = fork_recorder(s, argv);
        if (r < 0) {
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, r, "cannot start a process: %s", strerror(-r));
                return;
        }
        s->recorder.settings_hash = session_config_hash(&s->config);
        recorder_set_phase(&s->recorder, PHASE_SCOPE, SESSION_CHANGE_PROCESS);
        r = enter_scope(s);
        if (r < 0)
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, r, "cannot ask systemd for its scope: %s", strerror(-r));
}

static void prepare_and_launch(Session *s) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        _cleanup_strv_free_ char **words = NULL, **argv = NULL;
        int r;

        r = run_line_from_settings(s->config.settings, s->recorder.unit_group, &words, &d);
        if (r < 0) {
                sentence = diagnosis_format(&d);
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, r == -EINVAL ? -EBADMSG : r, "%s", sentence ?: strerror(-r));
                return;
        }
        r = build_argv(s, words, &argv);
        if (r < 0)
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, r, "no memory");
        else if (s->host->calls->sum(session_n_processes, s, s->host->userdata) < s->host->settings.max_sessions)
                launch(s, argv);
        else {
                s->restart.stop_asked = true; /* only an administrator can change this; a retry would fail the same way */
                recorder_end(&s->recorder, SESSION_RESULT_RESOURCES, -EMFILE,
                             "as many sessions run as MaxSessions= allows: stop one, or raise it in perf-recorderd.conf");
        }
}

static void on_control_group(int error, const char *text, void *userdata);

/* Recording begins when the unit runs: callers of Start need not wait for that. */
static void wait_for_unit(Session *s, const char *why) {
        int r;

        session_drop_useless_rings(s);
        r = scope_await_unit(s->host->scopes, s->config.settings->record.unit, on_control_group, s, &s->recorder.scope.request);
        if (r < 0) {
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, r, "cannot ask systemd about %s: %s",
                              s->config.settings->record.unit, strerror(-r));
                return;
        }
        session_set_error(s, why);
        recorder_set_phase(&s->recorder, PHASE_WAIT, 0);
        session_log(s, LOG_INFO, PR_MESSAGE_SESSION_WAITING_FOR_UNIT, "Waiting: %s", why);
        gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
}

/* A recorder goes on when its unit stops, and so does the successor of one that died: it is started for the unit's previous
 * group, to dump what is in the rings at once. */
static bool takes_over_from_group(const Session *s) {
        return s->recorder.unit_group && ring_keeper_has_left(&s->rings) && session_can_give_rings(s);
}

static void on_control_group(int error, const char *text, void *userdata) {
        Session *s = userdata;

        s->recorder.scope.request = NULL;
        s->recorder.timer = sd_event_source_disable_unref(s->recorder.timer);
        if ((error == -ESRCH || error == -ENOENT) && takes_over_from_group(s))
                prepare_and_launch(s);
        else if ((error == -ESRCH || (error == -ENOENT && !session_is_made_up(s))) && !s->config.transient)
                wait_for_unit(s, text);
        else if (error < 0)
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, error, "%s", text);
        else if (free_and_strdup(&s->recorder.unit_group, text + strspn(text, "/")) < 0)
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, -ENOMEM, "no memory");
        else
                prepare_and_launch(s);
}

static void look_up_unit(Session *s) {
        int r;

        recorder_set_phase(&s->recorder, PHASE_LOOKUP, 0);
        r = scope_find_control_group(s->host->scopes, s->config.settings->record.unit, on_control_group, s,
                                     &s->recorder.scope.request);
        if (r >= 0)
                r = recorder_limit_start(&s->recorder);
        if (r < 0)
                recorder_fail(&s->recorder, SESSION_RESULT_RESOURCES, r, "cannot ask systemd about %s: %s",
                              s->config.settings->record.unit, strerror(-r));
}

/* From PHASE_NONE or PHASE_DELAY. Invariant: there are settings, and they stay as long as the session is active, see
 * session_show_bad_file(). */
void session_begin_start(Session *s, bool again) {
        const char *unit = s->config.settings->record.unit;
        _cleanup_free_ char *sentence = NULL;

        s->delay = sd_event_source_disable_unref(s->delay);
        s->restart.stop_asked = s->restart.start_again = s->restart.outdated = false;
        s->rings.refused = false;
        s->entry.pid = 0; /* the number may be given away again */
        recorder_reset(&s->recorder);
        if (!restart_policy_allows_start(&s->restart, s->config.settings)) {
                sentence = format_text("it was started too often in a short time; the last time: %s",
                                       s->error ?: "it ended without an error");
                recorder_end(&s->recorder, SESSION_RESULT_START_LIMIT_HIT, 0, sentence);
                return;
        }
        if (again && s->restart.n_tries <= 1) /* a reason that lasts is in the journal once */
                session_log(s, LOG_INFO, PR_MESSAGE_SESSION_RESTARTED, "Starting it again, restart %u",
                            s->restart.n_restarts);
        if (unit && !s->config.settings->run && !unit_name_is_pattern(unit)) /* the recorder finds those of a pattern */
                look_up_unit(s);
        else
                prepare_and_launch(s);
}

void session_start_unasked(Session *s, bool wanted, Gather *g) {
        if (s->config.settings && !session_is_active(s) && (wanted || s->config.enabled))
                session_start(s, g);
}

void session_start(Session *s, Gather *g) {
        session_note_caller(s);
        gather_list_join(&s->start_waiters, g);
        if (!s->config.settings)
                gather_list_leave(&s->start_waiters, FAILURE_BAD_SETTING, s->error ?: "");
        else if (s->recorder.phase == PHASE_UP || s->recorder.phase == PHASE_WAIT)
                gather_list_leave(&s->start_waiters, FAILURE_NONE, NULL);
        else if (s->recorder.phase == PHASE_TERM || s->recorder.phase == PHASE_KILL)
                s->restart.start_again = true;
        else if (s->recorder.phase == PHASE_NONE || s->recorder.phase == PHASE_DELAY) {
                restart_policy_reset(&s->restart);
                session_begin_start(s, false);
        }
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The one object that knows all sessions. It makes what they share, starts the enabled ones, watches their files, and
 * passes on what they report. The other files of this folder use it, but call nothing here except manager_catch_up(). */

#include <systemd/sd-daemon.h>

#include "defer.h"
#include "fd-file.h"
#include "format-text.h"
#include "manager-parts.h"
#include "spawn.h"

#define STOP_SILENCE_USEC (15 * USEC_PER_SEC)
#define REACH_INTERVAL_USEC (90 * USEC_PER_SEC)
#define REACH_ACCURACY_USEC (30 * USEC_PER_SEC)

#ifndef PR_WORKER_PATH
#define PR_WORKER_PATH "/usr/lib/perf-recorder/perf-recorder-worker"
#endif

const Sessions *manager_sessions(Manager *m) {
        return &m->sessions;
}

DumpStore *manager_dumps(Manager *m) {
        return m->host.dumps;
}

size_t manager_n_running(Manager *m) {
        return sessions_sum(&m->sessions, session_n_processes, NULL);
}

const char *manager_base_directory(Manager *m) {
        return m->host.base.path;
}

usec_t manager_start_timestamp(Manager *m) {
        return m->host.start_timestamp;
}

uint64_t manager_locked_memory(Manager *m) {
        return sessions_sum(&m->sessions, session_ring_bytes, NULL);
}

void manager_set_caller(Manager *m, const Caller *caller) {
        m->host.caller = caller;
}

void manager_set_observer(Manager *m, const ManagerObserver *observer) {
        m->observer = *observer;
}

static void on_added(Session *s, void *userdata) {
        Manager *m = userdata;

        if (m->observer.session_new)
                m->observer.session_new(s, m->observer.userdata);
        manager_status_later(m);
}

static void on_removed(Session *s, void *userdata) {
        Manager *m = userdata;

        if (m->observer.session_removed)
                m->observer.session_removed(s, m->observer.userdata);
        reservations_look_later(m->reservations);
        manager_status_later(m);
        manager_retain_later(m);
}

char *manager_unit_of(Manager *m, const char *name, char *const *assignments) {
        _cleanup_(session_settings_freep) SessionSettings *settings = NULL;
        _cleanup_(session_file_freep) SessionFile *file = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        const Session *s = sessions_find(&m->sessions, name);
        const SessionSettings *shown;

        if (assignments) /* invalid ones are refused later */
                (void) session_settings_from_assignments(assignments, &settings, &d);
        else if (!s)
                (void) session_file_load(&m->path, name, &file);
        shown = assignments ? settings : s ? session_view(s).settings : file ? file->settings : NULL;
        return strdup(shown && shown->record.unit ? shown->record.unit : "");
}

static void on_changed(Session *s, SessionChange mask, void *userdata) {
        Manager *m = userdata;

        if (m->observer.session_changed)
                m->observer.session_changed(s, mask, m->observer.userdata);
        if (mask & (SESSION_CHANGE_STATE | SESSION_CHANGE_SETTINGS))
                conditions_update_later(m->conditions);
        reservations_look_later(m->reservations);
        manager_status_later(m);
}

static void on_left(void *userdata) {
        Manager *m = userdata;

        sessions_sweep_later(&m->sessions);
}

static void on_files_changed(void *userdata) {
        manager_retain_later(userdata);
}

static int on_reach(sd_event_source *source, uint64_t usec, void *userdata) {
        Manager *m = userdata;
        bool more = false;

        for (size_t i = 0; i < m->sessions.n; i++)
                more = session_note_reach(m->sessions.all[i]) || more;
        if (more)
                defer_for(m->host.event, &m->reach, REACH_INTERVAL_USEC, REACH_ACCURACY_USEC, on_reach, m);
        return 0;
}

/* The timer runs only while it is needed. */
static void on_rings_kept(void *userdata) {
        Manager *m = userdata;

        if (!m->reach || sd_event_source_get_enabled(m->reach, NULL) == 0)
                defer_for(m->host.event, &m->reach, REACH_INTERVAL_USEC, REACH_ACCURACY_USEC, on_reach, m);
}

static void on_lent(void *userdata) {
        const Manager *m = userdata;

        reservations_look_later(m->reservations);
}

static Session *on_find(const char *name, void *userdata) {
        const Manager *m = userdata;

        return sessions_find(&m->sessions, name);
}

static uint64_t on_sum(SessionFigure figure, const Session *but, void *userdata) {
        const Manager *m = userdata;

        return sessions_sum(&m->sessions, figure, but);
}

static const SessionHostCalls host_calls = {
        .changed = on_changed,
        .left = on_left,
        .files_changed = on_files_changed,
        .rings_kept = on_rings_kept,
        .lent = on_lent,
        .find = on_find,
        .sum = on_sum,
};

static int load_settings(Manager *m) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        int r;

        r = daemon_settings_load(m->user, &m->host.settings, &d);
        if (r < 0) {
                sentence = diagnosis_format(&d);
                journal_log(LOG_ERR, "Cannot read perf-recorderd.conf: %s", sentence && *sentence ? sentence : strerror(-r));
                return r;
        }
        STRV_FOREACH(warning, m->host.settings.warnings)
                journal_log(LOG_WARNING, "%s", *warning);
        return 0;
}

static int load_sessions(Manager *m) {
        SessionFiles files;
        int r;

        r = session_files_load(&m->path, &files);
        if (r < 0) {
                journal_log(LOG_ERR, "Cannot read the session directories: %s", strerror(-r));
                return r;
        }
        manager_take_misnamed(m, &files);
        for (size_t i = 0; r >= 0 && i < files.n_files; i++) {
                Session *s;

                r = sessions_add_file(&m->sessions, steal_ptr(files.files[i]), &s);
        }
        session_files_done(&files);
        return r;
}

static int open_shared(Manager *m) {
        int r;

        r = output_tails_new(m->host.event, &m->host.tails);
        if (r < 0)
                return r;
        r = search_path_init(&m->path, m->user);
        if (r >= 0)
                r = free_and_strdup(&m->path.perf_config, m->host.settings.perf_config);
        if (r < 0)
                journal_log(LOG_ERR, "Cannot find the directories of session files: %s", strerror(-r));
        return r < 0 ? r : scope_client_new(m->host.event, m->user, &m->host.scopes);
}

static int fill(Manager *m, const ManagerOptions *o) {
        int r, stored_fd = -EBADF, trigger_fd = -EBADF;

        r = load_settings(m);
        if (r >= 0)
                r = manager_take_base(m, o->base_directory);
        if (r >= 0)
                r = open_shared(m);
        if (r >= 0)
                r = load_sessions(m);
        if (r >= 0)
                r = manager_read_dumps(m);
        if (r >= 0)
                r = control_acks_new(m->host.event, &m->host.acks);
        if (r >= 0)
                r = reservations_new(m, o->proof, &m->reservations);
        if (r >= 0)
                r = manager_restore(m, &stored_fd, &trigger_fd);
        if (r >= 0)
                r = manager_open_notify(m, o->base_directory, stored_fd);
        if (r >= 0)
                r = conditions_new(m, trigger_fd, &m->conditions);
        return r < 0 ? r : manager_handle_signals(m);
}

int manager_new(sd_event *event, const ManagerOptions *o, Manager **ret) {
        _cleanup_(manager_freep) Manager *m = NULL;
        int r;

        m = calloc(1, sizeof(Manager));
        if (!m)
                return -ENOMEM;
        *m = (Manager){
                .host = {
                        .event = sd_event_ref(event),
                        .base = BASE_DIRECTORY_EMPTY,
                        .worker = strdup(getenv("PERF_RECORDER_WORKER") ?: PR_WORKER_PATH),
                        .start_timestamp = now_usec(CLOCK_REALTIME),
                        .stop_silence = STOP_SILENCE_USEC,
                        .calls = &host_calls,
                        .userdata = m,
                },
                .user = o->user,
                .sessions = { .host = &m->host, .path = &m->path, .added = on_added, .removed = on_removed, .userdata = m },
        };
        if (!m->host.worker)
                return -ENOMEM;
        spawn_init();
        r = fill(m, o);
        if (r < 0)
                return r;
        *ret = steal_ptr(m);
        return 0;
}

static void files_changed(void *userdata) {
        manager_reload(userdata, NULL, NULL);
}

void manager_catch_up(Manager *m) {
        if (m->watch)
                session_watch_catch_up(m->watch);
}

/* strerror(3) describes these limits as those of files. */
static const char *explain_watch_error(int error) {
        switch (error) {
        case -EMFILE:
                return "there are too many users of inotify(7) (fs.inotify.max_user_instances)";
        case -ENOSPC:
                return "there are too many watches of inotify(7) (fs.inotify.max_user_watches)";
        default:
                return strerror(-error);
        }
}

static void watch_files(Manager *m) {
        _cleanup_strv_free_ char **settings = NULL;
        int r = daemon_settings_roots(m->user, &settings);

        if (r >= 0)
                r = session_watch_new(m->host.event, &m->path, settings, files_changed, m, &m->watch);
        if (r < 0)
                journal_log(LOG_WARNING, "Changes of session files are not noticed, run `perfctl reload' after a change: %s",
                            explain_watch_error(r));
}

int manager_begin(Manager *m) {
        for (size_t i = 0; !m->end_signal && i < m->sessions.n; i++)
                session_continue(m->sessions.all[i]);
        watch_files(m);
        (void) sd_event_set_watchdog(m->host.event, true);
        (void) sd_notify(false, "READY=1");
        manager_status_later(m);
        manager_retain_later(m);
        if (m->end_signal)
                manager_terminate(m, m->end_signal);
        return 0;
}

Manager *manager_free(Manager *m) {
        if (!m)
                return NULL;
        adoption_free(m->adoption);
        scope_request_free(m->own_job);
        scope_request_free(m->base_request);
        gather_list_leave(&m->base_waiters, FAILURE_OTHER, "the daemon is ending");
        conditions_free(m->conditions);
        session_watch_free(m->watch);
        sd_event_source_disable_unref(m->retention);
        sd_event_source_disable_unref(m->retention_timer);
        sd_event_source_disable_unref(m->reach);
        manager_cancel_on_dump(m);
        unusual_run_free(m->followers.unusual);
        dump_store_free(m->host.dumps);
        m->reservations = reservations_free(m->reservations);
        sessions_done(&m->sessions);
        control_acks_free(m->host.acks);
        notify_socket_free(m->host.notify);
        output_tails_free(m->host.tails);
        scope_client_free(m->host.scopes);
        sd_event_source_disable_unref(m->status);
        sd_event_source_disable_unref(m->end_timer);
        for (size_t i = 0; i < N_SIGNALS; i++)
                sd_event_source_disable_unref(m->signals[i]);
        search_path_done(&m->path);
        daemon_settings_done(&m->host.settings);
        strv_free(m->misnamed);
        journal_set_copy(-EBADF);
        base_directory_done(&m->host.base);
        sd_event_unref(m->host.event);
        free(m->host.worker);
        free(m);
        return NULL;
}

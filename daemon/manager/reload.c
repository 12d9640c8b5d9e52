/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads the files again and makes the sessions follow: those whose own settings changed are restarted if they run, new
 * ones that are enabled are started, those whose files are gone are stopped and removed. A session whose file turned bad
 * goes on with its old settings. Reading and comparing is done in one go; the restarts take their time, and reloads
 * that come meanwhile are reloads of their own. */

#include <systemd/sd-daemon.h>

#include "manager-parts.h"

#define ROWS_MAX 65536

typedef struct Reload {
        Manager *manager;
        Gather *gather;
        ReloadDone done;
        void *userdata;
        ReloadRow *rows; /* the gather has their names */
        size_t n_rows;
} Reload;

static Reload *reload_free(Reload *r) {
        if (!r)
                return NULL;
        free(r->rows);
        free(r);
        return NULL;
}
DEFINE_CLEANUP(Reload *, reload_free);

/* A row without memory is left out: the reload itself goes on. */
static void put_row(Reload *r, const char *shown, const char *change) {
        const char *name;
        ReloadRow *rows;

        rows = r->n_rows < ROWS_MAX ? reallocarray(r->rows, r->n_rows + 1, sizeof(ReloadRow)) : NULL;
        if (!rows)
                return;
        r->rows = rows;
        name = gather_keep(r->gather, shown);
        if (name)
                rows[r->n_rows++] = (ReloadRow){ .name = name, .change = change };
}

static void add_row(Reload *r, const Session *s, const char *change) {
        JournalSession j = session_journal(s);

        journal_log_session(&j, LOG_INFO, NULL, "Session file: %s", change);
        put_row(r, s->name, change);
}

static int take_new_file(Reload *r, SessionFile *f) {
        SessionUpdate update;
        Session *s;
        int k;

        k = manager_add_session(r->manager, f->name, &s);
        if (k < 0) {
                session_file_free(f);
                return k;
        }
        k = session_set_file(s, f, &update);
        if (k < 0) {
                s->gone = true;
                return k;
        }
        manager_announce_session(r->manager, s);
        s->config.listed = true;
        add_row(r, s, s->config.settings ? "added" : "bad-setting");
        if (s->config.enabled && s->config.settings)
                session_start(s, r->gather);
        return 0;
}

/* A stopped session stays so; one that could not run because of its file, or failed with what it said, is started as a new one
 * is. A change that is of no concern to a recorder neither restarts nor starts one. */
static int take_known_file(Reload *r, Session *s, SessionFile *f) {
        bool was_bad = !s->config.settings, was_doomed = s->doomed;
        bool has_failed = !session_is_active(s) && s->result != SESSION_RESULT_SUCCESS;
        SessionUpdate update;
        int k;

        s->config.listed = true;
        s->doomed = false;
        k = session_set_file(s, f, &update);
        if (k < 0)
                return k;
        if (update == SESSION_SAME && !was_doomed)
                return 0;
        if (update == SESSION_MENDED) {
                manager_session_changed(r->manager, s, SESSION_CHANGE_STATE);
                return 0;
        }
        add_row(r, s, update == SESSION_TURNED_BAD ? "bad-setting" : was_doomed ? "added" : "changed");
        manager_session_changed(r->manager, s, SESSION_CHANGE_SETTINGS | SESSION_CHANGE_STATE);
        if (!s->config.settings || update == SESSION_TURNED_BAD || (update == SESSION_RETAINED && !was_doomed))
                return 0;
        if (session_is_active(s)) {
                s->restart.stop_reason = "restarted for changed settings";
                session_restart(s, r->gather);
                s->restart.stop_reason = NULL;
        } else if (has_failed || ((was_bad || was_doomed) && s->config.enabled))
                session_start(s, r->gather);
        return 0;
}

static int take_file(Reload *r, SessionFile *f) {
        Session *s = manager_find_session(r->manager, f->name);

        if (!s)
                return take_new_file(r, f);
        if (!s->config.transient)
                return take_known_file(r, s, f);
        session_file_free(f); /* it is looked at again when the transient one is gone */
        return 0;
}

static void remove_session(Reload *r, Session *s, const char *change) {
        add_row(r, s, change);
        s->doomed = true;
        if (session_is_active(s)) {
                s->restart.stop_reason = "its session file was removed or masked";
                session_stop(s, r->gather);
                s->restart.stop_reason = NULL;
                return;
        }
        s->gone = true;
        session_forget(s);
        manager_sweep_later(r->manager);
}

/* Not listed: an instance that was started by name, or one whose file is gone. */
static int look_for_file(Reload *r, Session *s) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int k;

        k = session_file_load(&r->manager->path, s->name, &f);
        if (k >= 0 && (session_is_active(s) || (s->result != SESSION_RESULT_SUCCESS && !session_is_made_up(s))))
                return take_known_file(r, s, steal_ptr(f));
        if (k >= 0 || k == -ENOENT || k == -ERFKILL || k == -EINVAL) {
                remove_session(r, s, k == -ERFKILL ? "masked" : "removed");
                return 0;
        }
        return k;
}

static int apply(Reload *r, SessionFiles *files) {
        Manager *m = r->manager;
        int k = 0;

        for (size_t i = 0; i < m->sessions.n; i++)
                m->sessions.all[i]->config.listed = false;
        for (size_t i = 0; k >= 0 && i < files->n_files; i++)
                k = take_file(r, steal_ptr(files->files[i]));
        for (size_t i = 0; k >= 0 && i < m->sessions.n; i++) { /* nothing is freed before the sweep */
                Session *s = m->sessions.all[i];

                if (!s->config.listed && !s->config.transient && !s->doomed && !s->gone)
                        k = look_for_file(r, s);
        }
        return k;
}

void manager_take_misnamed(Manager *m, SessionFiles *files) {
        STRV_FOREACH(warning, files->warnings)
                journal_log(LOG_WARNING, "%s", *warning);
        STRV_FOREACH(path, files->misnamed)
                if (!strv_contains(m->misnamed, *path))
                        journal_log(LOG_WARNING, "%s: " SESSION_FILE_MISNAMED "; it is ignored", *path);
        strv_free(m->misnamed);
        m->misnamed = steal_ptr(files->misnamed);
}

/* Their rows have a path instead of a session's name, and are there as long as the files are. */
static void report_misnamed(Reload *r, SessionFiles *files) {
        manager_take_misnamed(r->manager, files);
        STRV_FOREACH(path, r->manager->misnamed)
                put_row(r, *path, "bad-name");
}

static void reload_settings(Manager *m) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        DaemonSettings settings = {};

        if (daemon_settings_load(m->user, &settings, &d) < 0) {
                sentence = diagnosis_format(&d);
                journal_log(LOG_ERR, "The daemon's settings stay as they were: %s", sentence ?: "no memory");
                return;
        }
        STRV_FOREACH(warning, settings.warnings)
                journal_log(LOG_WARNING, "%s", *warning);
        if (!streq(settings.base_directory, m->host.settings.base_directory))
                journal_log(LOG_WARNING, "BaseDirectory= is used from the next start of the daemon on");
        daemon_settings_done(&m->host.settings);
        m->host.settings = settings;
        if (streq_ptr(m->path.perf_config, settings.perf_config) || manager_set_perf_config(m) < 0)
                return;
        manager_watch_files(m);
}

static int read_again(Reload *r) {
        SessionFiles files = {};
        int k;

        manager_sweep(r->manager);
        reload_settings(r->manager);
        k = session_files_load(&r->manager->path, &files);
        if (k >= 0)
                report_misnamed(r, &files);
        if (k >= 0)
                k = apply(r, &files);
        session_files_done(&files);
        manager_retain_later(r->manager);
        return k;
}

/* A session that does not start again is its own business: what was read is in force. */
static void on_restarted(Failure failure, const char *sentence, void *userdata) {
        _cleanup_(reload_freep) Reload *r = userdata;

        r->done(FAILURE_NONE, NULL, r->rows, r->n_rows, r->userdata);
}

static void tell_reloading(Manager *m, bool active) {
        if (active)
                (void) sd_notifyf(false, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, now_usec(CLOCK_MONOTONIC));
        else
                (void) sd_notify(false, "READY=1");
        if (m->observer.reloading)
                m->observer.reloading(active, m->observer.userdata);
}

void manager_reload(Manager *m, ReloadDone done, void *userdata) {
        Reload *r = NULL;
        Gather *g;
        int k;

        r = calloc(1, sizeof(Reload));
        if (!r || gather_new(on_restarted, r, &r->gather) < 0) {
                free(r);
                done(FAILURE_NO_MEMORY, NULL, NULL, 0, userdata);
                return;
        }
        r->manager = m;
        r->done = done;
        r->userdata = userdata;
        g = r->gather;
        if (m->host.caller)
                journal_log(LOG_INFO, "Reading the session files again, asked by %s", m->host.caller->text);
        tell_reloading(m, true);
        k = m->host.exiting ? 0 : read_again(r);
        if (k < 0)
                journal_log(LOG_ERR, "Cannot read the session files again: %s", strerror(-k));
        tell_reloading(m, false);
        gather_seal(g);
}

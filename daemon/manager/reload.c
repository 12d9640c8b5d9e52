/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads the files again and applies the changes: sessions whose own settings changed are restarted if they run, new
 * ones that are enabled are started, those whose files are gone are stopped and removed. A session with an invalid
 * file goes on with its old settings. Reading and comparing is done at once; the restarts take their time, and a
 * reload in the meantime is one of its own. The reload fails, with a sentence for each, if a session has an invalid
 * file, now or since earlier, does not record again, or loses what it had in memory; everything that was read is in
 * force nevertheless. */

#include <systemd/sd-daemon.h>

#include "array.h"
#include "format-text.h"
#include "manager-parts.h"

#define ROWS_MAX 65536

typedef struct Reload {
        Manager *manager;
        Gather *gather;
        ReloadDone done;
        void *userdata;
        ReloadRow *rows; /* the gather owns their names */
        size_t n_rows;
        Failure failure; /* the first failure of the reading itself; the reload goes on */
        char *sentence;
} Reload;

static Reload *reload_free(Reload *r) {
        if (!r)
                return NULL;
        free(r->rows);
        free(r->sentence);
        free(r);
        return NULL;
}
DEFINE_CLEANUP(Reload *, reload_free);

static void note_failure(Reload *r, Failure failure, const char *what, const char *why) {
        journal_log(LOG_ERR, "%s: %s", what, why);
        if (r->failure)
                return;
        r->failure = failure;
        r->sentence = format_text("%s: %s", what, why);
}

/* Without memory a row is left out, and the reload goes on. */
static void put_row(Reload *r, const char *shown, const char *change) {
        const char *name;

        if (r->n_rows >= ROWS_MAX || ARRAY_RESERVE_NEXT(r->rows, r->n_rows) < 0)
                return;
        name = gather_keep(r->gather, shown);
        if (name)
                r->rows[r->n_rows++] = (ReloadRow){ .name = name, .change = change };
}

/* NULL: there was no memory for the part, and nothing waits for the session. */
static void seal_part(Gather *g) {
        if (g)
                gather_seal(g);
}

static int take_new_file(Reload *r, SessionFile *f) {
        const char *change;
        Session *s;
        Gather *g;
        int k;

        k = sessions_add_file(&r->manager->sessions, f, &s);
        if (k < 0)
                return k;
        change = session_view(s).settings ? "added" : "bad-setting";
        session_log_change(s, change);
        put_row(r, session_name(s), change);
        g = gather_part(r->gather, session_name(s));
        session_start_unasked(s, false, g);
        seal_part(g);
        return 0;
}

static int take_known_file(Reload *r, Session *s, SessionFile *f) {
        Gather *g = gather_part(r->gather, session_name(s));
        const char *change;
        int k = session_follow_file(s, f, g, &change);

        seal_part(g);
        if (k >= 0 && change)
                put_row(r, session_name(s), change);
        return k;
}

static int take_file(Reload *r, SessionFile *f) {
        Session *s = sessions_find(&r->manager->sessions, f->name);

        if (!s)
                return take_new_file(r, f);
        if (!session_view(s).is_transient)
                return take_known_file(r, s, f);
        session_file_free(f); /* it is read again when the transient session is gone */
        return 0;
}

/* For a session that is not listed: an instance that was started by name, or one whose file is gone. */
static int look_for_file(Reload *r, Session *s) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        const SessionView v = session_view(s);
        const char *change;
        Gather *g;
        int k;

        k = session_file_load(&r->manager->path, session_name(s), &f);
        if (k >= 0 && (session_is_active(s) || (v.result != SESSION_RESULT_SUCCESS && !v.is_made_up)))
                return take_known_file(r, s, steal_ptr(f));
        if (k < 0 && k != -ENOENT && k != -EINVAL && failure_of(k) != FAILURE_MASKED)
                return k;
        change = failure_of(k) == FAILURE_MASKED ? "masked" : "removed";
        g = gather_part(r->gather, session_name(s));
        session_remove(s, change, g);
        seal_part(g);
        put_row(r, session_name(s), change);
        return 0;
}

static bool is_listed(const SessionFiles *files, const char *name) {
        size_t i = LOWER_BOUND(files->n_files, k, strcmp(files->files[k]->name, name) < 0);

        return i < files->n_files && streq(files->files[i]->name, name);
}

static int apply(Reload *r, SessionFiles *files) {
        Sessions *all = &r->manager->sessions;
        _cleanup_free_ Session **unlisted = calloc(all->n + 1, sizeof(Session *)); /* sessions are freed by the sweep only */
        size_t n = 0;
        int k = 0;

        if (!unlisted)
                return -ENOMEM;
        for (size_t i = 0; i < all->n; i++)
                if (!is_listed(files, session_name(all->all[i])))
                        unlisted[n++] = all->all[i];
        for (size_t i = 0; k >= 0 && i < files->n_files; i++)
                k = take_file(r, steal_ptr(files->files[i]));
        for (size_t i = 0; k >= 0 && i < n; i++) {
                const SessionView v = session_view(unlisted[i]);

                if (!v.is_transient && !v.is_leaving)
                        k = look_for_file(r, unlisted[i]);
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

/* The settings stay, but the next daemon would not start with these files, so the error is shown until they are
 * valid. */
static void reject_settings(Reload *r, int error, const Diagnosis *d) {
        _cleanup_free_ char *sentence = d->sentence ? diagnosis_format(d) : strdup(strerror(-error));
        Manager *m = r->manager;

        note_failure(r, d->sentence ? FAILURE_BAD_SETTING : failure_of(error), "The daemon's settings stay as they were",
                     sentence ?: strerror(-error));
        if (sentence) {
                free(m->host.settings.error);
                m->host.settings.error = steal_ptr(sentence);
        }
}

static void report_settings(Reload *r, const DaemonSettings *settings) {
        const Manager *m = r->manager;

        STRV_FOREACH(warning, settings->warnings) {
                journal_log(LOG_WARNING, "%s", *warning);
                put_row(r, *warning, "warning");
        }
        if (!streq(settings->base_directory, m->host.settings.base_directory))
                journal_log(LOG_WARNING, "BaseDirectory= is in force after the next start of the daemon");
        if (m->host.settings.error)
                journal_log(LOG_INFO, "The daemon's settings are accepted again");
        if (!daemon_settings_equal(settings, &m->host.settings)) {
                journal_log(LOG_INFO, "The daemon's settings changed");
                put_row(r, DAEMON_SETTINGS_NAME, "changed");
        }
}

static void reload_settings(Reload *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        DaemonSettings settings = {};
        Manager *m = r->manager;
        int k = daemon_settings_load(m->user, &settings, &d);

        manager_status_later(m);
        if (k < 0) {
                reject_settings(r, k, &d);
                return;
        }
        report_settings(r, &settings);
        daemon_settings_done(&m->host.settings);
        m->host.settings = settings;
        if (streq_ptr(m->path.perf_config, settings.perf_config) ||
            free_and_strdup(&m->path.perf_config, settings.perf_config) < 0 || !m->watch)
                return;
        k = session_watch_set_perf_config(m->watch, settings.perf_config);
        if (k < 0)
                journal_log(LOG_WARNING, "Changes of %s are not noticed: %s", settings.perf_config ?: "", strerror(-k));
}

/* Not only the sessions with a row: the daemon may have noticed a change before the reload. */
static void report_bad_files(Reload *r) {
        const Sessions *all = &r->manager->sessions;

        for (size_t i = 0; i < all->n; i++) {
                const SessionView v = session_view(all->all[i]);
                Gather *g = NULL;

                if (v.has_bad_file && !v.is_leaving)
                        g = gather_part(r->gather, session_name(all->all[i]));
                if (!g)
                        continue;
                gather_join(g);
                gather_leave(g, FAILURE_BAD_SETTING, v.error);
                gather_seal(g);
        }
}

static int read_again(Reload *r) {
        Gather *g = gather_part(r->gather, NULL);
        SessionFiles files = {};
        int k;

        manager_make_base_again(r->manager, g);
        seal_part(g);
        sessions_sweep(&r->manager->sessions);
        reload_settings(r);
        k = session_files_load(&r->manager->path, &files);
        if (k >= 0) {
                manager_take_misnamed(r->manager, &files);
                STRV_FOREACH(path, r->manager->misnamed)
                        put_row(r, *path, "bad-name");
                k = apply(r, &files);
        }
        session_files_done(&files);
        report_bad_files(r);
        manager_retain_later(r->manager);
        return k;
}

/* A failure is returned instead of the rows, so it lists the misnamed files too. */
static char *explain_failure(const Reload *r, Failure failure, const char *sentence) {
        _cleanup_strv_free_ char **lines = NULL;
        int k = r->failure ? strv_extend(&lines, r->sentence ?: failure_sentence(r->failure)) : 0;

        if (k >= 0 && failure)
                k = strv_extend(&lines, sentence);
        STRV_FOREACH(path, r->manager->misnamed)
                if (k >= 0)
                        k = strv_extendf(&lines, "%s: " SESSION_FILE_MISNAMED "; it is ignored", *path);
        return k < 0 ? NULL : strv_join(lines, "\n");
}

static void on_restarted(Failure failure, const char *sentence, void *userdata) {
        _cleanup_(reload_freep) Reload *r = userdata;
        _cleanup_free_ char *all = NULL;

        if (!r->done)
                return;
        if (r->failure || failure)
                all = explain_failure(r, failure, sentence);
        r->done(r->failure ?: failure, all ?: sentence, r->rows, r->n_rows, r->userdata);
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
                if (done)
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
                note_failure(r, failure_of(k), "Cannot read the session files again", strerror(-k));
        tell_reloading(m, false);
        gather_seal(g);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Enabling and disabling: files are written (lib/session/enablement.c) and read again, and with "now" the sessions
 * are started or stopped. A session that is enabled is loaded before its file exists, so that the reload does not
 * take it for a new one and start it. */

#include "format-text.h"
#include "manager-parts.h"

typedef struct Enabling {
        EnableDone done;
        void *userdata;
        FileChanges changes;
} Enabling;

static void enabling_end(Enabling *e, Failure failure, const char *sentence) {
        e->done(failure, sentence, &e->changes, e->userdata);
        file_changes_done(&e->changes);
        free(e);
}

static void on_now_done(Failure failure, const char *sentence, void *userdata) {
        enabling_end(userdata, failure, sentence);
}

static char *explain(Manager *m, const char *name, int error, const Diagnosis *d) {
        _cleanup_free_ char *why = NULL;

        if (error == -ENOENT || failure_of(error) == FAILURE_MASKED)
                return sessions_explain_missing(&m->sessions, name);
        why = diagnosis_format(d);
        return format_text("%s: %s", name, why && *why ? why : strerror(-error));
}

static Failure write_files(Manager *m, char *const *names, bool enable, FileChanges *changes, char **ret_sentence) {
        STRV_FOREACH(name, names) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                int r = enablement_set(&m->path, *name, enable, changes, &d);

                if (r >= 0)
                        continue;
                *ret_sentence = explain(m, *name, r, &d);
                if (r == -ENOENT)
                        return FAILURE_NO_SUCH_SESSION;
                /* EACCES and EPERM are about the daemon's own permission to write: the caller was authorized. */
                return r == -EACCES || r == -EPERM ? FAILURE_OTHER : failure_of(r);
        }
        return FAILURE_NONE;
}

static void apply_now(Manager *m, char *const *names, bool enable, Enabling *e) {
        _cleanup_strv_free_ char **loaded = NULL;

        int r = 0;

        if (enable) {
                manager_start(m, names, on_now_done, e);
                return;
        }
        STRV_FOREACH(name, names)
                if (r >= 0 && sessions_find(&m->sessions, *name)) /* one that is not loaded cannot be running */
                        r = strv_extend(&loaded, *name);
        if (r < 0)
                enabling_end(e, FAILURE_NO_MEMORY, NULL);
        else if (!loaded) /* manager_stop() takes no names for all sessions */
                enabling_end(e, FAILURE_NONE, NULL);
        else
                manager_stop(m, loaded, on_now_done, e);
}

static bool is_any(const Session *s) {
        return true;
}

void manager_enable(Manager *m, char *const *names, bool enable, bool now, EnableDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        Enabling *e = calloc(1, sizeof(Enabling));
        Failure failure = FAILURE_NONE;

        if (!e) {
                done(FAILURE_NO_MEMORY, NULL, &(FileChanges) {}, userdata);
                return;
        }
        *e = (Enabling) { .done = done, .userdata = userdata };
        if (enable)
                failure = sessions_select(&m->sessions, names, true, is_any, &l, &sentence);
        if (failure)
                session_list_drop_idle(&l);
        if (!failure)
                failure = write_files(m, names, enable, &e->changes, &sentence);
        for (size_t i = 0; i < e->changes.n; i++) {
                const FileChange *c = &e->changes.changes[i];

                journal_log(LOG_INFO, "%s %s%s%s%s%s", c->created ? "Created" : "Removed", c->path, c->target ? " -> " : "",
                            c->target ?: "", m->host.caller ? ", asked by " : "", m->host.caller ? m->host.caller->text : "");
        }
        if (e->changes.n > 0 && m->watch)
                manager_catch_up(m);
        else if (e->changes.n > 0)
                manager_reload(m, NULL, NULL);
        if (failure || !now)
                enabling_end(e, failure, sentence);
        else
                apply_now(m, names, enable, e);
}

const char *manager_file_state(Manager *m, const char *name) {
        const Session *s = sessions_find(&m->sessions, name);
        FileState state;

        if (file_state_get(&m->path, name, &state) >= 0)
                return file_state_to_string(state);
        return s && session_view(s).is_transient ? "transient" : NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The sessions are an array sorted by name, which only this file knows.
 *
 * Invariant: only sessions_add() and sessions_sweep() change it. Sessions end in their own callbacks, so they only
 * mark themselves as gone, and the sweep, which runs outside of their callbacks, frees them. */

#include "sessions.h"

#include "array.h"
#include "defer.h"
#include "format-text.h"
#include "session-name.h"

/* The index of the session of that name, or where it would be. */
static size_t find_place(const Sessions *l, const char *name) {
        return LOWER_BOUND(l->n, i, strcmp(session_name(l->all[i]), name) < 0);
}

Session *sessions_find(const Sessions *l, const char *name) {
        size_t i = find_place(l, name);

        return i < l->n && streq(session_name(l->all[i]), name) ? l->all[i] : NULL;
}

Session *sessions_find_process(const Sessions *l, pid_t pid) {
        for (size_t i = 0; i < l->n; i++)
                if (session_view(l->all[i]).main_pid == pid)
                        return l->all[i];
        return NULL;
}

int sessions_add(Sessions *l, Session *s) {
        size_t i = find_place(l, session_name(s));
        int r = sessions_find(l, session_name(s)) ? -EEXIST : ARRAY_RESERVE_NEXT(l->all, l->n);

        if (r < 0) {
                session_free(s);
                return r;
        }
        memmove(l->all + i + 1, l->all + i, (l->n - i) * sizeof(Session *));
        l->all[i] = s;
        l->n++;
        l->added(s, l->userdata);
        return 0;
}

int sessions_add_file(Sessions *l, SessionFile *file, Session **ret) {
        _cleanup_(session_file_freep) SessionFile *f = file;
        Session *s;
        int r;

        r = session_new(l->host, f->name, &s);
        if (r < 0)
                return r;
        r = session_set_file(s, steal_ptr(f));
        if (r < 0) {
                session_free(s);
                return r;
        }
        r = sessions_add(l, s);
        if (r < 0)
                return r;
        *ret = s;
        return 0;
}

bool sessions_have_room(const Sessions *l) {
        uid_t uid = l->host->caller ? l->host->caller->uid : UID_INVALID;
        size_t n_user = 0, n_all = 0;

        for (size_t i = 0; i < l->n; i++) {
                const SessionView v = session_view(l->all[i]);

                if (v.is_gone || !(v.is_transient || v.is_made_up))
                        continue;
                n_user += v.creator == uid;
                n_all++;
        }
        return n_all < l->host->settings.max_sessions &&
               (uid == 0 || uid == geteuid() || n_user < (l->host->settings.max_sessions + 1) / 2);
}

Failure sessions_load(Sessions *l, const char *name, Session **ret) {
        _cleanup_(session_file_freep) SessionFile *file = NULL;
        Session *s = sessions_find(l, name);
        int r;

        if (s && !session_view(s).is_gone) {
                *ret = s;
                return FAILURE_NONE;
        }
        r = session_file_load(l->path, name, &file);
        if (r < 0)
                return r == -ENOENT || r == -EINVAL ? FAILURE_NO_SUCH_SESSION : failure_of(r);
        sessions_sweep(l);
        if (session_name_is_made_up(name, file->fragment_path) && !sessions_have_room(l))
                return FAILURE_LIMIT;
        return failure_of(sessions_add_file(l, steal_ptr(file), ret));
}

char *sessions_explain_missing(const Sessions *l, const char *name) {
        _cleanup_(session_file_freep) SessionFile *file = NULL;
        _cleanup_free_ char *template = NULL, *mask = NULL;
        int r = session_file_load(l->path, name, &file);
        size_t index;

        if (r == -ERFKILL && session_file_find(l->path, name, &mask, &index) < 0 &&
            session_name_template(name, &template) >= 0)
                (void) session_file_find(l->path, template, &mask, &index);
        if (r >= 0)
                return format_text("The session '%s' was not started yet: start it first", name);
        if (mask)
                return format_text("The session '%s' is masked by %s: remove that file first", name, mask);
        return format_text("There is no session '%s': 'perfctl list' shows all", name);
}

void session_list_done(SessionList *l) {
        free(l->sessions);
        *l = (SessionList){};
}

void session_list_drop_idle(const SessionList *l) {
        for (size_t i = 0; i < l->n_sessions; i++)
                session_leave_if_idle(l->sessions[i]);
}

/* An instance of a template exists once it is started, not when somebody names it. */
static Failure select_named(Sessions *l, char *const *names, bool load, SessionList *list, char **ret_sentence) {
        _cleanup_strv_free_ char **missing = NULL;
        Failure first = FAILURE_NONE;

        STRV_FOREACH(name, names) {
                Session *s = load ? NULL : sessions_find(l, *name);
                Failure failure = load ? sessions_load(l, *name, &s) : s ? FAILURE_NONE : FAILURE_NO_SUCH_SESSION;
                int r = 0;

                if (!failure)
                        list->sessions[list->n_sessions++] = s;
                else if (failure == FAILURE_NO_MEMORY)
                        return failure;
                else if (failure == FAILURE_LIMIT)
                        r = strv_extendf(&missing, "%s%s%s", names[1] ? *name : "", names[1] ? ": " : "", SESSIONS_NO_ROOM);
                else
                        r = strv_consume(&missing, sessions_explain_missing(l, *name));
                if (r < 0)
                        return FAILURE_NO_MEMORY;
                if (!first)
                        first = failure == FAILURE_NONE || failure == FAILURE_LIMIT ? failure : FAILURE_NO_SUCH_SESSION;
        }
        if (first)
                *ret_sentence = strv_join(missing, "\n");
        return first;
}

Failure sessions_select(Sessions *l, char *const *names, bool load, bool (*wanted)(const Session *s), SessionList *ret,
                        char **ret_sentence) {
        _cleanup_(session_list_done) SessionList list = {};
        Failure failure = FAILURE_NONE;

        list.sessions = calloc(MAX_OF(strv_length(names), l->n) + 1, sizeof(Session *));
        if (!list.sessions)
                return FAILURE_NO_MEMORY;
        if (names && *names)
                failure = select_named(l, names, load, &list, ret_sentence);
        else
                for (size_t i = 0; i < l->n; i++)
                        if (wanted(l->all[i]))
                                list.sessions[list.n_sessions++] = l->all[i];
        if (failure == FAILURE_NO_MEMORY) {
                session_list_drop_idle(&list);
                return failure;
        }
        *ret = list;
        list = (SessionList){};
        return failure;
}

void sessions_sweep(Sessions *l) {
        for (size_t i = l->n; i-- > 0;) {
                Session *s = l->all[i];

                if (!session_view(s).is_gone || session_is_active(s))
                        continue;
                l->removed(s, l->userdata);
                l->n--;
                memmove(l->all + i, l->all + i + 1, (l->n - i) * sizeof(Session *));
                session_free(s);
        }
}

static int on_sweep(sd_event_source *source, void *userdata) {
        sessions_sweep(userdata);
        return 0;
}

void sessions_sweep_later(Sessions *l) {
        defer_once(l->host->event, &l->sweep, SD_EVENT_PRIORITY_NORMAL, on_sweep, l);
}

uint64_t sessions_sum(const Sessions *l, SessionFigure figure, const Session *but) {
        uint64_t sum = 0;

        for (size_t i = 0; i < l->n; i++)
                if (l->all[i] != but)
                        sum += figure(l->all[i]);
        return sum;
}

void sessions_done(Sessions *l) {
        for (size_t i = 0; i < l->n; i++)
                session_free(l->all[i]);
        free(l->all);
        sd_event_source_disable_unref(l->sweep);
        *l = (Sessions) {};
}

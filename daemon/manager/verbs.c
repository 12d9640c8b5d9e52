/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Start, stop, restart, pause, resume and signal. The verb is called for every session at once, and a gather waits
 * until all have finished. Each session has a part of its own, so that the error has a line for each that failed,
 * after those for names without a session. */

#include "manager-parts.h"

static bool is_enabled(const Session *s) {
        const SessionView v = session_view(s);

        return v.is_enabled && v.settings;
}

typedef void (*Verb)(Session *s, Gather *g);

static void run_verb(Manager *m, char *const *names, bool load, bool (*wanted)(const Session *s), Verb verb,
                     GatherDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        bool named = strv_length(names) == 1;
        Gather *g, *missing;
        Failure failure;

        failure = sessions_select(&m->sessions, names, load, wanted, &l, &sentence);
        if (failure == FAILURE_NO_MEMORY || gather_new(done, userdata, &g) < 0) {
                done(FAILURE_NO_MEMORY, failure_sentence(FAILURE_NO_MEMORY), userdata);
                return;
        }
        missing = failure ? gather_part(g, NULL) : NULL;
        if (missing)
                gather_leave(missing, failure, sentence);
        for (size_t i = 0; i < l.n_sessions; i++) {
                Gather *part = gather_part(g, named ? NULL : session_name(l.sessions[i]));

                if (!part)
                        continue;
                verb(l.sessions[i], part);
                gather_seal(part);
        }
        gather_seal(g);
}

void manager_start(Manager *m, char *const *names, GatherDone done, void *userdata) {
        if (m->host.exiting)
                done(FAILURE_BUSY, MANAGER_IS_ENDING, userdata);
        else
                run_verb(m, names, true, is_enabled, session_start, done, userdata);
}

void manager_stop(Manager *m, char *const *names, GatherDone done, void *userdata) {
        run_verb(m, names, false, session_is_active, session_stop, done, userdata);
}

void manager_restart(Manager *m, char *const *names, GatherDone done, void *userdata) {
        if (m->host.exiting)
                done(FAILURE_BUSY, MANAGER_IS_ENDING, userdata);
        else
                run_verb(m, names, true, session_is_active, session_restart, done, userdata);
}

void manager_retry(Manager *m) {
        for (size_t i = 0; i < m->sessions.n && !m->host.exiting; i++)
                session_retry(m->sessions.all[i]);
}

/* A session that waits has no recorder and no events. */
static bool is_active_and_not_waiting(const Session *s) {
        return session_is_active(s) && session_view(s).state != SESSION_WAITING;
}

void manager_pause(Manager *m, char *const *names, GatherDone done, void *userdata) {
        run_verb(m, names, false, is_active_and_not_waiting, session_pause, done, userdata);
}

void manager_resume(Manager *m, char *const *names, GatherDone done, void *userdata) {
        run_verb(m, names, false, is_active_and_not_waiting, session_resume, done, userdata);
}

static SignalRow signal_one(Session *s, int sig) {
        pid_t pid = session_view(s).main_pid;

        return (SignalRow){ .name = session_name(s), .pid = pid, .error = -session_kill(s, sig) };
}

int manager_signal(Manager *m, char *const *names, int sig, SignalRow **ret, size_t *ret_n) {
        SignalRow *rows;
        size_t n = 0;

        rows = calloc(MAX_OF(strv_length(names), m->sessions.n) + 1, sizeof(SignalRow));
        if (!rows)
                return -ENOMEM;
        STRV_FOREACH(name, names) {
                Session *s = sessions_find(&m->sessions, *name);

                rows[n++] = s ? signal_one(s, sig) : (SignalRow){ .name = *name, .error = ENOENT };
        }
        for (size_t i = 0; (!names || !*names) && i < m->sessions.n; i++)
                if (session_view(m->sessions.all[i]).main_pid > 0)
                        rows[n++] = signal_one(m->sessions.all[i], sig);
        *ret = rows;
        *ret_n = n;
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Start, stop, restart, pause, resume, signal, and sessions from a caller's settings. A verb looks all of its sessions
 * up before it touches the first: a name that is not there ends it. Then every session gets its part at once, and a
 * gather waits until all are through. Each part has a gather of its own, so that the error has a line for each session that
 * failed. */

#include "format-text.h"
#include "manager-parts.h"

static bool is_enabled(const Session *s) {
        return session_is_enabled(s) && session_settings(s);
}

typedef void (*Verb)(Session *s, Gather *g);

typedef struct VerbCall VerbCall;

typedef struct VerbPart {
        VerbCall *call;
        const char *session; /* the gather's */
} VerbPart;

struct VerbCall {
        GatherDone done;
        void *userdata;
        Gather *gather; /* of the parts */
        VerbPart *parts;
        bool named;      /* the caller named one session */
        char **failures; /* a line for each session that failed */
};

static VerbCall *verb_call_free(VerbCall *c) {
        if (!c)
                return NULL;
        free(c->parts);
        strv_free(c->failures);
        free(c);
        return NULL;
}
DEFINE_CLEANUP(VerbCall *, verb_call_free);

static void on_all_through(Failure failure, const char *sentence, void *userdata) {
        _cleanup_(verb_call_freep) VerbCall *c = userdata;
        _cleanup_free_ char *sentences = c->failures ? strv_join(c->failures, "\n") : NULL;

        c->done(failure, sentences ?: sentence, c->userdata);
}

static void on_part_through(Failure failure, const char *sentence, void *userdata) {
        const VerbPart *part = userdata;
        VerbCall *c = part->call;

        if (failure)
                (void) strv_extendf(&c->failures, "%s%s%s", c->named ? "" : part->session, c->named ? "" : ": ", sentence);
        gather_leave(c->gather, failure, sentence);
}

static int verb_call_new(const SessionList *l, bool named, GatherDone done, void *userdata, VerbCall **ret) {
        _cleanup_(verb_call_freep) VerbCall *c = calloc(1, sizeof(VerbCall));
        int r;

        if (!c)
                return -ENOMEM;
        *c = (VerbCall) { .done = done, .userdata = userdata, .named = named };
        c->parts = calloc(l->n_sessions + 1, sizeof(VerbPart));
        r = c->parts ? gather_new(on_all_through, c, &c->gather) : -ENOMEM;
        if (r < 0)
                return r;
        *ret = steal_ptr(c);
        return 0;
}

static void run_part(VerbPart *part, Session *s, Verb verb) {
        Gather *all = part->call->gather, *g;

        gather_join(all);
        part->session = gather_keep(all, session_name(s));
        if (!part->session || gather_new(on_part_through, part, &g) < 0) {
                gather_leave(all, FAILURE_NO_MEMORY, NULL);
                return;
        }
        verb(s, g);
        gather_seal(g);
}

static void run_verb(Manager *m, char *const *names, bool load, bool (*wanted)(const Session *s), Verb verb,
                     GatherDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        VerbCall *c = NULL;
        Failure failure;

        failure = sessions_select(&m->sessions, names, load, wanted, &l, &sentence);
        if (!failure)
                failure = failure_of(verb_call_new(&l, strv_length(names) == 1, done, userdata, &c));
        if (failure || !c) {
                done(failure, sentence ?: failure_sentence(failure), userdata);
                return;
        }
        for (size_t i = 0; i < l.n_sessions; i++) {
                c->parts[i].call = c;
                run_part(&c->parts[i], l.sessions[i], verb);
        }
        gather_seal(c->gather);
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

void manager_pause(Manager *m, char *const *names, GatherDone done, void *userdata) {
        run_verb(m, names, false, session_is_active, session_pause, done, userdata);
}

void manager_resume(Manager *m, char *const *names, GatherDone done, void *userdata) {
        run_verb(m, names, false, session_is_active, session_resume, done, userdata);
}

static SignalRow signal_one(Session *s, int sig) {
        pid_t pid = session_main_pid(s);

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
                if (session_main_pid(m->sessions.all[i]) > 0)
                        rows[n++] = signal_one(m->sessions.all[i], sig);
        *ret = rows;
        *ret_n = n;
        return 0;
}

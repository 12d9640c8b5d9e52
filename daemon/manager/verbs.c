/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Start, stop, restart, pause, resume, signal, and sessions from a caller's settings. A verb looks all of its sessions
 * up before it touches the first: a name that is not there ends it. Then every session gets its part at once, and a
 * gather waits until all are through. */

#include <perf-recorder/control-words.h>

#include "manager-parts.h"
#include "session-name.h"

#define CONTROL_TIMEOUT_USEC (10 * USEC_PER_SEC)

void session_list_done(SessionList *l) {
        free(l->sessions);
        *l = (SessionList){};
}

/* An instance of a template comes into being when it is started, not when somebody asks for it. */
static Failure find_session(Manager *m, const char *name, bool load, Session **ret) {
        if (load)
                return manager_load_session(m, name, ret);
        *ret = manager_find_session(m, name);
        return *ret ? FAILURE_NONE : FAILURE_NO_SUCH_SESSION;
}

char *manager_explain_missing(Manager *m, const char *name) {
        _cleanup_(session_file_freep) SessionFile *file = NULL;
        _cleanup_free_ char *template = NULL, *mask = NULL;
        int n, r = session_file_load(&m->path, name, &file);
        char *sentence;
        size_t index;

        if (r == -ERFKILL && session_file_find(&m->path, name, &mask, &index) < 0 &&
            session_name_template(name, &template) >= 0)
                (void) session_file_find(&m->path, template, &mask, &index);
        if (r >= 0)
                n = asprintf(&sentence, "The session '%s' was not started yet: start it first", name);
        else if (mask)
                n = asprintf(&sentence, "The session '%s' is masked by %s: remove that file first", name, mask);
        else
                n = asprintf(&sentence, "There is no session '%s': 'perfctl list' shows all", name);
        return n < 0 ? NULL : sentence;
}

static Failure select_named(Manager *m, char *const *names, bool load, SessionList *l, char **ret_sentence) {
        STRV_FOREACH(name, names) {
                Failure failure = find_session(m, *name, load, &l->sessions[l->n_sessions]);

                if (!failure) {
                        l->n_sessions++;
                        continue;
                }
                if (failure == FAILURE_NO_MEMORY)
                        return failure;
                *ret_sentence = failure == FAILURE_LIMIT ? strdup(MANAGER_NO_ROOM) : manager_explain_missing(m, *name);
                return failure == FAILURE_LIMIT ? failure : FAILURE_NO_SUCH_SESSION;
        }
        return FAILURE_NONE;
}

Failure manager_select(Manager *m, char *const *names, bool load, bool (*wanted)(const Session *s), SessionList *ret,
                       char **ret_sentence) {
        _cleanup_(session_list_done) SessionList l = {};
        Failure failure;

        l.sessions = calloc(MAX_OF(strv_length(names), m->sessions.n) + 1, sizeof(Session *));
        if (!l.sessions)
                return FAILURE_NO_MEMORY;
        if (names && *names) {
                failure = select_named(m, names, load, &l, ret_sentence);
                for (size_t i = 0; failure && i < l.n_sessions; i++)
                        session_forget_if_idle(l.sessions[i]);
                if (failure)
                        return failure;
        } else
                for (size_t i = 0; i < m->sessions.n; i++)
                        if (wanted(m->sessions.all[i]))
                                l.sessions[l.n_sessions++] = m->sessions.all[i];
        *ret = l;
        l = (SessionList){};
        return FAILURE_NONE;
}

static bool is_enabled(const Session *s) {
        return s->config.enabled && s->config.settings && !s->doomed;
}

static bool is_active(const Session *s) {
        return session_is_active(s);
}

typedef void (*Verb)(Session *s, Gather *g);

static void run_verb(Manager *m, char *const *names, bool load, bool (*wanted)(const Session *s), Verb verb,
                     GatherDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        Failure failure;
        Gather *g;

        failure = manager_select(m, names, load, wanted, &l, &sentence);
        if (!failure)
                failure = failure_of(gather_new(done, userdata, &g));
        if (failure) {
                done(failure, sentence ?: failure_sentence(failure), userdata);
                return;
        }
        for (size_t i = 0; i < l.n_sessions; i++)
                verb(l.sessions[i], g);
        gather_seal(g);
}

void manager_start(Manager *m, char *const *names, GatherDone done, void *userdata) {
        if (m->host.exiting)
                done(FAILURE_BUSY, MANAGER_IS_ENDING, userdata);
        else
                run_verb(m, names, true, is_enabled, session_start, done, userdata);
}

void manager_stop(Manager *m, char *const *names, GatherDone done, void *userdata) {
        run_verb(m, names, false, is_active, session_stop, done, userdata);
}

void manager_restart(Manager *m, char *const *names, GatherDone done, void *userdata) {
        if (m->host.exiting)
                done(FAILURE_BUSY, MANAGER_IS_ENDING, userdata);
        else
                run_verb(m, names, true, is_active, session_restart, done, userdata);
}

/* A word to one recorder, for one who waits. */
typedef struct WordCall {
        Session *session;
        Gather *gather;
        bool pause;
        ControlWaiter *waiter;
        sd_event_source *timer;
} WordCall;

static void word_call_end(WordCall *c, Failure failure, const char *sentence) {
        Gather *g = c->gather;

        control_waiter_free(c->waiter);
        sd_event_source_disable_unref(c->timer);
        free(c);
        gather_leave(g, failure, sentence);
}

/* Ours says so itself as well; a foreign recorder does not. */
static void on_word_acked(int error, usec_t round_trip, void *userdata) {
        WordCall *c = userdata;
        JournalSession j = session_journal(c->session);
        char by[SESSION_BY_SIZE];

        c->waiter = NULL;
        if (error >= 0)
                journal_log_session(&j, LOG_INFO, NULL, "%s%s", c->pause ? "Paused" : "Resumed",
                                    session_by(c->session, by, sizeof(by)));
        session_drop_caller(c->session);
        if (error >= 0 && c->session->recorder.phase == PHASE_UP && c->session->recorder.is_paused != c->pause) {
                c->session->recorder.is_paused = c->pause;
                session_set_phase(c->session, PHASE_UP, 0);
        }
        word_call_end(c, error < 0 ? FAILURE_NOT_RUNNING : FAILURE_NONE, "its recorder ended before it answered");
}

static int on_word_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        word_call_end(userdata, FAILURE_TIMEOUT, "its recorder does not answer: look at it, or restart it");
        return 0;
}

static void send_word(Session *s, Gather *g, bool pause) {
        WordCall *c = calloc(1, sizeof(WordCall));
        int r;

        gather_join(g);
        if (s->recorder.phase != PHASE_UP || !c) {
                free(c);
                if (s->recorder.phase != PHASE_UP)
                        gather_leave(g, FAILURE_NOT_RUNNING, session_why_not_up(s));
                else
                        gather_leave(g, FAILURE_NO_MEMORY, NULL);
                return;
        }
        *c = (WordCall){ .session = s, .gather = g, .pause = pause };
        session_note_caller(s);
        r = sd_event_add_time_relative(s->host->event, &c->timer, CLOCK_MONOTONIC, CONTROL_TIMEOUT_USEC, 0, on_word_timeout, c);
        if (r >= 0)
                r = control_send(s->recorder.control, pause ? PR_CONTROL_DISABLE : PR_CONTROL_ENABLE, on_word_acked, c, &c->waiter);
        if (r < 0)
                word_call_end(c, failure_of(r), NULL);
}

static void pause_session(Session *s, Gather *g) {
        send_word(s, g, true);
}

static void resume_session(Session *s, Gather *g) {
        send_word(s, g, false);
}

void manager_pause(Manager *m, char *const *names, GatherDone done, void *userdata) {
        run_verb(m, names, false, is_active, pause_session, done, userdata);
}

void manager_resume(Manager *m, char *const *names, GatherDone done, void *userdata) {
        run_verb(m, names, false, is_active, resume_session, done, userdata);
}

static SignalRow signal_one(Session *s, int sig) {
        pid_t pid = s->recorder.pid;

        return (SignalRow){ .name = s->name, .pid = pid, .error = -session_kill(s, sig) };
}

int manager_signal(Manager *m, char *const *names, int sig, SignalRow **ret, size_t *ret_n) {
        SignalRow *rows;
        size_t n = 0;

        rows = calloc(MAX_OF(strv_length(names), m->sessions.n) + 1, sizeof(SignalRow));
        if (!rows)
                return -ENOMEM;
        STRV_FOREACH(name, names) {
                Session *s = manager_find_session(m, *name);

                rows[n++] = s ? signal_one(s, sig) : (SignalRow){ .name = *name, .error = ENOENT };
        }
        for (size_t i = 0; (!names || !*names) && i < m->sessions.n; i++)
                if (session_has_process(m->sessions.all[i]))
                        rows[n++] = signal_one(m->sessions.all[i], sig);
        *ret = rows;
        *ret_n = n;
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Start, stop, restart, pause, resume, signal, and sessions from a caller's settings. A verb looks all of its sessions
 * up before it touches the first: a name that is not there ends it. Then every session gets its part at once, and an
 * operation gathers how it went. */

#include <perf-recorder/control-words.h>

#include "session-internal.h"
#include "session-name.h"

#define CONTROL_TIMEOUT_USEC (10 * USEC_PER_SEC)

void manager_refuse(OperationDone done, void *userdata, int error, const char *sentence) {
        done(error, sentence, userdata);
}

void session_list_done(SessionList *l) {
        free(l->sessions);
        *l = (SessionList){};
}

/* An instance of a template comes into being when it is started, not when somebody asks for it. */
static int find_session(Manager *m, const char *name, bool load, SessionObject **ret) {
        if (load)
                return manager_load_session(m, name, ret);
        *ret = manager_find_session(m, name);
        return *ret ? 0 : -ENOENT;
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

static int select_named(Manager *m, char *const *names, bool load, SessionList *l, char **ret_sentence) {
        STRV_FOREACH(name, names) {
                SessionObject *s;
                int r = find_session(m, *name, load, &s);

                if (r >= 0) {
                        l->sessions[l->n_sessions++] = s;
                        continue;
                }
                if (r == -EMFILE)
                        *ret_sentence = strdup(MANAGER_NO_ROOM);
                if (r == -ENOMEM || r == -EMFILE)
                        return r;
                *ret_sentence = manager_explain_missing(m, *name);
                return -ENOENT;
        }
        return 0;
}

int manager_select(Manager *m, char *const *names, bool load, bool (*wanted)(const SessionObject *s), SessionList *ret,
                   char **ret_sentence) {
        _cleanup_(session_list_done) SessionList l = {};
        int r;

        l.sessions = calloc(MAX_OF(strv_length(names), m->n_sessions) + 1, sizeof(SessionObject *));
        if (!l.sessions)
                return -ENOMEM;
        if (names && *names) {
                r = select_named(m, names, load, &l, ret_sentence);
                for (size_t i = 0; r < 0 && i < l.n_sessions; i++)
                        session_forget_if_idle(l.sessions[i]);
                if (r < 0)
                        return r;
        } else
                for (size_t i = 0; i < m->n_sessions; i++)
                        if (wanted(m->sessions[i]))
                                l.sessions[l.n_sessions++] = m->sessions[i];
        *ret = l;
        l = (SessionList){};
        return 0;
}

static bool is_enabled(const SessionObject *s) {
        return s->enabled && s->settings && !s->doomed;
}

static bool is_active(const SessionObject *s) {
        return session_object_is_active(s);
}

typedef void (*Verb)(SessionObject *s, Operation *o);

static void run_verb(Manager *m, char *const *names, bool load, bool (*wanted)(const SessionObject *s), Verb verb,
                     OperationDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        Operation *o;
        int r;

        r = manager_select(m, names, load, wanted, &l, &sentence);
        if (r >= 0)
                r = operation_new(done, userdata, &o);
        if (r < 0) {
                manager_refuse(done, userdata, r, sentence);
                return;
        }
        for (size_t i = 0; i < l.n_sessions; i++) {
                operation_join(o);
                verb(l.sessions[i], o);
        }
        operation_seal(o);
}

void manager_start(Manager *m, char *const *names, OperationDone done, void *userdata) {
        if (m->exiting)
                manager_refuse(done, userdata, -EBUSY, "The daemon is ending: try again in a moment");
        else
                run_verb(m, names, true, is_enabled, session_object_start, done, userdata);
}

void manager_stop(Manager *m, char *const *names, OperationDone done, void *userdata) {
        run_verb(m, names, false, is_active, session_object_stop, done, userdata);
}

void manager_restart(Manager *m, char *const *names, OperationDone done, void *userdata) {
        if (m->exiting)
                manager_refuse(done, userdata, -EBUSY, "The daemon is ending: try again in a moment");
        else
                run_verb(m, names, true, is_active, session_object_restart, done, userdata);
}

/* A word to one recorder for an operation. */
typedef struct WordCall {
        SessionObject *session;
        Operation *operation;
        bool pause;
        ControlWaiter *waiter;
        sd_event_source *timer;
} WordCall;

static void word_call_end(WordCall *c, int error, const char *sentence) {
        Operation *o = c->operation;

        control_waiter_free(c->waiter);
        sd_event_source_disable_unref(c->timer);
        free(c);
        operation_leave(o, error, sentence);
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
        if (error >= 0 && c->session->phase == PHASE_UP && c->session->is_paused != c->pause) {
                c->session->is_paused = c->pause;
                session_set_phase(c->session, PHASE_UP, 0);
        }
        word_call_end(c, error, error < 0 ? "its recorder ended before it answered" : NULL);
}

static int on_word_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        word_call_end(userdata, -ETIMEDOUT, "its recorder does not answer: look at it, or restart it");
        return 0;
}

static void send_word(SessionObject *s, Operation *o, bool pause) {
        WordCall *c;
        int r;

        if (s->phase != PHASE_UP) {
                operation_leave(o, -ESRCH, session_why_not_up(s));
                return;
        }
        c = calloc(1, sizeof(WordCall));
        if (!c) {
                operation_leave(o, -ENOMEM, "no memory");
                return;
        }
        *c = (WordCall){ .session = s, .operation = o, .pause = pause };
        session_note_caller(s);
        r = sd_event_add_time_relative(s->manager->event, &c->timer, CLOCK_MONOTONIC, CONTROL_TIMEOUT_USEC, 0, on_word_timeout, c);
        if (r >= 0)
                r = control_send(s->control, pause ? PR_CONTROL_DISABLE : PR_CONTROL_ENABLE, on_word_acked, c, &c->waiter);
        if (r < 0)
                word_call_end(c, r, r == -EBUSY ? "its recorder does not answer what it was asked before" : strerror(-r));
}

static void pause_session(SessionObject *s, Operation *o) {
        send_word(s, o, true);
}

static void resume_session(SessionObject *s, Operation *o) {
        send_word(s, o, false);
}

void manager_pause(Manager *m, char *const *names, OperationDone done, void *userdata) {
        run_verb(m, names, false, is_active, pause_session, done, userdata);
}

void manager_resume(Manager *m, char *const *names, OperationDone done, void *userdata) {
        run_verb(m, names, false, is_active, resume_session, done, userdata);
}

static SignalRow signal_one(SessionObject *s, int sig) {
        pid_t pid = s->pid;

        return (SignalRow){ .name = s->name, .pid = pid, .error = -session_object_kill(s, sig) };
}

int manager_signal(Manager *m, char *const *names, int sig, SignalRow **ret, size_t *ret_n) {
        SignalRow *rows;
        size_t n = 0;

        rows = calloc(MAX_OF(strv_length(names), m->n_sessions) + 1, sizeof(SignalRow));
        if (!rows)
                return -ENOMEM;
        STRV_FOREACH(name, names) {
                SessionObject *s = manager_find_session(m, *name);

                rows[n++] = s ? signal_one(s, sig) : (SignalRow){ .name = *name, .error = ENOENT };
        }
        for (size_t i = 0; (!names || !*names) && i < m->n_sessions; i++)
                if (session_object_has_process(m->sessions[i]))
                        rows[n++] = signal_one(m->sessions[i], sig);
        *ret = rows;
        *ret_n = n;
        return 0;
}

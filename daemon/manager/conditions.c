/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Watches conditions for the sessions that record, and asks their recorders for dumps. The sender of a datagram gets
 * an answer when the dump exists, or with the reason why there is none: a rate limit, a session that does not run or
 * takes no datagrams. Nobody waits for the other dumps; the journal has their results.
 *
 * All sessions are looked at again whenever one changes, so there is no list of conditions that could differ from
 * them. */

#include <fnmatch.h>

#include <perf-recorder/dump-facts.h>

#include "defer.h"
#include "format-text.h"
#include "list.h"
#include "manager-parts.h"
#include "trigger-socket.h"
#include "unit-watch.h"

#define REQUESTS_MAX 4096u
#define REQUESTS_PER_USER_MAX 1024u /* a thousand within a second are many, and are merged into few dumps */

struct Conditions {
        Manager *manager;
        TriggerSocket *socket;
        UnitWatch *units;
        struct SocketRequest *requests; /* of datagrams, pending */
        sd_event_source *update;
        bool told_no_socket, told_no_units;
};

/* NULL: it does not record. */
static const TriggerSettings *triggers_of(const Session *s) {
        const SessionSettings *settings = session_view(s).settings;

        return settings && session_is_recording(s) ? &settings->trigger : NULL;
}

/* A request that gets an answer. */
typedef struct SocketRequest {
        Conditions *conditions;
        struct SocketRequest *next;
        uid_t uid;
        TriggerReply *reply;
        char *session;
} SocketRequest;

static SocketRequest *socket_request_free(SocketRequest *q) {
        if (!q)
                return NULL;
        if (q->conditions)
                LIST_REMOVE(q->conditions->requests, q);
        trigger_reply_free(q->reply);
        free(q->session);
        free(q);
        return NULL;
}
DEFINE_CLEANUP(SocketRequest *, socket_request_free);

static void refuse(const TriggerReply *reply, const char *session, const char *sentence) {
        _cleanup_free_ char *text = format_text("SESSION=%s\nERROR=%s\n", session, sentence);

        if (text)
                trigger_reply_send(reply, text);
}

static void on_socket_answer(Failure failure, const char *sentence, const Dump *dump, void *userdata) {
        _cleanup_(socket_request_freep) SocketRequest *q = userdata;
        _cleanup_free_ char *text = NULL;

        if (failure || !dump) {
                refuse(q->reply, q->session, sentence ?: "the dump was removed right after it was written");
                return;
        }
        text = format_text("SESSION=%s\nDUMP=%s\nFIRST_SAMPLE_USEC=%" PRIu64 "\nLAST_SAMPLE_USEC=%" PRIu64 "\n"
                           "SAMPLES=%" PRIu64 "\n", q->session, dump->id, dump->first, dump->last, dump->samples);
        if (text)
                trigger_reply_send(q->reply, text);
}

static Failure ask_recorder(Session *s, const TriggerMessage *m, SocketRequest **q) {
        _cleanup_free_ char *detail = NULL;
        DumpRequest request = {};
        Failure failure;

        detail = format_text("uid %u, pid %d%s%s", (unsigned) m->uid, (int) m->pid, *m->text ? ": " : "", m->text);
        if (!detail)
                return FAILURE_NO_MEMORY;
        (*q)->session = strdup(m->session);
        if (!(*q)->session)
                return FAILURE_NO_MEMORY;
        request.trigger = PR_TRIGGER_SOCKET;
        request.detail = detail;
        failure = session_dump(s, &request, on_socket_answer, *q, NULL);
        if (!failure)
                (void) steal_ptr(*q);
        return failure;
}

/* Each pending request holds a descriptor. */
static bool has_room(const Conditions *c, uid_t uid) {
        unsigned n_user = 0, n_all = 0;

        for (const SocketRequest *q = c->requests; q; q = q->next) {
                n_user += q->uid == uid;
                n_all++;
        }
        return n_all < REQUESTS_MAX && n_user < REQUESTS_PER_USER_MAX;
}

static void on_datagram(const TriggerMessage *m, void *userdata) {
        Conditions *c = userdata;
        _cleanup_(socket_request_freep) SocketRequest *q = calloc(1, sizeof(SocketRequest));
        Session *s = sessions_find(&c->manager->sessions, m->session);
        const TriggerSettings *t = s ? triggers_of(s) : NULL;
        const BaseDirectory *base = &c->manager->host.base;
        _cleanup_free_ char *sentence = NULL;
        Failure failure;

        if (!q) {
                trigger_reply_free(m->reply);
                return;
        }
        *q = (SocketRequest) { .conditions = c, .uid = m->uid, .reply = m->reply };
        /* Senders must not learn of sessions that do not take their datagrams, so both cases have one answer. */
        if (!t || t->socket <= 0) {
                refuse(q->reply, m->session, "there is no session of that name that records and takes triggers here (Socket=yes)");
                return;
        }
        if (!has_room(c, m->uid)) {
                refuse(q->reply, m->session, "too many requests are under way: await their answers first");
                return;
        }
        if (base_directory_is_missing(base)) {
                sentence = format_text(BASE_DIRECTORY_MISSING, base->path);
                refuse(q->reply, m->session, sentence ?: failure_sentence(FAILURE_NO_MEMORY));
                return;
        }
        q->next = c->requests;
        c->requests = q;
        failure = ask_recorder(s, m, &q);
        if (failure)
                refuse(q->reply, m->session, failure_sentence(failure));
}

static bool names_unit(char *const *globs, const char *unit) {
        STRV_FOREACH(glob, globs)
                if (fnmatch(*glob, unit, FNM_NOESCAPE) == 0)
                        return true;
        return false;
}

static void on_unit_failed(const char *unit, const char *invocation, void *userdata) {
        Conditions *c = userdata;
        _cleanup_free_ char *detail = format_text("%s%s%s", unit, *invocation ? ", invocation " : "", invocation);
        const DumpRequest request = { .trigger = PR_TRIGGER_UNIT_FAILURE, .detail = detail, .unit = unit };

        if (!detail)
                return;
        for (size_t i = 0; i < c->manager->sessions.n; i++) {
                Session *s = c->manager->sessions.all[i];
                const TriggerSettings *t = triggers_of(s);

                if (t && names_unit(t->unit_failure, unit))
                        session_dump_for(s, &request);
        }
}

static void update_units(Conditions *c, bool wanted) {
        int r;

        if (!wanted) {
                c->units = unit_watch_free(c->units);
                return;
        }
        if (c->units)
                return;
        r = unit_watch_new(c->manager->host.scopes, on_unit_failed, c, &c->units);
        if (r < 0 && !c->told_no_units)
                journal_log(LOG_WARNING, "UnitFailure= has no effect, systemd can't be asked: %s", strerror(-r));
        c->told_no_units = r < 0;
}

static int on_update(sd_event_source *source, void *userdata) {
        Conditions *c = userdata;
        bool units = false, sockets = false;

        for (size_t i = 0; i < c->manager->sessions.n; i++) {
                Session *s = c->manager->sessions.all[i];
                const TriggerSettings *t = triggers_of(s);

                session_update_calendar(s);
                units = units || (t && t->unit_failure);
                sockets = sockets || (t && t->socket > 0);
        }
        update_units(c, units);
        if (sockets && !c->socket && !c->told_no_socket) {
                journal_log(LOG_WARNING, "Socket= has no effect: perf-recorderd.socket was not started before the service");
                c->told_no_socket = true;
        }
        return 0;
}

void conditions_update_later(Conditions *c) {
        if (c)
                defer_once(c->manager->host.event, &c->update, SD_EVENT_PRIORITY_NORMAL, on_update, c);
}

DEFINE_CLEANUP(Conditions *, conditions_free);

int conditions_new(Manager *m, int socket_fd, Conditions **ret) {
        _cleanup_(conditions_freep) Conditions *c = NULL;
        _cleanup_close_ int fd = socket_fd;
        int r = 0;

        c = calloc(1, sizeof(Conditions));
        if (!c)
                return -ENOMEM;
        *c = (Conditions) { .manager = m };
        conditions_update_later(c);
        if (fd >= 0)
                r = trigger_socket_new(m->host.event, steal_fd(&fd), on_datagram, c, &c->socket);
        if (r < 0)
                return r;
        *ret = steal_ptr(c);
        return 0;
}

Conditions *conditions_free(Conditions *c) {
        if (!c)
                return NULL;
        for (SocketRequest *q = c->requests; q; q = q->next) /* their waiters end with the sessions */
                q->conditions = NULL;
        trigger_socket_free(c->socket);
        unit_watch_free(c->units);
        sd_event_source_disable_unref(c->update);
        free(c);
        return NULL;
}

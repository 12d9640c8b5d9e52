/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One method call. Every method takes the same steps in the same order, and authorization is one of them: a row
 * without an action is open to everybody, a message without a row is refused. A call is held until the sessions
 * that it names have finished, so the number of calls that a user has under way is limited. A caller that has left
 * is no special case: the bus drops the answer. */

#include "bus-call.h"

#include <perf-recorder/bus-names.h>

#include "bus-error.h"
#include "list.h"
#include "utf8.h"

int bus_methods_to_vtable(const BusMethod *methods, size_t n_methods, sd_bus_message_handler_t handler,
                          const sd_bus_vtable *rest, sd_bus_vtable **ret) {
        size_t n_rest = 0;
        sd_bus_vtable *v;

        while (rest[n_rest++].type != _SD_BUS_VTABLE_END)
                ;
        v = calloc(1 + n_methods + n_rest, sizeof(sd_bus_vtable));
        if (!v)
                return -ENOMEM;

        /* Unprivileged: otherwise sd-bus would let only root through, and polkit decides that. */
        v[0] = (sd_bus_vtable) SD_BUS_VTABLE_START(0);
        for (size_t i = 0; i < n_methods; i++)
                v[1 + i] = (sd_bus_vtable) SD_BUS_METHOD_WITH_NAMES(methods[i].member, methods[i].arguments,
                                                                    methods[i].names, methods[i].answer, , handler,
                                                                    SD_BUS_VTABLE_UNPRIVILEGED);
        memcpy(v + 1 + n_methods, rest, n_rest * sizeof(sd_bus_vtable));
        *ret = v;
        return 0;
}

/* sd-bus refuses a message with one invalid string, and with it the answer about all objects. */
int bus_append_text(sd_bus_message *m, const char *text) {
        _cleanup_free_ char *valid = utf8_text(text, SIZE_MAX, SIZE_MAX);

        return valid ? sd_bus_message_append_basic(m, 's', valid) : -ENOMEM;
}

static void call_done(BusCall *c) {
        sd_bus_slot_unref(c->caller_there);
        sd_bus_message_unref(c->message);
        strv_free(c->sessions);
        strv_free(c->assignments);
        free(c->dump_detail);
        free(c->dump_id);
}

BusCall *bus_call_free(BusCall *c) {
        if (!c)
                return NULL;
        if (c->bus)
                LIST_REMOVE(c->bus->calls, c);
        if (c->bus && !c->bus->calls)
                c->bus->leaves = sd_bus_slot_unref(c->bus->leaves);
        call_done(c);
        free(c);
        return NULL;
}

void bus_calls_orphan(Bus *b) {
        b->leaves = sd_bus_slot_unref(b->leaves);
        for (BusCall *c = b->calls; c; c = c->next) {
                c->bus = NULL;
                c->message = sd_bus_message_unref(c->message);
                c->caller_there = sd_bus_slot_unref(c->caller_there);
        }
        b->calls = NULL;
}

/* Withdraws the request if its method can; otherwise the call goes on, still counts, and its answer is dropped. */
static void caller_left(BusCall *c) {
        void (*withdraw)(Manager *m, const void *userdata) = c->method->withdraw;

        c->message = sd_bus_message_unref(c->message);
        if (!withdraw)
                return;
        withdraw(c->bus->manager, c);
        bus_call_free(c);
}

static int on_leave(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *name, *before, *after;
        Bus *b = userdata;

        if (sd_bus_message_read(m, "sss", &name, &before, &after) < 0)
                return 0;
        for (BusCall *c = b->calls, *next; c; c = next) {
                next = c->next;
                if (c->message && streq_ptr(sd_bus_message_get_sender(c->message), name))
                        caller_left(c);
        }
        return 0;
}

BusCall *bus_call_keep(BusCall *c) {
        BusCall *kept = malloc(sizeof(BusCall));
        Bus *b = c->bus;

        if (!kept)
                return NULL;
        *kept = *c;
        kept->message = sd_bus_message_ref(c->message);
        c->sessions = c->assignments = NULL;
        c->dump_detail = c->dump_id = NULL;
        kept->next = b->calls;
        b->calls = kept;
        /* One match for all callers, and only while there are calls: other connections that come and go must not
         * wake the daemon. Without the match, calls end by themselves. */
        if (!b->leaves)
                (void) sd_bus_add_match_async(b->bus, &b->leaves,
                                              "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
                                              "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''",
                                              on_leave, NULL, b);
        return kept;
}

bool bus_call_failed(BusCall *c, Failure failure, const char *sentence) {
        if (!c->bus || !c->message)
                return true;
        if (!failure)
                return false;
        (void) bus_error_reply(c->message, failure, sentence);
        return true;
}

static int send_rows(sd_bus_message *reply, const char *type, size_t n, BusAppend append, const void *rows) {
        int r = sd_bus_message_open_container(reply, 'a', type);

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = append(reply, type, rows, i);
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_message_send(reply);
}

int bus_reply_rows(BusCall *c, const char *type, size_t n, BusAppend append, const void *rows) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        int r = sd_bus_message_new_method_return(c->message, &reply);

        return r < 0 ? r : send_rows(reply, type, n, append, rows);
}

int bus_reply_failure_with_rows(BusCall *c, Failure failure, const char *sentence, const char *type, size_t n,
                                BusAppend append, const void *rows) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        int r = bus_error_new_reply(c->message, failure, sentence, &reply);

        return r < 0 ? r : send_rows(reply, type, n, append, rows);
}

bool bus_call_is_for_one(const BusCall *c) {
        return *c->method->answer != 'a';
}

void bus_call_replied(BusCall *c, int r) {
        if (r < 0)
                (void) bus_error_reply(c->message, FAILURE_OTHER, "It is done, but the answer could not be sent");
}

void bus_call_done(Failure failure, const char *sentence, void *userdata) {
        _cleanup_(bus_call_freep) BusCall *c = userdata;

        if (!bus_call_failed(c, failure, sentence))
                bus_call_replied(c, sd_bus_reply_method_return(c->message, NULL));
}

/* Called when the uid of a call is known, which polkit_n_asked() counts by then. Calls whose caller has left count
 * until they are finished. */
static bool user_is_admitted(uid_t uid, void *userdata) {
        const Bus *b = userdata;
        size_t n = polkit_n_asked(b->polkit, uid);

        for (const BusCall *c = b->calls; c; c = c->next)
                n += c->caller.uid == uid;
        return n <= BUS_CALLS_PER_USER_MAX;
}

static int on_any_message(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
        int r;

        if (sd_bus_message_is_method_call(m, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") <= 0 &&
            sd_bus_message_is_method_call(m, "org.freedesktop.DBus.Introspectable", "Introspect") <= 0)
                return 0;
        r = large_answers_admit(userdata, m, &e);
        if (r >= 0)
                return 0;
        (void) sd_bus_reply_method_error(m, &e);
        return 1;
}

int bus_limit_answers(Bus *b) {
        return sd_bus_add_filter(b->bus, NULL, on_any_message, &b->large);
}

/* The group whose members need no password for an action; NULL: none. */
static const char *group_of(const char *action) {
        if (streq(action, PR_POLKIT_MANAGE))
                return PR_GROUP_MANAGE;
        return streq(action, PR_POLKIT_VIEW) ? PR_GROUP_VIEW : NULL;
}

/* The unit that the session records, or would record if it were started. */
static char *unit_of(const char *session, void *userdata) {
        Bus *b = userdata;

        return manager_unit_of(b->manager, session, NULL);
}

/* One check for each named session, or a single check with an empty session, which no rule for one session matches. */
static int authorize(BusCall *c, sd_bus_message_handler_t resume, sd_bus_error *error) {
        PolkitQuestion question = {
                .action = c->method->action,
                .verb = c->method->verb,
                .unit_of = unit_of,
                .dump = c->dump_id,
                .what = *c->what ? c->what : NULL,
                .phrase = c->method->phrase,
                .names_sessions = c->method->read,
                .admits = user_is_admitted,
        };
        _cleanup_free_ PolkitCheck *checks = NULL;
        _cleanup_free_ char *unit = NULL;

        if (!c->method->action && !c->method->lasts)
                return 1;
        if (polkit_is_asked(c->bus->polkit, c->message)) { /* entered again with polkit's answer */
                (void) polkit_caller(c->bus->polkit, c->message, &c->caller);
                return polkit_authorize(c->bus->polkit, c->message, &question, resume, c->bus, error);
        }

        question.group = question.action ? group_of(question.action) : NULL;
        checks = calloc(strv_length(c->sessions) + 1, sizeof(PolkitCheck));
        if (!checks)
                return -ENOMEM;
        if (question.action && c->assignments && !(unit = manager_unit_of(c->bus->manager, *c->sessions, c->assignments)))
                return -ENOMEM;
        STRV_FOREACH(name, question.action ? c->sessions : NULL)
                checks[question.n_checks++] = (PolkitCheck) { *name, unit };
        if (question.n_checks == 0)
                checks[question.n_checks++] = (PolkitCheck) { "", "" };

        question.checks = checks;
        return polkit_authorize(c->bus->polkit, c->message, &question, resume, c->bus, error);
}

int bus_call_handle(Bus *b, sd_bus_message *m, const BusMethod *methods, size_t n_methods, sd_bus_message_handler_t resume,
                    sd_bus_error *error) {
        _cleanup_(call_done) BusCall c = {
                .bus = b,
                .message = sd_bus_message_ref(m),
                .caller = CALLER_UNKNOWN,
        };
        int r;

        for (size_t i = 0; !c.method && i < n_methods; i++)
                if (streq_ptr(methods[i].member, sd_bus_message_get_member(m)))
                        c.method = &methods[i];
        if (!c.method)
                return bus_error_set(error, FAILURE_NO_SUCH_METHOD, "There is no such method");
        r = c.method->is_large ? large_answers_admit(&b->large, m, error) : 0;
        if (r >= 0 && c.method->read)
                r = c.method->read(&c, error);
        if (r >= 0 && c.method->read_rest)
                r = c.method->read_rest(&c, error);
        if (r >= 0)
                r = authorize(&c, resume, error);
        if (r < 0)
                return r;
        if (r == 0)
                return 1; /* entered again later */
        manager_set_caller(b->manager, c.caller.uid != UID_INVALID ? &c.caller : NULL);
        r = c.method->act(&c, error);
        manager_set_caller(b->manager, NULL);
        return r;
}

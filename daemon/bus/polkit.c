/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Authorization: asks the bus for the sender of a message and, unless that is the privileged user, polkit for
 * permission. Each message that is being checked is one Query, which holds the message, the slot of the pending
 * call and a match on its sender's leaving; freeing it cancels all of them. The checks of a question are made one
 * after the other, so that a refusal ends it and one interactive authentication can serve those that follow.
 * Nothing is remembered: the next message asks again. This file does not know what the actions mean. */

#include "polkit.h"

#include "bus-error.h"
#include "fd-file.h"
#include "format-text.h"
#include "list.h"
#include "parse-number.h"
#include "utf8.h"

#define POLKIT_NAME      "org.freedesktop.PolicyKit1"
#define POLKIT_PATH      "/org/freedesktop/PolicyKit1/Authority"
#define POLKIT_INTERFACE "org.freedesktop.PolicyKit1.Authority"

/* CheckAuthorizationFlags of polkit's D-Bus interface */
#define POLKIT_ALLOW_USER_INTERACTION 0x1u

typedef struct Query {
        Polkit *polkit;
        struct Query *next;
        sd_bus_message *message;
        sd_bus_message_handler_t handler;
        void *userdata;

        char *action, *verb, *dump, *what, *group, *phrase; /* as in PolkitQuestion */
        bool names_sessions;
        char **texts; /* of each check: session, unit or NULL */
        char *(*unit_of)(const char *session, void *userdata);
        bool (*admits)(uid_t uid, void *userdata);
        size_t n_checks, n_passed;

        Caller caller; /* uid is UID_INVALID until the bus has answered */

        sd_bus_slot *call;   /* the pending call to the bus or to polkit */
        sd_bus_slot *leave;  /* the sender leaves the bus */
        char *cancellation;  /* polkit's handle for the pending check; NULL: there is none */

        bool answered;
        int result;
        sd_bus_error error;
} Query;

struct Polkit {
        sd_bus *bus;
        uid_t privileged;
        Query *queries;
        uint64_t n_checks; /* ever asked, for cancellation ids */
};

static Query *query_free(Query *q) {
        if (!q)
                return NULL;

        LIST_REMOVE(q->polkit->queries, q);
        /* The answer does not matter: if polkit has ended the check by then, there is nothing to cancel. */
        if (q->cancellation)
                (void) sd_bus_call_method_async(q->polkit->bus, NULL, POLKIT_NAME, POLKIT_PATH, POLKIT_INTERFACE,
                                                "CancelCheckAuthorization", NULL, NULL, "s", q->cancellation);
        sd_bus_slot_unref(q->call);
        sd_bus_slot_unref(q->leave);
        sd_bus_message_unref(q->message);
        sd_bus_error_free(&q->error);
        for (size_t i = 0; q->texts && i < 2 * q->n_checks; i++)
                free(q->texts[i]);
        free(q->texts);
        free(q->action);
        free(q->verb);
        free(q->dump);
        free(q->what);
        free(q->group);
        free(q->phrase);
        free(q->cancellation);
        free(q);
        return NULL;
}
DEFINE_CLEANUP(Query *, query_free);

int polkit_new(sd_bus *bus, uid_t privileged, Polkit **ret) {
        Polkit *p = calloc(1, sizeof(Polkit));

        if (!p)
                return -ENOMEM;
        p->bus = sd_bus_ref(bus);
        p->privileged = privileged;
        *ret = p;
        return 0;
}

Polkit *polkit_free(Polkit *p) {
        if (!p)
                return NULL;
        while (p->queries)
                query_free(p->queries);
        sd_bus_unref(p->bus);
        free(p);
        return NULL;
}

bool polkit_is_privileged(const Polkit *p, uid_t uid) {
        return uid == p->privileged;
}

static Query *find_query(const Polkit *p, sd_bus_message *m) {
        for (Query *q = p->queries; q; q = q->next)
                if (q->message == m)
                        return q;
        return NULL;
}

bool polkit_is_asked(const Polkit *p, sd_bus_message *m) {
        return find_query(p, m);
}

bool polkit_caller(const Polkit *p, sd_bus_message *m, Caller *ret) {
        const Query *q = find_query(p, m);

        if (!q || !q->answered)
                return false;
        *ret = q->caller;
        return true;
}

size_t polkit_n_asked(const Polkit *p, uid_t uid) {
        size_t n = 0;

        for (const Query *q = p->queries; q; q = q->next)
                n += q->caller.uid == uid;
        return n;
}

/* Enters the handler again, which takes the result from the query, and replies with its error as sd-bus does for
 * handlers that it calls itself. The query is freed. */
static int answer(Query *q, int result) {
        _cleanup_(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        int r;

        q->answered = true;
        q->result = result;
        r = sd_bus_message_rewind(q->message, true);
        if (r >= 0)
                r = q->handler(q->message, q->userdata, &error);
        if (r < 0)
                (void) sd_bus_reply_method_errno(q->message, r, &error);
        query_free(q);
        return 1;
}

/* "stop session 'cycles'", "open dump 'cycles-2026112110531801'", "end perf-recorderd", for sentences */
static char *describe(const Query *q, char *buf, size_t size) {
        const char *session = q->texts[2 * q->n_passed];

        if (q->dump)
                (void) snprintf(buf, size, "%s dump '%s'", q->phrase, q->dump);
        else if (*session)
                (void) snprintf(buf, size, "%s session '%s'", q->phrase, session);
        else
                (void) snprintf(buf, size, "%s%s", q->phrase, q->names_sessions ? " all sessions" : "");
        return buf;
}

/* The sentence is: before, the request in words, after. */
static int refuse(Query *q, Failure failure, const char *before, const char *after) {
        char what[320];

        return answer(q, bus_error_setf(&q->error, failure, "%s%s%s", before, describe(q, what, sizeof(what)), after));
}

static int ask_next(Query *q);

static int on_check_failed(Query *q, const sd_bus_error *e) {
        char detail[200];

        if (sd_bus_error_has_names(e, SD_BUS_ERROR_SERVICE_UNKNOWN, SD_BUS_ERROR_NAME_HAS_NO_OWNER))
                return refuse(q, FAILURE_ACCESS, "Access denied: polkit does not run, so only root may ", "");

        bus_error_quote(detail, sizeof(detail), e->message ?: e->name);
        return answer(q, bus_error_setf(&q->error, FAILURE_ACCESS, "Access denied: polkit could not be asked about %s: %s",
                                        q->action, detail));
}

static int on_checked(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error) {
        Query *q = userdata;
        int authorized, challenge;
        char help[160];

        q->call = sd_bus_slot_unref(q->call);
        free(steal_ptr(q->cancellation));

        if (sd_bus_message_is_method_error(reply, NULL))
                return on_check_failed(q, sd_bus_message_get_error(reply));
        if (sd_bus_message_enter_container(reply, 'r', "bba{ss}") < 0 ||
            sd_bus_message_read(reply, "bb", &authorized, &challenge) < 0)
                return refuse(q, FAILURE_ACCESS, "Access denied: polkit gave no valid answer about the request to ", "");

        if (authorized) {
                q->n_passed++;
                return ask_next(q);
        }
        if (challenge) { /* a password would be enough, but nobody can be asked for it */
                (void) snprintf(help, sizeof(help), ": use sudo, or run it on a terminal%s%s%s",
                                q->group ? "; members of the group " : "", q->group ?: "", q->group ? " need no password" : "");
                return refuse(q, FAILURE_AUTHENTICATION, "Authentication is required to ", help);
        }
        return refuse(q, FAILURE_ACCESS, "Access denied: polkit does not allow you to ",
                      "; do it as root, or have a polkit rule allow it");
}

static int append_check(const Query *q, sd_bus_message *m, bool interactive) {
        const char *session = q->texts[2 * q->n_passed], *known = q->texts[2 * q->n_passed + 1];
        /* The unit of a session that is only a name may have to be read from files: only for a check that is made. */
        _cleanup_free_ char *found = known ? NULL : q->unit_of(session, q->userdata);
        _cleanup_free_ char *unit = known || found ? utf8_text(known ?: found, SIZE_MAX, SIZE_MAX) : NULL;
        char request[320];
        int r;

        if (!unit)
                return -ENOMEM;
        r = sd_bus_message_append(m, "(sa{sv})s", "system-bus-name", 1, "name", "s",
                                  sd_bus_message_get_sender(q->message), q->action);
        if (r < 0)
                return r;
        r = sd_bus_message_append(m, "a{ss}", q->what ? 5 : 4, "session", session, "verb", q->verb, "unit", unit,
                                  "request", describe(q, request, sizeof(request)), "what", q->what);
        if (r < 0)
                return r;
        return sd_bus_message_append(m, "us", interactive ? POLKIT_ALLOW_USER_INTERACTION : 0u, q->cancellation);
}

/* An interactive check has no timeout, since people look for passwords; it ends when the caller leaves. */
static int send_check(Query *q) {
        bool interactive = sd_bus_message_get_allow_interactive_authorization(q->message) > 0;
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        _cleanup_free_ char *cancellation = NULL;
        int r;

        cancellation = format_text("perf-recorder-%" PRIu64, ++q->polkit->n_checks);
        if (!cancellation)
                return -ENOMEM;
        r = sd_bus_message_new_method_call(q->polkit->bus, &m, POLKIT_NAME, POLKIT_PATH, POLKIT_INTERFACE,
                                           "CheckAuthorization");
        if (r < 0)
                return r;
        q->cancellation = steal_ptr(cancellation);
        r = append_check(q, m, interactive);
        if (r >= 0)
                r = sd_bus_call_async(q->polkit->bus, &q->call, m, on_checked, q, interactive ? UINT64_MAX : 0);
        if (r < 0)
                free(steal_ptr(q->cancellation));
        return r;
}

static int ask_next(Query *q) {
        int r;

        if (q->n_passed == q->n_checks)
                return answer(q, 1);

        r = send_check(q);
        if (r < 0)
                return refuse(q, FAILURE_ACCESS, "Access denied: polkit could not be asked whether you may ", "");
        return 1;
}

static int on_sender_left(sd_bus_message *m, void *userdata, sd_bus_error *ret_error) {
        query_free(userdata);
        return 0;
}

/* If the sender left before the match was installed, polkit does not know the subject, and refuses. */
static int watch_sender(Query *q) {
        char match[400];
        int n;

        n = snprintf(match, sizeof(match),
                     "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
                     "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='%s',arg2=''",
                     sd_bus_message_get_sender(q->message));
        if (n < 0 || (size_t) n >= sizeof(match))
                return -EINVAL;
        return sd_bus_add_match_async(q->polkit->bus, &q->leave, match, on_sender_left, NULL, q);
}

static int read_of_process(pid_t pid, const char *name, char **ret) {
        char path[64];
        int r;

        snprintf(path, sizeof(path), "/proc/%d/%s", (int) pid, name);
        r = read_file(path, 256, ret, NULL);
        if (r >= 0)
                (*ret)[strcspn(*ret, "\n")] = '\0';
        return r;
}

/* uid and pid come from the kernel. The rest is read from /proc, and belongs to another process if this one has
 * just ended and its PID was reused: it is shown to people, and permits nothing. */
static void describe_caller(Caller *c, uid_t uid, pid_t pid) {
        _cleanup_free_ char *comm = NULL, *login = NULL;
        char process[96] = "", login_text[48] = "";
        unsigned login_uid;

        *c = (Caller) { .uid = uid, .login_uid = UID_INVALID, .pid = pid };
        if (pid > 0 && read_of_process(pid, "comm", &comm) >= 0)
                (void) utf8_line_to(c->comm, sizeof(c->comm), comm);
        if (pid > 0 && read_of_process(pid, "loginuid", &login) >= 0 && parse_uint(login, &login_uid) >= 0)
                c->login_uid = (uid_t) login_uid;
        if (pid > 0)
                snprintf(process, sizeof(process), "%s[%d]", c->comm, (int) pid);
        if (c->login_uid != UID_INVALID && c->login_uid != uid)
                snprintf(login_text, sizeof(login_text), "%slogin uid %u", *process ? ", " : "", (unsigned) c->login_uid);
        snprintf(c->text, sizeof(c->text), "uid %u%s%s%s%s", (unsigned) uid, *process || *login_text ? " (" : "", process,
                 login_text, *process || *login_text ? ")" : "");
}

/* The dictionary that GetConnectionCredentials() returns; other entries have other types. */
static int read_credentials(sd_bus_message *reply, uid_t *ret_uid, pid_t *ret_pid) {
        uint32_t uid = UID_INVALID, pid = 0;
        const char *key;
        int r;

        r = sd_bus_message_enter_container(reply, 'a', "{sv}");
        while (r >= 0 && (r = sd_bus_message_enter_container(reply, 'e', "sv")) > 0) {
                r = sd_bus_message_read(reply, "s", &key);
                if (r >= 0)
                        r = streq(key, "UnixUserID")  ? sd_bus_message_read(reply, "v", "u", &uid)
                            : streq(key, "ProcessID") ? sd_bus_message_read(reply, "v", "u", &pid)
                                                      : sd_bus_message_skip(reply, "v");
                if (r >= 0)
                        r = sd_bus_message_exit_container(reply);
        }
        if (r < 0)
                return r;
        if (uid == UID_INVALID)
                return -ENODATA;
        *ret_uid = uid;
        *ret_pid = (pid_t) pid;
        return 0;
}

static int on_credentials(sd_bus_message *reply, void *userdata, sd_bus_error *ret_error) {
        Query *q = userdata;
        uid_t uid;
        pid_t pid;
        int r;

        q->call = sd_bus_slot_unref(q->call);
        if (sd_bus_message_is_method_error(reply, NULL) || read_credentials(reply, &uid, &pid) < 0) {
                query_free(q); /* it has left, or never was a peer that an answer could reach */
                return 1;
        }
        describe_caller(&q->caller, uid, q->action ? pid : 0); /* the journal names no callers of open methods */
        if (polkit_is_privileged(q->polkit, uid))
                return answer(q, 1);
        if (q->admits && !q->admits(uid, q->userdata))
                return answer(q, bus_error_set(&q->error, FAILURE_LIMIT,
                                               "Too many calls of your user are under way: await their answers first"));
        if (!q->action)
                return answer(q, 1);
        r = watch_sender(q);
        if (r < 0)
                return refuse(q, FAILURE_ACCESS, "Access denied: polkit could not be asked whether you may ", "");
        return ask_next(q);
}

static int query_copy_question(Query *q, const PolkitQuestion *question) {
        q->texts = calloc(2 * question->n_checks + 1, sizeof(char *));
        if (!q->texts || free_and_strdup(&q->action, question->action) < 0 || free_and_strdup(&q->verb, question->verb) < 0 ||
            free_and_strdup(&q->dump, question->dump) < 0 || free_and_strdup(&q->what, question->what) < 0 ||
            free_and_strdup(&q->group, question->group) < 0 ||
            free_and_strdup(&q->phrase, question->phrase ?: question->verb) < 0)
                return -ENOMEM;

        q->unit_of = question->unit_of;
        q->names_sessions = question->names_sessions;
        q->admits = question->admits;
        q->n_checks = question->n_checks;
        for (size_t i = 0; i < q->n_checks; i++)
                if (free_and_strdup(&q->texts[2 * i], question->checks[i].session) < 0 ||
                    free_and_strdup(&q->texts[2 * i + 1], question->checks[i].unit) < 0)
                        return -ENOMEM;
        return 0;
}

static int query_new(Polkit *p, sd_bus_message *m, const PolkitQuestion *question, Query **ret) {
        Query *q = calloc(1, sizeof(Query));
        int r;

        if (!q)
                return -ENOMEM;
        q->polkit = p;
        q->message = sd_bus_message_ref(m);
        q->caller = (Caller) CALLER_UNKNOWN;
        r = query_copy_question(q, question);
        if (r < 0) {
                query_free(q);
                return r;
        }
        q->next = p->queries;
        p->queries = q;
        *ret = q;
        return 0;
}

int polkit_authorize(Polkit *p, sd_bus_message *m, const PolkitQuestion *question, sd_bus_message_handler_t handler,
                     void *userdata, sd_bus_error *error) {
        const char *sender = sd_bus_message_get_sender(m);
        const Query *asked = find_query(p, m);
        _cleanup_(query_freep) Query *q = NULL;
        int r;

        if (asked && !asked->answered)
                return bus_error_set(error, FAILURE_BUSY, "Authorization of this message is under way already");
        if (asked && asked->result < 0)
                (void) sd_bus_error_copy(error, &asked->error);
        if (asked)
                return asked->result;
        if (!sender || (question->action && question->n_checks == 0))
                return bus_error_set(error, FAILURE_ACCESS, "Access denied: nobody to ask polkit about");

        r = query_new(p, m, question, &q);
        if (r < 0)
                return r;
        q->handler = handler;
        q->userdata = userdata;
        r = sd_bus_call_method_async(p->bus, &q->call, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                     "org.freedesktop.DBus", "GetConnectionCredentials", on_credentials, q, "s", sender);
        if (r < 0)
                return r;
        steal_ptr(q);
        return 0;
}

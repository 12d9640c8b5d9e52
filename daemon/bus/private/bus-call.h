/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "bus.h"
#include "large-answers.h"
#include "polkit.h"

/* The bus-*.c files share this: the connection, the tables of methods, and one method call on its way through a row of
 * them: read, validate, look up, authorize, act by one domain call, reply. */

#define BUS_SESSIONS_PER_CALL_MAX 1024u
#define BUS_FDS_PER_MESSAGE_MAX 16u /* dbus-daemon(1), max_message_unix_fds: it disconnects who sends more */
/* Calls under way, those that await authorization too; the privileged user has no limit. dbus-daemon(1) permits 128 pending
 * replies of a connection (max_replies_per_connection): one user must not use up those that polkit owes us. */
#define BUS_CALLS_PER_USER_MAX 64u

typedef struct BusCall BusCall;

struct Bus {
        sd_event *event;
        Manager *manager;
        bool user;
        sd_bus *bus; /* NULL while there is no connection */
        Polkit *polkit;
        BusCall *calls;                   /* that the domain is working on */
        sd_bus_slot *leaves;              /* while there are any */
        sd_bus_vtable *manager_vtable, *session_vtable, *dump_vtable;
        Session *leaving;           /* being removed, and still to be shown */
        const Dump *leaving_dump;
        uint32_t n_sessions, n_running, n_dumps; /* as last reported by PropertiesChanged */
        sd_event_source *numbers;         /* reports them again, once a turn */
        LargeAnswers large;
        sd_event_source *reconnect;
        usec_t reconnect_delay;
};

typedef struct BusMethod {
        const char *member;
        const char *arguments; /* signatures */
        const char *answer;
        const char *names;     /* SD_BUS_PARAM()s of both */
        const char *action;    /* polkit's; NULL: open to all */
        const char *verb;      /* for polkit's rules and, without a phrase, for sentences */
        int (*read)(BusCall *c, sd_bus_error *error); /* fills the call from its message: the sessions; NULL: nothing to read */
        /* Returns 1 if it replied, or if bus_call_keep() was called and the reply comes later; otherwise a negative
         * errno. */
        int (*act)(BusCall *c, sd_bus_error *error);
        void (*run)(Manager *m, char *const *names, GatherDone done, void *userdata); /* of bus_verb_run(); NULL otherwise */
        bool lasts;            /* its calls may take long, although it needs no action */
        bool is_large;         /* its answer may be large */
        void (*withdraw)(Manager *m, const void *userdata); /* cancels the request of a kept call; NULL: it cannot be cancelled */
        int (*read_rest)(BusCall *c, sd_bus_error *error); /* the arguments after the sessions; NULL: there are none */
        const char *phrase;    /* as in PolkitQuestion */
} BusMethod;

struct BusCall {
        Bus *bus; /* NULL: it is gone, and nobody waits for the answer any more */
        BusCall *next;
        sd_bus_message *message; /* NULL: the caller has gone */
        const BusMethod *method;
        char **sessions;    /* asked for; empty: as the method says */
        char **assignments; /* StartTransient: "Section.Key=value" */
        int signal;
        usec_t timeout;
        bool now;           /* of Enable and Disable */
        uint64_t since;     /* of OpenWindow, as */
        bool whole;
        ReserveRequest reserve; /* its texts are the message's */
        char what[32];          /* "hardware:2", the counters to reserve; "": none */
        DumpRequest dump;
        char *dump_detail;  /* the caller and the reason */
        sd_bus_slot *caller_there; /* the call that asks if a dump's caller is still on the bus; NULL: none is pending */
        char *dump_id; /* the dump whose object was called; NULL: none was */
        Caller caller; /* unknown if polkit did not have to be asked */
};

/* The table as sd-bus wants it: its methods, then the rows of rest, which ends in SD_BUS_VTABLE_END. */
int bus_methods_to_vtable(const BusMethod *methods, size_t n_methods, sd_bus_message_handler_t handler,
                          const sd_bus_vtable *rest, sd_bus_vtable **ret);

/* Handles a message by its row of the table. resume, the caller of this, is entered again when polkit has answered. */
int bus_call_handle(Bus *b, sd_bus_message *m, const BusMethod *methods, size_t n_methods, sd_bus_message_handler_t resume,
                    sd_bus_error *error);

/* Defines get_NAME(), the getter of a property of a T, by which value calls it o. */
#define BUS_PROPERTY(T, o, name, type, value)                                                                   \
        static int get_##name(sd_bus *bus, const char *path, const char *interface, const char *property,      \
                              sd_bus_message *reply, void *userdata, sd_bus_error *error) {                     \
                const T *o = userdata;                                                                          \
                                                                                                                \
                return sd_bus_message_append(reply, type, value);                                               \
        }                                                                                                       \
        struct property_needs_a_semicolon_##name

/* The same for a string that may contain other programs' text, which is appended as valid UTF-8. */
#define BUS_TEXT_PROPERTY(T, o, name, value)                                                                    \
        static int get_##name(sd_bus *bus, const char *path, const char *interface, const char *property,      \
                              sd_bus_message *reply, void *userdata, sd_bus_error *error) {                     \
                const T *o = userdata;                                                                          \
                                                                                                                \
                return bus_append_text(reply, value);                                                           \
        }                                                                                                       \
        struct property_needs_a_semicolon_##name

int bus_append_text(sd_bus_message *m, const char *text);

BusCall *bus_call_free(BusCall *c);
DEFINE_CLEANUP(BusCall *, bus_call_free);

/* Copies a call for the userdata of the domain's callbacks: the copy holds the message and is counted. It takes the
 * sessions and assignments of c. NULL: no memory. */
BusCall *bus_call_keep(BusCall *c);

/* The callback of verbs that return no values. userdata: the kept call. */
void bus_call_done(Failure failure, const char *sentence, void *userdata);
/* Replies with an error if there is a failure. Returns true if it did, or if the caller waits for no answer. */
bool bus_call_failed(BusCall *c, Failure failure, const char *sentence);
/* Replies with an array of n rows of that type, which append() adds. */
typedef int (*BusAppend)(sd_bus_message *reply, const char *type, const void *rows, size_t i);
int bus_reply_rows(BusCall *c, const char *type, size_t n, BusAppend append, const void *rows);
/* The same as a value of an error, after its message. */
int bus_reply_failure_with_rows(BusCall *c, Failure failure, const char *sentence, const char *type, size_t n,
                                BusAppend append, const void *rows);
/* A session's own method returns what the manager's method of that name has in one row, without the name. */
bool bus_call_is_for_one(const BusCall *c);
/* r: the result of building or sending the reply. A negative errno is sent as an error reply. */
void bus_call_replied(BusCall *c, int r);

/* Limits the large answers that sd-bus makes by itself, as those of methods with is_large. */
int bus_limit_answers(Bus *b);

void bus_calls_orphan(Bus *b); /* the connection or the Bus is freed: calls that are under way end without an answer */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "client-options.h"
#include "json.h"

/* The connection to perf-recorderd, on this or another host, without types of sd-bus. Functions return 0 or a negative
 * errno; bus_client_fail() then prints what went wrong, in the service's own words, and returns the exit status of a verb that
 * ends so. */

typedef struct BusClient BusClient;

/* Connect to the bus that the options name. On failure bus_client_open() has printed why. */
int bus_client_open(const ClientOptions *o, BusClient **ret);
int bus_client_try_open(const ClientOptions *o, BusClient **ret);
BusClient *bus_client_free(BusClient *c);
DEFINE_CLEANUP(BusClient *, bus_client_free);

typedef enum BusCallFlags {
        BUS_CALL_NAMES = 1 << 0,         /* the first argument is the array of names */
        BUS_CALL_NO_AUTO_START = 1 << 1, /* the call does not start the daemon */
        BUS_CALL_AUTHORIZE = 1 << 2,     /* polkit may ask the user */
        BUS_CALL_WAIT = 1 << 3,          /* the service answers when the work is done */
        BUS_CALL_OPTIONS = 1 << 4,       /* the last argument is the dictionary of options */
        BUS_CALL_TRUE = 1 << 5,          /* a boolean follows the number: true, or */
        BUS_CALL_FALSE = 1 << 6,         /* false */
} BusCallFlags;

typedef struct BusOption {
        const char *key;
        char type; /* D-Bus type: 's', 'b', 't' */
        uint64_t number;
        const char *string;
} BusOption;

typedef struct BusClientCall {
        const char *method; /* a method of the Manager interface, or of object's */
        const char *object; /* path of a dump, or NULL … */
        const char *session; /* … the name of a session, whose method it is then; NULL */
        BusCallFlags flags;
        char *const *names; /* NULL is the empty array */
        const char *const *strings; /* the next arguments, ended by NULL; NULL: none */
        char number_type;   /* D-Bus type of the next argument, 'b', 'i' or 't'; 0: none */
        uint64_t number;
        const BusOption *options;
        size_t n_options;
        usec_t timeout;     /* time that the service may take; 0: 25 s or $SYSTEMD_BUS_TIMEOUT, with BUS_CALL_WAIT no limit */
        usec_t asked;       /* it takes so long because it was asked to: only what comes on top is waited for */
        const char *remark; /* printed on standard error if there is no answer after some seconds; NULL: none */
} BusClientCall;

/* Calls the service. *ret, unless NULL, gets the array of the values that it answered. */
int bus_client_call(BusClient *c, const BusClientCall *call, json_object **ret);

/* Descriptors of an answer, in its order. In the answer itself each of them is "true". */
typedef struct BusDescriptors {
        int *fds; /* owned */
        size_t n;
} BusDescriptors;

void bus_descriptors_done(BusDescriptors *d);

/* Does the same for a method that answers descriptors. If the service answers an error, *ret has its values, which begin with
 * the message: Dump and DumpObjects of several sessions have those of the others there. */
int bus_client_call_for_descriptors(BusClient *c, const BusClientCall *call, json_object **ret,
                                    BusDescriptors *ret_descriptors);

/* True if the last call failed because what it asks for is in use. */
bool bus_client_was_busy(const BusClient *c);

/* Has the service's Manager send a signal of that name, and waits at most for the timeout until it has come since the last call.
 * 1: it has; 0: it has not. */
int bus_client_listen(BusClient *c, const char *member);
int bus_client_await_signal(BusClient *c, usec_t timeout);

/* All properties of the Manager, of one session, of one dump, or of all objects, keyed by path and interface as
 * ObjectManager answers. None of these starts the daemon. */
int bus_client_get_manager(BusClient *c, json_object **ret);
int bus_client_get_session(BusClient *c, const char *name, json_object **ret);
int bus_client_get_file_state(BusClient *c, const char *name, json_object **ret); /* "enabled" …, also if it is not loaded */
int bus_client_get_dump(BusClient *c, const char *object, json_object **ret); /* by the path of its object */
char *bus_client_dump_id(const char *object); /* its id, even if it does not exist any more; to be freed, NULL: no memory */
int bus_client_get_objects(BusClient *c, json_object **ret);
int bus_client_get_daemon_pid(BusClient *c, pid_t *ret);

/* Returns the exit status (verbs.h) for the error of the last call, which must have failed:
 *   STATUS_NOT_RUNNING      the service does not run and was not to be started, or is masked; the session does not run
 *   STATUS_DENIED           polkit or the bus refused the call
 *   STATUS_NO_SUCH_SESSION  there is no session of that name
 *   STATUS_BAD_SETTING      its file, or the settings of the call, have an error
 *   STATUS_FAILED           anything else, among it no answer in time and a dump that is gone */
int bus_client_status(const BusClient *c);

/* Prints "Failed to WHAT: …" on standard error for each line of that error, and returns bus_client_status(). */
int bus_client_fail(const BusClient *c, const char *what);
/* Does the same, with "Failed to WHAT 'NAME': …" if there is one name. If there are several, the service names the one that
 * failed. */
int bus_client_fail_for(const BusClient *c, const char *what, char *const *names);

/* The number of recorders that run, as the service manager knows them, with or without the service; 0 also if it does not
 * answer. */
size_t bus_client_count_recorders(const BusClient *c);

/* A signal of the service, or of the bus about it. Strings are valid during the call. */
typedef struct BusSignal {
        const char *path, *member;
        const char *session;    /* the session whose object sent it, or NULL */
        const json_object *arguments; /* an array */
} BusSignal;

/* Calls handler for every signal until it returns a negative errno or the connection ends; returns that error. */
int bus_client_monitor(BusClient *c, int (*handler)(const BusSignal *s, void *userdata), void *userdata);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "scope.h"

/* Shared by the files behind scope.h: the connection to systemd, and the requests on it. */

#define SYSTEMD_SERVICE "org.freedesktop.systemd1"
#define SYSTEMD_PATH "/org/freedesktop/systemd1"
#define SYSTEMD_MANAGER "org.freedesktop.systemd1.Manager"

/* Listens to systemd's signals for long: connected() is called for each connection, the first time from within
 * scope_client_listen(); dropped() before its slots are freed. A lost connection is made again, with a try each
 * second. */
typedef struct ScopeListener {
        int (*connected)(sd_bus *bus, void *userdata);
        void (*dropped)(void *userdata);
        void *userdata;
} ScopeListener;

/* A scope that is being stopped, and killed if that takes long. */
typedef struct LeftScope LeftScope;
struct LeftScope {
        ScopeClient *client;
        LeftScope *next;
        char *unit;
        sd_event_source *timer;
};

struct ScopeClient {
        sd_event *event;
        bool user, lost;
        bool subscribed; /* this connection gets systemd's signals */
        sd_bus *bus;
        char *owner; /* systemd's unique name; NULL: it is not known, or not on the bus */
        ScopeRequest *first;
        size_t n_calls; /* pending calls */
        size_t n_subscribers; /* that need signals of systemd */
        size_t n_jobs;        /* those that wait for jobs */
        sd_bus_slot *job_removed, *unit_removed;
        ScopeListener listener;
        sd_event_source *reconnect; /* for the listener */
        LeftScope *left;
        sd_event_source *at_exit; /* for those */
};

struct ScopeRequest {
        ScopeClient *client;
        ScopeRequest *next;
        ScopeDone done;
        void *userdata;
        sd_bus_slot *slot; /* the pending call */
        sd_bus_message *waiting; /* a call that waits for others to be answered */
        sd_bus_message_handler_t handler;
        bool subscribes;
        char *unit;
        /* of scope_await_unit() */
        sd_bus_slot *changes; /* the unit's signals */
        bool changed;         /* a signal came while a call was pending */
        bool awaited;
        /* of requests that start a unit and wait for its job */
        bool holds_jobs;
        char *job;
        int (*job_done)(ScopeRequest *q); /* continues after the job, or ends the request; NULL: the request ends with the job */
        char *directory;                  /* of scope_make_directory() */
        /* of scope_start() */
        char *description;
        ScopeSettings settings; /* the slice is a copy */
        pid_t pid;
        bool is_left;
        unsigned n_tries;
        sd_event_source *retry;
};

void scope_client_end_left(ScopeClient *c); /* kills them now, if there is a connection */

int scope_request_new(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret);

/* Calls done and frees the request. */
void scope_request_end(ScopeRequest *q, int error, const char *text);

/* If systemd answered with an error, ends the request with it and returns true. */
bool scope_request_failed(ScopeRequest *q, sd_bus_message *reply, const char *what);

/* Sends m for the request, now or when fewer calls are pending: a bus limits the replies that a connection may wait
 * for. */
int scope_request_call(ScopeRequest *q, sd_bus_message *m, sd_bus_message_handler_t handler);

/* To be called first by the handler of an answer, which stays readable. */
void scope_request_answered(ScopeRequest *q);

/* Asks for a property; ends the answered call, if there is one. */
int scope_request_get_property(ScopeRequest *q, const char *path, const char *interface, const char *name,
                               sd_bus_message_handler_t handler);

/* Sets the only listener; NULL: none any more. */
int scope_client_listen(ScopeClient *c, const ScopeListener *listener);

/* systemd sends signals to this connection while there is a subscription; each is ended once. */
int scope_client_subscribe(ScopeClient *c, sd_bus *bus);
void scope_client_unsubscribe(ScopeClient *c);

/* The same until the request is freed. */
int scope_request_subscribe(ScopeRequest *q, sd_bus *bus);

/* Receives systemd's signals about jobs until the request is freed; to be called before the call that makes the
 * job. */
int scope_request_hold_jobs(ScopeRequest *q, sd_bus *bus);

/* The reply has the path of a job: the request waits for the end of that. */
void scope_request_take_job(ScopeRequest *q, sd_bus_message *reply);

/* A call of systemd's manager, and the request that sends one; handler reads the answer, with the request as
 * userdata. */
int scope_client_new_call(ScopeClient *c, const char *method, sd_bus_message **ret);
int scope_request_send(ScopeClient *c, const char *unit, sd_bus_message *m, sd_bus_message_handler_t handler, ScopeDone done,
                       void *userdata, ScopeRequest **ret);

/* The connection, which is made unless there is one. */
int scope_client_bus(ScopeClient *c, sd_bus **ret);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include <systemd/sd-event.h>

#include "settings.h"

/* Requests to systemd, without waiting: a scope for a recorder's process, and questions about units. Each is a
 * ScopeRequest: its callback is called once, never before the call that made it has returned, and the request is
 * freed then; one that is freed earlier gets no callback. */

typedef struct ScopeClient ScopeClient;
typedef struct ScopeRequest ScopeRequest;

/* text: the answer, or on failure a sentence for people. */
typedef void (*ScopeDone)(int error, const char *text, void *userdata);

/* The connection is made when it is needed, and again if it was lost. */
int scope_client_new(sd_event *event, bool user, ScopeClient **ret);
ScopeClient *scope_client_free(ScopeClient *c); /* after its last request */
DEFINE_CLEANUP(ScopeClient *, scope_client_free);

/* Connects now, if there is no connection. -ECONNREFUSED: there is no bus. */
int scope_client_connect(ScopeClient *c);

ScopeRequest *scope_request_free(ScopeRequest *q);

/* "perf-session-NAME.scope", "@" escaped, and NAME of that. NULL without memory, or if it is no such unit. */
char *scope_unit_name(const char *session);
char *scope_session_name(const char *unit);

typedef struct ScopePlan {
        const char *unit;
        const char *description;
        const ScopeSettings *settings;
        pid_t pid;
        bool is_left; /* a scope of this name is known to be left by an earlier process of the session */
} ScopePlan;

/* The error of a start whose job failed, for which systemd names no reason. */
#define SCOPE_JOB_FAILED (-EPROTO)

/* Done when the process is in its scope. If a scope of this name is being removed, waits for that, for 20 s: then
 * the error is -EBUSY. After 15 s the processes of one that is_left are killed. */
int scope_start(ScopeClient *c, const ScopePlan *plan, ScopeDone done, void *userdata, ScopeRequest **ret);

/* Ends the processes that are left in a scope, without waiting. */
void scope_stop(ScopeClient *c, const char *unit);

/* The same for one whose recorder has ended before its command. Processes that still run after 15 s are killed, and
 * at once if the client is freed earlier: jobs of other units wait for the end of the scope. scope_start() of the
 * same unit takes this over. */
void scope_stop_left(ScopeClient *c, const char *unit);

/* Kills all processes of a scope, without waiting. */
void scope_kill(ScopeClient *c, const char *unit);

/* Thaws a frozen scope, without waiting. */
void scope_thaw(ScopeClient *c, const char *unit);

/* Has systemd start another unit. Done when systemd has accepted the job; its result is not reported. */
int scope_start_unit(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret);

/* Has systemd make a directory for root only, with its parents, and mount it into the daemon's own service,
 * writable. Done when that is mounted. */
int scope_make_directory(ScopeClient *c, const char *path, ScopeDone done, void *userdata, ScopeRequest **ret);

/* text: the control group of a running unit, "/system.slice/…"; unit: its full name. -ESRCH: it does not run; -ENOENT:
 * systemd knows no such unit. */
int scope_find_control_group(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret);

/* The same, but done when the unit runs, however long that takes. */
int scope_await_unit(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret);

/* text: the type of the job that the daemon's own unit has: "stop", "restart", …; "" for none; "shutdown" for a stop because the
 * system goes down. */
int scope_find_own_job(ScopeClient *c, ScopeDone done, void *userdata, ScopeRequest **ret);

/* The type of that unit's job, or "", as systemctl(1) prints it, which needs no bus. Allocated. Waits for at most 5 s. */
int scope_ask_systemctl(const ScopeClient *c, const char *unit, char **ret_type);

/* text: names of the scopes of sessions that systemd has or is about to make, one a line. */
int scope_list(ScopeClient *c, ScopeDone done, void *userdata, ScopeRequest **ret);

/* text: PIDs of a unit's processes, one a line. */
int scope_list_processes(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret);

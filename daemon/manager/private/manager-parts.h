/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "manager.h"
#include "watch.h"

/* Shared by the files of this folder. */

typedef struct Adoption Adoption;
typedef struct Conditions Conditions;
typedef struct DumpCall DumpCall;
typedef struct PingCall PingCall;
typedef struct Reservations Reservations;
typedef struct UnusualRun UnusualRun;

#define N_SIGNALS 3

/* The work that begins when a dump is there. */
typedef struct DumpFollowers {
        struct OnDump *units; /* that systemd is starting */
        UnusualRun *unusual;  /* NULL until the first dump that it is for */
} DumpFollowers;

struct Manager {
        SessionHost host;
        bool user;
        SearchPath path;
        char **misnamed; /* session files with invalid names, which have been logged */
        SessionWatch *watch;
        Conditions *conditions; /* causes of dumps outside of the recorders */
        sd_event_source *retention, *retention_timer;
        bool retains; /* a look at the limits on dumps is scheduled, or runs now */
        sd_event_source *reach; /* looks how far back the rings reach, while those of any session are kept */
        const char *removal; /* the reason why a dump is being removed; NULL: somebody else removed it */
        Sessions sessions;
        ManagerObserver observer;
        PingCall *ping_calls; /* pending calls */
        DumpCall *dump_calls;
        DumpFollowers followers;
        sd_event_source *status; /* notifies the service manager, once a turn */
        Adoption *adoption;
        Reservations *reservations; /* of counters that the sessions lend */
        ScopeRequest *base_request; /* systemd makes the base directory again */
        GatherList base_waiters;
        ScopeRequest *own_job; /* asks after SIGTERM if it is a restart */
        sd_event_source *signals[N_SIGNALS];
        sd_event_source *end_timer;
        int end_signal; /* a signal that came during the adoption */
};

/* Logs the warnings about the directories, and each misnamed file once. */
void manager_take_misnamed(Manager *m, SessionFiles *files);

/* base.c */
int manager_take_base(Manager *m, const char *path); /* NULL: BaseDirectory= */
int manager_open_notify(Manager *m, bool in_base, int stored_fd);
void manager_make_base_again(Manager *m, Gather *g); /* if it is missing; g waits for it */
#define NOTIFY_STORE_NAME "notify" /* of the descriptor store */

#define MANAGER_IS_ENDING "The daemon is ending: try again in a moment"

/* status.c */
void manager_status_later(Manager *m);                       /* notifies the service manager, at the end of this turn */
int manager_describe_status(const Manager *m, char **ret); /* for STATUS= of the service */

/* adoption.c: restores sessions from the descriptor store; the caller owns the two sockets. */
int manager_restore(Manager *m, int *ret_notify_fd, int *ret_trigger_fd);
int manager_restore_session(Manager *m, const char *store_name, int pidfd, int counters_fd, int state_fd); /* takes all three */
Adoption *adoption_free(Adoption *a);

/* reservations.c */
int reservations_new(Manager *m, const struct CounterProofOps *proof, Reservations **ret);
Reservations *reservations_free(Reservations *l); /* what was granted stays in the descriptor store */
void reservations_look_later(Reservations *l); /* a session changed, or answered; l may be NULL */
int manager_restore_reservation(Manager *m, CounterKind kind, int fd, int state_fd); /* takes both */

/* dump-news.c */
int manager_read_dumps(Manager *m);

/* retention-run.c: at the end of this turn */
void manager_retain_later(Manager *m);
char *manager_explain_full(const Manager *m, const SessionSettings *s); /* less is free than KeepFree=; NULL: it is not */

/* unit-start.c: starts the unit of OnDump= of the dump's session, with the dump's id as its instance. A failure is
 * a warning in the journal. */
void manager_start_on_dump(Manager *m, const Dump *d);
void manager_cancel_on_dump(Manager *m); /* drops systemd's answers */

/* unusual-run.c: has the viewer look for what was unusual before the trigger of a new dump that an incident made, and logs that */
void manager_look_at_dump(Manager *m, const Dump *d);
UnusualRun *unusual_run_free(UnusualRun *u);

/* conditions.c: causes of dumps outside of the recorders, according to [Trigger]: datagrams (Socket=), units that
 * fail (UnitFailure=), calendar events (OnCalendar=). socket_fd: the bound socket for datagrams, taken in any case;
 * -EBADF: the service manager passed none. */
int conditions_new(Manager *m, int socket_fd, Conditions **ret);
Conditions *conditions_free(Conditions *c);
void conditions_update_later(Conditions *c); /* a session changed; c may be NULL */

/* ending.c */
int manager_handle_signals(Manager *m);
void manager_terminate(Manager *m, int sig);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "manager.h"

/* manager.h and session.h in memory: sessions that start and stop at once, and operations that end at once or when the
 * test releases them. Only one manager exists at a time; the test reads and writes its fields. */

struct Session {
        char *name;
        const char *description, *unit, *error, *command, *scope;
        SessionState state;
        SessionResult result;
        pid_t main_pid;
        unsigned lent;
        unsigned n_restarts;
        PrCounters counters;
        uint32_t n_counts; /* of the event "cycles" on CPUs 0, 1 …, on the first for a unit */
};

#define FAKE_SESSIONS_MAX 8
#define FAKE_DUMPS_MAX 8
#define FAKE_ROWS_MAX 64

struct Manager {
        Sessions sessions; /* in the array */
        Session *all[FAKE_SESSIONS_MAX];
        Dump *dumps[FAKE_DUMPS_MAX];
        size_t n_dumps;
        ManagerObserver observer;
        Caller caller; /* of the last call that had one */

        bool hold; /* operations wait for fake_manager_release() */
        struct {
                GatherDone done;
                void *userdata;
        } held[600];
        size_t n_held, n_pings; /* pings are held as well, and never answered */

        /* The arguments of the last call. */
        const char *verb;
        char **names, **assignments;
        int signal;
        bool enable, now;
        usec_t timeout;
        DumpRequest dump; /* its strings are the ones below */
        char *dump_trigger, *dump_detail;
        Failure dump_error;   /* of every dump */
        bool hold_dumps;  /* dumps never finish */
        ReserveRequest reserve; /* its strings are the ones below */
        char *reserve_who, *reserve_why;
        Failure reserve_error; /* of every reservation */
        unsigned n_withdrawn;
        unsigned n_calls, n_catch_ups, n_retries;
};

Manager *fake_manager_new(void); /* with the sessions "cycles" (recording, PID 4711, Unit=nginx.service) and "idle" */
Manager *fake_manager_free(Manager *m);
DEFINE_CLEANUP(Manager *, fake_manager_free);

Session *fake_manager_add(Manager *m, const char *name); /* observed */
void fake_manager_remove(Manager *m, const char *name);
void fake_manager_add_dump(Manager *m, const char *session, const char *stamp); /* observed; its file has its id */
void fake_manager_change(Manager *m, Session *s, SessionState state, SessionChange mask);
void fake_manager_release(Manager *m, Failure failure, const char *sentence);

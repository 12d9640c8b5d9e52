/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "caller.h"
#include "counter-kind.h"
#include "dump-store.h"
#include "enablement.h"
#include "gather.h"
#include "session-dump.h"
#include "session-window.h"
#include "sessions.h"

typedef struct Manager Manager;

/* All sessions of one daemon, and the requests to them. Verbs take names; an empty array means all enabled sessions
 * (start) or all running ones (the other verbs). They never block: long operations end in a callback. Callers are
 * authorized before; nothing here checks them. No bus types here. */

typedef struct ManagerOptions {
        bool user;                  /* the user's instance: its search paths, bus and runtime directory */
        const char *base_directory; /* NULL: as perf-recorderd.conf says */
        const struct CounterProofOps *proof; /* of Reserve; NULL: the kernel's */
} ManagerOptions;

/* Reads the settings and the session files, takes the base directory (-EBUSY: another daemon has it), and restores
 * what a previous daemon left in the descriptor store. All failures are logged. Nothing is started. */
int manager_new(sd_event *event, const ManagerOptions *o, Manager **ret);
Manager *manager_free(Manager *m); /* does not touch the recorders that run */
DEFINE_CLEANUP(Manager *, manager_free);

/* Asks systemd for the scopes of sessions, adopts the recorders in them that the descriptor store did not have, and
 * stops those without a session. adopted is called once, from the event loop. */
int manager_adopt_from_scopes(Manager *m, void (*adopted)(int error, void *userdata), void *userdata);

/* To be called after that: starts the enabled sessions that do not run, watches the session directories, and sends
 * READY=1 to the service manager. Returns at once; the starts end in the event loop. */
int manager_begin(Manager *m);

typedef struct ManagerObserver {
        void (*session_new)(Session *s, void *userdata);
        void (*session_removed)(Session *s, void *userdata);           /* s is still valid */
        void (*session_changed)(Session *s, SessionChange mask, void *userdata);
        void (*dump_new)(const Dump *d, void *userdata);
        void (*dump_removed)(const Dump *d, void *userdata); /* d is still valid, but no longer in the store */
        void (*dump_changed)(const Dump *d, void *userdata); /* symbols came or went */
        void (*reloading)(bool active, void *userdata);
        void (*reserved)(const char *what, bool is_reserved, void *userdata); /* "hardware:2"; false: it is given back */
        void *userdata;
} ManagerObserver;

/* Sets the caller of the requests that follow; NULL: the daemon itself. Not copied. The journal names it, and the
 * sessions that a user may make are limited. */
void manager_set_caller(Manager *m, const Caller *caller);

void manager_set_observer(Manager *m, const ManagerObserver *observer); /* copied */

const Sessions *manager_sessions(Manager *m); /* valid until the next session comes or goes */
DumpStore *manager_dumps(Manager *m);         /* of existing and of former sessions */

/* The unit that a session records or would record: from the caller's assignments, if there are any, otherwise from
 * its settings, or from its file if it is not loaded. "": none; NULL: no memory. */
char *manager_unit_of(Manager *m, const char *name, char *const *assignments);

size_t manager_n_running(Manager *m);
const char *manager_base_directory(Manager *m);
usec_t manager_start_timestamp(Manager *m); /* µs since the epoch, of this daemon process */
uint64_t manager_locked_memory(Manager *m); /* bytes of all rings */

int manager_remove_dump(Manager *m, const Dump *d); /* at the caller's request, which the journal has as the reason */

/* Dumps the sessions side by side: done when every dump exists. A row per session, in the order of names (empty:
 * all that record); rows and descriptors are valid during the callback only. If one fails, the others are dumped
 * nevertheless, and done gets their rows with the failure. Failures besides those of session_dump():
 * FAILURE_NO_SUCH_SESSION, and FAILURE_OTHER if the base directory is missing. */
typedef struct DumpRow {
        const char *session;
        const char *dump; /* its id */
        int fd;           /* as dump_store_open() has it */
} DumpRow;
typedef void (*DumpsDone)(Failure failure, const char *sentence, const DumpRow *rows, size_t n_rows, void *userdata);
void manager_dump(Manager *m, char *const *names, const DumpRequest *request, DumpsDone done, void *userdata);

/* Withdraws the requests with that userdata: done is not called, and dumps that nobody else waits for are
 * cancelled. */
void manager_withdraw_dumps(Manager *m, const void *userdata);

/* Has the session's recorder hand over the samples that it has in memory, which is no dump and leaves no trace: as
 * session_open_window(), but always answers by done, from within as well. FAILURE_NO_SUCH_SESSION; FAILURE_NO_SPACE: less of the
 * disk is free than KeepFree=, since a caller may keep the file; root may. */
void manager_open_window(Manager *m, const char *name, uint64_t since, bool whole, WindowAnswer done, void *userdata);
void manager_withdraw_window(Manager *m, const void *userdata); /* done is not called */

/* A session that runs already is no failure. Done when every session has its events open, or has failed. */
void manager_start(Manager *m, char *const *names, GatherDone done, void *userdata);
/* A session that does not run is no failure. Done when every recorder has ended and its file is closed. */
void manager_stop(Manager *m, char *const *names, GatherDone done, void *userdata);
void manager_restart(Manager *m, char *const *names, GatherDone done, void *userdata);
/* Switches events off and on by the control protocol: FAILURE_NOT_RUNNING without a recorder. Done when all have
 * acked. */
void manager_pause(Manager *m, char *const *names, GatherDone done, void *userdata);
void manager_resume(Manager *m, char *const *names, GatherDone done, void *userdata);

/* Has the sessions start with the daemon from now on, or not; now: starts or stops them too, and is done when that
 * is. At least one name. changes has those of all sessions, valid during the callback only. Changes before a
 * failure stay. */
typedef void (*EnableDone)(Failure failure, const char *sentence, const FileChanges *changes, void *userdata);
void manager_enable(Manager *m, char *const *names, bool enable, bool now, EnableDone done, void *userdata);

/* The state of a session according to the files, also of one that is not loaded; "transient" without files. NULL:
 * there is no such session. */
const char *manager_file_state(Manager *m, const char *name);

/* A row per name (empty: all running sessions), in that order. error: 0, ENOENT, ESRCH or kill's errno. The caller
 * frees the array; names points to the arguments or to the sessions' own names. */
typedef struct SignalRow {
        const char *name;
        pid_t pid;
        int error;
} SignalRow;
int manager_signal(Manager *m, char *const *names, int sig, SignalRow **ret, size_t *ret_n);

/* status: "ok", "timeout", "dead" (there should be a recorder, and none answers), "inactive" (no recorder runs). A
 * name without a session fails with FAILURE_NO_SUCH_SESSION before any ping is sent. Rows are valid during the
 * callback only. Empty names: all that are not inactive, perf-recorderd.conf with "bad-setting" while it is
 * rejected, and the path of the base directory with "missing" if it was removed or moved away. timeout 0: the
 * default of 3 s. Sessions are pinged side by side. */
typedef struct PingRow {
        const char *name;
        const char *status;
        usec_t round_trip_usec;
} PingRow;
typedef void (*PingDone)(Failure failure, const char *sentence, const PingRow *rows, size_t n_rows, void *userdata);
void manager_ping(Manager *m, char *const *names, usec_t timeout, PingDone done, void *userdata);
/* Withdraws the ping with that userdata: its done is not called. */
void manager_withdraw_ping(Manager *m, const void *userdata);

/* Has all sessions lend counters, which a caller reserves: n of that kind on each CPU. fd is the caller's end of a pipe, valid
 * during the callback only; the sessions get their counters back when no copy of it is open. FAILURE_BUSY: they are reserved
 * already, a session did not answer, or they are not free; FAILURE_NOT_SUPPORTED: there are none. */
typedef struct ReserveRequest {
        CounterKind kind;
        unsigned n;
        const char *who, *why; /* lines for people; why may be "" */
} ReserveRequest;
typedef void (*ReserveDone)(Failure failure, const char *sentence, int fd, void *userdata);
void manager_reserve(Manager *m, const ReserveRequest *request, ReserveDone done, void *userdata);
/* Withdraws the request with that userdata, unless it is done: its done is not called. */
void manager_withdraw_reservation(Manager *m, const void *userdata);

/* Lists the reservations in force, and returns how many there are. The strings are valid until one ends. */
typedef struct ReservationRow {
        CounterKind kind;
        unsigned n;
        const char *who, *why;
        uid_t uid; /* UID_INVALID: not known */
        pid_t pid; /* 0: not known */
} ReservationRow;
size_t manager_list_reservations(Manager *m, ReservationRow ret[static _COUNTER_KIND_MAX]);

/* Reads the files again, and makes the base directory again if it is missing. A row has a name and its change:
 * "added", "removed", "changed" (and restarted if it ran), "bad-setting", "masked"; unchanged sessions have no row.
 * Done when the restarts have finished; done may be NULL. The failure is that of the first bad file; the other
 * files are in force nevertheless. */
typedef struct ReloadRow {
        const char *name;
        const char *change;
} ReloadRow;
typedef void (*ReloadDone)(Failure failure, const char *sentence, const ReloadRow *rows, size_t n_rows, void *userdata);
void manager_reload(Manager *m, ReloadDone done, void *userdata);

/* Tries at once to start the sessions that wait for the next try, since the cause may have passed. */
void manager_retry(Manager *m);

/* Reads the changes of files up to now; to be called before a caller's names are looked up. */
void manager_catch_up(Manager *m);

/* Starts a session that exists until it stops. assignments: "Section.Key=value" strings, as in the files. Refused:
 * Recorder, an output file in Run=, a name that exists (FAILURE_ALREADY_RUNNING). done as for manager_start(). */
void manager_start_transient(Manager *m, const char *name, char *const *assignments, GatherDone done, void *userdata);

/* Stops all sessions, then leaves the event loop with status 0. */
void manager_exit(Manager *m, GatherDone done, void *userdata);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "caller.h"
#include "dump-store.h"
#include "enablement.h"
#include "gather.h"
#include "session-dump.h"
#include "sessions.h"

typedef struct Manager Manager;

/* All sessions of one daemon and what can be asked of them. Verbs take names; an empty array means all enabled ones
 * (start) or all running ones (the others). They never block: what takes time ends in a callback. The callers have
 * authorized; nothing here asks who calls. No bus types here. */

typedef struct ManagerOptions {
        bool user;                  /* the user's instance: its search paths, bus and runtime directory */
        const char *base_directory; /* NULL: as perf-recorderd.conf says */
} ManagerOptions;

/* Reads the settings and the session files, takes the base directory (-EBUSY: another daemon has it; all failures are
 * logged), and takes back what a previous daemon left in the descriptor store. Nothing is started. */
int manager_new(sd_event *event, const ManagerOptions *o, Manager **ret);
Manager *manager_free(Manager *m); /* does not touch the recorders that run */
DEFINE_CLEANUP(Manager *, manager_free);

/* Asks systemd for the scopes of sessions, adopts the recorders in them that the descriptor store did not have, and ends those of
 * no session. adopted is called once, from the event loop. */
int manager_adopt_from_scopes(Manager *m, void (*adopted)(int error, void *userdata), void *userdata);

/* After that: starts the enabled sessions that are not up, watches the session directories, and tells the service
 * manager READY=1. Answers at once; the starts end in the event loop. */
int manager_begin(Manager *m);

typedef struct ManagerObserver {
        void (*session_new)(Session *s, void *userdata);
        void (*session_removed)(Session *s, void *userdata);           /* s is still whole */
        void (*session_changed)(Session *s, SessionChange mask, void *userdata);
        void (*dump_new)(const Dump *d, void *userdata);
        void (*dump_removed)(const Dump *d, void *userdata); /* d is still whole, but not found any more */
        void (*dump_changed)(const Dump *d, void *userdata); /* symbols came or went */
        void (*reloading)(bool active, void *userdata);
        void *userdata;
} ManagerObserver;

/* On whose behalf the calls are made that follow; NULL: the daemon's own. Not copied. It is named in the journal, and what a
 * user may have made is limited. */
void manager_set_caller(Manager *m, const Caller *caller);

void manager_set_observer(Manager *m, const ManagerObserver *observer); /* copied */

const Sessions *manager_sessions(Manager *m); /* valid until the next session comes or goes */
DumpStore *manager_dumps(Manager *m);         /* of sessions that exist and of those that were */

/* The unit that a session records or would record: by the caller's assignments, if there are any, otherwise by its settings,
 * or its file if it is not loaded. "" for none, NULL without memory. */
char *manager_unit_of(Manager *m, const char *name, char *const *assignments);

size_t manager_n_running(Manager *m);
const char *manager_base_directory(Manager *m);
usec_t manager_start_timestamp(Manager *m); /* µs since the epoch, of this daemon process */
uint64_t manager_locked_memory(Manager *m); /* bytes of all rings */

int manager_remove_dump(Manager *m, const Dump *d); /* as the caller asked for it */

/* Dumps the sessions side by side: done when every dump is there. A row per session, in the order asked for (empty: all
 * that record); rows and descriptors are valid during the callback only. If one fails, the others are dumped all the same,
 * and done gets their rows with the failure. Failures besides those of session_dump(): there is no such session. */
typedef struct DumpRow {
        const char *session;
        const char *dump; /* its id */
        int fd;           /* as dump_store_open() has it */
} DumpRow;
typedef void (*DumpsDone)(Failure failure, const char *sentence, const DumpRow *rows, size_t n_rows, void *userdata);
void manager_dump(Manager *m, char *const *names, const DumpRequest *request, DumpsDone done, void *userdata);

/* After this nothing waits for what was asked for with that userdata: done is not called, and what was asked for nobody else is
 * not dumped. */
void manager_withdraw_dumps(Manager *m, const void *userdata);

/* A session that runs already is fine. Done when every one has its events open (or failed). */
void manager_start(Manager *m, char *const *names, GatherDone done, void *userdata);
/* A session that does not run is fine. Done when every recorder is gone and its file is closed. */
void manager_stop(Manager *m, char *const *names, GatherDone done, void *userdata);
void manager_restart(Manager *m, char *const *names, GatherDone done, void *userdata);
/* Events off and on by the control protocol: FAILURE_NOT_RUNNING where none runs. Done when acked. */
void manager_pause(Manager *m, char *const *names, GatherDone done, void *userdata);
void manager_resume(Manager *m, char *const *names, GatherDone done, void *userdata);

/* The sessions start with the daemon from now on, or do not; now: starts or stops them too, and is done when that is. At least
 * one name. changes are those of all sessions, valid during the callback only. What was changed before
 * a failure stays. */
typedef void (*EnableDone)(Failure failure, const char *sentence, const FileChanges *changes, void *userdata);
void manager_enable(Manager *m, char *const *names, bool enable, bool now, EnableDone done, void *userdata);

/* The state that the files give a session, also one that is not loaded; "transient" without files. NULL: there is no such
 * session. */
const char *manager_file_state(Manager *m, const char *name);

/* A row per session asked for (empty: all running), in that order. error: 0, ENOENT, ESRCH or kill's errno. The row array
 * is the caller's (free()); the names are those asked for or the sessions' own. */
typedef struct SignalRow {
        const char *name;
        pid_t pid;
        int error;
} SignalRow;
int manager_signal(Manager *m, char *const *names, int sig, SignalRow **ret, size_t *ret_n);

/* status: "ok", "timeout", "dead" (no process answers any more), "inactive" (none runs; also of names that are not there:
 * FAILURE_NO_SUCH_SESSION ends the call before any ping is sent). Rows are valid during the callback only. Empty names: all
 * that are not inactive, perf-recorderd.conf with "bad-setting" while it is rejected, and the path of the base directory with
 * "missing" if it was removed or moved away. timeout 0: the default of 3 s.
 * Sessions are pinged side by side. */
typedef struct PingRow {
        const char *name;
        const char *status;
        usec_t round_trip_usec;
} PingRow;
typedef void (*PingDone)(Failure failure, const char *sentence, const PingRow *rows, size_t n_rows, void *userdata);
void manager_ping(Manager *m, char *const *names, usec_t timeout, PingDone done, void *userdata);
/* After this nothing waits for the ping that was begun with that userdata: its done is not called. */
void manager_withdraw_ping(Manager *m, const void *userdata);

/* Reads the files again. rows: name, and what became of it: "added", "removed", "changed" (and restarted if it ran),
 * "bad-setting", "masked"; sessions that stayed as they are have no row. Done when the restarts are; done may be NULL. The
 * failure is the first of a file that cannot be read; the other files are in force all the same. */
typedef struct ReloadRow {
        const char *name;
        const char *change;
} ReloadRow;
typedef void (*ReloadDone)(Failure failure, const char *sentence, const ReloadRow *rows, size_t n_rows, void *userdata);
void manager_reload(Manager *m, ReloadDone done, void *userdata);

/* The bus is back: sessions that could not be started, for a reason that may pass, are tried again at once. */
void manager_retry(Manager *m);

/* Changes of the files that happened before this call are read when it returns; before a caller's names are looked up. */
void manager_catch_up(Manager *m);

/* A session that lives until it stops. assignments: "Section.Key=value" strings, as in the files. Refused: Recorder, an
 * output file in Run=, a name that is there already (FAILURE_ALREADY_RUNNING). Starts it; done as for manager_start. */
void manager_start_transient(Manager *m, const char *name, char *const *assignments, GatherDone done, void *userdata);

/* Stops all sessions, then leaves the event loop with status 0. */
void manager_exit(Manager *m, GatherDone done, void *userdata);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include <perf-recorder/counters.h>

#include "control.h"
#include "counter-kind.h"
#include "gather.h"
#include "journal.h"
#include "load.h"
#include "notify.h"
#include "session-counts.h"
#include "session-record.h"

/* One session as the daemon holds it: its settings, its recorder, if one runs, and how the last one ended. The manager has
 * many of them, by name. No bus types here. */

typedef struct Session Session;
typedef struct SessionHost SessionHost;

typedef enum SessionState {
        SESSION_INACTIVE,
        SESSION_WAITING,  /* for its unit, or before the next try to start */
        SESSION_STARTING,
        SESSION_RECORDING,
        SESSION_PAUSED,
        SESSION_RESERVED, /* all of its events are closed, because their counters are lent */
        SESSION_STOPPING,
        SESSION_FAILED,
        SESSION_BAD_SETTING,
        _SESSION_STATE_MAX,
        _SESSION_STATE_INVALID = -EINVAL,
} SessionState;

/* The end of the last recorder, in the words of systemd's Result=. */
typedef enum SessionResult {
        SESSION_RESULT_SUCCESS,
        SESSION_RESULT_RESOURCES,
        SESSION_RESULT_PROTOCOL,
        SESSION_RESULT_TIMEOUT,
        SESSION_RESULT_EXIT_CODE,
        SESSION_RESULT_SIGNAL,
        SESSION_RESULT_CORE_DUMP,
        SESSION_RESULT_START_LIMIT_HIT,
        SESSION_RESULT_BAD_SETTING,
        _SESSION_RESULT_MAX,
        _SESSION_RESULT_INVALID = -EINVAL,
} SessionResult;

/* Properties that change while a session is there: a mask names those that did. */
typedef enum SessionChange {
        SESSION_CHANGE_STATE = 1 << 0,    /* State, Result, Error */
        SESSION_CHANGE_PROCESS = 1 << 1,  /* MainPID, StartTimestamp, NRestarts, Scope */
        SESSION_CHANGE_SETTINGS = 1 << 2, /* Description, Command, FragmentPath, DropInPaths */
        SESSION_CHANGE_OUTPUT = 1 << 3,   /* OutputPath: a file was finished */
        SESSION_CHANGE_DUMP = 1 << 4,     /* LastDump */
        SESSION_CHANGE_LENT = 1 << 5,     /* Lent */
} SessionChange;

/* This is shown of a session; strings belong to it, never NULL, "" where there is nothing. They are valid until it changes. */
typedef struct SessionView {
        SessionState state;
        SessionResult result;
        const char *error;         /* why it failed, a sentence; "" while all is well */
        const char *description;   /* the name, if none was set */
        const char *command;       /* the options of perf record, one line */
        const char *unit;          /* whose processes are recorded; "": there is no such unit */
        pid_t main_pid;            /* 0: none */
        usec_t start_timestamp;    /* µs since the epoch, of the running recorder; 0: none */
        unsigned n_restarts;       /* automatic ones since it was started by hand or boot */
        const char *scope;         /* unit name; "" while there is none */
        const char *fragment_path; /* "" for a transient one */
        char *const *drop_in_paths;
        const char *directory;     /* BASE/session-NAME */
        const char *control_path, *ack_path;
        const char *output_path;   /* the recorder's own lines: DIRECTORY/output */
        const SessionSettings *settings; /* that a recorder runs with or would be started with; NULL: none that are good */
        uid_t creator;             /* whose words made it; UID_INVALID: the daemon */
        bool is_enabled;           /* it starts with the daemon, as its files say */
        bool is_transient;
        bool is_made_up;           /* as its name, and it is not transient */
        bool has_bad_file;         /* what records has earlier settings; the error has the reason */
        bool is_leaving;           /* it is gone once it does not run */
        bool is_gone;              /* it is to be freed, not from within its callbacks */
} SessionView;

SessionView session_view(const Session *s);
const char *session_name(const Session *s);
int session_describe_error(const Session *s, char **ret); /* its error, or otherwise why a recorder cannot write */
uint64_t session_ring_bytes(const Session *s); /* of its counters */
void session_counters(const Session *s, PrCounters *ret); /* live; zeros where there is no page */
int session_counts(const Session *s, SessionCounts *ret); /* as session_counts_read() */
uint64_t session_cpu_usage(const Session *s); /* ns, of all in its recorder's scope; UINT64_MAX: not known */

const char *session_state_to_string(SessionState state);
SessionState session_state_from_string(const char *s);
const char *session_result_to_string(SessionResult result);
SessionResult session_result_from_string(const char *s);

/* The rest is for the manager. */

Session *session_free(Session *s); /* its recorder runs on */
int session_new(SessionHost *host, const char *name, Session **ret);

/* Settings of a session file, or of a caller, which are taken, on failure too. Only a session that does not run gets a caller's. */
int session_set_file(Session *s, SessionFile *f);
int session_set_transient(Session *s, SessionSettings *settings, char *const *assignments);

/* "Section.Key=value" strings. 0, -ENOMEM, or what session_settings_set() answers. */
int session_settings_from_assignments(char *const *assignments, SessionSettings **ret, Diagnosis *d);

/* An instance that only a caller's words made: neither a file nor a link of its own says that it is to be there. */
bool session_name_is_made_up(const char *name, const char *fragment_path);

bool session_is_active(const Session *s);    /* neither inactive, failed nor bad */
bool session_is_recording(const Session *s); /* or paused, or its counters are lent: its recorder has begun */
bool session_has_failed(const Session *s);   /* or can't start with the daemon, as its file is bad */
bool session_cannot_write(const Session *s); /* it records, and an error keeps it from writing */
const char *session_why_not_up(const Session *s); /* and what its caller can do about it */
JournalSession session_journal(const Session *s);

/* Verbs; each joins g (NULL: nothing waits for it) until it is through. */
void session_start(Session *s, Gather *g);
void session_retry(Session *s); /* now, if it waits for another try of a start whose reason may pass */
void session_start_unasked(Session *s, bool wanted, Gather *g); /* if it can be, and is enabled or wanted, as after a failure */
void session_stop(Session *s, Gather *g);
void session_restart(Session *s, Gather *g);
void session_pause(Session *s, Gather *g); /* events off by the control protocol, acked */
void session_resume(Session *s, Gather *g);
int session_kill(Session *s, int sig); /* -ESRCH: none runs */

/* Asks its recorder, if it is one of ours, to close or to open events, as far as what the host lends has changed. */
void session_follow_lent(Session *s);
unsigned session_lent(const Session *s); /* kinds of counters of which its recorder has no event open, as bits of CounterKind */

/* Returns true once no event of that kind, which the host lends, is open because of the session: it has no recorder, or that has
 * answered. One that keeps events all the same, since they are not ours to close, is described for a sentence. */
bool session_has_lent(const Session *s, CounterKind kind);
int session_describe_holding(const Session *s, char **ret); /* NULL in *ret: it keeps none */

/* Asks its recorder for an ack. NULL: it was asked, and done is called; otherwise the status that a row of PingRow has. */
const char *session_ping(Session *s, ControlDone done, void *userdata, ControlWaiter **ret);

/* The session follows its file, which was read again and is taken: it is restarted or started if that changed it. Its row of
 * ReloadRow in *ret_change; NULL: it stays as it is. */
int session_follow_file(Session *s, SessionFile *f, Gather *g, const char **ret_change);
void session_log_change(const Session *s, const char *change); /* a row of ReloadRow, in the journal */
void session_remove(Session *s, const char *change, Gather *g); /* its file is gone: it ends and is gone then */
void session_leave_if_idle(Session *s); /* one that is made up, has no dumps and does not run goes */

void session_update_calendar(Session *s); /* the timer of OnCalendar=, which it has while it records */
bool session_note_reach(Session *s);      /* now and then, while it answers that there are rings */
void session_take_message(Session *s, NotifyMessage *m); /* of its recorder */

/* Its part of what the daemon counts: whether a process runs. */
uint64_t session_n_processes(const Session *s);

/* A previous daemon's record of it, with the descriptors beside that, which are taken. First its settings, if no file has them:
 * without any it is leaving. */
void session_read_settings(Session *s, const SessionRecord *r);
int session_restore(Session *s, const SessionRecord *r, const char *store_name, int pidfd, int counters_fd, int state_fd);

/* Adopts a recorder that runs in its scope and that no entry of the descriptor store was of. */
int session_adopt_from_scope(Session *s, pid_t pid);

/* The process among those of a scope that is the session's recorder and of this daemon's base directory; 0: none. */
pid_t session_find_recorder(int base_fd, const char *session, const pid_t *pids, size_t n);

void session_continue(Session *s); /* once it is known what runs: starts, restarts or stops it */

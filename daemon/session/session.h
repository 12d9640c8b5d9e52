/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include <perf-recorder/counters.h>

#include "load.h"
#include "gather.h"
#include "parse-time.h"

/* One session as the daemon holds it: its settings, its recorder, if one runs, and how the last one ended. Objects hold
 * themselves; whoever has many holds them by name (sessions.h). No bus types here. */

typedef struct Session Session;

typedef enum SessionState {
        SESSION_INACTIVE,
        SESSION_WAITING,  /* for its unit, or before the next try to start */
        SESSION_STARTING,
        SESSION_RECORDING,
        SESSION_PAUSED,
        SESSION_STOPPING,
        SESSION_FAILED,
        SESSION_BAD_SETTING,
        _SESSION_STATE_MAX,
        _SESSION_STATE_INVALID = -EINVAL,
} SessionState;

/* How the last recorder ended, in the words of systemd's Result=. */
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

/* Properties that change while a session is there: a mask tells observers which did. */
typedef enum SessionChange {
        SESSION_CHANGE_STATE = 1 << 0,    /* State, Result, Error */
        SESSION_CHANGE_PROCESS = 1 << 1,  /* MainPID, StartTimestamp, NRestarts, Scope */
        SESSION_CHANGE_SETTINGS = 1 << 2, /* Description, Command, FragmentPath, DropInPaths */
        SESSION_CHANGE_OUTPUT = 1 << 3,   /* OutputPath: a file was finished */
        SESSION_CHANGE_DUMP = 1 << 4,     /* LastDump */
} SessionChange;

/* What is shown of a session; strings belong to it, never NULL, "" where there is nothing. */
const char *session_name(const Session *s);
const char *session_description(const Session *s); /* the name, if none was set */
SessionState session_state(const Session *s);
SessionResult session_result(const Session *s);
const char *session_error(const Session *s);         /* why it failed, a sentence; "" while all is well */
int session_describe_error(const Session *s, char **ret); /* that, or otherwise why a recorder cannot write */
const char *session_command(const Session *s);       /* the options of perf record, one line */
pid_t session_main_pid(const Session *s);            /* 0: none */
const char *session_scope(const Session *s);         /* unit name; "" while there is none */
const char *session_fragment_path(const Session *s); /* "" for a transient one */
char *const *session_drop_in_paths(const Session *s);
const char *session_directory(const Session *s);     /* BASE/session-NAME */
const char *session_control_path(const Session *s);
const char *session_ack_path(const Session *s);
const char *session_output_path(const Session *s);   /* the recorder's own lines: DIRECTORY/output */
usec_t session_start_timestamp(const Session *s);    /* µs since the epoch, of the running recorder; 0: none */
unsigned session_n_restarts(const Session *s);       /* automatic ones since it was started by hand or boot */
bool session_is_transient(const Session *s);
const char *session_unit(const Session *s);          /* Unit=, or "" */
uint64_t session_ring_bytes(const Session *s); /* of its counters */
void session_counters(const Session *s, PrCounters *ret); /* live; zeros where there is no page */

const char *session_state_to_string(SessionState state);
SessionState session_state_from_string(const char *s);
const char *session_result_to_string(SessionResult result);
SessionResult session_result_from_string(const char *s);

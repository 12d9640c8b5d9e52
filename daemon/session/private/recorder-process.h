/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "control.h"
#include "output-tail.h"
#include "rate-limit.h"
#include "scope.h"
#include "session-record.h"
#include "session.h"

/* One life of a recorder's process: from the question for its control group or its fork to its end. */

/* It tells where the process is. SessionState is what is shown of it. */
typedef enum RecorderPhase {
        PHASE_NONE,   /* no process, nothing under way */
        PHASE_LOOKUP, /* the control group of Unit= is asked for */
        PHASE_WAIT,   /* no process: Unit= does not run */
        PHASE_SCOPE,  /* the child waits at its gate for its scope */
        PHASE_EXEC,   /* let through */
        PHASE_OPEN,   /* the program runs; that its events are open is not known yet */
        PHASE_UP,
        PHASE_TERM,   /* told to end */
        PHASE_KILL,   /* killed */
        PHASE_DELAY,  /* no process: the next start waits for a timer */
        _PHASE_MAX,
        _PHASE_INVALID = -EINVAL,
} RecorderPhase;

/* Why it is being ended although nobody asked for it. */
typedef struct RecorderFailure {
        SessionResult result;
        int error;
        char *sentence; /* NULL: no such thing */
} RecorderFailure;

/* It records and cannot write (X_PERF_NO_SPACE=). */
typedef struct RecorderBlocked {
        int error;     /* positive errno; 0: it writes */
        usec_t since;  /* CLOCK_REALTIME */
        uint64_t lost; /* its counter of lost samples then */
} RecorderBlocked;

/* The lines that it writes, on their way to the journal. */
typedef struct RecorderOutput {
        OutputTail *tail;
        uint64_t position;
        char *last_line;
        RateLimit limit;
        uint64_t n_suppressed, bytes_skipped; /* lines and bytes that did not get to the journal, since that was logged */
} RecorderOutput;

typedef struct RecorderProcess {
        RecorderPhase phase;
        pid_t pid;
        int pidfd, gate_fd, directory_fd, counters_fd;
        char *control_group; /* its scope's; NULL: not known */
        char *unit_group;    /* that of Unit=, while it starts */
        Control *control;
        ControlWaiter *ready_ping;
        ScopeRequest *scope_request;
        sd_event_source *exit_source, *gate_source, *timer;
        uint64_t settings_hash; /* of those it was started with */
        uint64_t lost_told;     /* samples whose loss is in the journal */
        uint64_t stop_progress; /* its counter when it was last looked at, while it ends */
        usec_t start_timestamp;
        bool announced_stop; /* STOPPING=1 came */
        bool is_paused;      /* events are disabled */
        bool scope_given_up; /* its scope was asked for, and nobody waits for the answer */
        char *error;         /* X_PERF_ERROR= */
        int error_number;    /* ERRNO=; 0: none came */
        RecorderBlocked blocked;
        RecorderOutput output;
        RecorderFailure failure;
} RecorderProcess;

#define RECORDER_PROCESS_EMPTY { .pidfd = -EBADF, .gate_fd = -EBADF, .directory_fd = -EBADF, .counters_fd = -EBADF }

/* Closes and frees all. The process is left alone. */
void recorder_process_done(RecorderProcess *r);

/* Clears what one start would leave to the next: what the recorder said, and how it was asked to end. */
void recorder_process_reset(RecorderProcess *r);

/* Why it is being ended; the first reason counts. */
void recorder_process_note_failure(RecorderProcess *r, SessionResult result, int error, const char *format, ...) _printf_(4, 5);

/* Its part of the record. -EBADMSG: it has a phase that does not exist. */
void recorder_process_write(const RecorderProcess *r, FILE *f);
int recorder_process_read(RecorderProcess *p, const SessionRecord *r);

bool recorder_phase_has_process(RecorderPhase phase); /* the program runs in it */

const char *recorder_phase_to_string(RecorderPhase phase);
RecorderPhase recorder_phase_from_string(const char *s);

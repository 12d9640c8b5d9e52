/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>
#include <signal.h>

#include "control.h"
#include "journal.h"
#include "output-tail.h"
#include "rate-limit.h"
#include "scope.h"
#include "session-host.h"
#include "session.h"

/* A recorder is one start of a process: from the question for its control group or its fork to its end. It opens what the process
 * needs (control FIFOs, output, counters), has systemd put it into a scope, lets it through its gate, and sees its end. Settings,
 * dumps and what comes after the end are its session's. */

/* It tells where the process is, or what a start or restart waits for without one. SessionState is what is shown of it. A new phase
 * has places in state_of() and session_why_not_up(), where the compiler asks for it, and in session_start(), restore_rest() and
 * session_follow_file(). */
typedef enum RecorderPhase {
        PHASE_NONE,   /* no process, nothing under way */
        PHASE_LOOKUP, /* the control group of Unit= is asked for */
        PHASE_WAIT,   /* no process: Unit= does not run */
        PHASE_SCOPE,  /* the child waits at its gate for its scope */
        PHASE_EXEC,   /* let through */
        PHASE_OPEN,   /* the program runs; that its events are open is not known yet */
        PHASE_UP,
        PHASE_TERM,   /* asked to exit */
        PHASE_KILL,   /* killed */
        PHASE_DELAY,  /* no process: the next restart waits for a timer */
        _PHASE_MAX,
        _PHASE_INVALID = -EINVAL,
} RecorderPhase;

/* Its end, as its session gets it. */
typedef struct RecorderEnd {
        SessionResult result;
        int error;            /* negative errno of the reason; 0: not known */
        bool recorded;        /* its events had been open */
        pid_t pid;            /* 0: there was no process */
        const char *sentence; /* NULL: there is nothing to be said */
        bool killed;          /* it did not exit when it was asked to */
        bool at_gate;         /* its process was not let through to the program, or frozen since */
} RecorderEnd;

/* A recorder knows this of its session, and reports to it. */
typedef struct RecorderOwner {
        const SessionHost *host;
        const char *name, *scope_name, *directory;
        void *userdata; /* of the calls */
        JournalSession (*journal)(const void *userdata); /* who its lines are of */
        bool (*is_stop_asked)(const void *userdata);     /* its end is no failure, however it ends */
        void (*changed)(SessionChange also, void *userdata); /* its phase, or something that its record has */
        void (*opened)(void *userdata);   /* its events are open */
        void (*stopping)(void *userdata); /* it is about to be asked to exit */
        void (*ended)(const RecorderEnd *end, void *userdata); /* and all that it had is released */
} RecorderOwner;

/* The reason why it is being ended although nobody asked for it. */
typedef struct RecorderFailure {
        SessionResult result;
        int error;
        char *sentence; /* NULL: no such thing */
} RecorderFailure;

/* It records and cannot write (X_PERF_NO_SPACE=), or its last dump had no room. */
typedef struct RecorderBlocked {
        int error;     /* positive errno; 0: it writes */
        bool is_dump;  /* only dumps fail; otherwise it drops samples */
        usec_t since;  /* CLOCK_REALTIME */
        uint64_t lost; /* its counter of lost samples then */
} RecorderBlocked;

/* The recorder's own news of its end, and of what it misses. */
typedef struct RecorderReport {
        char *trouble;    /* X_PERF_TROUBLE=, while it goes on; NULL: none */
        bool stopping;    /* STOPPING=1 came */
        char *error;      /* X_PERF_ERROR= */
        int error_number; /* ERRNO=; 0: none came */
} RecorderReport;

typedef struct RecorderScope {
        char *control_group;   /* NULL: not known */
        ScopeRequest *request; /* for it, or before that for the control group of Unit= */
        bool given_up;         /* it was asked for, and its answer is not waited for */
        bool is_left;          /* an earlier recorder's, in which something ran on when that ended */
} RecorderScope;

/* Its progress while it ends. */
typedef struct RecorderProgress {
        uint64_t counter; /* when it was last looked at */
        usec_t time;      /* when that had changed, CLOCK_MONOTONIC */
} RecorderProgress;

/* The page of its counters, and what was read of it before. */
typedef struct RecorderCounters {
        int fd;
        uint64_t lost_told; /* samples whose loss is in the journal */
        RecorderProgress progress;
} RecorderCounters;

/* The kinds of counters that it lends to others, as bits of CounterKind. */
typedef struct RecorderLent {
        bool is_able;      /* it knows the words */
        unsigned asked;    /* by a word, or by its environment */
        unsigned reported; /* X_PERF_LENT=: it has no such events open */
        unsigned never;    /* it has no events of these: X_PERF_COUNTERS= has the others */
        unsigned closed;   /* X_PERF_CLOSED=: those that it has events of */
        unsigned shown;    /* as its session last had it */
        bool is_all;       /* no event is left open, X_PERF_STATE=reserved */
} RecorderLent;

/* The process itself, from its fork or its adoption to its end. */
typedef struct RecorderProcess {
        pid_t pid;     /* 0: there is none */
        int pidfd;
        int gate_fd;   /* of a child that is held, see spawn.h */
        bool at_gate;  /* forked, and not let through to the program, or frozen since */
        char *program; /* NULL: a previous daemon started it */
        sd_event_source *exit_source, *gate_source;
} RecorderProcess;

/* The lines that it writes, on their way to the journal. */
typedef struct RecorderOutput {
        int fd;           /* of the file */
        OutputTail *tail; /* NULL: it is not followed */
        uint64_t position;
        char *last_line;
        RateLimit limit;
        uint64_t n_suppressed, bytes_skipped; /* lines and bytes that did not get to the journal, since that was logged */
} RecorderOutput;

typedef struct Recorder {
        const RecorderOwner *owner;
        RecorderPhase phase;
        RecorderProcess process;
        int directory_fd;
        bool is_foreign;  /* it may not say READY=1 */
        char *unit_group; /* that of Unit= at its last start; NULL: not known */
        Control *control;
        ControlWaiter *ready_ping;
        RecorderScope scope;
        sd_event_source *timer;
        uint64_t settings_hash; /* of those it was started with */
        RecorderCounters counters;
        usec_t start_timestamp;
        bool is_paused; /* events are disabled */
        RecorderLent lent;
        bool makes_windows; /* it knows the word */
        RecorderReport reported;
        RecorderBlocked blocked;
        RecorderOutput output;
        RecorderFailure failure;
} Recorder;

#define RECORDER_EMPTY                                                                                          \
        { .process.pidfd = -EBADF, .process.gate_fd = -EBADF, .directory_fd = -EBADF, .counters.fd = -EBADF, .output.fd = -EBADF }

/* Closes and frees all. The process runs on. */
void recorder_done(Recorder *r);

/* Clears what one start would leave to the next: what the recorder said, and how it was asked to end. */
void recorder_reset(Recorder *r);

/* The start, in this order: its directory with FIFOs and output; the child, which waits at its gate; the scope. What follows is
 * seen by its owner: opened() or ended(). */
typedef struct RecorderPlan {
        char *const *argv;
        char *const *assignments; /* "KEY=value", for its environment */
        int takeover_fd; /* -EBADF: it takes over nothing */
        int nice;
        bool is_foreign;
} RecorderPlan;
int recorder_prepare(Recorder *r);
int recorder_fork(Recorder *r, const RecorderPlan *plan);
int recorder_enter_scope(Recorder *r, const char *description, const ScopeSettings *settings);
int recorder_limit_start(Recorder *r); /* by the time that a start may take */

/* Goes on with a process that runs, whose phase a previous daemon knew; outstanding: acks that are still to come. Takes pidfd. One
 * that cannot be talked to is ended. */
int recorder_attach(Recorder *r, pid_t pid, int pidfd, unsigned outstanding);

/* The same with a process that was found in its scope. -ESRCH: the number is another's by now. */
int recorder_adopt_from_scope(Recorder *r, pid_t pid);

/* Returns true if it works in another directory than its session's, because it was started under another base directory. */
bool recorder_is_displaced(const Recorder *r, char ret_path[PATH_MAX]);

/* Reads the page of its counters; false: there is none. */
bool recorder_read_counters(const Recorder *r, PrCounters *ret);

/* The CPU time of all processes of its scope, in ns; UINT64_MAX: not known. */
uint64_t recorder_cpu_usage(const Recorder *r);

int recorder_watch_process(Recorder *r, pid_t pid, int pidfd); /* its end; takes pidfd */
int recorder_talk(Recorder *r, SessionFifos *fifos, unsigned outstanding); /* by its FIFOs, which are taken */
void recorder_follow_output(Recorder *r); /* from where a previous daemon was */

/* Asks for an ack, where READY=1 may not come: a recorder acks from the loop that it enters once all events are open. */
void recorder_ask_ready(Recorder *r);

/* Puts a line of its own words into the journal, within limits; and how many did not get there. */
void recorder_forward(Recorder *r, const char *line, size_t length);

void recorder_set_phase(Recorder *r, RecorderPhase phase, SessionChange also);
int recorder_set_timer(Recorder *r, usec_t usec, sd_event_time_handler_t handler);

/* The name of the unit that freezes it, its scope or a slice. NULL: it is not frozen, as far as is known. To be freed. */
char *recorder_frozen_by(const Recorder *r);

int recorder_signal(const Recorder *r, const Caller *caller, int sig); /* caller NULL: in the daemon's name */

/* Tells it to end, kills it if it makes no progress with that. */
void recorder_terminate(Recorder *r);

/* The start or the recorder failed: without a process this is the end, otherwise it is terminated. The first reason counts. */
void recorder_fail(Recorder *r, SessionResult result, int error, const char *format, ...) _printf_(4, 5);

/* The end: releases all, and calls ended(). */
void recorder_end(Recorder *r, SessionResult result, int error, const char *sentence);
int recorder_on_exit(sd_event_source *source, int fd, uint32_t revents, void *userdata);

/* Reads how the process of a pidfd ended that need not be a child: si_code and si_status as waitid(2) sets them. 1:
 * done. 0: its parent has not waited for it yet, and the descriptor reports EPOLLHUP when it has. -EOPNOTSUPP: the
 * kernel does not say (before 6.15). Other errors: there is nothing to be known. */
int pidfd_read_status(int pidfd, siginfo_t *ret);

bool recorder_phase_has_process(RecorderPhase phase); /* the program runs in it */

const char *recorder_phase_to_string(RecorderPhase phase);
RecorderPhase recorder_phase_from_string(const char *s);

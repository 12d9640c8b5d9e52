/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "parse-time.h"
#include "strv.h"

/* The settings of a session, from its file and drop-ins or from a bus caller, parsed and checked. */

#define SESSION_NAME_MAX 200 /* bytes */

typedef enum RestartPolicy {
        RESTART_NO,
        RESTART_ON_FAILURE,
        RESTART_ALWAYS,
        _RESTART_POLICY_MAX,
        _RESTART_POLICY_INVALID = -EINVAL,
} RestartPolicy;

typedef enum RecordMode {
        RECORD_MODE_STREAM,    /* every sample goes to the file */
        RECORD_MODE_OVERWRITE, /* the kernel overwrites the oldest samples; a trigger writes the rest */
        RECORD_MODE_HISTORY,   /* the recorder keeps the newest samples in its own memory; likewise */
        RECORD_MODE_COUNT,     /* … the counts of the events, which take no samples */
        _RECORD_MODE_MAX,
        _RECORD_MODE_INVALID = -EINVAL,
} RecordMode;

static inline bool record_mode_keeps_history(RecordMode m) {
        return m == RECORD_MODE_HISTORY || m == RECORD_MODE_COUNT;
}

#define HISTORY_SIZE_DEFAULT (UINT64_C(64) << 20) /* bytes */
#define INTERVAL_DEFAULT USEC_PER_SEC

/* [Record], in the syntax of perf record's options. */
typedef struct RecordSettings {
        char **events;        /* Event=, in perf's grammar */
        char **filters;       /* Filter= of each event; "": none */
        uint64_t frequency;   /* Hz, 0: not set, UINT64_MAX: max */
        uint64_t period;      /* events per sample, 0: not set */
        char *call_graph;     /* as --call-graph takes it, or NULL: none */
        unsigned max_stack;   /* frames, 0: not set */
        int all_cpus;         /* 1, 0, -1: not set (then yes, unless a target is named) */
        char *cpus;           /* "0-3,5" or NULL */
        char **pids, **tids;
        char *user;           /* name or number */
        char *unit;           /* a systemd unit; its control group is looked up when the recorder starts */
        char *cgroup;         /* a control group's path below the root of the hierarchy, or NULL; excludes unit */
        char **command;
        unsigned realtime_priority; /* SCHED_FIFO, 0: not set */
        int inherit;          /* 1, 0, -1 */
        char *clock_id;       /* name or number, or NULL */
        char **sample_fields; /* words of sample-field.h */
        uint64_t buffer_size; /* bytes per CPU, 0: not set */
        RecordMode mode;
        uint64_t history_size; /* bytes, 0: not set, HISTORY_SIZE_DEFAULT */
        usec_t keep_usec;      /* how far back memory should reach; 0: not set */
        usec_t history_usec;   /* in whole seconds; USEC_INFINITY: not set */
        usec_t interval;       /* between two readings of counts, in whole milliseconds; 0: not set, INTERVAL_DEFAULT */
        int unwind;            /* the history has call chains instead of copies of stacks; -1: not set, which is yes */
        int compression;      /* zstd's level, 0: none, -1: not set */
        char *rotate;         /* size, time or "signal" as --switch-output takes it, or NULL */
} RecordSettings;

/* [Scope]: names and values of D-Bus properties of systemd's scopes, org.freedesktop.systemd1(5). */
typedef struct ScopeSettings {
        char *slice;               /* NULL: perf-recorder.slice */
        uint64_t cpu_quota_per_sec; /* µs per second, USEC_INFINITY: not set */
        uint64_t cpu_weight, io_weight; /* 1..10000, 0: not set */
        uint64_t memory_max, memory_high; /* bytes, 0: not set, UINT64_MAX: infinity */
        uint64_t tasks_max;        /* UINT64_MAX: not set */
        int nice;                  /* -20..19, INT_MIN: not set; applied by the forked child, a scope has none */
} ScopeSettings;

/* [Trigger]: causes of dumps, in the syntax of the recorder's options. */
typedef struct TriggerSettings {
        int signal;                /* besides SIGUSR2, 0: none */
        char **events;             /* "EVENT [FILTER]" */
        char **counters;           /* "EVENT>NUMBER/TIME" */
        char **bpf;                /* "FILE[:MAP]", an absolute path */
        char *cpu_pressure, *memory_pressure, *io_pressure; /* "THRESHOLD/WINDOW" or NULL */
        usec_t delay;              /* 0: none */
        usec_t limit_interval;     /* 0: no limit, USEC_INFINITY: not set */
        unsigned limit_burst;      /* 0: no limit, TRIGGER_LIMIT_UNSET: not set */
        bool overlap;              /* automatic dumps have all samples in memory */
        char **also;               /* names of sessions that dump with this one */
        char *on_dump;             /* a template unit to start with a dump's id, or NULL */
        int shutdown;              /* 1, 0, -1: not set */
        int socket;                /* datagrams of the daemon's socket: 1, 0, -1: not set, no */
        char **unit_failure;       /* globs of units' names */
        char **calendar;           /* calendar events, systemd.time(7) */
} TriggerSettings;

#define TRIGGER_LIMIT_UNSET UINT32_MAX

/* The first key that is set although only perf-recorder-worker supports it; NULL: there is none. */
const char *trigger_settings_recorder_key(const TriggerSettings *t);

/* [Storage]: limits on dumps. */
typedef struct StorageSettings {
        uint64_t max_use;   /* bytes, 0: not set, UINT64_MAX: no limit */
        uint64_t max_files; /* 0: not set, UINT64_MAX: no limit */
        usec_t max_age;     /* 0: not set, USEC_INFINITY: no limit */
        uint64_t keep_free; /* bytes, UINT64_MAX: not set */
        int compression;    /* zstd's level for dumps, 0: none, -1: not set, as for the recording; for the recorder */
} StorageSettings;

#define STORAGE_SETTINGS_EMPTY { .keep_free = UINT64_MAX, .compression = -1 }

typedef struct SessionSettings {
        char *description;
        int enabled;               /* 1, 0, -1: not set, the file's directory decides */
        char *run;                 /* Run=, NULL when [Record] is used */
        char *recorder;            /* path of a foreign recorder, NULL: perf-recorder-worker */
        RestartPolicy restart;
        usec_t restart_usec;       /* finite */
        usec_t start_limit_interval_usec; /* 0: no limit; may be USEC_INFINITY */
        unsigned start_limit_burst;
        bool has_record;
        RecordSettings record;
        TriggerSettings trigger;
        StorageSettings storage;
        uint64_t symbols;          /* of [Storage]: bytes of symbols beside a dump; 0: none, SYMBOLS_UNSET: not set */
        ScopeSettings scope;
} SessionSettings;

#define SYMBOLS_UNSET UINT64_MAX

int session_settings_new(SessionSettings **ret); /* defaults; 0 or -ENOMEM */
SessionSettings *session_settings_free(SessionSettings *s);
DEFINE_CLEANUP(SessionSettings *, session_settings_free);

/* Sets a key: section and key without brackets and "=", value joined and with its specifiers expanded. 0; -ENOKEY: no such section
 * or key (a warning for a file); otherwise a wrong value, and d says why. */
int session_settings_set(SessionSettings *s, const char *section, const char *key, const char *value, Diagnosis *d);

/* 0, or -EINVAL if there is no such section; d lists all sections. */
int session_settings_check_section(const char *section, Diagnosis *d);

/* Checks that keys fit together: not both Run= and [Record] or Frequency= and Period=, and something to record. */
int session_settings_check(const SessionSettings *s, Diagnosis *d);

bool session_settings_equal(const SessionSettings *a, const SessionSettings *b);
bool session_settings_equal_for_recorder(const SessionSettings *a, const SessionSettings *b); /* as far as it uses them */

/* True for a name that a unit could have: letters, digits, ":-_.\\@"; not empty, at most SESSION_NAME_MAX, and not beginning with
 * "." or "@". The first "@" ends the prefix; an instance may contain more (unit@user@1000.service). */
bool session_name_is_valid(const char *name);
bool session_name_is_template(const char *name); /* ends in "@" */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a dump says of itself: extended attributes of its file (xattr(7)), as systemd-coredump keeps what it knows of a
 * core. Values are text without a terminating NUL byte; numbers are decimal; times are µs since the epoch. They are there
 * before the file has its name. What a file system did not take is missing: readers show such a file with what its name
 * and inode tell. */

#define PR_DUMP_XATTR_PREFIX    "user.perf-recorder."
#define PR_DUMP_XATTR_SESSION   PR_DUMP_XATTR_PREFIX "session"
#define PR_DUMP_XATTR_TRIGGER   PR_DUMP_XATTR_PREFIX "trigger"   /* a PR_TRIGGER_* word, of the first trigger */
/* The detail says who asked or what happened, in one line for people; it may be empty. Further triggers that share the dump
 * follow as "; WORD: DETAIL". */
#define PR_DUMP_XATTR_DETAIL    PR_DUMP_XATTR_PREFIX "detail"
#define PR_DUMP_XATTR_TIMESTAMP PR_DUMP_XATTR_PREFIX "timestamp" /* of the first trigger */
#define PR_DUMP_XATTR_TRIGGERS  PR_DUMP_XATTR_PREFIX "triggers"  /* how many it answers */
#define PR_DUMP_XATTR_SAMPLES   PR_DUMP_XATTR_PREFIX "samples"
#define PR_DUMP_XATTR_LOST      PR_DUMP_XATTR_PREFIX "lost"      /* samples that the kernel or the recorder lost in that span */
#define PR_DUMP_XATTR_THROTTLED PR_DUMP_XATTR_PREFIX "throttled" /* how often the kernel held an event back in it */
#define PR_DUMP_XATTR_LEFT_OUT_MAPPINGS  PR_DUMP_XATTR_PREFIX "left-out-mappings"  /* that it lacks, at least; missing: none */
#define PR_DUMP_XATTR_LEFT_OUT_PROCESSES PR_DUMP_XATTR_PREFIX "left-out-processes" /* whose they are: with more than their share */
#define PR_DUMP_XATTR_FIRST     PR_DUMP_XATTR_PREFIX "first"     /* time of the oldest sample */
#define PR_DUMP_XATTR_LAST      PR_DUMP_XATTR_PREFIX "last"      /* of the newest */
#define PR_DUMP_XATTR_BOOT      PR_DUMP_XATTR_PREFIX "boot"      /* sd_id128_get_boot(3), in hexadecimal */

#define PR_DUMP_XATTR_INCIDENT  PR_DUMP_XATTR_PREFIX "incident"  /* the same in dumps that were made together */

#define PR_INCIDENT_SIZE 33 /* 32 hexadecimal digits and a NUL byte */

#define PR_DUMP_DETAIL_MAX 1024 /* bytes; longer ones are cut */

/* Beside "perf.data.TIME" lies the directory of its symbols, "symbols.TIME", for perf report --symfs; beside "perf.data"
 * lies "symbols", and beside any other NAME "symbols.NAME". Until version 0.1 it was "NAME.symfs". */
#define PR_RECORDING_NAME     "perf.data"
#define PR_SYMBOLS_NAME       "symbols"
#define PR_SYMBOLS_OLD_SUFFIX ".symfs"
/* Within it: the list of binaries that have no symbols there, a line for each, "PATH: reason". */
#define PR_SYMBOLS_LEFT_OUT   "left-out"

/* What causes a dump. */
#define PR_TRIGGER_SIGNAL          "signal"           /* SIGUSR2, or the one of Signal= */
#define PR_TRIGGER_CONTROL         "control"          /* the word "snapshot" of whoever has the control descriptor */
#define PR_TRIGGER_REQUEST         "request"          /* Dump on the bus, perfctl dump */
#define PR_TRIGGER_SOCKET          "socket"           /* a datagram */
#define PR_TRIGGER_EVENT           "event"            /* a perf event */
#define PR_TRIGGER_BPF             "bpf"              /* output of a BPF program */
#define PR_TRIGGER_CPU_PRESSURE    "cpu-pressure"
#define PR_TRIGGER_MEMORY_PRESSURE "memory-pressure"
#define PR_TRIGGER_IO_PRESSURE     "io-pressure"
#define PR_TRIGGER_UNIT_FAILURE    "unit-failure"
#define PR_TRIGGER_CALENDAR        "calendar"
#define PR_TRIGGER_ALSO            "also"             /* a session that has this one in Also= dumps */
#define PR_TRIGGER_RECORDER        "recorder-failure" /* the session's recorder died, and another one took over */
#define PR_TRIGGER_SHUTDOWN        "shutdown"         /* the recorder was told to end */
#define PR_TRIGGER_UNIT_RESTART    "unit-restart"     /* the recorded unit was started again, its control group is another one */
#define PR_TRIGGER_ROTATION        "rotation"         /* none: the size or age of Rotate=, or the events were opened again */

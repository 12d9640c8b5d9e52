/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Facts about a dump, kept as extended attributes of its file (xattr(7)), as systemd-coredump does for cores. Values are
 * text without a terminating NUL byte; numbers are decimal; times are µs since the epoch. The recorder sets them before
 * the file gets its name.
 *
 * A file system may not support them, and copies may lack them: the same facts are behind the last feature of the file, where no
 * reader of perf.data looks, as lines "NAME=VALUE". The file's last 16 bytes are the size of these lines in 8 hexadecimal digits
 * and "perffct\n". Of a file without either, only its name and inode are known. */

#define PR_DUMP_XATTR_PREFIX    "user.perf-recorder."
#define PR_DUMP_XATTR_SESSION   PR_DUMP_XATTR_PREFIX "session"
#define PR_DUMP_XATTR_TRIGGER   PR_DUMP_XATTR_PREFIX "trigger"   /* a PR_TRIGGER_* word, of the first trigger */
/* The detail is one line for people that names the requester or the cause; it may be empty. "; WORD: DETAIL" follows for
 * each further trigger that shares the dump, for those of one kind and unit only once. */
#define PR_DUMP_XATTR_DETAIL    PR_DUMP_XATTR_PREFIX "detail"
#define PR_DUMP_XATTR_TIMESTAMP PR_DUMP_XATTR_PREFIX "timestamp" /* of the first trigger */
#define PR_DUMP_XATTR_TRIGGERS  PR_DUMP_XATTR_PREFIX "triggers"  /* number of triggers that it answers */
#define PR_DUMP_XATTR_SAMPLES   PR_DUMP_XATTR_PREFIX "samples"
#define PR_DUMP_XATTR_LOST      PR_DUMP_XATTR_PREFIX "lost"      /* samples that the kernel or the recorder lost in that span */
/* Records of tasks and maps that were lost in that span; not set: they are not told from samples, and are in "lost". */
#define PR_DUMP_XATTR_LOST_RECORDS PR_DUMP_XATTR_PREFIX "lost-records"
#define PR_DUMP_XATTR_THROTTLED PR_DUMP_XATTR_PREFIX "throttled" /* how often the kernel throttled an event in that span */
/* The times of which the dump lacks samples, because the counters of some events were lent: "FIRST LAST WHAT WHO", joined by "; ",
 * times in µs since the epoch, LAST 0: it was not over. Not set: none. lib/words/lendings.h reads and makes it. */
#define PR_DUMP_XATTR_LENT      PR_DUMP_XATTR_PREFIX "lent"
/* Mappings that the dump lacks (at least; not set: none), and the processes that exceeded their share of mappings. */
#define PR_DUMP_XATTR_LEFT_OUT_MAPPINGS  PR_DUMP_XATTR_PREFIX "left-out-mappings"
#define PR_DUMP_XATTR_LEFT_OUT_PROCESSES PR_DUMP_XATTR_PREFIX "left-out-processes"
#define PR_DUMP_XATTR_FIRST     PR_DUMP_XATTR_PREFIX "first"     /* time of the oldest sample */
#define PR_DUMP_XATTR_LAST      PR_DUMP_XATTR_PREFIX "last"      /* time of the newest sample */
#define PR_DUMP_XATTR_BOOT      PR_DUMP_XATTR_PREFIX "boot"      /* sd_id128_get_boot(3), in hexadecimal */

#define PR_DUMP_XATTR_INCIDENT  PR_DUMP_XATTR_PREFIX "incident"  /* equal in dumps that were made together */

#define PR_INCIDENT_SIZE 33 /* 32 hexadecimal digits and a NUL byte */

#define PR_DUMP_DETAIL_MAX 1024 /* bytes; a longer detail is cut */

/* The symbols of "perf.data.TIME" are in the directory "symbols.TIME" beside it, for perf report --symfs. Those of
 * "perf.data" are in "symbols", those of any other NAME in "symbols.NAME". Until version 0.1 it was "NAME.symfs". */
#define PR_RECORDING_NAME     "perf.data"
#define PR_SYMBOLS_NAME       "symbols"
#define PR_SYMBOLS_OLD_SUFFIX ".symfs"
/* A file in that directory lists the binaries whose symbols are missing, one per line: "PATH: reason". */
#define PR_SYMBOLS_LEFT_OUT   "left-out"

/* Triggers: the causes of a dump. */
#define PR_TRIGGER_SIGNAL          "signal"           /* SIGUSR2, or the one of Signal= */
#define PR_TRIGGER_CONTROL         "control"          /* the word "snapshot" on the control descriptor */
#define PR_TRIGGER_REQUEST         "request"          /* Dump on the bus, perfctl dump */
#define PR_TRIGGER_SOCKET          "socket"           /* a datagram */
#define PR_TRIGGER_EVENT           "event"            /* a perf event */
#define PR_TRIGGER_BPF             "bpf"              /* output of a BPF program */
#define PR_TRIGGER_COUNTER         "counter"          /* a perf event that happened too often */
#define PR_TRIGGER_CPU_PRESSURE    "cpu-pressure"
#define PR_TRIGGER_MEMORY_PRESSURE "memory-pressure"
#define PR_TRIGGER_IO_PRESSURE     "io-pressure"
#define PR_TRIGGER_UNIT_FAILURE    "unit-failure"
#define PR_TRIGGER_CALENDAR        "calendar"
#define PR_TRIGGER_ALSO            "also"             /* another session, which has this one in Also=, dumps */
#define PR_TRIGGER_RECORDER        "recorder-failure" /* the session's recorder died, and a new one took over */
#define PR_TRIGGER_SHUTDOWN        "shutdown"         /* the recorder was asked to exit */
#define PR_TRIGGER_UNIT_RESTART    "unit-restart"     /* the recorded unit restarted and has a new control group */
#define PR_TRIGGER_ROTATION        "rotation"         /* the recorder's own: Rotate= is due, or events were reopened */

/* All of them, as items of an array. */
#define PR_TRIGGERS                                                                                                      \
        PR_TRIGGER_SIGNAL, PR_TRIGGER_CONTROL, PR_TRIGGER_REQUEST, PR_TRIGGER_SOCKET, PR_TRIGGER_EVENT, PR_TRIGGER_BPF,  \
        PR_TRIGGER_COUNTER, PR_TRIGGER_CPU_PRESSURE, PR_TRIGGER_MEMORY_PRESSURE, PR_TRIGGER_IO_PRESSURE,                 \
        PR_TRIGGER_UNIT_FAILURE, PR_TRIGGER_CALENDAR, PR_TRIGGER_ALSO, PR_TRIGGER_RECORDER, PR_TRIGGER_SHUTDOWN,         \
        PR_TRIGGER_UNIT_RESTART, PR_TRIGGER_ROTATION

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* The words of perf record's control protocol (perf-record(1), --control). A client writes a word and its arguments, ended
 * by a newline or a NUL byte, to the control descriptor. The recorder answers each with PR_CONTROL_ACK on the ack
 * descriptor, if there is one. */

#define PR_CONTROL_ENABLE   "enable"   /* all events, or only those with that name: "enable cpu-clock" */
#define PR_CONTROL_DISABLE  "disable"
#define PR_CONTROL_EVLIST   "evlist"   /* prints the events on standard output; -v: with attributes, -g: groups, -F: frequencies */
#define PR_CONTROL_SNAPSHOT "snapshot" /* without arguments as in perf; also "snapshot ID [KEY=VALUE]...", see below */
#define PR_CONTROL_WITHDRAW "withdraw" /* "withdraw ID": that snapshot is no longer wanted; perf has no such word */
#define PR_CONTROL_PING     "ping"
#define PR_CONTROL_STOP     "stop"
#define PR_CONTROL_HAND_OVER "hand-over" /* sends its descriptors to the daemon (PR_NOTIFY_KEEP); perf has no such word */
#define PR_CONTROL_REASON   "reason" /* "reason TEXT": why the recorder will be asked to exit, for its last dump; not in perf */
/* "window ID SINCE [whole]": hands over the samples in memory that are newer than SINCE (ns of their clock), in a stream of
 * perf.data without a name, and goes on as if nobody had asked. The side band comes with it: all of it if "whole" is given,
 * otherwise only what is newer than SINCE. Answered by PR_NOTIFY_WINDOW or PR_NOTIFY_WINDOW_ERROR; not in perf. */
#define PR_CONTROL_WINDOW   "window"
/* "lend WHAT WHO": closes its events of that kind, "hardware" or "breakpoint", until "return WHAT"; WHO is the borrower, one
 * line for people. The other events go on. Both are answered by PR_NOTIFY_LENT; neither is in perf. */
#define PR_CONTROL_LEND     "lend"
#define PR_CONTROL_RETURN   "return"
#define PR_CONTROL_ACK      "ack\n"

#define PR_CONTROL_WORD_MAX 4096 /* bytes; the recorder drops a longer line up to its newline */

/* "snapshot" may be followed by the trigger's id (notify-fields.h), which the notification with its result repeats, and by
 * KEY=VALUE words: those for the recorder in lib/words/dump-request.c, which perf-recorder-worker(1) describes. A detail goes
 * up to the end of the line. Triggers that a person causes (request, control, signal) get all samples in memory by default.
 * Other triggers get the samples that are in no earlier automatic dump. The ack confirms receipt only; the dump follows later. */
#define PR_SNAPSHOT_UNIT_MAX 255 /* bytes, systemd's limit */

#define PR_SNAPSHOT_DELAY_MAX (UINT64_C(3600) * 1000000) /* µs: an hour */

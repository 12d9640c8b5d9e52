/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The words of perf record's control protocol (perf-record(1), --control): a word and its arguments, ended by a newline
 * or a NUL byte, on the control descriptor; each is answered by PR_CONTROL_ACK on the ack descriptor, if there is one. */

#define PR_CONTROL_ENABLE   "enable"   /* all events, or those of one name: "enable cpu-clock" */
#define PR_CONTROL_DISABLE  "disable"
#define PR_CONTROL_EVLIST   "evlist"   /* prints the events on the output; -v attributes, -g groups, -F frequencies */
#define PR_CONTROL_SNAPSHOT "snapshot" /* alone as perf's; otherwise "snapshot ID [KEY=VALUE]...", see below */
#define PR_CONTROL_WITHDRAW "withdraw" /* "withdraw ID": nobody waits for that snapshot any more; not a word of perf's */
#define PR_CONTROL_PING     "ping"
#define PR_CONTROL_STOP     "stop"
#define PR_CONTROL_HAND_OVER "hand-over" /* sends its descriptors to the daemon (PR_NOTIFY_KEEP); not a word of perf's */
#define PR_CONTROL_REASON   "reason" /* "reason TEXT": why it is about to be told to end, for its last dump; not a word of perf's */
#define PR_CONTROL_ACK      "ack\n"

#define PR_CONTROL_WORD_MAX 4096 /* bytes; a longer line is dropped up to its newline */

/* What may follow "snapshot": the trigger's id (notify-fields.h), by which its answer comes as a notification, then
 *   trigger=WORD   a PR_TRIGGER_* word (dump-facts.h), default "control"
 *   since=USEC     only samples from that time on, µs since the epoch (CLOCK_REALTIME)
 *   until=USEC     only samples up to that time
 *   new=1          only what no dump has yet; where that, or the window of time, has no sample, there is no dump (ENODATA)
 *   delay=USEC     goes on recording so long first
 *   all=1          all that is in memory, and it counts as asked for
 *   incident=ID    32 hexadecimal digits, which the dump keeps
 *   force=1        no rate limit holds
 *   detail=TEXT    one line for people, up to the end of the line: the last key
 * Triggers that a person asks for (request, control, signal) have all that is in memory unless they say otherwise, the others
 * what no automatic dump has yet. The word is acknowledged when it was taken, not when the dump is there. */
#define PR_SNAPSHOT_TRIGGER "trigger="
#define PR_SNAPSHOT_SINCE   "since="
#define PR_SNAPSHOT_UNTIL   "until="
#define PR_SNAPSHOT_NEW     "new="
#define PR_SNAPSHOT_DELAY   "delay="
#define PR_SNAPSHOT_ALL     "all="
#define PR_SNAPSHOT_INCIDENT "incident="
#define PR_SNAPSHOT_FORCE   "force="
#define PR_SNAPSHOT_DETAIL  "detail="

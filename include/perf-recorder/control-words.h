/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The words of perf record's control protocol (perf-record(1), --control): a word and its arguments, ended by a newline
 * or a NUL byte, on the control descriptor; each is answered by PR_CONTROL_ACK on the ack descriptor, if there is one. */

#define PR_CONTROL_ENABLE   "enable"   /* all events, or those of one name: "enable cpu-clock" */
#define PR_CONTROL_DISABLE  "disable"
#define PR_CONTROL_EVLIST   "evlist"   /* prints the events on the output; -v attributes, -g groups, -F frequencies */
#define PR_CONTROL_SNAPSHOT "snapshot"
#define PR_CONTROL_PING     "ping"
#define PR_CONTROL_STOP     "stop"
#define PR_CONTROL_ACK      "ack\n"

#define PR_CONTROL_WORD_MAX 4096 /* bytes; a longer line is dropped up to its newline */

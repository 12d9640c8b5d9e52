/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Fields of the messages that a recorder sends to $NOTIFY_SOCKET, one KEY=value per line, as sd_notify(3) does it. If a
 * recorder sends none, the daemon regards it as recording once it has answered a ping. */

#define PR_NOTIFY_READY    "READY=1"          /* events are open, and enabled unless -D or a disabled start was requested */
#define PR_NOTIFY_STOPPING "STOPPING=1"       /* the recorder finishes its file */
#define PR_NOTIFY_STATUS   "STATUS="          /* one line for people */
#define PR_NOTIFY_STATE    "X_PERF_STATE="    /* "recording", "paused" (events disabled), or "reserved" (all events are lent) */
/* The kinds of counters that are lent now, separated by blanks: no event that needs them is open. It comes with READY=1, and
 * answers each "lend" and "return", once the daemon has been sent the descriptors that it is to keep (PR_NOTIFY_KEEP) without those
 * that were closed. The answer to "return" waits until the counters can be had. */
#define PR_NOTIFY_LENT     "X_PERF_LENT="
#define PR_NOTIFY_CLOSED   "X_PERF_CLOSED=" /* comes with it: those of them that the recorder has events of */
#define PR_NOTIFY_COUNTERS "X_PERF_COUNTERS=" /* comes with it: all kinds that it has events of; it need not be asked for others */
#define PR_NOTIFY_TROUBLE  "X_PERF_TROUBLE="  /* what the recorder misses while it goes on, a sentence; "": nothing any more */
#define PR_NOTIFY_ERROR    "X_PERF_ERROR="    /* why the recorder is about to exit non-zero */
/* Comes with X_PERF_ERROR=: the errno as a number, as in sd_notify(3). EBADMSG: the options are wrong; ENOBUFS: the rings
 * exceed PR_LOCKED_MEMORY_ENV. */
#define PR_NOTIFY_ERRNO    "ERRNO="
#define PR_NOTIFY_MESSAGE  "X_PERF_MESSAGE="  /* a line for the journal, because the file "output" could not take it (disk full) */
#define PR_NOTIFY_OUTPUT   "X_PERF_OUTPUT="   /* a finished file: its path, absolute */
#define PR_NOTIFY_NO_SPACE "X_PERF_NO_SPACE=" /* errno, such as ENOSPC: the recorder drops samples; "0": it records again */

/* The result of a trigger. A requester that waits for a trigger's result gives it an id of its own choice, at most
 * PR_TRIGGER_ID_MAX bytes of [A-Za-z0-9_.-]. A message with ids also has either a dump or an error. One dump may have
 * several messages. */
#define PR_NOTIFY_DUMP       "X_PERF_DUMP="       /* a finished dump: its file's name in the session's directory */
#define PR_NOTIFY_DUMP_ERROR "X_PERF_DUMP_ERROR=" /* errno, blank, sentence: why there is no dump; EBUSY: the rate limit */
#define PR_NOTIFY_DUMP_TRIGGER "X_PERF_DUMP_TRIGGER=" /* comes with an error: the trigger's word, with its detail after ": " */
#define PR_NOTIFY_DUMP_IDS   "X_PERF_DUMP_IDS="   /* ids of the triggers that this answers, separated by blanks */
#define PR_TRIGGER_ID_MAX    64

/* The answer to "window ID" (control-words.h): its id, a blank, and the time up to which it goes, ns of the samples' clock, from
 * which the next one may begin. A read-only descriptor of the stream comes with it (SCM_RIGHTS). */
#define PR_NOTIFY_WINDOW       "X_PERF_WINDOW="
#define PR_NOTIFY_WINDOW_ERROR "X_PERF_WINDOW_ERROR=" /* its id, errno, sentence, separated by blanks: why there is no window */

/* With --trigger-announce, the recorder reports that it begins a dump because of a trigger of its own. The value is the
 * text that follows "snapshot ID" (control-words.h) for dumps to be made together with it: the incident, the range of
 * samples, and the trigger as the detail. */
#define PR_NOTIFY_INCIDENT   "X_PERF_INCIDENT="

/* The daemon keeps a recorder's descriptors, because an event lives as long as any process has its descriptor, and a ring
 * as long as any process maps it: samples in rings outlive the recorder, and its successor takes them over. Descriptors are
 * attached to the message (SCM_RIGHTS), at most 250 to each, so a set may take several messages. A set is in force when it
 * is complete, and replaces the previous one. An empty set ends the keeping. Only recorder and successor know what each
 * descriptor is for. The successor gets them with the same lines through the socket of PR_TAKEOVER_ENV (environment.h). */
#define PR_NOTIFY_KEEP     "X_PERF_KEEP="     /* number of the set, index of the first descriptor here, size of the set */
#define PR_NOTIFY_KEEP_NONE "0 0 0"        /* the value for an empty set */
#define PR_NOTIFY_KEEP_MAP "X_PERF_KEEP_MAP=" /* INDEX:BYTES, separated by blanks: descriptors to map, and how much of each */
#define PR_NOTIFY_KEEP_END "X_PERF_KEEP_END=" /* to the successor: how the previous recorder ended, a line for people */

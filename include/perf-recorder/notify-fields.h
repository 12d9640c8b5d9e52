/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Fields of the messages that a recorder sends to $NOTIFY_SOCKET, one KEY=value a line, as sd_notify(3) does it. A
 * recorder that sends none is taken as recording from its first answered ping on. */

#define PR_NOTIFY_READY    "READY=1"          /* events are open and enabled (unless -D or a disabled start was asked for) */
#define PR_NOTIFY_STOPPING "STOPPING=1"       /* the file is being finished */
#define PR_NOTIFY_STATUS   "STATUS="          /* one line for people */
#define PR_NOTIFY_STATE    "X_PERF_STATE="    /* "recording" or "paused" (events disabled) */
#define PR_NOTIFY_ERROR    "X_PERF_ERROR="    /* why the recorder is about to exit non-zero */
/* With it, the errno as sd_notify(3) has it: a number. EBADMSG: the options are wrong, ENOBUFS: PR_LOCKED_MEMORY_ENV. */
#define PR_NOTIFY_ERRNO    "ERRNO="
#define PR_NOTIFY_MESSAGE  "X_PERF_MESSAGE="  /* a line for the journal that the output file could not take (disk full) */
#define PR_NOTIFY_OUTPUT   "X_PERF_OUTPUT="   /* a finished file: its path, absolute */
#define PR_NOTIFY_NO_SPACE "X_PERF_NO_SPACE=" /* errno, such as ENOSPC: samples are dropped; "0": recording goes on */

/* A trigger's answer. Each trigger that somebody waits for has an id, PR_TRIGGER_ID_MAX bytes of [A-Za-z0-9_.-] at most, that
 * whoever sent it made up. A message with ids has one of the other two; there may be several messages of one dump. */
#define PR_NOTIFY_DUMP       "X_PERF_DUMP="       /* a finished dump: its file's name in the session's directory */
#define PR_NOTIFY_DUMP_ERROR "X_PERF_DUMP_ERROR=" /* errno, blank, sentence: why the triggers have no dump; EBUSY: the rate limit */
#define PR_NOTIFY_DUMP_IDS   "X_PERF_DUMP_IDS="   /* ids of the triggers that are answered, with blanks between them */
#define PR_TRIGGER_ID_MAX    64

/* With --trigger-announce: a dump begins because of a trigger of this session. What follows "snapshot ID" (control-words.h) for
 * those that are to be made together with it: the incident, and of which samples; then its trigger as the detail. */
#define PR_NOTIFY_INCIDENT   "X_PERF_INCIDENT="

/* A recorder's descriptors, for the daemon to keep: events go on while anybody has their descriptors, and rings while
 * anybody maps them, so that what is in them outlives the recorder and is its successor's. They come along with the message
 * (SCM_RIGHTS), at most 250 with one, so that a set may take several messages; it is in force when it is whole, and what was
 * kept before goes then. A set of none: nothing is to be kept any more. What they are is between recorder and successor.
 * The successor gets them with the same lines, by the socket of PR_TAKEOVER_ENV (environment.h). */
#define PR_NOTIFY_KEEP     "X_PERF_KEEP="     /* number of the set, of the first descriptor that is here, of all of them */
#define PR_NOTIFY_KEEP_MAP "X_PERF_KEEP_MAP=" /* INDEX:BYTES, with blanks between them: those to map, and how much */
#define PR_NOTIFY_KEEP_END "X_PERF_KEEP_END=" /* to the successor: how the recorder before it ended, a line for people */

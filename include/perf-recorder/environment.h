/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Variables that the daemon sets for a recorder, besides NOTIFY_SOCKET (sd_notify(3)) and PR_COUNTERS_ENV (counters.h). */

#define PR_SESSION_ENV "PERF_RECORDER_SESSION" /* the session's name; it also identifies a recorder in its scope */
#define PR_RUNTIME_DIRECTORY_ENV "PERF_RECORDER_RUNTIME_DIRECTORY" /* the daemon's, for files that its recorders share */
/* Bytes that all rings of the recorder may have together (MaxLockedMemory=). Unset: no limit. */
#define PR_LOCKED_MEMORY_ENV "PERF_RECORDER_LOCKED_MEMORY"
/* "1": the daemon keeps descriptors (PR_NOTIFY_KEEP), and requests them with PR_CONTROL_HAND_OVER after its restart. */
#define PR_KEEP_ENV "PERF_RECORDER_KEEP"
/* "1": the daemon may write the words PR_CONTROL_LEND and PR_CONTROL_RETURN. */
#define PR_LENDS_ENV "PERF_RECORDER_LENDS"
/* "1": the daemon may write the word PR_CONTROL_WINDOW. */
#define PR_WINDOWS_ENV "PERF_RECORDER_WINDOWS"
/* The counters that are lent when the recorder starts, a line "WHAT WHO" each, as after the control word "lend": it opens no
 * events that need them until the word "return". Unset: nothing is. */
#define PR_LENT_ENV "PERF_RECORDER_LENT"
/* A socket that delivers the descriptors of the session's previous recorder. Unset: there are none. */
#define PR_TAKEOVER_ENV "PERF_RECORDER_TAKEOVER_FD"

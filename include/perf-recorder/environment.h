/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Variables that the daemon sets for a recorder, besides NOTIFY_SOCKET (sd_notify(3)) and PR_COUNTERS_ENV (counters.h). */

#define PR_SESSION_ENV "PERF_RECORDER_SESSION" /* the session's name; also how a recorder is found again in its scope */
#define PR_RUNTIME_DIRECTORY_ENV "PERF_RECORDER_RUNTIME_DIRECTORY" /* the daemon's, for what its recorders share */
/* Bytes: the rings that a recorder opens may have so many in all (MaxLockedMemory=); unset: there is no limit. */
#define PR_LOCKED_MEMORY_ENV "PERF_RECORDER_LOCKED_MEMORY"
/* "1": the daemon keeps descriptors (PR_NOTIFY_KEEP), and asks for them by PR_CONTROL_HAND_OVER when it was restarted. */
#define PR_KEEP_ENV "PERF_RECORDER_KEEP"
/* A socket with those of the session's recorder before; unset: there are none. */
#define PR_TAKEOVER_ENV "PERF_RECORDER_TAKEOVER_FD"

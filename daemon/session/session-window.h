/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "session-dump.h"

/* Asks a session's recorder for the samples that it has in memory, without a dump: for those who look at them again and again. */

#define SESSION_WINDOWS_MAX 16u /* that are waited for at once */

/* fd: a stream of perf.data, read-only; until: ns of the session's clock, up to which it goes. They are valid during the call
 * only. */
typedef void (*WindowAnswer)(Failure failure, const char *sentence, int fd, uint64_t until, void *userdata);

/* Asks for the samples that are newer than since (ns of the session's clock; 0: all). whole: with all that is known of the
 * processes, otherwise only with what is newer than since. answer is called once, unless it is withdrawn, but never from within,
 * nor after a failure. FAILURE_NOT_RUNNING, FAILURE_NOT_SUPPORTED: its recorder can't; FAILURE_BUSY: too many are waited for, or
 * the recorder has not taken what it was asked before. */
Failure session_open_window(Session *s, uint64_t since, bool whole, WindowAnswer answer, void *userdata);

/* Answers those with that userdata no more. */
void session_withdraw_windows(Session *s, const void *userdata);

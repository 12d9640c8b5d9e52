/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <syslog.h>

#include "caller.h"
#include "dump.h"

/* The daemon's words: structured entries of the journal where the daemon runs under it, otherwise lines on stderr; and a copy
 * of its own lines in BASE/output, as perf daemon keeps one. */

/* Looks where stderr goes; user: fields of the user's units. Called once, before the first message. */
void journal_init(bool user);

/* The file that gets copies from now on, opened O_APPEND; not owned. -EBADF: none. It is emptied when it has grown large. */
void journal_set_copy(int fd);

void journal_log(int priority, const char *format, ...) _printf_(2, 3);

/* The session that an entry is about. The message begins with its name: "NAME: ". */
typedef struct JournalSession {
        const char *name;
        const char *scope; /* unit name; "" or NULL: none */
        const Caller *caller; /* who asked for it; NULL: no caller did, or it is not known */
} JournalSession;

/* message_id: one of message-ids.h, or NULL. */
void journal_log_session(const JournalSession *s, int priority, const char *message_id, const char *format, ...) _printf_(4, 5);

/* About a dump: PERF_DUMP=, PERF_TRIGGER=, PERF_SAMPLES=, PERF_LOST= besides, as far as they are known. */
void journal_log_dump(const JournalSession *s, const Dump *d, int priority, const char *message_id, const char *format, ...)
        _printf_(5, 6);

/* A line that a recorder wrote. */
void journal_forward(const JournalSession *s, const char *line, size_t length);

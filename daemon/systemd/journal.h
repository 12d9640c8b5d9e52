/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <syslog.h>

#include "caller.h"
#include "dump.h"

/* The daemon's messages: structured entries of the journal if the daemon runs under journald, otherwise lines on
 * stderr; and a copy of its own lines in BASE/output, as perf daemon has one. */

/* Looks where stderr goes; user: entries have the fields of user units. Called once, before the first message. */
void journal_init(bool user);

/* The file for copies from now on, opened with O_APPEND; not owned. -EBADF: none. It is emptied when it has grown
 * large. */
void journal_set_copy(int fd);

void journal_log(int priority, const char *format, ...) _printf_(2, 3);

/* The session of an entry. The message begins with its name: "NAME: ". */
typedef struct JournalSession {
        const char *name;
        const char *scope; /* unit name; "" or NULL: none */
        const Caller *caller; /* the caller who requested it; NULL: none, or not known */
} JournalSession;

/* message_id: one of message-ids.h, or NULL. */
void journal_log_session(const JournalSession *s, int priority, const char *message_id, const char *format, ...) _printf_(4, 5);

/* For a dump: with PERF_DUMP=, PERF_TRIGGER=, and PERF_SAMPLES= and PERF_LOST= as far as they are known. */
void journal_log_dump(const JournalSession *s, const Dump *d, int priority, const char *message_id, const char *format, ...)
        _printf_(5, 6);

/* For what was unusual before the trigger of a dump, in lines: with PERF_UNUSUAL=lines besides. */
void journal_log_unusual(const JournalSession *s, const Dump *d, const char *lines);

/* For a reservation of counters: with PERF_RESERVATION=what. */
void journal_log_reservation(const char *what, const Caller *caller, int priority, const char *message_id, const char *format, ...)
        _printf_(5, 6);

/* A line that a recorder wrote. */
void journal_forward(const JournalSession *s, const char *line, size_t length);

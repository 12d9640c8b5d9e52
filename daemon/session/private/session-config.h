/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "journal.h"
#include "load.h"
#include "session-record.h"

/* The configuration says what a session is to record: its file, or the assignments of a caller, and the settings in force. */

typedef struct SessionConfig {
        SessionFile *file;         /* its settings are moved to the next; NULL: transient, or the file is gone */
        SessionSettings *settings; /* in force; NULL: none that is good */
        char *command;             /* described; NULL: without settings */
        char **assignments;        /* of a transient one */
        uid_t creator;             /* of a transient one and of an instance without a file; UID_INVALID: the daemon */
        bool enabled, transient;
} SessionConfig;

typedef enum SessionUpdate {
        SESSION_SAME,
        SESSION_CHANGED,
        SESSION_TURNED_BAD, /* or is bad in another way */
        SESSION_MENDED,     /* good again, with the settings that it runs with */
        SESSION_RETAINED,   /* what changed is of no concern to a recorder: Enabled=, [Storage] … */
} SessionUpdate;

void session_config_done(SessionConfig *c);

/* Takes the file, which is consumed, and its settings, if they are good; j names the session in the journal, which gets what the
 * file is warned of. 0 or -ENOMEM. */
int session_config_set_file(SessionConfig *c, SessionFile *f, const JournalSession *j, SessionUpdate *ret);

/* Takes the settings. 0 or -ENOMEM. */
int session_config_set_settings(SessionConfig *c, SessionSettings *settings);

/* Makes it a transient one, of settings, which are taken, that were made of assignments. 0 or -ENOMEM. */
int session_config_set_transient(SessionConfig *c, SessionSettings *settings, char *const *assignments);

/* Its part of the record: of a transient one what it was made of, since only that has it. */
void session_config_write(const SessionConfig *c, FILE *f);
int session_config_read(SessionConfig *c, const SessionRecord *r);

/* Settings in force are those a recorder runs with: without one they go when the file turned bad. */
void session_config_drop_settings(SessionConfig *c);

bool session_config_has_bad_file(const SessionConfig *c); /* what runs has earlier settings */
bool session_config_is_foreign(const SessionConfig *c);   /* Recorder= */

/* Computes the hash of the settings in force, which there must be. It shows whether a recorder that a previous daemon started has
 * the settings that the file says now: its command line, its program and its scope. What only the daemon uses, such as the restart
 * policy, does not count: the new daemon uses the new one. At a reload settings are compared key by key instead. */
uint64_t session_config_hash(const SessionConfig *c);

/* MemoryMax= of a recorder's scope where the session file says nothing of memory: bytes, 0 for no limit. buffer_size: the
 * daemon's DefaultBufferSize=, 0: not set. */
uint64_t session_config_memory_limit(const SessionSettings *s, uint64_t buffer_size);

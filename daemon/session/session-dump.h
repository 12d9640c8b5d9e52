/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-request.h"
#include "dump.h"
#include "session.h"

/* Asks a session's recorder for a dump, and waits for it. */

typedef struct DumpWaiter DumpWaiter;
typedef struct WindowWaiter WindowWaiter; /* session-window.h */

/* The queue of those who wait for a session's dumps, and what was logged of refusals. */
typedef struct DumpQueue {
        DumpWaiter *first; /* the newest, as of */
        WindowWaiter *windows;
        usec_t refusal_told; /* CLOCK_MONOTONIC; 0: never */
        unsigned n_refusals; /* since then */
} DumpQueue;

/* FAILURE_NONE: the dump, NULL if it was removed already; otherwise sentence says why there is none. FAILURE_NOTHING: it has
 * nothing of what was asked for; FAILURE_TIMEOUT: it may still come. All are valid during the call only,
 * and the waiter is gone after it. */
typedef void (*DumpAnswer)(Failure failure, const char *sentence, const Dump *dump, void *userdata);

/* Asks for a dump; answer and ret may be NULL. FAILURE_NOT_RUNNING, FAILURE_BUSY: the recorder has not taken what it was asked
 * before; FAILURE_NOT_SUPPORTED: a foreign recorder (Recorder=) writes all that it has, at once. answer is never called from
 * within, nor after a failure. */
Failure session_dump(Session *s, const DumpRequest *r, DumpAnswer answer, void *userdata, DumpWaiter **ret);

/* A trigger of the daemon's own, for which no caller waits: the journal has it if there is no dump. */
void session_dump_for(Session *s, const DumpRequest *r);

/* The session's directory has a new dump, which is not read yet: a foreign recorder's gets the reason that those who wait for it
 * gave. Then it is read. */
void session_explain_dump(const Session *s, int directory_fd, const char *name);
void session_dump_appeared(Session *s, const char *name);

usec_t dump_waiter_deadline(const DumpWaiter *w); /* CLOCK_MONOTONIC; later when somebody joins with a longer delay */
DumpWaiter *dump_waiter_free(DumpWaiter *w); /* not interested any more; the dump is made all the same */
DumpWaiter *dump_waiter_withdraw(DumpWaiter *w); /* … and need not be made, unless somebody else waits for it */
DEFINE_CLEANUP(DumpWaiter *, dump_waiter_free);

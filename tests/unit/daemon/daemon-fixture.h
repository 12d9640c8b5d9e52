/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "check-main.h"
#include "manager.h"
#include "private-bus.h"
#include "manager-parts.h"
#include "session-parts.h"

/* A whole daemon without its bus side in the test's own process: a private bus with a fake systemd1, session files and
 * a base in a scratch directory, and recorders that record nothing. Failures end the test. */

typedef struct DaemonFixture {
        PrivateBus bus;
        pid_t systemd;
        char *dir;
        Manager *manager;
        const struct CounterProofOps *proof; /* of the manager; NULL: the kernel's */
        /* of the last verb */
        bool done;
        Failure failure;
        char *sentence;
} DaemonFixture;

extern DaemonFixture fixture;

/* nginx.service runs, the scope of a session named "refused" cannot be created, scopes linger for a moment. */
void daemon_fixture_setup(void);
void daemon_fixture_teardown(void); /* kills the remaining recorders */

/* "[Session]\nRun=…\n" in NAME.session; words: those of fake-recorder.c */
void write_session(const char *name, const char *words, const char *more);
void write_session_file(const char *name, const char *text); /* in the session directory */
void remove_session_file(const char *name);

void daemon_start(void); /* until manager_begin() has finished */
void daemon_leave(void); /* like a crash: recorders continue */

/* Writes a session, starts the daemon, and waits until it records. */
void start_session(const char *name, const char *words, const char *more);
void start_a_and_b(const char *words_of_a, const char *words_of_b); /* with all that was written before */

Session *session(const char *name);
void await_state(const char *name, SessionState state);
void await(bool (*condition)(const Session *s), const char *name);
void await_restart(const char *name, unsigned n); /* until it records with that number of restarts */
void run_loop(usec_t usec); /* for that time */

typedef void (*ManagerVerb)(Manager *m, char *const *names, GatherDone done, void *userdata);
Failure run_verb(ManagerVerb verb, const char *name); /* NULL: no names; returns its failure */
void begin_verb(ManagerVerb verb, const char *name);
void begin_transient(const char *name, char *const *assignments);
Failure finish_verb(void);
void fixture_done(Failure failure, const char *sentence, void *userdata); /* for verbs with several names: then finish_verb() */

void fake_systemd1_start(void); /* with the fixture, and after fake_systemd1_end() */
void fake_systemd1_end(void);
void fake_systemd1_set_job(const char *type);
void fake_systemd1_run(const char *unit); /* makes the unit active */
void fake_systemd1_stop(const char *unit); /* makes it inactive again */
void fake_systemd1_fail(const char *unit); /* sends the signals of a failed unit, which need not exist */

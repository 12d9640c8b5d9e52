/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "calendar-timer.h"
#include "journal.h"
#include "recorder-process.h"
#include "restart-policy.h"
#include "ring-keeper.h"
#include "session-config.h"
#include "session-dump.h"
#include "session-host.h"
#include "session-record.h"
#include "session-object.h"

/* The session object as its own files see it: session-object.c (what it is), session-start.c, session-exit.c (how its
 * recorder comes and goes), session-report.c (what the recorder says), session-store.c (what outlives the daemon). */

/* One entry of the descriptor store. */
typedef struct StoreEntry {
        char *name; /* NULL: there is none */
        int fd;     /* of the text that the next daemon reads */
} StoreEntry;

typedef struct CountersLook {
        uint64_t turn;
        PrCounters counters;
        RingSamples given; /* to its overwrite rings since the recorder started */
} CountersLook;

struct SessionObject {
        SessionHost *host;
        char *name;
        char *scope_name;
        char *directory, *control_path, *ack_path, *output_path;

        SessionConfig config;
        bool doomed; /* to be removed once it does not run */
        bool gone;   /* to be freed by the next sweep */

        SessionState state;
        SessionResult result;
        char *error;

        RecorderProcess recorder;
        RestartState restart;
        RingKeeper rings; /* that it handed over, or its predecessor did */
        StoreEntry entry;
        Caller caller;           /* who asked for the start or stop that is under way */
        CountersLook *look;      /* at the counters, in this turn of the loop */
        CalendarTimer *calendar; /* OnCalendar=, while it records */
        GatherList start_waiters, stop_waiters;
        DumpQueue dumps;
};

SessionObject *session_object_free(SessionObject *s);
int session_object_new(SessionHost *host, const char *name, SessionObject **ret);

/* As those of its SessionConfig; what is shown follows. */
int session_object_set_file(SessionObject *s, SessionFile *f, SessionUpdate *ret);
int session_object_set_transient(SessionObject *s, SessionSettings *settings, char *const *assignments);

bool session_object_has_process(const SessionObject *s);
bool session_object_is_active(const SessionObject *s); /* neither inactive, failed nor bad */
void session_show_bad_file(SessionObject *s);

/* Such an instance is forgotten when it rests and has no dumps. */
bool session_object_is_made_up(const SessionObject *s);
void session_forget_if_idle(SessionObject *s);

/* Who asks is remembered until the start or stop is done; by: " by uid 1000 (perfctl[1234])", or "". */
void session_note_caller(SessionObject *s);
void session_drop_caller(SessionObject *s);
const char *session_by(const SessionObject *s, char *buf, size_t size);
#define SESSION_BY_SIZE (sizeof(((Caller *) NULL)->text) + sizeof(" by "))

/* also: what changed besides the state, if that did. */
void session_set_phase(SessionObject *s, RecorderPhase phase, SessionChange also);
void session_set_error(SessionObject *s, const char *sentence);
JournalSession session_journal(const SessionObject *s);
int session_set_timer(SessionObject *s, usec_t usec, sd_event_time_handler_t handler);

/* Verbs; each joins g (NULL: nobody waits) until it is through. */
void session_object_start(SessionObject *s, Gather *g);
void session_object_stop(SessionObject *s, Gather *g);
void session_object_restart(SessionObject *s, Gather *g);
int session_object_kill(SessionObject *s, int sig);

int session_renew_directory(SessionObject *s); /* makes it again, and the base directory, if somebody removed them */

/* session-start.c */
/* False: MaxSessions= does not let it start, and it was ended. Asked before anything is made for it. */
bool session_check_limits(SessionObject *s);
/* Bytes that MaxLockedMemory= leaves for its rings, those included that it has: it takes them over, or gives them up.
 * UINT64_MAX: there is no limit. */
uint64_t session_locked_memory_left(const SessionObject *s);
/* Each recorder keeps to what was left when it was started. Of several that start side by side the last ones may not fit:
 * those are ended. */
bool session_fits_locked_memory(SessionObject *s);

void session_begin_start(SessionObject *s);
void session_reset_start(SessionObject *s); /* by hand: restarts and tries are counted from here */
void session_go_up(SessionObject *s);
int session_watch_process(SessionObject *s, pid_t pid, int pidfd); /* takes pidfd */
void session_follow_output(SessionObject *s, int output_fd);
void session_await_ready(SessionObject *s);
int session_limit_start(SessionObject *s); /* by the time a start may take */
const char *session_why_not_up(const SessionObject *s); /* and what its caller can do about it */

/* session-exit.c */
void session_terminate(SessionObject *s);
void session_fail(SessionObject *s, SessionResult result, int error, const char *format, ...) _printf_(4, 5);
void session_end(SessionObject *s, SessionResult result, int error, const char *sentence);
int session_on_exit(sd_event_source *source, int fd, uint32_t revents, void *userdata);

/* session-report.c */
void session_take_message(SessionObject *s, NotifyMessage *m);
void session_tell_lost(SessionObject *s);
void session_tell_suppressed(SessionObject *s);
extern const OutputHandler session_output_handler; /* userdata is to be set */

/* session-reach.c: as those of its RingKeeper, with what the session knows */
void session_take_rings(SessionObject *s, NotifyMessage *m);
void session_drop_rings(SessionObject *s, const char *why);
void session_hold_rings(SessionObject *s, pid_t pid); /* with the session's error */
void session_check_reach(SessionObject *s); /* with KeepSec= */
bool session_follow_reach(SessionObject *s); /* now and then, while it answers that there are rings */
bool session_can_give_rings(const SessionObject *s); /* a successor with the settings in force takes them over */
bool session_give_rings(SessionObject *s, int *ret_fd); /* to the one that is started now; false: there are none */

/* session-dump.c */
/* A notification: name or error_text, and ids, which is taken apart (NULL: none). */
void session_take_dump_answer(SessionObject *s, const char *name, const char *error_text, char *ids);
void session_explain_dump(const SessionObject *s, int directory_fd, const char *name); /* by whom it was asked for */
void session_dump_also(SessionObject *s, char *words); /* a dump of s begins: those of Also= are to dump too */
void session_dump_appeared(SessionObject *s, const char *name);
void session_end_dumps(SessionObject *s, Failure failure, const char *sentence);

/* session-store.c */
void session_save(SessionObject *s);
void session_store(SessionObject *s);  /* its descriptors, at a start */
void session_forget(SessionObject *s); /* nothing of it is to come back */
int session_restore(SessionObject *s, SessionRecord *r, const char *store_name, int pidfd, int counters_fd, int state_fd); /* takes
                                                                                                                * all three */

/* session-adopt.c */
int session_attach(SessionObject *s, pid_t pid, int pidfd, unsigned outstanding); /* takes pidfd */
int session_adopt(SessionObject *s, pid_t pid);

/* The process among those of a scope that is the session's recorder and of this daemon's base directory; 0: none. */
pid_t session_find_recorder(int base_fd, const char *session, const pid_t *pids, size_t n);


/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "calendar-timer.h"
#include "recorder-process.h"
#include "restart-policy.h"
#include "ring-keeper.h"
#include "session-config.h"
#include "session-dump.h"
#include "session-host.h"
#include "session-window.h"
#include "session.h"

/* The session object as the files of this folder see it. Each of them uses only those that are named before it here. */

/* One entry of the descriptor store. */
typedef struct StoreEntry {
        char *name;  /* NULL: there is none */
        int fd;      /* of the text that the next daemon reads */
        size_t size; /* of that text, at most */
        pid_t pid;   /* the process whose descriptors the store has; 0: none since the last start */
} StoreEntry;

typedef struct CountersLook {
        uint64_t turn;
        PrCounters counters;
        RingSamples given; /* to its overwrite rings since the recorder started */
} CountersLook;

struct Session {
        SessionHost *host;
        char *name;
        char *scope_name;
        char *directory, *control_path, *ack_path, *output_path;

        SessionConfig config;
        bool doomed; /* to be gone once it does not run */
        bool gone;   /* to be freed by the next sweep */

        SessionState state;
        SessionResult result;
        char *error;

        RecorderOwner owner; /* this session, for the recorder */
        Recorder recorder;
        RestartState restart;
        sd_event_source *delay; /* before it is started again */
        RingKeeper rings; /* that it handed over, or its predecessor did */
        StoreEntry entry;
        Caller caller;           /* who asked for the start or stop that is under way */
        CountersLook *look;      /* at the counters, in this turn of the loop */
        CalendarTimer *calendar; /* OnCalendar=, while it records */
        GatherList start_waiters, stop_waiters;
        DumpQueue dumps;
};

/* session-state.c */
bool session_is_made_up(const Session *s);
void session_update_state(Session *s); /* to what follows from its phase, result and settings */
void session_changed(Session *s, SessionChange mask);
void session_set_error(Session *s, const char *sentence);
void session_show_bad_file(Session *s);
int session_renew_directory(Session *s); /* makes it again if somebody removed it */

/* journal_log_session() in the session's name. */
#define session_log(s, priority, message_id, ...)                                               \
        do {                                                                                    \
                const JournalSession _journal = session_journal(s);                             \
                                                                                                \
                journal_log_session(&_journal, (priority), (message_id), __VA_ARGS__);          \
        } while (false)

/* The caller is remembered until the start or stop is done; by: " by uid 1000 (perfctl[1234])", or "". */
void session_note_caller(Session *s);
void session_drop_caller(Session *s);
const char *session_by(const Session *s, char *buf, size_t size);
#define SESSION_BY_SIZE (sizeof(((Caller *) NULL)->text) + sizeof(" by "))

/* session-store.c */
void session_save(Session *s); /* what changed, and the descriptors of a recorder that was started */
void session_drop_entry(Session *s); /* of the descriptor store: the next daemon gets nothing of it back */
void session_leave(Session *s); /* it is gone, and nothing of it is to come back */
void session_put_record(const Session *s, FILE *f);
int session_get_record(Session *s, const SessionRecord *r); /* no settings, result, error; -EBADMSG: there is no such phase */

/* session-rings.c: as those of its RingKeeper, with what the session knows */
void session_take_rings(Session *s, NotifyMessage *m);
void session_drop_rings(Session *s, const char *why);
void session_keep_rings_for_successor(Session *s, pid_t pid); /* whose dump has the session's error as the reason */
bool session_can_give_rings(const Session *s); /* a successor with the settings in force takes them over */
void session_drop_useless_rings(Session *s); /* those that cannot be given */
bool session_give_rings(Session *s, int *ret_fd); /* to the one that is started now; false: there are none */
void session_check_reach(Session *s); /* with KeepSec= */
usec_t session_begin_of_recording(const Session *s); /* CLOCK_MONOTONIC */
void session_tell_lost(Session *s);

/* session-lending.c */
void session_take_lent(Session *s, const char *text); /* X_PERF_LENT= of a message */
int session_put_lent(Session *s, char ***assignments); /* what is lent, for the recorder that is started now */

/* session-dump.c */
/* A notification: name, or error_text and trigger (NULL: not known), and ids, which is taken apart (NULL: none). */
void session_take_dump_answer(Session *s, const char *name, const char *error_text, const char *trigger, char *ids);
void session_dump_also(Session *s, const char *words); /* a dump of s begins: those of Also= are to dump too */
void session_end_dumps(Session *s, Failure failure, const char *sentence);

/* session-window.c */
bool session_take_window(Session *s, NotifyMessage *m); /* takes its descriptor; false: the message is of something else */
void session_end_windows(Session *s, Failure failure, const char *sentence);

/* session-start.c */
void session_begin_start(Session *s, bool again); /* again: by itself, after the previous recorder ended */
void session_on_opened(void *userdata); /* as the others, a report of its recorder */

/* session-exit.c */
void session_on_stopping(void *userdata);
void session_on_ended(const RecorderEnd *end, void *userdata);

/* session.c */
int session_take_file(Session *s, SessionFile *f, SessionUpdate *ret); /* as session_config_set_file(); what is shown follows */

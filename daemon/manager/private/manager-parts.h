/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "conditions.h"
#include "manager.h"
#include "reach-watch.h"
#include "session-internal.h"
#include "watch.h"

/* The files of this folder share this. */

typedef struct Adoption Adoption;
typedef struct DumpCall DumpCall;
typedef struct PingCall PingCall;

#define N_SIGNALS 3

struct Manager {
        SessionHost host;
        bool user;
        SearchPath path;
        char **misnamed; /* session files whose names are none, which was said */
        NotifySocket *former_notify; /* of a base directory that was removed, until no callback uses it */
        SessionWatch *watch;
        Conditions *conditions; /* what else causes dumps */
        sd_event_source *retention, *retention_timer;
        ReachWatch reach;
        const char *removal; /* why a dump is being removed; NULL: somebody else does it */
        Sessions sessions;
        ManagerObserver observer;
        PingCall *ping_calls; /* under way, as those are */
        DumpCall *dump_calls;
        struct OnDump *on_dumps; /* units that systemd is starting */
        sd_event_source *status; /* tells the service manager, once a turn */
        sd_event_source *sweep;  /* frees sessions that are to go */
        Adoption *adoption;
        sd_event_source *base_timer; /* until it is seen whether the base directory is there */
        ScopeRequest *base_request;  /* systemd makes it again */
        ScopeRequest *own_job; /* SIGTERM came: is it a restart? */
        sd_event_source *signals[N_SIGNALS];
        sd_event_source *end_timer;
        int end_signal; /* it came before it was known what runs */
};

/* Logs what was found wrong with the directories, and each misnamed file once. */
void manager_take_misnamed(Manager *m, SessionFiles *files);

/* -EEXIST. Observers are told by manager_announce_session(), once it is filled. */
int manager_add_session(Manager *m, const char *name, Session **ret);
void manager_announce_session(Manager *m, Session *s);

/* Finds it, or makes one from its file, as an instance of a template has none of its own. */
Failure manager_load_session(Manager *m, const char *name, Session **ret);

/* base-renewal.c: makes the base directory again, with all that the daemon has there, if somebody removed it. -EROFS: the
 * service's sandbox does not allow that, and systemd is asked to do it. */
int manager_renew_base(Manager *m);
void manager_check_base_later(Manager *m); /* the same, once whoever is removing it is done */
void manager_take_message(NotifyMessage *message, void *userdata); /* of a notification socket */

/* For one more session without a file of its own: false if there are as many as MaxSessions= allows already, or half of that
 * of the caller's user. */
bool manager_has_room(Manager *m);
#define MANAGER_IS_ENDING "The daemon is ending: try again in a moment"
#define MANAGER_NO_ROOM \
        "There are as many sessions without files of their own as MaxSessions= allows, or half of that for one user: stop some, " \
        "or raise it in perf-recorderd.conf"

/* Reports of sessions. */
void manager_session_changed(Manager *m, Session *s, SessionChange mask);
int manager_set_perf_config(Manager *m); /* from the settings to the search path */
void manager_watch_files(Manager *m);    /* begins to watch the search path, or watches the new one */
void manager_sweep_later(Manager *m); /* a session set its "gone" */

/* The sessions asked for, made from their files if load, or those of an empty array: all for which wanted() is true.
 * FAILURE_NO_SUCH_SESSION, FAILURE_LIMIT with a sentence, or FAILURE_NO_MEMORY. */
typedef struct SessionList {
        Session **sessions;
        size_t n_sessions;
} SessionList;
void session_list_done(SessionList *l);
Failure manager_select(Manager *m, char *const *names, bool load, bool (*wanted)(const Session *s), SessionList *ret,
                   char **ret_sentence);

/* Tells the service manager how many sessions record, at the end of this turn. */
void manager_status_later(Manager *m);

/* Frees sessions that are gone, now: not from within their callbacks. */
void manager_sweep(Manager *m);

/* adoption.c: takes back what lies in the descriptor store; the two sockets are the caller's. */
int manager_restore(Manager *m, int *ret_notify_fd, int *ret_trigger_fd);
int manager_restore_session(Manager *m, const char *store_name, int pidfd, int counters_fd, int state_fd); /* takes all three */
void manager_store_notify(Manager *m);
Adoption *adoption_free(Adoption *a);

/* dump-news.c */
int manager_read_dumps(Manager *m);
/* The recorder of s says that it finished that file: false if it is no dump. */
bool manager_take_dump(Manager *m, Session *s, const char *path);

/* retention-run.c: at the end of this turn */
void manager_retain_later(Manager *m);
int manager_describe_status(const Manager *m, char **ret); /* for STATUS= of the service */

/* ending.c */
int manager_handle_signals(Manager *m);
void manager_terminate(Manager *m, int sig);

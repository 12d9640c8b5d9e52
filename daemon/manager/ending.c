/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The end of the daemon, and its signals. Exit() stops all sessions first. SIGTERM from systemd may also mean a
 * restart of the daemon, and then recorders go on for the next one: the job of the daemon's own unit says which. While
 * the bus is down systemctl(1) is asked. If systemd cannot be asked, recorders go on too, since they are in scopes of
 * their own, which systemd stops by itself when the machine goes down. A daemon that was started by hand stops them.
 *
 * SIGHUP reads the files again. */

#include <signal.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-login.h>

#include "manager-parts.h"

#define ASK_TIMEOUT_USEC (5 * USEC_PER_SEC)
#define EXTENSION_USEC (60 * USEC_PER_SEC)

typedef struct Ending {
        Manager *manager;
        GatherDone done;
        void *userdata;
} Ending;

static void on_all_stopped(Failure failure, const char *sentence, void *userdata) {
        Ending e = *(Ending *) userdata;

        free(userdata);
        if (e.done)
                e.done(failure, sentence, e.userdata);
        (void) sd_event_exit(e.manager->host.event, 0);
}

/* sd_notify(3): TimeoutStopSec= of the service must not cut off recorders that make progress with their last dumps.
 * Those without progress are killed by their sessions, so this ends. */
static int extend_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        Manager *m = userdata;

        (void) sd_notifyf(false, "EXTEND_TIMEOUT_USEC=%" PRIu64, (uint64_t) EXTENSION_USEC);
        m->end_timer = sd_event_source_disable_unref(m->end_timer);
        (void) sd_event_add_time_relative(m->host.event, &m->end_timer, CLOCK_MONOTONIC, EXTENSION_USEC / 4, 0, extend_timeout, m);
        return 0;
}

void manager_exit(Manager *m, GatherDone done, void *userdata) {
        Ending *e = malloc(sizeof(Ending));

        if (!e) {
                if (done)
                        done(FAILURE_NO_MEMORY, NULL, userdata);
                return;
        }
        *e = (Ending){ .manager = m, .done = done, .userdata = userdata };
        m->host.exiting = true;
        if (m->host.caller)
                journal_log(LOG_INFO, "Ending, asked by %s", m->host.caller->text);
        (void) sd_notify(false, "STOPPING=1\nSTATUS=Ending all sessions");
        (void) extend_timeout(NULL, 0, m);
        manager_stop(m, NULL, on_all_stopped, e);
}

static void leave_recorders(Manager *m) {
        m->host.exiting = true;
        journal_log(LOG_INFO, "Restarting: %" PRIu64 " recorders go on", sessions_sum(&m->sessions, session_n_processes, NULL));
        (void) sd_notify(false, "STOPPING=1");
        (void) sd_event_exit(m->host.event, 0);
}

static void on_own_job(int error, const char *text, void *userdata) {
        _cleanup_free_ char *unit = NULL, *type = NULL;
        Manager *m = userdata;

        m->own_job = NULL;
        m->end_timer = sd_event_source_disable_unref(m->end_timer);
        if (error < 0 && (m->user ? sd_pid_get_user_unit(0, &unit) : sd_pid_get_unit(0, &unit)) >= 0 &&
            scope_ask_systemctl(m->host.scopes, unit, &type) >= 0) {
                error = 0;
                text = type;
        }
        if (error >= 0 && strstr(text, "restart"))
                leave_recorders(m);
        else if (error >= 0) {
                m->host.end_reason = streq(text, "shutdown") ? "the system shuts down" : NULL;
                manager_exit(m, NULL, NULL);
        } else {
                journal_log(LOG_WARNING, "%s: taken for a restart", text);
                leave_recorders(m);
        }
}

static int on_ask_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        Manager *m = userdata;

        m->own_job = scope_request_free(m->own_job);
        on_own_job(-ETIMEDOUT, "systemd does not say whether this is a stop", m);
        return 0;
}

static void ask_for_job(Manager *m) {
        int r;

        r = sd_event_add_time_relative(m->host.event, &m->end_timer, CLOCK_MONOTONIC, ASK_TIMEOUT_USEC, 0, on_ask_timeout, m);
        if (r >= 0)
                r = scope_find_own_job(m->host.scopes, on_own_job, m, &m->own_job);
        if (r < 0)
                on_own_job(r, "Cannot ask systemd whether this is a stop", m);
}

void manager_terminate(Manager *m, int sig) {
        if (m->host.exiting || m->own_job)
                return;
        if (m->adoption)
                m->end_signal = sig;
        else if (sig == SIGTERM && getenv("NOTIFY_SOCKET"))
                ask_for_job(m);
        else
                manager_exit(m, NULL, NULL);
}

static int on_terminate(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata) {
        manager_terminate(userdata, (int) si->ssi_signo);
        return 0;
}

static int on_hangup(sd_event_source *source, const struct signalfd_siginfo *si, void *userdata) {
        Manager *m = userdata;

        if (!m->adoption) /* otherwise the files are read after the adoption */
                manager_reload(m, NULL, NULL);
        return 0;
}

int manager_handle_signals(Manager *m) {
        static const struct {
                int sig;
                sd_event_signal_handler_t handler;
        } handled[N_SIGNALS] = { { SIGTERM, on_terminate }, { SIGINT, on_terminate }, { SIGHUP, on_hangup } };
        int r = 0;

        for (size_t i = 0; r >= 0 && i < N_SIGNALS; i++)
                r = sd_event_add_signal(m->host.event, &m->signals[i], handled[i].sig | SD_EVENT_SIGNAL_PROCMASK,
                                        handled[i].handler, m);
        return r;
}

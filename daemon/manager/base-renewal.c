/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The base directory after somebody removed or moved it. The daemon makes it again where it may; below
 * ProtectSystem=strict, which the packaged unit has, only systemd can (scope-directory.c). Recorders keep what is in
 * memory in the meantime, and their FIFOs and output files work without names. One that was moved is used where it is, since
 * recordings lie in it; that is an error until it is back or the service is restarted.
 *
 * inotify(7) reports the removal of a directory once nobody has it open, and the daemon does. So what is noticed is the removal
 * of the files in it, the lock among them, and shortly afterwards the daemon looks. */

#include "defer.h"
#include "format-text.h"
#include "manager-parts.h"

#define CHECK_DELAY_USEC (100 * USEC_PER_MSEC)

/* Only a daemon with a base directory of its own has its socket there; recorders know it by its path. */
static int renew_notify_socket(Manager *m) {
        NotifySocket *n;
        int r;

        if (!startswith(notify_socket_path(m->host.notify), m->host.base.path))
                return 0;
        r = notify_socket_new(m->host.event, notify_socket_path(m->host.notify), -EBADF, manager_take_message, m, &n);
        if (r < 0)
                return r;
        notify_socket_free(m->former_notify);
        m->former_notify = m->host.notify;
        m->host.notify = n;
        manager_store_notify(m);
        return 0;
}

static void forget_move(Manager *m) {
        if (m->base.error)
                manager_status_later(m);
        free(m->base.error);
        m->base.error = NULL;
}

static int renew(Manager *m) {
        int r = base_directory_renew(&m->host.base);

        if (r <= 0)
                return r;
        journal_log(LOG_WARNING, "The base directory %s was removed, and is made again", m->host.base.path);
        forget_move(m);
        dump_store_renew(m->host.dumps);
        return renew_notify_socket(m);
}

static void notice_move(Manager *m) {
        const char *path = m->host.base.path;
        char now[PATH_MAX];

        if (!base_directory_is_moved(&m->host.base, now)) {
                if (m->base.error)
                        journal_log(LOG_INFO, "The base directory %s is in its place again", path);
                forget_move(m);
                return;
        }
        if (m->base.error)
                return;
        journal_log(LOG_ERR, "The base directory %s was moved to %s, where recorders go on writing. Move it back, or restart the "
                    "service, which begins another %s and leaves the recordings where they are", path, now, path);
        m->base.error = format_text("the base directory %s was moved to %s", path, now);
        manager_status_later(m);
}

static void log_failure(const Manager *m, const char *why) {
        journal_log(LOG_ERR, "The base directory %s was removed, and cannot be made again: %s. "
                    "Sessions go on recording, and their dumps are refused", m->host.base.path, why);
}

static void on_made(int error, const char *text, void *userdata) {
        Manager *m = userdata;
        int r;

        m->base.request = NULL;
        m->host.base_requested = false;
        if (error < 0) {
                log_failure(m, text);
                return;
        }
        r = renew(m);
        if (r < 0)
                log_failure(m, strerror(-r));
}

/* A user's service manager mounts nothing, and a user's daemon has no such sandbox. */
static void ask_systemd(Manager *m) {
        int r;

        if (m->user || m->base.request)
                return;
        r = scope_make_directory(m->host.scopes, m->host.base.path, on_made, m, &m->base.request);
        if (r < 0)
                log_failure(m, strerror(-r));
        m->host.base_requested = r >= 0;
}

int manager_renew_base(Manager *m) {
        int r = renew(m);

        if (r == -EROFS)
                ask_systemd(m);
        return r;
}

static int on_check(sd_event_source *source, uint64_t usec, void *userdata) {
        Manager *m = userdata;
        int r = m->host.exiting ? 0 : manager_renew_base(m);

        if (r < 0 && !m->base.request)
                log_failure(m, strerror(-r));
        notice_move(m);
        return 0;
}

void manager_check_base_later(Manager *m) {
        defer_for(m->host.event, &m->base.timer, CHECK_DELAY_USEC, 0, on_check, m);
}

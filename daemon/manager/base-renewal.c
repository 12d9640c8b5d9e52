/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The base directory after somebody removed it. The daemon makes it again where it may; below ProtectSystem=strict, which the
 * packaged unit has, only systemd can (scope-directory.c). Recorders keep what is in memory in the meantime, and their FIFOs
 * and output files work without names.
 *
 * inotify(7) reports the removal of a directory once nobody has it open, and the daemon does. So what is noticed is the removal
 * of the files in it, the lock among them, and shortly afterwards the daemon looks. */

#include "defer.h"
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

static int renew(Manager *m) {
        int r = base_directory_renew(&m->host.base);

        if (r <= 0)
                return r;
        journal_log(LOG_WARNING, "The base directory %s was removed, and is made again", m->host.base.path);
        dump_store_renew(m->host.dumps);
        return renew_notify_socket(m);
}

static void log_failure(const Manager *m, const char *why) {
        journal_log(LOG_ERR, "The base directory %s was removed, and cannot be made again: %s. "
                    "Sessions go on recording, and their dumps are refused", m->host.base.path, why);
}

static void on_made(int error, const char *text, void *userdata) {
        Manager *m = userdata;
        int r;

        m->base_request = NULL;
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

        if (m->user || m->base_request)
                return;
        r = scope_make_directory(m->host.scopes, m->host.base.path, on_made, m, &m->base_request);
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

        if (r < 0 && !m->base_request)
                log_failure(m, strerror(-r));
        return 0;
}

void manager_check_base_later(Manager *m) {
        defer_for(m->host.event, &m->base_timer, CHECK_DELAY_USEC, 0, on_check, m);
}

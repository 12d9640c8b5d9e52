/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The base directory, and the notification socket, which lies in it if the daemon was given one (--base=).
 *
 * If somebody removes or moves the directory, starts, restarts and dumps are refused until a reload makes it again; recorders
 * go on, and what they have in memory stays there. Below ProtectSystem=strict, which the packaged unit has, only systemd can
 * make it (scope-directory.c). */

#include "fd-file.h"
#include "fdstore.h"
#include "format-text.h"
#include "manager-parts.h"

int manager_take_base(Manager *m, const char *path) {
        pid_t owner;
        int r;

        if (!path)
                path = m->host.settings.base_directory;
        r = base_directory_open(&m->host.base, path, &owner);
        if (r == -EBUSY && owner > 0)
                journal_log(LOG_ERR, "Another perf-recorderd has %s: PID %d. Stop it first, or use another base directory", path,
                            (int) owner);
        else if (r == -EBUSY)
                journal_log(LOG_ERR, "Another perf-recorderd has %s. Stop it first, or use another base directory", path);
        else if (r == -EROFS && !m->user)
                journal_log(LOG_ERR, "Cannot use %s as base directory: %s. The service may write only where its unit permits it: "
                            "add ReadWritePaths=%s with 'systemctl edit perf-recorderd'", path, strerror(-r), path);
        else if (r < 0)
                journal_log(LOG_ERR, "Cannot use %s as base directory: %s", path, strerror(-r));
        else
                journal_set_copy(m->host.base.output_fd);
        return r;
}

/* A daemon with a base directory of its own runs beside the system's: its socket lies in that directory. */
static int notify_path(const Manager *m, bool in_base, char **ret) {
        const char *runtime = getenv("XDG_RUNTIME_DIR");
        char *path = NULL;

        if (in_base)
                path = path_join(m->host.base.path, "notify");
        else if (!m->user)
                path = strdup("/run/perf-recorder/notify");
        else if (runtime && *runtime == '/')
                path = path_join(runtime, "perf-recorder/notify");
        else
                path = format_text("/run/user/%u/perf-recorder/notify", (unsigned) getuid());
        if (!path)
                return -ENOMEM;
        *ret = path;
        return 0;
}

static void on_message(NotifyMessage *message, void *userdata) {
        const Manager *m = userdata;
        Session *s = sessions_find_process(&m->sessions, message->sender);

        if (s)
                session_take_message(s, message);
}

/* If the socket came from the descriptor store, the store has it already, and keeps the same descriptor once. */
static int bind_notify(Manager *m, const char *path, int stored_fd) {
        NotifySocket *n;
        int fd, r;

        r = notify_socket_new(m->host.event, path, stored_fd, on_message, m, &n);
        if (r < 0)
                return r;
        notify_socket_free(m->host.notify);
        m->host.notify = n;
        fd = notify_socket_fd(n);
        (void) fdstore_push(NOTIFY_STORE_NAME, &fd, 1);
        return 0;
}

int manager_open_notify(Manager *m, bool in_base, int stored_fd) {
        _cleanup_free_ char *path = NULL;
        int r;

        r = notify_path(m, in_base, &path);
        r = r < 0 ? r : bind_notify(m, path, stored_fd);
        if (r < 0)
                journal_log(LOG_ERR, "Cannot open the notification socket %s: %s", path ?: "", strerror(-r));
        return r;
}

static int make_again(Manager *m) {
        _cleanup_free_ char *notify = strdup(notify_socket_path(m->host.notify));
        int r;

        if (!notify)
                return -ENOMEM;
        r = base_directory_make_again(&m->host.base);
        if (r < 0)
                return r;
        journal_log(LOG_WARNING, "The base directory %s was removed or moved away, and is made again", m->host.base.path);
        journal_set_copy(m->host.base.output_fd);
        dump_store_follow(m->host.dumps);
        return startswith(notify, m->host.base.path) ? bind_notify(m, notify, -EBADF) : 0;
}

static void end_making(Manager *m, int error, const char *why) {
        _cleanup_free_ char *sentence = NULL;

        if (error < 0) {
                sentence = format_text("The base directory %s was removed or moved away, and cannot be made again: %s",
                                       m->host.base.path, why);
                journal_log(LOG_ERR, "%s", sentence ?: strerror(ENOMEM));
        } else
                manager_retry(m);
        gather_list_leave(&m->base_waiters, error < 0 ? FAILURE_OTHER : FAILURE_NONE, sentence);
}

static void on_made(int error, const char *text, void *userdata) {
        Manager *m = userdata;
        int r;

        m->base_request = NULL;
        r = error < 0 ? error : make_again(m);
        end_making(m, r, error < 0 ? text : strerror(-r));
}

void manager_make_base_again(Manager *m, Gather *g) {
        int r;

        if (!base_directory_is_missing(&m->host.base))
                return;
        gather_list_join(&m->base_waiters, g);
        if (m->base_request)
                return;
        r = make_again(m);
        if (r == -EROFS && !m->user) /* a user's service manager cannot mount, and a user's daemon has no such sandbox */
                r = scope_make_directory(m->host.scopes, m->host.base.path, on_made, m, &m->base_request);
        if (!m->base_request)
                end_making(m, r, strerror(-r));
}


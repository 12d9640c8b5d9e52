/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl stop: stops sessions, or without names all of them and the daemon, as "perf daemon stop" does. It does not start the
 * daemon. When it returns, the daemon has exited: the answer to Exit comes a moment earlier, so on this machine perfctl waits
 * for the process. */

#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>

#include "bus-client.h"
#include "verbs.h"

#define REAP_MSEC 1000 /* time for the service manager to reap the process */

/* Waits until the process has exited and its parent has reaped it. */
static void stop_wait_for_end(int pidfd) {
        while (poll(&(struct pollfd){ .fd = pidfd, .events = POLLIN }, 1, -1) < 0 && errno == EINTR)
                ;
        for (int i = 0; i < REAP_MSEC && !(pidfd_send_signal(pidfd, 0, NULL, 0) < 0 && errno == ESRCH); i++)
                (void) usleep(1000);
}

static int stop_all(const ClientOptions *o, BusClient *c) {
        BusClientCall request = { .method = "Exit", .flags = BUS_CALL_NO_AUTO_START | BUS_CALL_AUTHORIZE | BUS_CALL_WAIT };
        bool local = !o->host && !o->machine;
        _cleanup_close_ int pidfd = -EBADF;
        pid_t pid;
        int r = bus_client_get_daemon_pid(c, &pid);

        if (r >= 0 && local)
                pidfd = pidfd_open(pid, 0);
        if (r >= 0)
                r = bus_client_call(c, &request, NULL);
        if (r >= 0 && pidfd >= 0)
                stop_wait_for_end(pidfd);
        return r;
}

/* Recorders outlive a service that was killed and cannot start again. */
static int stop_without_service(const ClientOptions *o, const BusClient *c) {
        size_t n = bus_client_count_recorders(c);

        if (n > 0)
                (void) fprintf(stderr, "Failed to stop: perf-recorderd is not running, but %zu of its recorders: "
                               "'systemctl%s stop \"perf-session-*.scope\"' stops them\n", n, o->user ? " --user" : "");
        else if (!o->quiet)
                (void) fprintf(stderr, "perf-recorderd is not running: nothing to stop\n");
        return n > 0 ? STATUS_FAILED : STATUS_OK;
}

int verb_stop(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        BusClientCall request = {
                .method = "Stop",
                .names = arguments,
                .flags = BUS_CALL_NAMES | BUS_CALL_NO_AUTO_START | BUS_CALL_AUTHORIZE | BUS_CALL_WAIT,
        };
        int r;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        r = arguments ? bus_client_call(c, &request, NULL) : stop_all(o, c);
        if (r >= 0)
                return STATUS_OK;
        if (bus_client_status(c) != STATUS_NOT_RUNNING)
                return bus_client_fail_for(c, "stop", arguments);
        return stop_without_service(o, c);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A private message bus for tests. The daemon has a configuration of its own with its address, and exits with the
 * test. */

#include "private-bus.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "parse-time.h"

static const char configuration[] =
        "<!DOCTYPE busconfig PUBLIC '-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN'"
        " 'http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd'>"
        "<busconfig><limit name='max_replies_per_connection'>1000</limit><listen>%s</listen><auth>EXTERNAL</auth>"
        "<policy context='default'><allow user='*'/><allow own='*'/>"
        "<allow send_destination='*' eavesdrop='false'/><allow eavesdrop='false'/></policy></busconfig>";

static int write_configuration(const char *address) {
        char path[] = "/tmp/test-bus.XXXXXX";
        int fd = mkostemp(path, 0);

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_int_gt(dprintf(fd, configuration, address), 0);
        return fd;
}

static void run_daemon(int config_fd, int address_fd) {
        char config[64], print[64];

        (void) snprintf(config, sizeof(config), "--config-file=/proc/self/fd/%d", config_fd);
        (void) snprintf(print, sizeof(print), "--print-address=%d", address_fd);
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void) dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO); /* it reports that it can't raise
                                                                              * limits */
        (void) execlp("dbus-daemon", "dbus-daemon", "--nofork", "--nopidfile", config, print, NULL);
        _exit(127);
}

static void start_at(PrivateBus *b, const char *address) {
        char line[512] = "";
        int pipe_fds[2], config_fd = write_configuration(address);
        ssize_t n;

        ck_assert_int_eq(pipe(pipe_fds), 0);
        b->pid = fork();
        ck_assert_int_ge(b->pid, 0);
        if (b->pid == 0)
                run_daemon(config_fd, pipe_fds[1]);
        (void) close(config_fd);
        (void) close(pipe_fds[1]);
        n = read(pipe_fds[0], line, sizeof(line) - 1);
        (void) close(pipe_fds[0]);
        ck_assert_msg(n > 0, "dbus-daemon did not start");
        line[strcspn(line, "\n")] = '\0';
        free(b->address);
        b->address = strdup(line);
        (void) setenv("DBUS_SYSTEM_BUS_ADDRESS", b->address, 1);
        (void) setenv("DBUS_SESSION_BUS_ADDRESS", b->address, 1);
}

void private_bus_kill(PrivateBus *b) {
        if (b->pid > 0) {
                (void) kill(b->pid, SIGKILL);
                (void) waitpid(b->pid, NULL, 0);
        }
        b->pid = 0;
}

void private_bus_start(PrivateBus *b) {
        *b = (PrivateBus) {};
        start_at(b, "unix:tmpdir=/tmp");
        ck_assert_int_ge(sd_event_new(&b->event), 0);
}

/* Cuts the address behind its path or abstract name, before the guid, which differs for each daemon. */
static void forget_guid(char *address) {
        address[strcspn(address, ",")] = '\0';
}

void private_bus_restart(PrivateBus *b) {
        _cleanup_free_ char *address = strdup(b->address);
        const char *path;

        forget_guid(address);
        private_bus_kill(b);
        path = startswith(address, "unix:path=");
        if (path)
                (void) unlink(path);
        start_at(b, address);
}

void private_bus_stop(PrivateBus *b) {
        const char *path;

        private_bus_kill(b);
        forget_guid(b->address);
        path = startswith(b->address, "unix:path=");
        if (path)
                (void) unlink(path);
        b->event = sd_event_unref(b->event);
        free(steal_ptr(b->address));
}

sd_bus *private_bus_connect(PrivateBus *b, uid_t uid) {
        uid_t own = geteuid();
        sd_bus *bus = NULL;
        int r;

        ck_assert_int_ge(sd_bus_new(&bus), 0);
        ck_assert_int_ge(sd_bus_set_address(bus, b->address), 0);
        ck_assert_int_ge(sd_bus_set_bus_client(bus, true), 0);
        ck_assert_int_eq(seteuid(uid), 0);
        r = sd_bus_start(bus); /* the kernel remembers the uid that connects */
        if (r >= 0)
                r = sd_bus_get_unique_name(bus, &(const char *) {NULL});
        ck_assert_int_eq(seteuid(own), 0);
        ck_assert_int_ge(r, 0);
        ck_assert_int_ge(sd_bus_attach_event(bus, b->event, SD_EVENT_PRIORITY_NORMAL), 0);
        return bus;
}

bool private_bus_wait(PrivateBus *b, const bool *flag) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + 10 * USEC_PER_SEC;

        while (!*flag) {
                usec_t now = now_usec(CLOCK_MONOTONIC);

                if (now >= end)
                        return false;
                ck_assert_int_ge(sd_event_run(b->event, end - now), 0);
        }
        return true;
}

typedef struct Waiter {
        sd_bus_message *reply;
        bool there;
} Waiter;

static int on_reply(sd_bus_message *reply, void *userdata, sd_bus_error *error) {
        Waiter *w = userdata;

        w->reply = sd_bus_message_ref(reply);
        w->there = true;
        return 0;
}

int private_bus_call(PrivateBus *b, sd_bus *client, sd_bus_message *m, sd_bus_error *e, sd_bus_message **ret) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        Waiter w = {};
        int r = 0;

        ck_assert_int_ge(sd_bus_call_async(client, &slot, m, on_reply, &w, 0), 0);
        ck_assert_msg(private_bus_wait(b, &w.there), "no answer to %s", sd_bus_message_get_member(m));
        if (sd_bus_message_is_method_error(w.reply, NULL)) {
                r = sd_bus_message_get_errno(w.reply);
                if (e)
                        (void) sd_bus_error_copy(e, sd_bus_message_get_error(w.reply));
        }
        if (ret)
                *ret = sd_bus_message_ref(w.reply);
        sd_bus_message_unref(w.reply);
        return r;
}

void private_bus_settle(PrivateBus *b, sd_bus *client) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_method_call(client, &m, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                                        "org.freedesktop.DBus.Peer", "Ping"), 0);
        ck_assert_int_eq(private_bus_call(b, client, m, NULL, NULL), 0);
}

static int on_message(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        return 0;
}

static void on_end(void *userdata) {
        *(bool *) userdata = true;
}

void private_bus_note_end(sd_bus *bus, bool *gone) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;

        ck_assert_int_ge(sd_bus_add_filter(bus, &slot, on_message, gone), 0);
        ck_assert_int_ge(sd_bus_slot_set_destroy_callback(slot, on_end), 0);
        ck_assert_int_ge(sd_bus_slot_set_floating(slot, true), 0);
}

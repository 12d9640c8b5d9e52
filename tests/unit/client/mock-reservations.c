/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A caller gets one end of a pipe. Its reservation is in force until all copies of that end are closed. */

#include "mock-reservations.h"

#include <fcntl.h>
#include <poll.h>

#include <perf-recorder/bus-names.h>
#include <perf-recorder/errors.h>

#include "cleanup.h"

#define RESERVATIONS_MAX 8

typedef struct MockReservation {
        int fd;
        char *what, *who, *why;
        pid_t pid;
        uid_t uid;
} MockReservation;

static MockReservation reservations[RESERVATIONS_MAX];
static size_t n_reservations;
static void (*write_line)(const char *format, ...);

void mock_reservations_init(void (*log)(const char *format, ...)) {
        write_line = log;
}

static void forget_ended(void) {
        size_t kept = 0;

        for (size_t i = 0; i < n_reservations; i++) {
                MockReservation *r = &reservations[i];
                struct pollfd p = { .fd = r->fd };

                if (poll(&p, 1, 0) == 0) {
                        reservations[kept++] = *r;
                        continue;
                }
                (void) close(r->fd);
                free(r->what);
                free(r->who);
                free(r->why);
        }
        n_reservations = kept;
}

static int refuse(sd_bus_message *m, bool releases) {
        sd_bus *bus = sd_bus_message_get_bus(m);
        int r = sd_bus_reply_method_errorf(m, PR_ERROR_BUSY, "likwid (PID 7, 3 events) has them");

        if (r >= 0 && releases)
                r = sd_bus_emit_signal(bus, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Released", "s", "hardware");
        return r;
}

int mock_reservations_reserve(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_(sd_bus_creds_unrefp) sd_bus_creds *creds = NULL;
        static unsigned n_later;
        const char *what, *who, *why;
        MockReservation *new;
        _cleanup_close_ int caller_fd = -EBADF;
        int fds[2], r = sd_bus_message_read(m, "sss", &what, &who, &why);

        if (r < 0)
                return r;
        write_line("Reserve %s '%s' '%s'%s\n", what, who, why,
                   sd_bus_message_get_allow_interactive_authorization(m) ? "" : " (no questions)");
        if (strcmp(why, "busy") == 0 || (strcmp(why, "later") == 0 && n_later++ == 0))
                return refuse(m, strcmp(why, "later") == 0);
        if (strcmp(why, "none") == 0)
                return sd_bus_error_set(e, SD_BUS_ERROR_NOT_SUPPORTED, "this machine has no hardware counters");
        r = sd_bus_query_sender_creds(m, SD_BUS_CREDS_PID | SD_BUS_CREDS_EUID, &creds);
        if (r < 0)
                return r;
        forget_ended();
        if (n_reservations == RESERVATIONS_MAX || pipe2(fds, O_CLOEXEC) < 0)
                return -ENFILE;
        new = &reservations[n_reservations++];
        *new = (MockReservation) { .fd = fds[0], .what = strdup(what), .who = strdup(who), .why = strdup(why) };
        (void) sd_bus_creds_get_pid(creds, &new->pid);
        (void) sd_bus_creds_get_euid(creds, &new->uid);
        caller_fd = fds[1];
        return sd_bus_reply_method_return(m, "h", caller_fd);
}

int mock_reservations_list(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        int r = sd_bus_message_new_method_return(m, &reply);

        forget_ended();
        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', "(sssuu)");
        for (size_t i = 0; r >= 0 && i < n_reservations; i++)
                r = sd_bus_message_append(reply, "(sssuu)", reservations[i].what, reservations[i].who, reservations[i].why,
                                          (uint32_t) reservations[i].uid, (uint32_t) reservations[i].pid);
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_message_send(reply);
}

int mock_reservations_lent(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                           void *userdata, sd_bus_error *e) {
        int r;

        forget_ended();
        r = sd_bus_message_open_container(reply, 'a', "s");
        for (size_t i = 0; r >= 0 && i < n_reservations; i++) {
                _cleanup_free_ char *kind = strndup(reservations[i].what, strcspn(reservations[i].what, ":"));

                r = sd_bus_message_append(reply, "s", kind);
        }
        return r < 0 ? r : sd_bus_message_close_container(reply);
}

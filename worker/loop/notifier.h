/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include "cleanup.h"

/* Messages to whoever started us, as sd_notify(3) sends them; fields in <perf-recorder/notify-fields.h>. */
typedef struct Notifier {
        int fd; /* -EBADF: nobody asked */
        struct sockaddr_un address;
        socklen_t length;
        bool stalled; /* the receiver did not read in time: it is not waited for until it reads again */
} Notifier;

#define NOTIFIER_EMPTY { .fd = -EBADF }

/* Takes $NOTIFY_SOCKET out of the environment, so that a command we run does not speak for us. 0, also where there is
 * none; -EINVAL: it is no socket address. */
int notifier_open(Notifier *n);
void notifier_done(Notifier *n);

/* Whole messages, "KEY=value" lines. What can't be delivered is lost: recording goes on without. */
void notifier_send(Notifier *n, const char *format, ...) _printf_(2, 3);

/* One that must not be lost, and must not hold us up. -EAGAIN: the receiver has no room, so it is to be tried again; other
 * errors: there is none. */
int notifier_try(Notifier *n, const char *message);

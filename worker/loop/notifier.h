/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include "cleanup.h"

/* Messages to the daemon, as sd_notify(3) sends them; fields in <perf-recorder/notify-fields.h>. */
typedef struct Notifier {
        int fd; /* -EBADF: $NOTIFY_SOCKET was not set */
        struct sockaddr_un address;
        socklen_t length;
        bool stalled; /* the receiver did not read in time: no waiting for it until it reads again */
} Notifier;

#define NOTIFIER_EMPTY { .fd = -EBADF }

/* Takes $NOTIFY_SOCKET out of the environment, so that a recorded command can't send messages in its place. 0, also if
 * it is not set; -EINVAL: it is no socket address. */
int notifier_open(Notifier *n);
void notifier_done(Notifier *n);

/* Sends a whole message of "KEY=value" lines. One that can't be delivered is lost. */
void notifier_send(Notifier *n, const char *format, ...) _printf_(2, 3);

/* Sends a message with a descriptor, which stays the caller's; -EBADF: with none. -ENOTCONN: $NOTIFY_SOCKET was not set. */
int notifier_send_descriptor(Notifier *n, const char *message, int fd);

/* Sends a message that must not be lost, without waiting. -EAGAIN: the receiver has no room, try again later; other
 * errors: there is no receiver. */
int notifier_try(Notifier *n, const char *message);

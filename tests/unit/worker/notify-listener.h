/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The other end of a Notifier, in the same process. */

#include "check-main.h"
#include "notifier.h"

typedef struct Listener {
        int fd;
        Notifier notifier;
} Listener;

static inline void listener_done(Listener *l) {
        notifier_done(&l->notifier);
        l->fd = safe_close(l->fd);
}

static inline Listener listener_new(void) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        socklen_t n = sizeof(address);
        Listener l = { .fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), .notifier = NOTIFIER_EMPTY };

        ck_assert_int_eq(bind(l.fd, (struct sockaddr *) &address, sizeof(sa_family_t)), 0); /* the kernel chooses a
                                                                                             * name */
        ck_assert_int_eq(getsockname(l.fd, (struct sockaddr *) &address, &n), 0);
        l.notifier.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        l.notifier.address = address;
        l.notifier.length = n;
        return l;
}

/* Returns the next message, "" if there is none. */
static inline const char *listener_next(Listener *l) {
        static char message[8192];
        ssize_t n = recv(l->fd, message, sizeof(message) - 1, 0);

        message[MAX_OF(n, (ssize_t) 0)] = '\0';
        return message;
}

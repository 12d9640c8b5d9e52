/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include <systemd/sd-event.h>

#include "descriptor-set.h"

/* The socket that recorders send their sd_notify(3) messages to. */

typedef struct NotifySocket NotifySocket;

typedef struct NotifyMessage {
        pid_t sender;
        char *text;    /* NUL-terminated, a field on each line; the handler may modify it */
        size_t n_fds;  /* that came along */
        bool fds_lost; /* the kernel dropped some, beyond our limit of descriptors */
        int fds[DESCRIPTOR_BATCH_MAX]; /* closed afterwards; the handler sets those that it takes to -EBADF */
} NotifyMessage;
typedef void (*NotifyHandler)(NotifyMessage *m, void *userdata);

/* Binds path (and makes its directory), or uses the socket that a previous daemon bound there, if stored_fd >= 0
 * (which is taken, on failure too). Messages are handled before the end of their sender is seen (see
 * EVENT_PRIORITY). */
int notify_socket_new(sd_event *event, const char *path, int stored_fd, NotifyHandler handler, void *userdata, NotifySocket **ret);
NotifySocket *notify_socket_free(NotifySocket *n); /* the path stays, since recorders may be running */
DEFINE_CLEANUP(NotifySocket *, notify_socket_free);

const char *notify_socket_path(const NotifySocket *n);
int notify_socket_fd(const NotifySocket *n);

/* Priorities in the event loop: a recorder's last messages are handled before its end. */
#define EVENT_PRIORITY_NOTIFY (-20)
#define EVENT_PRIORITY_GATE (-10)

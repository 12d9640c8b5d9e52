/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include <systemd/sd-event.h>

#include "descriptor-set.h"

/* The socket that recorders send their sd_notify(3) messages to. */

typedef struct NotifySocket NotifySocket;

typedef struct NotifyMessage {
        pid_t sender;
        char *text;    /* NUL-terminated, fields on lines of their own; the handler may take it apart */
        size_t n_fds;  /* that came along */
        bool fds_lost; /* there were more than we may have */
        int fds[DESCRIPTOR_BATCH_MAX]; /* closed afterwards, but for those that the handler took: they are -EBADF then */
} NotifyMessage;
typedef void (*NotifyHandler)(NotifyMessage *m, void *userdata);

/* Binds path (its directory is made), or goes on with the socket that a previous daemon bound there, if stored_fd >= 0
 * (then taken over, on failure too). The handler is called before any end of a process is seen (see EVENT_PRIORITY). */
int notify_socket_new(sd_event *event, const char *path, int stored_fd, NotifyHandler handler, void *userdata, NotifySocket **ret);
NotifySocket *notify_socket_free(NotifySocket *n); /* the path stays: recorders may be running */
DEFINE_CLEANUP(NotifySocket *, notify_socket_free);

const char *notify_socket_path(const NotifySocket *n);
int notify_socket_fd(const NotifySocket *n);

/* Priorities in the event loop: what a recorder said before it ended is heard before its end. */
#define EVENT_PRIORITY_NOTIFY (-20)
#define EVENT_PRIORITY_GATE (-10)

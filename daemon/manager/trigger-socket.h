/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include <systemd/sd-event.h>

#include "cleanup.h"

/* Datagrams that ask for a dump: the name of a session and, behind a blank, free text for people; a newline at the end is
 * fine. Who wants an answer binds a socket of its own to an address (autobind will do, unix(7); a path has to belong to the
 * sender's user): one datagram of lines KEY=value. */
typedef struct TriggerSocket TriggerSocket;

/* The address of one answer. */
typedef struct TriggerReply TriggerReply;

typedef struct TriggerMessage {
        const char *session; /* a valid name */
        const char *text;    /* one line, may be "" */
        pid_t pid;           /* of the sender, as the kernel says */
        uid_t uid;
        TriggerReply *reply; /* the handler's, to be freed; never NULL */
} TriggerMessage;

typedef void (*TriggerHandler)(const TriggerMessage *message, void *userdata);

/* fd: a bound datagram socket with SO_PASSCRED, taken in any case. */
int trigger_socket_new(sd_event *event, int fd, TriggerHandler handler, void *userdata, TriggerSocket **ret);
TriggerSocket *trigger_socket_free(TriggerSocket *s); /* replies that are out stay valid, and go nowhere then */
DEFINE_CLEANUP(TriggerSocket *, trigger_socket_free);

/* Sends text, if the sender has an address and takes it at once: it waits for no receiver. */
void trigger_reply_send(const TriggerReply *r, const char *text);
TriggerReply *trigger_reply_free(TriggerReply *r);
DEFINE_CLEANUP(TriggerReply *, trigger_reply_free);

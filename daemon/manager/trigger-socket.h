/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include <systemd/sd-event.h>

#include "cleanup.h"

/* Datagrams that request a dump: the name of a session and, after a blank, free text for people; a newline at the
 * end is permitted. To get an answer, a datagram of lines KEY=value, the sender binds its socket to an address
 * (autobind is enough, unix(7); a path must belong to the sender's user). */
typedef struct TriggerSocket TriggerSocket;

/* The address of one answer. */
typedef struct TriggerReply TriggerReply;

typedef struct TriggerMessage {
        const char *session; /* a valid name */
        const char *text;    /* one line, may be "" */
        pid_t pid;           /* of the sender, from the kernel */
        uid_t uid;
        TriggerReply *reply; /* the handler's, to be freed; never NULL */
} TriggerMessage;

typedef void (*TriggerHandler)(const TriggerMessage *message, void *userdata);

/* fd: a bound datagram socket with SO_PASSCRED, taken in any case. */
int trigger_socket_new(sd_event *event, int fd, TriggerHandler handler, void *userdata, TriggerSocket **ret);
TriggerSocket *trigger_socket_free(TriggerSocket *s); /* pending replies stay valid, and are not sent then */
DEFINE_CLEANUP(TriggerSocket *, trigger_socket_free);

/* Sends text if the sender has an address and can take it at once; never waits. */
void trigger_reply_send(const TriggerReply *r, const char *text);
TriggerReply *trigger_reply_free(TriggerReply *r);
DEFINE_CLEANUP(TriggerReply *, trigger_reply_free);

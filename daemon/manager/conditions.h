/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "manager.h"

/* This causes dumps from outside of the recorders, as [Trigger] asks: datagrams (Socket=), units that fail
 * (UnitFailure=), calendar events (OnCalendar=). There is one for all sessions; it listens only to what a session that
 * records wants to know. */
typedef struct Conditions Conditions;

/* socket_fd: bound to where datagrams come; taken in any case. -EBADF: the service manager passed none. */
int conditions_new(Manager *m, int socket_fd, Conditions **ret);
Conditions *conditions_free(Conditions *c);
DEFINE_CLEANUP(Conditions *, conditions_free);

/* A session began or ended to record, has other settings, came or went: looked at in a later turn, for all that came
 * together. c may be NULL. */
void conditions_update_later(Conditions *c);

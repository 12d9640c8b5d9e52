/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "scope.h"

/* Units that fail, as systemd reports them: those that end up in the state "failed", and services that are about to be
 * restarted after a result other than "success". Each failure is reported once, whichever way it is seen, unless it was before
 * anybody listened. */
typedef struct UnitWatch UnitWatch;

/* invocation: 32 hexadecimal digits, "" if it is not known: the unit has gone, or was started again at once. */
typedef void (*UnitFailed)(const char *unit, const char *invocation, void *userdata);

/* Listens on the client's connection, and again after it was lost: systemd sends news of all units to who watches, so there is
 * one of these only while somebody wants to know. The client outlives it. */
int unit_watch_new(ScopeClient *client, UnitFailed failed, void *userdata, UnitWatch **ret);
UnitWatch *unit_watch_free(UnitWatch *w);
DEFINE_CLEANUP(UnitWatch *, unit_watch_free);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "scope.h"

/* Units that fail: those that enter the state "failed", and services that are about to be restarted after a result
 * other than "success". Each failure is reported once, however it is seen, unless it was before unit_watch_new(). */
typedef struct UnitWatch UnitWatch;

/* invocation: 32 hexadecimal digits, "" if it is not known: the unit is gone, or was started again at once. */
typedef void (*UnitFailed)(const char *unit, const char *invocation, void *userdata);

/* Listens on the client's connection, also after that was lost and made again. systemd sends signals of all units
 * to a subscriber, so there should be one of these only while it is needed. The client must outlive it. */
int unit_watch_new(ScopeClient *client, UnitFailed failed, void *userdata, UnitWatch **ret);
UnitWatch *unit_watch_free(UnitWatch *w);
DEFINE_CLEANUP(UnitWatch *, unit_watch_free);

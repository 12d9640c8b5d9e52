/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "cleanup.h"

/* Units that fail, as systemd tells of them: those that end up in the state "failed", and services that are about to be
 * restarted after a result other than "success". Each failure is told once, whichever way it is seen. */
typedef struct UnitWatch UnitWatch;

/* invocation: 32 hexadecimal digits, "" if it is not known. */
typedef void (*UnitFailed)(const char *unit, const char *invocation, void *userdata);

/* Has a connection to the bus of its own, made anew after it was lost: systemd sends news of all units to who watches, so
 * there should be one of these only while somebody wants to know. user: of the user's service manager. */
int unit_watch_new(sd_event *event, bool user, UnitFailed failed, void *userdata, UnitWatch **ret);
UnitWatch *unit_watch_free(UnitWatch *w);
DEFINE_CLEANUP(UnitWatch *, unit_watch_free);

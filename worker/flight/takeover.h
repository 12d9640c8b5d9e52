/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "handover.h"

/* The events, rings and files that the session's previous recorder left, as the daemon kept them (PR_TAKEOVER_ENV). */
typedef struct Takeover Takeover;

/* Takes the variable out of the environment. *ret stays NULL if the daemon passed nothing, or if it can't be used:
 * then that was reported, and the daemon drops it. */
int takeover_new(Notifier *notifier, char *const *command_line, Takeover **ret);
Takeover *takeover_free(Takeover *t);
DEFINE_CLEANUP(Takeover *, takeover_free);

/* Makes a set of the events, enabled as they were or were about to be, with their rings mapped; *ret_lendings as for
 * event_set_take_over(). -ESTALE: they do not fit, which was reported, and the daemon drops them. To be called once. */
int takeover_events(Takeover *t, const EventSpecs *specs, Lendings *ret_lendings, EventSet **ret);

/* Reports that the rings can't be used, and has the daemon drop them. why is the end of a sentence. */
void takeover_refuse(Takeover *t, const char *why);

int takeover_file(const Takeover *t, HandoverFile f); /* borrowed; -EBADF: it is missing */

/* Returns how the previous recorder ended, a line for people; "": not known. */
const char *takeover_ended(const Takeover *t);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "handover.h"

/* The events, rings and files that the session's previous recorder left, as the daemon kept them (PR_TAKEOVER_ENV). */
typedef struct Takeover Takeover;

/* Takes the variable out of the environment. *ret stays NULL if there is nothing, or nothing that can be used: that was
 * printed, and the daemon was told to let go of it. */
int takeover_new(Notifier *notifier, char *const *command_line, Takeover **ret);
Takeover *takeover_free(Takeover *t);
DEFINE_CLEANUP(Takeover *, takeover_free);

/* Its events, enabled as they were or were about to be, rings mapped. -ESTALE: they do not fit, which was printed; the daemon
 * was told to let go of them then. Once. */
int takeover_events(Takeover *t, const EventSpecs *specs, EventSet **ret);

/* The same for what else turns out not to fit; why: a sentence's end. */
void takeover_refuse(Takeover *t, const char *why);

int takeover_file(const Takeover *t, HandoverFile f); /* borrowed; -EBADF: there is none */

/* How the previous recorder ended, a line for people, "" if nothing is known. */
const char *takeover_ended(const Takeover *t);

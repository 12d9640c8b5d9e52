/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Walks over several recordings that take turns, so that what they show comes in the order of time. Only one runs at any time: they
 * can share what has no lock. */
typedef struct RecordingTurns RecordingTurns;

/* Called once for each recording, by its number. The result is that of the walk: a positive one is remembered. */
typedef int RecordingTurnsUser(void *userdata, size_t number, RecordingTurns *turns);

/* Runs all to their ends. Returns the walks' results, combined by "or"; -ENOMEM, -EAGAIN: they could not be started. */
int recording_turns_run(size_t n, RecordingTurnsUser *user, void *userdata);

/* Called by the walk of that number before it shows what is of that time: returns when nothing earlier is left in the others. 0;
 * -ECANCELED: everything is to end. */
int recording_turns_wait(RecordingTurns *t, size_t number, uint64_t time);

/* Has all walks end. */
void recording_turns_cancel(RecordingTurns *t);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sessions.h"

/* Follows how far back the sessions' memory reaches: one timer for all, while the rings of any are kept. */

typedef struct ReachWatch {
        const Sessions *sessions;
        sd_event_source *timer;
} ReachWatch;

void reach_watch_begin(ReachWatch *w, sd_event *event); /* the rings of a session are kept now */

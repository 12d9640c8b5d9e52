/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "cleanup.h"

/* A timer of the wall clock that elapses whenever one of some calendar events does, systemd.time(7). */
typedef struct CalendarTimer CalendarTimer;

/* The timer must not be freed in these. expression: the one that elapsed, or that is none; sentence: why. Both are valid during
 * the call. The timer elapses for the others. */
typedef struct CalendarHandler {
        void (*elapsed)(const char *expression, void *userdata);
        void (*wrong)(const char *expression, const char *sentence, void *userdata);
        void *userdata;
} CalendarHandler;

/* expressions and handler are copied. Those that never elapse again are quiet. Asks systemd for each, which takes a while: it
 * waits for nothing here. */
int calendar_timer_new(sd_event *event, char *const *expressions, const CalendarHandler *handler, CalendarTimer **ret);
bool calendar_timer_is_of(const CalendarTimer *t, char *const *expressions); /* made from these */
CalendarTimer *calendar_timer_free(CalendarTimer *t);
DEFINE_CLEANUP(CalendarTimer *, calendar_timer_free);

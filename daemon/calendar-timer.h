/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "diagnosis.h"

/* A timer of the wall clock that elapses whenever one of some calendar events does, systemd.time(7). */
typedef struct CalendarTimer CalendarTimer;

/* expression: the one that elapsed; valid during the call. The timer must not be freed in it. */
typedef void (*CalendarElapsed)(const char *expression, void *userdata);

/* expressions is copied. Those that never elapse again are quiet. Errors as calendar_next(). */
int calendar_timer_new(sd_event *event, char *const *expressions, CalendarElapsed elapsed, void *userdata, CalendarTimer **ret,
                       Diagnosis *d);
bool calendar_timer_is_of(const CalendarTimer *t, char *const *expressions); /* made from these */
CalendarTimer *calendar_timer_free(CalendarTimer *t);
DEFINE_CLEANUP(CalendarTimer *, calendar_timer_free);

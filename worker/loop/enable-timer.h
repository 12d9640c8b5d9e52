/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "enable-times.h"
#include "loop.h"

/* Calls back when events are to be enabled and disabled. */
typedef struct EnableTimer EnableTimer;

/* last: no other call follows. A negative result ends the loop. */
typedef int (*EnableTimerHandler)(void *userdata, bool enable, bool last);

/* The times count from now on. times is borrowed. */
int enable_timer_new(Loop *loop, const EnableTimes *times, EnableTimerHandler handler, void *userdata, EnableTimer **ret);
EnableTimer *enable_timer_free(EnableTimer *t); /* before its loop */
DEFINE_CLEANUP(EnableTimer *, enable_timer_free);

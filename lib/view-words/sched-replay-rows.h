/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of sched replay. */

#define SCHED_REPLAY_ROWS \
        RECORDING_ROWS(SchedOptions, "several: one after the other"), \
        VIEW_CALL(SchedOptions, replay.repeat, "repeat", 'r', "=NUMBER", sched_take_number, "Do all of it that often (10)"), \
        VIEW_ACCEPTED("verbose", 'v'), \
        VIEW_ACCEPTED("force", 'f')

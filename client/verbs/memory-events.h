/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Adds to the words for the recorder what mem record and c2c record mean: options and events, and behind them those arguments that
 * are the recorder's. c2c: it is c2c record, whose words differ. 0; 1: the events were listed; -ENODEV, -EINVAL: an error was
 * printed; -ENOMEM. */
int memory_events_add(char ***words, char **arguments, bool c2c);

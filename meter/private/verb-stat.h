/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* stat: argv[0] is the verb. Returns the exit status: the command's; 1: it failed; 255: the command could not be run. */
int verb_stat(int argc, char **argv);

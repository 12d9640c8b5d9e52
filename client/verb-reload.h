/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* Lets the daemon read its files again and prints what changed. That it does not run, or no bus does, is an error only
 * if must_run. Answers the exit status. */
int reload_daemon(const ClientOptions *o, bool must_run);

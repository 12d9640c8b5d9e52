/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* Makes the daemon read its files again and prints what changed. Without a running daemon or bus, fails only if must_run. Returns
 * the exit status. */
int reload_daemon(const ClientOptions *o, bool must_run);

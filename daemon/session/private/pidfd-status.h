/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <signal.h>

#include "cleanup.h"

/* Reads how the process of a pidfd ended that need not be a child: si_code and si_status as waitid(2) sets them. 1:
 * done. 0: its parent has not waited for it yet, and the descriptor reports EPOLLHUP when it has. -EOPNOTSUPP: the
 * kernel does not say (before 6.15). Other errors: there is nothing to be known. */
int pidfd_read_status(int pidfd, siginfo_t *ret);

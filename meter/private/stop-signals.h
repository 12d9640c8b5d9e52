/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>
#include <signal.h>

/* SIGINT, SIGTERM and SIGHUP, which end what runs: what was counted is shown, and then the signal ends this process as it would
 * have done at once. */

/* They are blocked from here on, but for the calls that are given this mask. */
void stop_signals_catch(sigset_t *ret_waiting);

/* Waits as ppoll(2) does. A signal gets through also where a descriptor is ready all the time, which ppoll prefers. */
int stop_signals_wait(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *waiting);

/* Returns the signal that came; 0: none did. */
int stop_signals_number(void);
unsigned stop_signals_count(void); /* so many came */

/* Ends the process by the signal, if one came. */
void stop_signals_raise(const sigset_t *waiting);

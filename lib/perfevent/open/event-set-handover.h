/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"

/* An open set as flat memory, and back: for a process that goes on with the events of one that died, whose descriptors and
 * mapped rings somebody kept meanwhile. What the command line says of the events is not in it: both processes have the
 * same. */

#define EVENT_SET_FLAT_MAX (16U * 1024 * 1024) /* bytes */

/* A new block; the set's descriptors belong to it in the order of its events. */
int event_set_flatten(const EventSet *s, void **ret, size_t *ret_size);

/* Makes a set of it again and maps its rings; normal ones go on at their tails. specs: as event_set_open() had them, borrowed
 * for the set's life. fds: one for each event, in order, moved into the set on success (then each is -EBADF) and left alone
 * on failure. A ring that nobody had mapped since the other process died is an empty one now, which can't be seen here. Where
 * the description, the descriptors and specs do not fit together nothing is changed, and d says what: -EBADMSG, -ESTALE,
 * -EBADF; else errors of mmap(2). */
int event_set_take_over(const EventSpecs *specs, const void *flat, size_t size, int *fds, size_t n_fds, const EventOps *ops,
                        EventSet **ret, Diagnosis *d);

/* Which members are enabled, as it is in the block: may be written anew in place while the set is used. Answers the number of
 * bytes from the block's offset on, one for each member. */
size_t event_set_flat_enabled(const EventSet *s, uint8_t *ret_enabled, size_t *ret_offset);

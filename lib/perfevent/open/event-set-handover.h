/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"

/* An open set as flat memory, and back: for a process that takes over the events of one that died, whose descriptors
 * and mapped rings were kept in the meantime. The options of the command line are not in it: both processes have the
 * same. */

#define EVENT_SET_FLAT_MAX (16U * 1024 * 1024) /* bytes */

/* Makes a new block; it goes with the set's descriptors. */
int event_set_flatten(const EventSet *s, void **ret, size_t *ret_size);

/* Gets the set's descriptors in their order, those of events that are open and then those of rings' holders, with the bytes of
 * each that are to be mapped, 0: none. There is room for n_events + n_rings. Returns their number. */
size_t event_set_descriptors(const EventSet *s, int *ret_fds, uint64_t *ret_map_bytes);

/* Makes a set of the block again and maps its rings; normal ones continue at their tails. specs: as for
 * event_set_open(), borrowed for the set's life. fds: in the order of event_set_descriptors(), moved into the set on success
 * (then each is -EBADF) and unchanged on failure. A ring that was not mapped by any process in the meantime is empty
 * now, which can't be detected here. If the description, the descriptors and specs do not match, nothing is changed,
 * and d has the reason: -EBADMSG, -ESTALE, -EBADF; otherwise errors of mmap(2). *ret_lendings, which is empty before, gets what
 * was lent, and is the set's as EventSetOptions.lendings is. */
int event_set_take_over(const EventSpecs *specs, const void *flat, size_t size, int *fds, size_t n_fds, const EventOps *ops,
                        Lendings *ret_lendings, EventSet **ret, Diagnosis *d);

/* Gets the bytes of the block that have whether each member is enabled, which may be updated in place while the set is
 * used. Returns their number, one for each member; *ret_offset is their offset in the block. */
size_t event_set_flat_enabled(const EventSet *s, uint8_t *ret_enabled, size_t *ret_offset);

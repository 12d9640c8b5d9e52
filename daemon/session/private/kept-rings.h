/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "descriptor-set.h"
#include "ring-reach.h"

/* A recorder handed this to the daemon for its successor: descriptors, and the rings among them mapped, so that they
 * outlive the recorder. How full they are can be read from them without its help. */

typedef struct KeptRings KeptRings;

KeptRings *kept_rings_free(KeptRings *k);
DEFINE_CLEANUP(KeptRings *, kept_rings_free);

/* Takes what came with a recorder's message; *k is made with the first one, and freed by a set of none. n_max: how many
 * descriptors it may have in all. 1: a whole set is kept now, or none, as was asked for; 0: more is to come. -EMFILE: more
 * than n_max; -ESRCH: sender ended in the meantime, and its rings with it; otherwise why it can't be kept. A set that was whole
 * before stays so on failure. Taken descriptors are -EBADF in fds. */
int kept_rings_take(KeptRings **k, pid_t sender, const DescriptorBatch *batch, int *fds, size_t n_fds, size_t n_max);

bool kept_rings_are_whole(const KeptRings *k);     /* NULL is none */
uint64_t kept_rings_bytes(const KeptRings *k);     /* locked memory: data pages */

/* All rings, in their order, as far as the kernel overwrites in them: of others 0 bytes are written. And about how many samples
 * they were given since they were made, from the bytes written and the newest records. Answers a new array of *ret_n, or NULL:
 * nothing is kept (or no memory). */
RingFill *kept_rings_fill(const KeptRings *k, size_t *ret_n, uint64_t *ret_samples);
size_t kept_rings_n_descriptors(const KeptRings *k);

/* Copies of all of them, sent through a new pair of sockets, of which *ret_fd is for the successor; the other end stays
 * here until the rings go: by its end the successor sees that they did. ended: how the recorder before ended. */
int kept_rings_give(KeptRings *k, const char *ended, int *ret_fd);

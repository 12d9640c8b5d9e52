/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/socket.h>
#include "cleanup.h"

/* An array of descriptors that goes from a process to another in several datagrams, since one takes few (SCM_MAX_FD of the
 * kernel is 253). Each has the lines PR_NOTIFY_KEEP and, where some of its descriptors are to be mapped, PR_NOTIFY_KEEP_MAP
 * (<perf-recorder/notify-fields.h>). */

#define DESCRIPTOR_BATCH_MAX 250  /* in one datagram */
#define DESCRIPTORS_MAX 16384     /* in one set */
#define DESCRIPTOR_TEXT_MAX 8192  /* bytes of one datagram's text */

typedef struct DescriptorSet {
        uint64_t generation; /* tells one set from the one before it */
        int *fds;            /* -EBADF: did not come yet */
        uint64_t *map_bytes; /* how much of each is to be mapped, 0: nothing */
        size_t n_fds;
        size_t n_there;
} DescriptorSet;

int descriptor_set_reserve(DescriptorSet *s, uint64_t generation, size_t n_fds); /* of an empty one; -E2BIG, -ENOMEM */
void descriptor_set_done(DescriptorSet *s);  /* the memory alone */
void descriptor_set_close(DescriptorSet *s); /* the descriptors as well */

/* What one datagram says of those it brings. */
typedef struct DescriptorBatch {
        uint64_t generation;
        size_t first, total;
        size_t n_maps;
        struct {
                size_t index;
                uint64_t bytes;
        } maps[DESCRIPTOR_BATCH_MAX];
} DescriptorBatch;

/* Sends those from first on that one datagram takes, lines besides its own if more is not NULL. Never waits. Answers how
 * many went, or a negative errno: -EAGAIN: the receiver's queue is full. address NULL: fd is connected. */
ssize_t descriptor_set_send(const DescriptorSet *s, size_t first, const char *more, int fd, const struct sockaddr *address,
                            socklen_t address_size);

/* Looks for the lines. -ENOMSG: there are none, -EBADMSG: they are wrong, -E2BIG. */
int descriptor_batch_parse(const char *text, DescriptorBatch *ret);

/* Puts what came with a batch into s, which is begun anew where the batch is of another generation: what s had is closed
 * then. Those that are taken are -EBADF in fds. 1: all are there, 0: more are to come, -EBADMSG: they do not fit. */
int descriptor_set_take(DescriptorSet *s, const DescriptorBatch *batch, int *fds, size_t n_fds);

/* The descriptors that came with a message, at most max; the others are closed. Answers how many. */
size_t descriptors_of_message(struct msghdr *mh, int *ret_fds, size_t max);

/* Who sent it, as the kernel says where SO_PASSCRED is set. */
bool credentials_of_message(struct msghdr *mh, struct ucred *ret);

/* Receives a whole set from a socket on which all of it was sent already. ret_more: the text of the first datagram, a new
 * string. -EPROTO: it is not whole. */
int descriptor_set_receive(DescriptorSet *s, int fd, char **ret_more);

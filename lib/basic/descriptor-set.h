/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/socket.h>
#include "cleanup.h"

/* An array of descriptors that is sent from one process to another in several datagrams, since one takes few
 * (SCM_MAX_FD of the kernel is 253). Each has the line PR_NOTIFY_KEEP and, if some of its descriptors are to be
 * mapped, PR_NOTIFY_KEEP_MAP (<perf-recorder/notify-fields.h>). */

#define DESCRIPTOR_BATCH_MAX 250  /* in one datagram */
#define DESCRIPTORS_MAX 16384     /* in one set */
#define DESCRIPTOR_TEXT_MAX 8192  /* bytes of one datagram's text */

typedef struct DescriptorSet {
        uint64_t generation; /* differs from that of the previous set */
        int *fds;            /* -EBADF: not received yet */
        uint64_t *map_bytes; /* bytes of each that are to be mapped, 0: none */
        size_t n_fds;
        size_t n_there;
} DescriptorSet;

int descriptor_set_reserve(DescriptorSet *s, uint64_t generation, size_t n_fds); /* of an empty one; -E2BIG, -ENOMEM */
void descriptor_set_done(DescriptorSet *s);  /* frees only the memory */
void descriptor_set_close(DescriptorSet *s); /* closes the descriptors too */

/* The part of a datagram's text about its descriptors. */
typedef struct DescriptorBatch {
        uint64_t generation;
        size_t first, total;
        size_t n_maps;
        struct {
                size_t index;
                uint64_t bytes;
        } maps[DESCRIPTOR_BATCH_MAX];
} DescriptorBatch;

/* Sends as many descriptors from first on as one datagram takes. more: further lines for its text, or NULL. Never
 * waits. Returns the number of descriptors, or a negative errno: -EAGAIN: the receiver's queue is full. address NULL:
 * fd is connected. */
ssize_t descriptor_set_send(const DescriptorSet *s, size_t first, const char *more, int fd, const struct sockaddr *address,
                            socklen_t address_size);

/* Parses the lines. -ENOMSG: there are none, -EBADMSG: they are wrong, -E2BIG. */
int descriptor_batch_parse(const char *text, DescriptorBatch *ret);

/* Moves the descriptors of a batch into s, and sets them to -EBADF in fds. If the batch is of another generation, s is
 * closed and begun again first. 1: s is complete, 0: it is not, -EBADMSG: the batch does not fit. */
int descriptor_set_take(DescriptorSet *s, const DescriptorBatch *batch, int *fds, size_t n_fds);

/* Has a message send n descriptors. control: CMSG_SPACE(n * sizeof(int)) bytes, aligned as a struct cmsghdr, until it is sent. */
void descriptors_to_message(struct msghdr *mh, void *control, const int *fds, size_t n);

/* Takes the descriptors that came with a message, at most max; the others are closed. Returns their number. */
size_t descriptors_of_message(struct msghdr *mh, int *ret_fds, size_t max);

/* Returns the sender of a message, which the kernel adds if SO_PASSCRED is set; false: it is not known. */
bool credentials_of_message(struct msghdr *mh, struct ucred *ret);

/* Receives a whole set from a socket to which all of it was sent already. ret_more: the text of the first datagram,
 * allocated. -EPROTO: it is not complete. */
int descriptor_set_receive(DescriptorSet *s, int fd, char **ret_more);

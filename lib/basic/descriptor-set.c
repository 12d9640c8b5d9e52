/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Descriptors by SCM_RIGHTS (unix(7)), in batches. Limits on the size of a set, of a datagram, and of memory to map
 * are checked before received descriptors are kept. */

#include "descriptor-set.h"

#include <perf-recorder/notify-fields.h>
#include <inttypes.h>
#include <stdalign.h>
#include "parse-number.h"

#define MAP_BYTES_MAX (UINT64_C(1) << 37)

int descriptor_set_reserve(DescriptorSet *s, uint64_t generation, size_t n_fds) {
        if (n_fds > DESCRIPTORS_MAX)
                return -E2BIG;
        *s = (DescriptorSet){
                .generation = generation,
                .fds = malloc((n_fds + 1) * sizeof(int)),
                .map_bytes = calloc(n_fds + 1, sizeof(uint64_t)),
        };
        if (!s->fds || !s->map_bytes) {
                descriptor_set_done(s);
                return -ENOMEM;
        }
        for (; s->n_fds < n_fds; s->n_fds++)
                s->fds[s->n_fds] = -EBADF;
        return 0;
}

void descriptor_set_done(DescriptorSet *s) {
        free(s->fds);
        free(s->map_bytes);
        *s = (DescriptorSet){};
}

void descriptor_set_close(DescriptorSet *s) {
        for (size_t i = 0; i < s->n_fds; i++)
                safe_close(s->fds[i]);
        descriptor_set_done(s);
}

static int format_batch(const DescriptorSet *s, size_t first, size_t n, const char *more, char text[static DESCRIPTOR_TEXT_MAX]) {
        bool maps = false;
        int length;

        length = snprintf(text, DESCRIPTOR_TEXT_MAX, PR_NOTIFY_KEEP "%" PRIu64 " %zu %zu", s->generation, first, s->n_fds);
        for (size_t i = first; i < first + n && length < DESCRIPTOR_TEXT_MAX; i++)
                if (s->map_bytes[i] > 0) {
                        length += snprintf(text + length, DESCRIPTOR_TEXT_MAX - (size_t) length, "%s%zu:%" PRIu64,
                                           maps ? " " : "\n" PR_NOTIFY_KEEP_MAP, i, s->map_bytes[i]);
                        maps = true;
                }
        if (more && length < DESCRIPTOR_TEXT_MAX)
                length += snprintf(text + length, DESCRIPTOR_TEXT_MAX - (size_t) length, "\n%s", more);
        return length < DESCRIPTOR_TEXT_MAX ? length : -E2BIG;
}

ssize_t descriptor_set_send(const DescriptorSet *s, size_t first, const char *more, int fd, const struct sockaddr *address,
                            socklen_t address_size) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(DESCRIPTOR_BATCH_MAX * sizeof(int))] = {};
        char text[DESCRIPTOR_TEXT_MAX];
        size_t n = MIN_OF(s->n_fds - first, (size_t) DESCRIPTOR_BATCH_MAX);
        int length = format_batch(s, first, n, more, text);
        struct iovec iov = { .iov_base = text, .iov_len = (size_t) length };
        struct msghdr mh = {
                .msg_name = (void *) address, .msg_namelen = address ? address_size : 0, .msg_iov = &iov, .msg_iovlen = 1,
        };

        if (length < 0)
                return length;
        if (n > 0)
                descriptors_to_message(&mh, control, s->fds + first, n);
        return sendmsg(fd, &mh, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : (ssize_t) n;
}

/* Parses the number up to the next character of end; *s is moved behind it. */
static int take_number(const char **s, const char *end, uint64_t max, uint64_t *ret) {
        size_t n = strcspn(*s, end);
        char text[24];

        if (n == 0 || n >= sizeof(text))
                return -EBADMSG;
        memcpy(text, *s, n);
        text[n] = '\0';
        if (parse_uint64(text, ret) < 0 || *ret > max)
                return -EBADMSG;
        *s += n + ((*s)[n] && (*s)[n] != '\n');
        return 0;
}

static int parse_keep(const char *s, DescriptorBatch *b) {
        uint64_t first, total;

        if (take_number(&s, " ", UINT64_MAX, &b->generation) < 0 || take_number(&s, " ", DESCRIPTORS_MAX, &first) < 0 ||
            take_number(&s, "\n", DESCRIPTORS_MAX, &total) < 0 || first > total)
                return -EBADMSG;
        b->first = (size_t) first;
        b->total = (size_t) total;
        return 0;
}

static int parse_maps(const char *s, DescriptorBatch *b) {
        while (*s && *s != '\n') {
                uint64_t index, bytes;

                if (b->n_maps == DESCRIPTOR_BATCH_MAX || take_number(&s, ":", DESCRIPTORS_MAX, &index) < 0 ||
                    take_number(&s, " \n", MAP_BYTES_MAX, &bytes) < 0)
                        return -EBADMSG;
                b->maps[b->n_maps].index = (size_t) index;
                b->maps[b->n_maps++].bytes = bytes;
        }
        return 0;
}

int descriptor_batch_parse(const char *text, DescriptorBatch *ret) {
        bool found = false;
        int r = 0;

        *ret = (DescriptorBatch){};
        for (const char *line = text; line && r >= 0; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
                const char *value;

                if ((value = startswith(line, PR_NOTIFY_KEEP))) {
                        r = parse_keep(value, ret);
                        found = true;
                } else if ((value = startswith(line, PR_NOTIFY_KEEP_MAP)))
                        r = parse_maps(value, ret);
        }
        return r < 0 ? r : found ? 0 : -ENOMSG;
}

int descriptor_set_take(DescriptorSet *s, const DescriptorBatch *batch, int *fds, size_t n_fds) {
        if (n_fds > batch->total - batch->first)
                return -EBADMSG;
        for (size_t i = 0; i < batch->n_maps; i++)
                if (batch->maps[i].index < batch->first || batch->maps[i].index - batch->first >= n_fds)
                        return -EBADMSG;
        if (!s->fds || s->generation != batch->generation || s->n_fds != batch->total) {
                int r;

                descriptor_set_close(s);
                r = descriptor_set_reserve(s, batch->generation, batch->total);
                if (r < 0)
                        return r;
        }
        for (size_t i = 0; i < n_fds; i++) {
                int *place = &s->fds[batch->first + i];

                s->n_there += *place < 0;
                safe_close(*place);
                *place = steal_fd(&fds[i]);
        }
        for (size_t i = 0; i < batch->n_maps; i++)
                s->map_bytes[batch->maps[i].index] = batch->maps[i].bytes;
        return s->n_there == s->n_fds;
}

void descriptors_to_message(struct msghdr *mh, void *control, const int *fds, size_t n) {
        struct cmsghdr *header = control;

        mh->msg_control = control;
        mh->msg_controllen = CMSG_SPACE(n * sizeof(int));
        *header = (struct cmsghdr) { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(n * sizeof(int)) };
        memcpy(CMSG_DATA(header), fds, n * sizeof(int));
}

size_t descriptors_of_message(struct msghdr *mh, int *ret_fds, size_t max) {
        size_t n = 0;

        for (struct cmsghdr *c = CMSG_FIRSTHDR(mh); c; c = CMSG_NXTHDR(mh, c)) {
                if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
                        continue;
                for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
                        int fd;

                        memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
                        if (n < max)
                                ret_fds[n++] = fd;
                        else
                                (void) close(fd);
                }
        }
        return n;
}

bool credentials_of_message(struct msghdr *mh, struct ucred *ret) {
        for (struct cmsghdr *c = CMSG_FIRSTHDR(mh); c; c = CMSG_NXTHDR(mh, c))
                if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS) {
                        memcpy(ret, CMSG_DATA(c), sizeof(*ret));
                        return true;
                }
        return false;
}

static int receive_batch(DescriptorSet *s, int fd, char **text) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(DESCRIPTOR_BATCH_MAX * sizeof(int))];
        char buffer[DESCRIPTOR_TEXT_MAX + 1];
        struct iovec iov = { .iov_base = buffer, .iov_len = DESCRIPTOR_TEXT_MAX };
        struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
        int fds[DESCRIPTOR_BATCH_MAX];
        DescriptorBatch batch;
        size_t n_fds;
        ssize_t size;
        int r;

        size = recvmsg(fd, &mh, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (size <= 0)
                return size < 0 && errno == EINTR ? 0 : -EPROTO;
        buffer[size] = '\0';
        n_fds = descriptors_of_message(&mh, fds, DESCRIPTOR_BATCH_MAX);
        r = mh.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? -EPROTO : descriptor_batch_parse(buffer, &batch);
        if (r >= 0)
                r = descriptor_set_take(s, &batch, fds, n_fds);
        for (size_t i = 0; i < n_fds; i++)
                if (r < 0)
                        safe_close(fds[i]);
        if (r >= 0 && !*text) {
                *text = strdup(buffer);
                if (!*text)
                        r = -ENOMEM;
        }
        return r;
}

int descriptor_set_receive(DescriptorSet *s, int fd, char **ret_more) {
        _cleanup_(descriptor_set_close) DescriptorSet received = {};
        _cleanup_free_ char *text = NULL;
        int r;

        do
                r = receive_batch(&received, fd, &text);
        while (r == 0);
        if (r < 0)
                return r;
        *s = steal_value(received, (DescriptorSet){});
        *ret_more = steal_ptr(text);
        return 0;
}

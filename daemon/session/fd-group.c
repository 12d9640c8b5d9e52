/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An epoll descriptor of its own, which the event loop sees as one source. Members that are freed while a batch is worked
 * on are struck from it, since the kernel has told of them already. */

#include "fd-group.h"

#include <sys/epoll.h>

#define BATCH_MAX 64

struct FdGroup {
        int epoll_fd;
        sd_event_source *source;
        struct epoll_event *batch; /* NULL: none is worked on */
        int n_batch;
};

struct FdGroupMember {
        FdGroup *group;
        int fd;
        FdGroupReadable readable;
        void *userdata;
};

static int on_ready(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        struct epoll_event batch[BATCH_MAX];
        FdGroup *g = userdata;
        int n = epoll_wait(fd, batch, BATCH_MAX, 0);

        g->batch = batch;
        g->n_batch = n;
        for (int i = 0; i < n; i++) {
                FdGroupMember *m = batch[i].data.ptr;

                if (m)
                        m->readable(m->fd, m->userdata);
        }
        g->batch = NULL;
        return 0;
}

FdGroup *fd_group_free(FdGroup *g) {
        if (!g)
                return NULL;
        sd_event_source_disable_unref(g->source);
        safe_close(g->epoll_fd);
        free(g);
        return NULL;
}

int fd_group_new(sd_event *event, FdGroup **ret) {
        _cleanup_(fd_group_freep) FdGroup *g = calloc(1, sizeof(FdGroup));
        int r;

        if (!g)
                return -ENOMEM;
        g->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
        if (g->epoll_fd < 0)
                return -errno;
        r = sd_event_add_io(event, &g->source, g->epoll_fd, EPOLLIN, on_ready, g);
        if (r < 0)
                return r;
        *ret = steal_ptr(g);
        return 0;
}

int fd_group_add(FdGroup *g, int fd, FdGroupReadable readable, void *userdata, FdGroupMember **ret) {
        FdGroupMember *m = calloc(1, sizeof(FdGroupMember));
        struct epoll_event e = { .events = EPOLLIN, .data.ptr = m };

        if (!m)
                return -ENOMEM;
        *m = (FdGroupMember){ .group = g, .fd = fd, .readable = readable, .userdata = userdata };
        if (epoll_ctl(g->epoll_fd, EPOLL_CTL_ADD, fd, &e) < 0) {
                int r = -errno;

                free(m);
                return r;
        }
        *ret = m;
        return 0;
}

FdGroupMember *fd_group_member_free(FdGroupMember *m) {
        if (!m)
                return NULL;
        for (int i = 0; m->group->batch && i < m->group->n_batch; i++)
                if (m->group->batch[i].data.ptr == m)
                        m->group->batch[i].data.ptr = NULL;
        (void) epoll_ctl(m->group->epoll_fd, EPOLL_CTL_DEL, m->fd, NULL);
        free(m);
        return NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel wakes pollers of an event when its ring is half full, and when its thread has ended (EPOLLHUP for ever:
 * such a descriptor must leave the loop, or that never sleeps again). If events of several threads share a CPU's ring
 * and the thread of the polled one ends, another event of that ring takes its place. All events of a ring are woken
 * together, but only the first one that epoll asks reports data (perf_poll() in kernel/events/core.c): so every
 * watched event is watched for data, also those that are watched for their thread's end. For the same reason an event
 * that is added to epoll does not report earlier data. */

#include "ring-watch.h"

#include <sys/epoll.h>

struct RingWatch {
        const EventSet *set;
        Loop *loop;
        RingWatchHandlers handlers;
        size_t *by_fd;   /* index of the event, by descriptor minus first_fd; SIZE_MAX: none */
        int first_fd;
        size_t n_fds;
        bool *gone;      /* for each event: its thread has ended */
        size_t n_alive;  /* descriptors that are watched for their thread's end */
};

static int ring_watch_on_event(void *userdata, int fd, uint32_t events);

/* An overwrite ring is not watched for data. */
static int ring_watch_add(RingWatch *w, size_t i) {
        const Event *e = &w->set->events[i];

        return loop_add(w->loop, e->fd, w->set->rings[e->ring].overwrite ? 0 : EPOLLIN, ring_watch_on_event, w);
}

/* Watches the next event of the same ring whose thread still runs. */
static void ring_watch_replace_input(RingWatch *w, size_t gone) {
        const EventSet *set = w->set;

        for (size_t i = gone + 1; i < set->n_events; i++) {
                const Event *e = &set->events[i];

                if (e->fd < 0 || e->ring != set->events[gone].ring || e->watch_input || w->gone[i])
                        continue;
                loop_remove(w->loop, e->fd);
                if (ring_watch_add(w, i) >= 0)
                        return;
        }
}

static int ring_watch_on_event(void *userdata, int fd, uint32_t events) {
        RingWatch *w = userdata;
        size_t i = w->by_fd[fd - w->first_fd];

        if (events & EPOLLIN)
                w->handlers.data(w->handlers.userdata);
        if (!(events & (EPOLLHUP | EPOLLERR)))
                return 0;

        loop_remove(w->loop, fd);
        w->gone[i] = true;
        ring_watch_replace_input(w, i);
        w->handlers.data(w->handlers.userdata);
        if (w->set->events[i].watch_hangup && --w->n_alive == 0)
                w->handlers.all_gone(w->handlers.userdata);
        return 0;
}

/* A holder is of no thread but where rings are, and its end is seen by the events of that thread. */
static int ring_watch_on_holder(void *userdata, int fd, uint32_t events) {
        RingWatch *w = userdata;

        if (events & (EPOLLHUP | EPOLLERR))
                loop_remove(w->loop, fd);
        w->handlers.data(w->handlers.userdata);
        return 0;
}

static int ring_watch_add_all(RingWatch *w) {
        const EventSet *set = w->set;

        for (size_t i = 0; i < set->n_events; i++) {
                const Event *e = &set->events[i];
                int r;

                if (e->fd < 0 || (!e->watch_input && !e->watch_hangup))
                        continue;
                r = ring_watch_add(w, i);
                if (r < 0)
                        return r;
                w->n_alive += e->watch_hangup;
        }
        for (size_t i = 0; i < set->n_rings; i++) {
                int r = set->rings[i].held && !set->rings[i].overwrite ?
                        loop_add(w->loop, set->rings[i].fd, EPOLLIN, ring_watch_on_holder, w) : 0;

                if (r < 0)
                        return r;
        }
        return 0;
}

int ring_watch_new(const EventSet *set, Loop *loop, const RingWatchHandlers *handlers, RingWatch **ret) {
        _cleanup_(ring_watch_freep) RingWatch *w = calloc(1, sizeof(RingWatch));
        int last_fd = -1, r;

        if (!w)
                return -ENOMEM;
        *w = (RingWatch) { .set = set, .loop = loop, .handlers = *handlers, .first_fd = INT32_MAX };
        for (size_t i = 0; i < set->n_events; i++) {
                if (set->events[i].fd < 0) /* lent */
                        continue;
                w->first_fd = MIN_OF(w->first_fd, set->events[i].fd);
                last_fd = MAX_OF(last_fd, set->events[i].fd);
        }
        w->n_fds = last_fd < w->first_fd ? 0 : (size_t) (last_fd - w->first_fd) + 1;
        w->by_fd = calloc(w->n_fds + 1, sizeof(size_t));
        w->gone = calloc(set->n_events + 1, sizeof(bool));
        if (!w->by_fd || !w->gone)
                return -ENOMEM;
        for (size_t i = 0; i < w->n_fds; i++)
                w->by_fd[i] = SIZE_MAX;
        for (size_t i = 0; i < set->n_events; i++)
                if (set->events[i].fd >= 0)
                        w->by_fd[set->events[i].fd - w->first_fd] = i;
        r = ring_watch_add_all(w);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}

RingWatch *ring_watch_free(RingWatch *w) {
        if (!w)
                return NULL;
        for (size_t i = 0; i < w->set->n_events; i++)
                loop_remove(w->loop, w->set->events[i].fd);
        for (size_t i = 0; i < w->set->n_rings; i++)
                if (w->set->rings[i].held)
                        loop_remove(w->loop, w->set->rings[i].fd);
        free(w->by_fd);
        free(w->gone);
        free(w);
        return NULL;
}

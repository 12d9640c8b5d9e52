/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thread lives for one piece of work: between dumps, which may be weeks, there is none. */

#include "task-thread.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include "quiet-thread.h"

static int finish(TaskThread *t) {
        uint64_t n;

        (void) pthread_join(t->thread, NULL);
        (void) !read(t->fd, &n, sizeof(n));
        t->running = false;
        return t->done(t->userdata, t->result);
}

static int on_end(void *userdata, int fd, uint32_t events) {
        TaskThread *t = userdata;

        return t->running ? finish(t) : 0;
}

int task_thread_init(TaskThread *t, Loop *loop) {
        int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), r;

        if (fd < 0)
                return -errno;
        *t = (TaskThread) { .loop = loop, .fd = fd };
        r = loop_add(loop, fd, EPOLLIN, on_end, t);
        if (r < 0) {
                safe_close(fd);
                t->fd = -EBADF;
        }
        return r;
}

void task_thread_done(TaskThread *t) {
        if (t->running)
                (void) pthread_join(t->thread, NULL);
        t->running = false;
        if (t->fd >= 0)
                loop_remove(t->loop, t->fd);
        safe_close(t->fd);
        t->fd = -EBADF;
}

static void *run(void *userdata) {
        const uint64_t one = 1;
        TaskThread *t = userdata;

        t->result = t->work(t->userdata);
        (void) !write(t->fd, &one, sizeof(one));
        return NULL;
}

int task_thread_start(TaskThread *t, int (*work)(void *), int (*done)(void *, int), void *userdata) {
        if (t->running)
                return -EBUSY;
        t->work = work;
        t->done = done;
        t->userdata = userdata;
        if (quiet_thread_start(&t->thread, run, t) < 0)
                return done(userdata, work(userdata));
        t->running = true;
        return 0;
}

int task_thread_wait(TaskThread *t) {
        int r = 0;

        while (t->running && r >= 0)
                r = finish(t);
        return r;
}

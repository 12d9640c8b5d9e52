/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thread, and the descriptor by which it reports its end, exist for one piece of work: between dumps, which may be
 * weeks, there are none. */

#include "task-thread.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include "quiet-thread.h"

static void task_thread_close(TaskThread *t) {
        loop_remove(t->loop, t->fd);
        t->fd = safe_close(t->fd);
}

static int task_thread_finish(TaskThread *t) {
        (void) pthread_join(t->thread, NULL);
        task_thread_close(t);
        return t->done(t->userdata, t->result);
}

/* The event may be that of an earlier descriptor with this number. */
static int task_thread_on_end(void *userdata, int fd, uint32_t events) {
        uint64_t n;

        return read(fd, &n, sizeof(n)) == sizeof(n) ? task_thread_finish(userdata) : 0;
}

void task_thread_done(TaskThread *t) {
        if (t->fd < 0)
                return;
        (void) pthread_join(t->thread, NULL);
        task_thread_close(t);
}

static void *task_thread_run(void *userdata) {
        const uint64_t one = 1;
        TaskThread *t = userdata;

        t->result = t->work(t->userdata);
        (void) !write(t->fd, &one, sizeof(one));
        return NULL;
}

int task_thread_start(TaskThread *t, int (*work)(void *), int (*done)(void *, int), void *userdata) {
        if (t->fd >= 0)
                return -EBUSY;
        t->work = work;
        t->done = done;
        t->userdata = userdata;
        t->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (t->fd >= 0 && loop_add(t->loop, t->fd, EPOLLIN, task_thread_on_end, t) >= 0 &&
            quiet_thread_start(&t->thread, task_thread_run, t) >= 0)
                return 0;
        task_thread_close(t);
        return done(userdata, work(userdata));
}

int task_thread_wait(TaskThread *t) {
        int r = 0;

        while (t->fd >= 0 && r >= 0)
                r = task_thread_finish(t);
        return r;
}

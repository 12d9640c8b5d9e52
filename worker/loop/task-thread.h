/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>
#include "loop.h"

/* Work that would hold up the loop, in a thread of its own: one piece at a time, whose end comes back to the loop. */
typedef struct TaskThread {
        Loop *loop;
        int fd;         /* reports the end to the loop; -EBADF: there is no work */
        pthread_t thread;
        int (*work)(void *userdata);
        int (*done)(void *userdata, int result);
        void *userdata;
        int result;
} TaskThread;

#define TASK_THREAD(loop_) { .loop = (loop_), .fd = -EBADF }

void task_thread_done(TaskThread *t); /* waits for the work; nothing is told of its end */

/* work runs in the thread, with all signals blocked; done is called in the loop with what it answered, and may start the
 * next piece. A negative answer of done ends the loop. Without threads the work is done at once. -EBUSY: there is work. */
int task_thread_start(TaskThread *t, int (*work)(void *), int (*done)(void *, int), void *userdata);

/* Until there is no work any more, without the loop. What done answered. */
int task_thread_wait(TaskThread *t);

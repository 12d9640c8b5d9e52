/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>
#include "loop.h"

/* Work that would block the loop, in a thread of its own: one piece at a time, whose end is handled in the loop. */
typedef struct TaskThread {
        Loop *loop;
        int fd;         /* an eventfd that wakes the loop at the end; -EBADF: there is no work */
        pthread_t thread;
        int (*work)(void *userdata);
        int (*done)(void *userdata, int result);
        void *userdata;
        int result;
} TaskThread;

#define TASK_THREAD(loop_) { .loop = (loop_), .fd = -EBADF }

void task_thread_done(TaskThread *t); /* waits for the work, and does not call done */

/* work runs in the thread, with all signals blocked; done is called in the loop with its result, and may start the
 * next piece. A negative result of done ends the loop. If no thread can be created, the work is done at once. -EBUSY:
 * there is work. */
int task_thread_start(TaskThread *t, int (*work)(void *), int (*done)(void *, int), void *userdata);

/* Waits until there is no work any more, without the loop. Returns the result of done. */
int task_thread_wait(TaskThread *t);

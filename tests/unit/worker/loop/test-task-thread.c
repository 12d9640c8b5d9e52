/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Work in a thread beside the loop, and its completion in the loop. */

#include "check-main.h"
#include "task-thread.h"

static struct {
        Loop *loop;
        TaskThread thread;
        pthread_t worker;
        unsigned works, dones;
        int answer;
} made;

static int work(void *userdata) {
        made.worker = pthread_self();
        return (int) ++made.works * 10;
}

static int done(void *userdata, int result) {
        ck_assert_ptr_eq(userdata, &made);
        ck_assert_int_eq(result, (int) made.works * 10);
        if (++made.dones < 3)
                return task_thread_start(&made.thread, work, done, userdata);
        loop_stop(made.loop);
        return made.answer;
}

static void open_all(void) {
        ck_assert_int_eq(loop_new(&made.loop), 0);
        made.thread = (TaskThread) TASK_THREAD(made.loop);
        ck_assert_int_eq(task_thread_start(&made.thread, work, done, &made), 0);
        ck_assert_int_eq(task_thread_start(&made.thread, work, done, &made), -EBUSY);
}

static void close_all(void) {
        task_thread_done(&made.thread);
        loop_free(made.loop);
}

START_TEST(test_in_the_loop) {
        open_all();
        ck_assert_int_eq(loop_run(made.loop), 0);
        ck_assert(made.works == 3 && made.dones == 3);
        ck_assert(!pthread_equal(made.worker, pthread_self()));
        close_all();
}
END_TEST

START_TEST(test_without_the_loop) {
        open_all();
        ck_assert_int_eq(task_thread_wait(&made.thread), 0);
        ck_assert(made.works == 3 && made.dones == 3);
        ck_assert_int_eq(task_thread_wait(&made.thread), 0);
        close_all();
}
END_TEST

START_TEST(test_failure) {
        made.answer = -EIO;
        open_all();
        ck_assert_int_eq(loop_run(made.loop), -EIO);
        close_all();
}
END_TEST

/* The task is freed before its completion. */
START_TEST(test_done_early) {
        open_all();
        close_all();
        ck_assert(made.works == 1 && made.dones == 0);
}
END_TEST

CHECK_MAIN("task-thread", test_in_the_loop, test_without_the_loop, test_failure, test_done_early);

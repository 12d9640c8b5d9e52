/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "fd-group.h"

#include <check.h>
#include <fcntl.h>

#include "check-main.h"

#define N 100 /* more than a batch */

static sd_event *event;
static FdGroup *group;
static int pipes[N][2];
static FdGroupMember *members[N];
static unsigned n_read;

static void on_readable(int fd, void *userdata) {
        char byte;

        ck_assert_int_eq(read(fd, &byte, 1), 1);
        n_read++;
        if (userdata) /* frees its neighbour, which may be in the same batch */
                *(FdGroupMember **) userdata = fd_group_member_free(*(FdGroupMember **) userdata);
}

static void set_up(void) {
        ck_assert_int_ge(sd_event_new(&event), 0);
        ck_assert_int_eq(fd_group_new(event, &group), 0);
        for (unsigned i = 0; i < N; i++)
                ck_assert_int_eq(pipe2(pipes[i], O_CLOEXEC | O_NONBLOCK), 0);
        n_read = 0;
}

static void tear_down(void) {
        for (unsigned i = 0; i < N; i++) {
                members[i] = fd_group_member_free(members[i]);
                close(pipes[i][0]);
                close(pipes[i][1]);
        }
        group = fd_group_free(group);
        event = sd_event_unref(event);
}

static unsigned run_until_idle(void) {
        unsigned turns = 0;

        while (sd_event_run(event, 0) > 0)
                turns++;
        return turns;
}

START_TEST(test_all_in_a_few_turns) {
        set_up();
        for (unsigned i = 0; i < N; i++) {
                ck_assert_int_eq(fd_group_add(group, pipes[i][0], on_readable, NULL, &members[i]), 0);
                ck_assert_int_eq(write(pipes[i][1], "x", 1), 1);
        }
        ck_assert_uint_le(run_until_idle(), 4);
        ck_assert_uint_eq(n_read, N);
        tear_down();
}
END_TEST

START_TEST(test_a_member_freed_in_the_batch_is_not_called) {
        set_up();
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_int_eq(fd_group_add(group, pipes[i][0], on_readable, &members[1 - i], &members[i]), 0);
                ck_assert_int_eq(write(pipes[i][1], "x", 1), 1);
        }
        run_until_idle();
        ck_assert_uint_eq(n_read, 1);
        ck_assert(!members[0] != !members[1]);
        tear_down();
}
END_TEST

START_TEST(test_a_closed_descriptor_is_refused) {
        FdGroupMember *m = NULL;

        set_up();
        ck_assert_int_eq(fd_group_add(group, -1, on_readable, NULL, &m), -EBADF);
        ck_assert_ptr_null(m);
        tear_down();
}
END_TEST

CHECK_MAIN("fd-group", test_all_in_a_few_turns, test_a_member_freed_in_the_batch_is_not_called,
           test_a_closed_descriptor_is_refused);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "thread-names.h"

static const char *name_of(ThreadNames *t, uint32_t pid, uint32_t tid) {
        uint32_t thread, name;

        ck_assert_ok(thread_names_get(t, pid, tid, &thread));
        ck_assert_ok(thread_names_name(t, thread, &name));
        return thread_names_text(t, name);
}

static void set_name(ThreadNames *t, uint32_t pid, uint32_t tid, const char *name) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_comm(&b, pid, tid, name, 0, NULL));
        ck_assert_ok(thread_names_comm(t, (const PerfRecordComm *) b.data));
}

static void fork_thread(ThreadNames *t, uint32_t pid, uint32_t tid, uint32_t parent) {
        const PerfRecordTask task = { .pid = pid, .ppid = parent, .tid = tid, .ptid = parent };

        ck_assert_ok(thread_names_fork(t, &task));
}

START_TEST(names) {
        _cleanup_(thread_names_done) ThreadNames t = {};

        ck_assert_str_eq(name_of(&t, 0, 0), "swapper");
        ck_assert_str_eq(name_of(&t, 9, 9), ":9");
        fork_thread(&t, 9, 10, 9);
        ck_assert_str_eq(name_of(&t, 9, 10), ":10");
        set_name(&t, 7, 7, "main");
        fork_thread(&t, 7, 8, 7);
        ck_assert_str_eq(name_of(&t, 7, 8), "main");
        set_name(&t, 7, 8, "worker");
        ck_assert_str_eq(name_of(&t, 7, 8), "worker");
        ck_assert_str_eq(name_of(&t, 7, 7), "main");
}
END_TEST

/* A number that is given again is another thread; the old one keeps its name. */
START_TEST(a_number_given_again) {
        _cleanup_(thread_names_done) ThreadNames t = {};
        uint32_t old, new;

        set_name(&t, 7, 7, "main");
        set_name(&t, 8, 8, "old");
        ck_assert_ok(thread_names_get(&t, 8, 8, &old));
        fork_thread(&t, 8, 8, 7);
        ck_assert_ok(thread_names_get(&t, 8, 8, &new));
        ck_assert_uint_ne(old, new);
        ck_assert_str_eq(name_of(&t, 8, 8), "main");
        ck_assert_str_eq(thread_names_text(&t, t.threads[old].name), "old");
        ck_assert_uint_eq(t.threads[old].instance, 0);
        ck_assert_uint_eq(t.threads[new].instance, 1);
        ck_assert_ok(thread_names_fork(&t, &(PerfRecordTask) { .pid = 7, .ppid = 7, .tid = 9, .ptid = 7 }));
        fork_thread(&t, 9, 9, 7);
        ck_assert_ok(thread_names_get(&t, 9, 9, &new)); /* a thread had the number, and no process */
        ck_assert_uint_eq(t.threads[new].instance, 0);
        thread_names_begin(&t); /* the recording is read again */
        set_name(&t, 8, 8, "old");
        fork_thread(&t, 8, 8, 7);
        ck_assert_ok(thread_names_get(&t, 8, 8, &new));
        ck_assert_uint_eq(t.threads[new].instance, 1);
}
END_TEST

START_TEST(hostile_names) {
        _cleanup_(thread_names_done) ThreadNames t = {};

        set_name(&t, 7, 7, "a\x1b[31m\n\xff");
        ck_assert_str_eq(name_of(&t, 7, 7), "a?[31m \xef\xbf\xbd");
}
END_TEST

TEST_RUN("thread-names", names, a_number_given_again, hostile_names);

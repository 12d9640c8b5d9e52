/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "process-view.h"

static const char *name_of(ProcessView *v, uint32_t pid, uint32_t tid) {
        uint32_t thread, name;

        ck_assert_ok(process_view_thread(v, pid, tid, &thread));
        ck_assert_ok(process_view_name_thread(v, thread, &name));
        return process_view_name(v, name);
}

static void set_name(ProcessView *v, uint32_t pid, uint32_t tid, const char *name) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_comm(&b, pid, tid, name, 0, NULL));
        ck_assert_ok(process_view_take(v, (const struct perf_event_header *) b.data));
}

static void fork_thread(ProcessView *v, uint32_t pid, uint32_t tid, uint32_t parent) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_fork(&b, pid, parent, tid, parent, 0, 0, NULL));
        ck_assert_ok(process_view_take(v, (const struct perf_event_header *) b.data));
}

START_TEST(names) {
        _cleanup_(process_view_done) ProcessView v = {};

        ck_assert_str_eq(name_of(&v, 0, 0), "swapper");
        ck_assert_str_eq(name_of(&v, 9, 9), ":9");
        fork_thread(&v, 9, 10, 9);
        ck_assert_str_eq(name_of(&v, 9, 10), ":10");
        set_name(&v, 7, 7, "main");
        fork_thread(&v, 7, 8, 7);
        ck_assert_str_eq(name_of(&v, 7, 8), "main");
        set_name(&v, 7, 8, "worker");
        ck_assert_str_eq(name_of(&v, 7, 8), "worker");
        ck_assert_str_eq(name_of(&v, 7, 7), "main");
}
END_TEST

/* A number that is given again is another thread; the old one keeps its name. */
START_TEST(a_number_given_again) {
        _cleanup_(process_view_done) ProcessView v = {};
        uint32_t old, new;

        set_name(&v, 7, 7, "main");
        set_name(&v, 8, 8, "old");
        ck_assert_ok(process_view_thread(&v, 8, 8, &old));
        fork_thread(&v, 8, 8, 7);
        ck_assert_ok(process_view_thread(&v, 8, 8, &new));
        ck_assert_uint_ne(old, new);
        ck_assert_str_eq(name_of(&v, 8, 8), "main");
        ck_assert_str_eq(process_view_name(&v, v.threads[old].name), "old");
        ck_assert_uint_eq(v.threads[old].instance, 0);
        ck_assert_uint_eq(v.threads[new].instance, 1);
        fork_thread(&v, 7, 9, 7);
        fork_thread(&v, 9, 9, 7);
        ck_assert_ok(process_view_thread(&v, 9, 9, &new)); /* a thread had the number, and no process */
        ck_assert_uint_eq(v.threads[new].instance, 0);
        process_view_restart(&v); /* the recording is read again */
        set_name(&v, 8, 8, "old");
        fork_thread(&v, 8, 8, 7);
        ck_assert_ok(process_view_thread(&v, 8, 8, &new));
        ck_assert_uint_eq(v.threads[new].instance, 1);
}
END_TEST

START_TEST(hostile_names) {
        _cleanup_(process_view_done) ProcessView v = {};

        set_name(&v, 7, 7, "a\x1b[31m\n\xff");
        ck_assert_str_eq(name_of(&v, 7, 7), "a?[31m \xef\xbf\xbd");
}
END_TEST

TEST_RUN("process-view", names, a_number_given_again, hostile_names);

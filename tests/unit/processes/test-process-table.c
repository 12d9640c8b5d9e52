/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "process-table.h"

START_TEST(find_and_get) {
        _cleanup_(process_table_done) ProcessTable t = {};
        Process *a, *b, *c;

        ck_assert_ptr_null(process_table_find(&t, 5));
        ck_assert_ok(process_table_get(&t, 5, &a));
        ck_assert_ok(process_table_get(&t, 6, &b));
        ck_assert_ok(process_table_get(&t, 5, &c));
        ck_assert_ptr_eq(a, c);
        ck_assert_ptr_ne(a, b);
        ck_assert_ptr_eq(process_table_find(&t, 6), b);
        ck_assert_uint_eq(t.n, 2);
}
END_TEST

static void exit_thread(ProcessTable *t, uint32_t pid, uint32_t tid) {
        process_table_exit(t, &(PerfRecordTask) { .pid = pid, .tid = tid });
}

static void fork_thread(ProcessTable *t, uint32_t pid, uint32_t tid) {
        ck_assert_int_eq(process_table_fork(t, &(PerfRecordTask) { .pid = pid, .ppid = pid, .tid = tid, .ptid = pid }), 0);
}

START_TEST(the_last_thread_ends_a_process) {
        _cleanup_(process_table_done) ProcessTable t = {};
        Process *p;

        ck_assert_ok(process_table_get(&t, 5, &p));
        fork_thread(&t, 5, 6);
        fork_thread(&t, 5, 7);
        exit_thread(&t, 5, 5);
        exit_thread(&t, 5, 7);
        exit_thread(&t, 5, 8); /* its FORK comes later */
        fork_thread(&t, 5, 8);
        ck_assert(!p->exited);
        exit_thread(&t, 5, 6);
        ck_assert(p->exited);

        ck_assert_ok(process_table_get(&t, 9, &p));
        fork_thread(&t, 9, 10);
        exit_thread(&t, 9, 9);
        process_table_exec(&t, 9); /* by 10, which has the number 9 from then on */
        fork_thread(&t, 9, 11);
        exit_thread(&t, 9, 11);
        ck_assert(!p->exited);
        exit_thread(&t, 9, 9);
        ck_assert(p->exited);
}
END_TEST

START_TEST(the_exited_stay_for_two_rounds) {
        _cleanup_(process_table_done) ProcessTable t = {};
        Process *p;

        ck_assert_ok(process_table_get(&t, 5, &p));
        ck_assert_ok(map_list_insert(&p->maps, 1, 2, 3));
        ck_assert_ok(process_table_get(&t, 6, &p));
        exit_thread(&t, 5, 5);
        exit_thread(&t, 5, 5);
        exit_thread(&t, 77, 77);
        ck_assert_uint_eq(t.n_exited, 1);
        process_table_finish_round(&t);
        ck_assert_ptr_nonnull(process_table_find(&t, 5));
        process_table_finish_round(&t);
        ck_assert_ptr_null(process_table_find(&t, 5));
        ck_assert_ptr_nonnull(process_table_find(&t, 6));
        ck_assert_uint_eq(t.n, 1);
        ck_assert_uint_eq(t.n_exited, 0);
}
END_TEST

START_TEST(children_inherit) {
        _cleanup_(process_table_done) ProcessTable t = {};
        PerfRecordTask task = { .pid = 7, .ppid = 5, .tid = 7, .ptid = 5 };
        Process *p;

        ck_assert_int_eq(process_table_fork(&t, &task), 0); /* the parent is not known */
        ck_assert_ok(process_table_get(&t, 5, &p));
        ck_assert_ok(map_list_insert(&p->maps, 0x1000, 0x2000, 3));
        ck_assert_int_eq(process_table_fork(&t, &task), 1);
        p = process_table_find(&t, 7);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq(map_list_find(&p->maps, 0x1800)->object, 3);
        exit_thread(&t, 7, 7);
        ck_assert_int_eq(process_table_fork(&t, &task), 1); /* the pid is reused */
        ck_assert(!p->exited && t.n_exited == 0);
        ck_assert_ok(process_table_get(&t, 6, &p));
        ck_assert_int_eq(process_table_fork(&t, &(PerfRecordTask) { .pid = 7, .ppid = 6, .tid = 7, .ptid = 6 }), 1);
        ck_assert_uint_eq(process_table_find(&t, 7)->maps.n, 0); /* not those of the previous process */
        task.pid = 8;
        task.header.misc = PERF_RECORD_MISC_FORK_EXEC;
        ck_assert_int_eq(process_table_fork(&t, &task), 0);
        ck_assert_uint_eq(process_table_find(&t, 8)->maps.n, 0);
        task = (PerfRecordTask) { .pid = 5, .ppid = 5, .tid = 6, .ptid = 5 }; /* a thread */
        ck_assert_int_eq(process_table_fork(&t, &task), 0);
}
END_TEST

/* On another CPU, the child may map its own files before the FORK that begins it is read. */
START_TEST(a_late_fork_keeps_the_childs_maps) {
        _cleanup_(process_table_done) ProcessTable t = {};
        const PerfRecordTask task = { .pid = 7, .ppid = 5, .tid = 7, .ptid = 5 };
        Process *parent, *child;

        ck_assert_ok(process_table_get(&t, 5, &parent));
        ck_assert_ok(map_list_insert(&parent->maps, 0x1000, 0x9000, 3));
        ck_assert_ok(process_table_get(&t, 7, &child));
        ck_assert_ok(map_list_insert(&child->maps, 0x2000, 0x4000, 4));
        ck_assert_ok(map_list_insert(&child->maps, 0x3000, 0x5000, 5));
        ck_assert_int_eq(process_table_fork(&t, &task), 2);
        ck_assert_uint_eq(map_list_find(&child->maps, 0x1800)->object, 3);
        ck_assert_uint_eq(map_list_find(&child->maps, 0x2800)->object, 4);
        ck_assert_uint_eq(map_list_find(&child->maps, 0x4800)->object, 5);
        ck_assert_uint_eq(map_list_find(&child->maps, 0x5000)->object, 3);
        ck_assert_uint_eq(map_list_find(&child->maps, 0x5000)->page_offset, 0x4000);
        ck_assert_int_eq(process_table_fork(&t, &task), 1); /* another process of that number */
        ck_assert_uint_eq(map_list_find(&child->maps, 0x2800)->object, 3);
}
END_TEST

START_TEST(a_synthesized_fork_begins_a_process) {
        _cleanup_(process_table_done) ProcessTable t = {};
        PerfRecordTask task = { .pid = 7, .ppid = 5, .tid = 7, .ptid = 5, .header.misc = PERF_RECORD_MISC_FORK_EXEC };
        Process *parent, *child;
        _cleanup_free_ uint32_t *pids = NULL;
        size_t n;

        ck_assert_ok(process_table_get(&t, 5, &parent));
        ck_assert_ok(map_list_insert(&parent->maps, 0x1000, 0x9000, 3));
        ck_assert_int_eq(process_table_fork(&t, &task), 0);
        ck_assert_ok(process_table_pids(&t, &pids, &n));
        ck_assert_uint_eq(n, 1); /* with maps */
        child = process_table_find(&t, 7);
        ck_assert_ptr_nonnull(child);
        ck_assert_ok(map_list_insert(&child->maps, 0x2000, 0x4000, 4));
        task.header.misc = 0;
        ck_assert_int_eq(process_table_fork(&t, &task), 1);
        ck_assert_uint_eq(map_list_find(&child->maps, 0x2800)->object, 3);
}
END_TEST

START_TEST(maps_of_all_are_limited) {
        _cleanup_(process_table_done) ProcessTable t = {};
        Process *p, *small;

        ck_assert_ok(process_table_get(&t, 5, &small));
        for (uint64_t i = 0; i < 30; i++)
                ck_assert_ok(map_list_insert(&small->maps, i * 2, i * 2 + 1, 1));
        for (uint32_t pid = 100; pid < 300; pid++) {
                ck_assert_ok(process_table_get(&t, pid, &p));
                if (pid == 100)
                        for (uint64_t i = 0; i < MAP_LIST_MAX; i++)
                                ck_assert_ok(map_list_insert(&p->maps, i * 2, i * 2 + 1, 1));
                else
                        ck_assert_ok(map_list_copy(&p->maps, &process_table_find(&t, 100)->maps));
                ck_assert_ok(process_table_note_maps(&t, p->maps.n));
        }
        for (uint32_t pid = 100, n = 0; pid < 300; pid++) {
                n += (uint32_t) process_table_find(&t, pid)->maps.n;
                ck_assert_uint_le(n, PROCESS_TABLE_MAPS_MAX);
        }
        ck_assert_uint_eq(small->maps.n, 30);
        p = process_table_find(&t, 100);
        ck_assert_ptr_nonnull(map_list_find(&p->maps, (MAP_LIST_MAX - 1) * 2)); /* the newest */
        ck_assert_ptr_null(map_list_find(&p->maps, 0));
}
END_TEST

TEST_RUN("process-table", find_and_get, the_last_thread_ends_a_process, the_exited_stay_for_two_rounds, children_inherit,
         a_late_fork_keeps_the_childs_maps, a_synthesized_fork_begins_a_process, maps_of_all_are_limited);

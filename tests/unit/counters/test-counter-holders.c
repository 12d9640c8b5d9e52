/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/wait.h>

#include "check-main.h"
#include "counter-holders.h"
#include "format-text.h"
#include "process-rights.h"
#include "scratch.h"
#include "skip.h"

#define EVENT "anon_inode:[perf_event]"

static char *root;
static CounterHolder *holders;
static size_t n_holders, n_hidden;

static void setup(void) {
        root = scratch_new();
        scratch_write_text(root, "proc/sys/kernel/nmi_watchdog", "0\n");
}

static void teardown(void) {
        holders = counter_holders_free(holders, n_holders);
        scratch_done(&root);
}

static void make_process(int pid, const char *comm, unsigned n_events) {
        _cleanup_free_ char *name = format_text("proc/%d/comm", pid), *dir = format_text("%s/proc/%d/fd", root, pid);

        scratch_write_text(root, name, comm);
        ck_assert_int_eq(make_directories(dir, 0755), 0);
        for (unsigned i = 0; i < n_events + 3; i++) {
                _cleanup_free_ char *link = format_text("%s/%u", dir, i);
                static const char *const others[] = { "/dev/null", EVENT "x", "anon_inode:[eventfd]" };

                ck_assert_int_eq(symlink(i < 3 ? others[i] : EVENT, link), 0);
        }
}

static void find(CounterHoldersSearch search) {
        holders = counter_holders_free(holders, n_holders);
        search.root = root;
        ck_assert_int_eq(counter_holders_find(&search, &holders, &n_holders, &n_hidden), 0);
}

static void expect_text(const char *expected) {
        _cleanup_free_ char *text = counter_holders_describe(holders, n_holders, n_hidden);

        ck_assert_str_eq(text, expected);
}

START_TEST(test_processes) {
        const pid_t except[] = { 4, 30 };

        make_process(7, "gdb\n", 1);
        make_process(12, "perf\n", 8);
        make_process(30, "recorder\n", 9);
        make_process(31, "bash\n", 0);
        scratch_write_text(root, "proc/32/comm", "gone\n"); /* it has exited, and left no descriptors */
        find((CounterHoldersSearch) { .kind = COUNTER_BREAKPOINT, .except = except, .n_except = ELEMENTSOF(except) });
        ck_assert_uint_eq(n_holders, 2);
        ck_assert_str_eq(holders[0].name, "perf");
        ck_assert_int_eq(holders[0].pid, 12);
        ck_assert_uint_eq(holders[0].n_events, 8);
        ck_assert_uint_eq(holders[0].uid, geteuid());
        expect_text("perf (PID 12, 8 events), gdb (PID 7, 1 event)");
        find((CounterHoldersSearch) {});
        expect_text("recorder (PID 30, 9 events), perf (PID 12, 8 events), gdb (PID 7, 1 event)");
}
END_TEST

START_TEST(test_others) {
        _cleanup_free_ char *expected = format_text("perf (PID 12, 2 events), the NMI watchdog, LIKWID (/var/run/likwid.lock) of UID %u",
                                                    (unsigned) geteuid());

        find((CounterHoldersSearch) {});
        ck_assert_uint_eq(n_holders, 0);
        expect_text("nobody who was found");
        make_process(12, "perf\n", 2);
        scratch_write_text(root, "proc/sys/kernel/nmi_watchdog", "1\n");
        scratch_write_text(root, "var/run/likwid.lock", "");
        find((CounterHoldersSearch) { .kind = COUNTER_HARDWARE });
        expect_text(expected);
        find((CounterHoldersSearch) { .kind = COUNTER_BREAKPOINT });
        expect_text("perf (PID 12, 2 events)");
}
END_TEST

START_TEST(test_hostile_names) {
        make_process(5, "\033[2Ja\nb\xff", 3);
        make_process(6, "", 2);
        find((CounterHoldersSearch) {});
        expect_text("?[2Ja (PID 5, 3 events),  (PID 6, 2 events)");
}
END_TEST

START_TEST(test_many) {
        for (int pid = 1; pid <= 10; pid++)
                make_process(pid, "a\n", 1);
        find((CounterHoldersSearch) {});
        ck_assert_uint_eq(n_holders, 10);
        n_hidden = 5;
        expect_text("a (PID 1, 1 event), a (PID 2, 1 event), a (PID 3, 1 event), a (PID 4, 1 event), a (PID 5, 1 event), "
                    "a (PID 6, 1 event), a (PID 7, 1 event), a (PID 8, 1 event), 2 others, or one of 5 processes whose "
                    "descriptors could not be read");
}
END_TEST

START_TEST(test_late) {
        make_process(5, "perf\n", 3);
        make_process(6, "perf\n", 3);
        find((CounterHoldersSearch) { .deadline = 1 });
        ck_assert_uint_eq(n_holders, 0);
        expect_text("one of 2 processes whose descriptors could not be read");
}
END_TEST

/* Threads of the kernel have no descriptors to hide. */
static int find_without_rights(void) {
        const CounterHoldersSearch search = { .root = root };

        if (process_give_up_rights(0) < 0 || counter_holders_find(&search, &holders, &n_holders, &n_hidden) < 0)
                return 1;
        return n_hidden != 1 ? 2 : n_holders != 1 || holders[0].pid != 7;
}

START_TEST(test_hidden) {
        int status;
        pid_t pid;

        if (geteuid() != 0)
                SKIP("becoming another user needs root");
        for (int other = 5; other <= 7; other++) {
                _cleanup_free_ char *dir = format_text("%s/proc/%d/fd", root, other), *stat = format_text("proc/%d/stat", other);

                make_process(other, "perf\n", 1);
                ck_assert_int_eq(chmod(dir, other < 7 ? 0500 : 0755), 0);
                scratch_write_text(root, stat, other == 5 ? "5 (k) 1 (2) S 2 0 0 0 -1 69238880 0 0" : "6 (perf) S 1 6 6 0 -1 4194560 0 0");
        }
        ck_assert_int_eq(chmod(root, 0755), 0);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                _exit(find_without_rights());
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(test_no_proc) {
        const CounterHoldersSearch search = { .root = "/nowhere" };

        ck_assert_int_eq(counter_holders_find(&search, &holders, &n_holders, &n_hidden), -ENOENT);
}
END_TEST

CHECK_MAIN_WITH("counter-holders", setup, teardown, test_processes, test_others, test_hostile_names, test_many, test_late, test_hidden,
                test_no_proc);

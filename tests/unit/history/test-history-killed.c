/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder that is killed at any instruction leaves a region that has all committed samples once, and a ring's tail
 * that matches. One test checks the region after single instructions of a process that appends, as a kill there leaves
 * it; another one kills and continues where the killed process ended. Damaged regions are refused, or read without
 * harm. */

#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "history-test.h"

/* Checks that a successor finds all samples up to the tail, without a gap. */
static uint64_t check_region(int fd, uint64_t *ret_first) {
        _cleanup_(history_freep) History *h = NULL;
        Numbers n;

        ck_assert_ok(history_take_over(fd, &h));
        n = numbers_of(h, (HistorySpan) HISTORY_ALL);
        if (n.first == UINT64_MAX)
                n.first = n.next = 0;
        ck_assert_uint_eq(n.next * sizeof(NumberedSample), history_tail(h, 0));
        *ret_first = n.first;
        return n.next;
}

/* step: nanoseconds from sample to sample: a block of a short time is not rearranged. */
_Noreturn static void append_for_ever(int fd, const uint64_t *stop_at, uint64_t step) {
        History *h = NULL;

        if (history_take_over(fd, &h) < 0)
                _exit(1);
        for (uint64_t i = history_tail(h, 0) / sizeof(NumberedSample); i < *stop_at; i++)
                if (numbered_append(h, i, (i + 1) * step) < 0 || (i % 7 == 0 && history_commit(h) < 0))
                        _exit(1);
        _exit(0);
}

static int new_region(void) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = NULL;
        int fd;

        ck_assert_ok(history_new(&o, &h));
        fd = dup(history_fd(h));
        ck_assert_int_ge(fd, 0);
        return fd;
}

START_TEST(killed) {
        _cleanup_close_ int fd = new_region();
        uint64_t next = 0, first = 0, for_ever = UINT64_MAX;
        unsigned seed = 1;

        for (unsigned i = 0; i < 80 || (first == 0 && i < 800); i++) { /* until blocks were dropped, on a busy machine */
                pid_t pid = fork();
                uint64_t now;
                int status;

                if (pid == 0)
                        append_for_ever(fd, &for_ever, i < 60 || i >= 80 ? 1 : 1000 * NSEC_PER_USEC);
                ck_assert_int_gt(pid, 0);
                (void) usleep((unsigned) rand_r(&seed) % 20000); /* the test is about the moment of the kill */
                ck_assert_int_eq(kill(pid, SIGKILL), 0);
                ck_assert_int_eq(waitpid(pid, &status, 0), pid);
                ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
                now = check_region(fd, &first);
                ck_assert_uint_ge(now, next);
                next = now;
        }
        ck_assert_uint_gt(first, 0); /* blocks were dropped */
}
END_TEST

/* Appends without compression, so that a block is sealed in few instructions; stops itself each time before that. */
_Noreturn static void append_and_stop(int fd) {
        History *h = NULL;
        HistoryTotals t;
        uint64_t sealed = 0, blocks = 0;

        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
                _exit(77);
        if (history_take_over(fd, &h) < 0)
                _exit(1);
        for (uint64_t i = 0;; i++) {
                history_totals(h, &t);
                if (t.blocks + t.dropped_samples != blocks) {
                        blocks = t.blocks + t.dropped_samples;
                        sealed = history_position(h);
                }
                if (t.blocks >= 14 && history_position(h) - sealed > 65536 - 3 * sizeof(NumberedSample))
                        (void) raise(SIGSTOP);
                if (numbered_append(h, i, i + 1) < 0 || history_commit(h) < 0)
                        _exit(1);
        }
}

/* Does a quick check_region(), by the blocks' heads only. */
static HistoryTotals look_at_region(int fd) {
        _cleanup_(history_freep) History *h = NULL;
        HistoryTotals t;

        ck_assert_ok(history_take_over(fd, &h));
        history_totals(h, &t);
        ck_assert_uint_eq((t.dropped_samples + t.counts.samples) * sizeof(NumberedSample), history_tail(h, 0));
        return t;
}

/* Steps over the sealing of a block, and a little further, by single instructions. */
static bool step_over(pid_t pid, int fd) {
        HistoryTotals before = look_at_region(fd), now = before;
        unsigned more = 200;
        uint64_t first;
        int status;

        for (unsigned i = 0; more > 0; i++) {
                bool dropped = now.dropped_samples > before.dropped_samples, sealed = dropped && now.blocks >= before.blocks;

                if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
                        return false;
                if (i % (dropped ? 211 : 101) == 0 || sealed)
                        now = look_at_region(fd);
                more -= sealed;
        }
        return check_region(fd, &first) > 0;
}

/* The store has space for less than a block: appending passes its end, and after that blocks are dropped. */
START_TEST(at_each_instruction) {
        HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = NULL;
        int status;
        pid_t pid;

        o.level = 0;
        ck_assert_ok(history_new(&o, &h));
        pid = fork();
        if (pid == 0)
                append_and_stop(history_fd(h));
        ck_assert_int_gt(pid, 0);
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_int_eq(waitpid(pid, &status, 0), pid);
                if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
                        return; /* tracing is not allowed here */
                ck_assert(WIFSTOPPED(status));
                ck_assert(step_over(pid, history_fd(h)));
                ck_assert_int_eq(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
        }
        (void) kill(pid, SIGKILL);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
}
END_TEST

static void flip(int fd, off_t at, unsigned bit) {
        uint8_t byte;

        ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
        byte ^= (uint8_t) (1u << bit);
        ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
}

/* With a flipped bit, the region is refused, or the damaged part counts as missed. */
START_TEST(damaged) {
        _cleanup_close_ int fd = new_region();
        const HistorySpan all = HISTORY_ALL;
        unsigned seed = 7, refused = 0, missed_some = 0;
        uint64_t samples, first;
        pid_t pid = fork();
        uint64_t stop_at = 9000;
        int status;

        if (pid == 0)
                append_for_ever(fd, &stop_at, 1000 * NSEC_PER_USEC);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
        samples = check_region(fd, &first);
        samples -= first;
        for (unsigned i = 0; i < 40; i++) { /* each reads the region, which takes long with sanitizers */
                _cleanup_(history_freep) History *h = NULL;
                bool in_front = i % 2 == 0;
                off_t at = in_front ? rand_r(&seed) % 3 * 4096 + rand_r(&seed) % 200 : rand_r(&seed) % (off_t) HISTORY_SIZE_MIN;
                unsigned bit = (unsigned) rand_r(&seed) % 8;
                int r;

                flip(fd, at, bit);
                r = history_take_over(fd, &h);
                if (r >= 0) {
                        Numbers n = NUMBERS_EMPTY;
                        uint64_t missed = 0;

                        ck_assert_ok(history_each(h, &all, numbers_see, &n, &missed));
                        ck_assert_uint_eq(n.next - n.first + missed, samples);
                        missed_some += missed > 0;
                } else {
                        ck_assert_int_eq(r, -EBADMSG);
                        refused++;
                }
                flip(fd, at, bit);
        }
        ck_assert_uint_gt(refused, 1);
        ck_assert_uint_gt(missed_some, 5);
        ck_assert_uint_eq(check_region(fd, &first) - first, samples);
}
END_TEST

START_TEST(no_regions) {
        _cleanup_close_ int empty = memfd_create("empty", MFD_CLOEXEC), fd = new_region(), null = open("/dev/null", O_RDWR | O_CLOEXEC);
        History *h = NULL;

        ck_assert_int_eq(history_take_over(empty, &h), -EBADMSG);
        ck_assert_int_eq(ftruncate(empty, HISTORY_SIZE_MIN), 0);
        ck_assert_int_eq(history_take_over(empty, &h), -EBADMSG);
        ck_assert_int_eq(history_take_over(null, &h), -EBADMSG);
        ck_assert_int_eq(history_take_over(-1, &h), -EBADF);
        ck_assert_int_eq(ftruncate(fd, HISTORY_SIZE_MIN - 4096), 0);
        ck_assert_int_eq(history_take_over(fd, &h), -EBADMSG);
        ck_assert_int_eq(ftruncate(fd, HISTORY_SIZE_MIN + 4096), 0);
        ck_assert_int_eq(history_take_over(fd, &h), -EBADMSG);
        ck_assert_int_eq(ftruncate(fd, HISTORY_SIZE_MIN), 0); /* the last page, which was empty, is lost */
        ck_assert_ok(history_take_over(fd, &h));
        h = history_free(h);
}
END_TEST

TEST_RUN("history-killed", killed, at_each_instruction, damaged, no_regions);

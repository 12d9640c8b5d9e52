/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* This program is also the process that is asked: it does not answer for a binary before it may. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check-main.h"
#include "fd-file.h"
#include "rule-message.h"
#include "unwind-rules.h"

#define SLOW 1u /* the number of a binary */

static int pipes[2][2]; /* from here to the process: it may answer for SLOW; and back: which binary it is asked for */
enum { MAY_ANSWER, IS_ASKED };

static UnwindRules *rules;

/* The descriptors are inherited, and have their numbers in the environment. */
static int answer_questions(void) {
        static RuleAnswer answer;
        int may_answer = atoi(getenv("TEST_MAY_ANSWER") ?: "-1"), is_asked = atoi(getenv("TEST_IS_ASKED") ?: "-1");
        RuleQuestion q;

        while (recv(STDIN_FILENO, &q, sizeof(q), 0) == sizeof(q)) {
                const UnwindRule rule = { .kind = UNWIND_PLAIN, .cfa_offset = (int32_t) q.dso, .start = q.address, .end = q.address + 1 };
                char c;

                if (write(is_asked, &q.dso, sizeof(q.dso)) != sizeof(q.dso) || (q.dso == SLOW && read(may_answer, &c, 1) != 1))
                        return EXIT_FAILURE;
                (void) send(STDIN_FILENO, &answer, rule_answer_make(&answer, q.number, RULE_FOUND, &rule, NULL), MSG_NOSIGNAL);
        }
        return EXIT_SUCCESS;
}

static void set_number(const char *name, int fd) {
        char number[16];

        (void) snprintf(number, sizeof(number), "%d", fd);
        ck_assert_int_eq(setenv(name, number, 1), 0);
}

static void setup(void) {
        char program[PATH_MAX] = "";

        ck_assert_int_gt(readlink("/proc/self/exe", program, sizeof(program) - 1), 0);
        ck_assert_int_eq(setenv("PERF_RECORDER_VIEW", program, 1), 0);
        ck_assert(pipe(pipes[MAY_ANSWER]) == 0 && pipe(pipes[IS_ASKED]) == 0);
        set_number("TEST_MAY_ANSWER", pipes[MAY_ANSWER][0]);
        set_number("TEST_IS_ASKED", pipes[IS_ASKED][1]);
        ck_assert_int_eq(unwind_rules_new("", &rules), 0);
}

static void teardown(void) {
        unwind_rules_free(rules);
}

static int find(uint32_t dso, uint64_t address, UnwindRule *ret) {
        const DsoHit hit = { .path = "/nonexistent", .cpumode = PERF_RECORD_MISC_USER };
        UnwindFrame frame = {};

        return unwind_rules_find(rules, dso, &hit, address, ret, &frame);
}

static void await_question(uint32_t dso) {
        uint32_t asked = 0;

        ck_assert_int_eq(read(pipes[IS_ASKED][0], &asked, sizeof(asked)), sizeof(asked));
        ck_assert_uint_eq(asked, dso);
}

/* Asks until the answer is there. */
static void await_answer(uint32_t dso, uint64_t address) {
        UnwindRule rule = {};
        int r;

        do {
                unwind_rules_begin_round(rules, USEC_PER_SEC);
                r = find(dso, address, &rule);
        } while (r == -EAGAIN);
        ck_assert_int_eq(r, 0);
        ck_assert_int_eq(rule.cfa_offset, (int32_t) dso);
        ck_assert_uint_eq(rule.start, address);
}

/* A binary for which there is no answer keeps its place; others get theirs after it, without being asked for again. */
START_TEST(test_turns) {
        UnwindRule rule = {};

        unwind_rules_begin_round(rules, 0); /* nobody waits */
        ck_assert_int_eq(find(SLOW, 0x1000, &rule), -EAGAIN);
        await_question(SLOW);
        ck_assert_int_eq(find(2, 0x2000, &rule), -EAGAIN);
        ck_assert_int_eq(find(3, 0x3000, &rule), -EAGAIN);
        ck_assert_int_eq(find(SLOW, 0x1001, &rule), -EAGAIN);
        ck_assert_int_eq(find(2, 0x2001, &rule), -EAGAIN);
        ck_assert_int_eq(write(pipes[MAY_ANSWER][1], "", 1), 1);
        await_question(2);
        await_question(3);
        await_answer(SLOW, 0x1000);
        await_answer(2, 0x2000);
        await_answer(3, 0x3000);
        await_answer(4, 0x4000);
}
END_TEST

/* More binaries than have a place. */
START_TEST(test_many) {
        UnwindRule rule = {};

        unwind_rules_begin_round(rules, 0);
        for (uint32_t dso = SLOW; dso < 40; dso++)
                ck_assert_int_eq(find(dso, 0x1000, &rule), -EAGAIN);
        ck_assert_int_eq(write(pipes[MAY_ANSWER][1], "", 1), 1);
        for (uint32_t dso = SLOW; dso < 40; dso++)
                await_answer(dso, 0x1000);
}
END_TEST

int main(int argc, char **argv) {
        const TTest *const tests[] = { test_turns, test_many };

        if (argc > 1 && streq(argv[1], "rules"))
                return answer_questions();
        return check_main("unwind-rules", setup, teardown, tests, ELEMENTSOF(tests));
}

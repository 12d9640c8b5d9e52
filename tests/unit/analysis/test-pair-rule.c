/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cleanup.h"
#include "pair-rule.h"
#include "perfdata-test.h"

START_TEST(pairs) {
        static const char *const words[][3] = {
                { "irq:softirq_entry:softirq_exit", "irq:softirq_entry", "irq:softirq_exit" },
                { "block:block_rq_issue:block:block_rq_complete", "block:block_rq_issue", "block:block_rq_complete" },
                { "sched:sched_switch:sched:sched_switch", "sched:sched_switch", "sched:sched_switch" },
                { "probe_libc:malloc:malloc__return", "probe_libc:malloc", "probe_libc:malloc__return" },
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                _cleanup_(pair_rule_done) PairRule rule = {};
                const char *why = NULL;

                ck_assert(!pair_rule_is_set(&rule));
                ck_assert_int_eq(pair_rule_take_pair(&rule, words[i][0], &why), 0);
                ck_assert(pair_rule_is_set(&rule) && rule.n == 2 && rule.n_keys == 0 && !why);
                ck_assert_int_eq(rule.sides[0].role, PAIR_BEGINS);
                ck_assert_str_eq(rule.sides[0].tracepoint, words[i][1]);
                ck_assert_int_eq(rule.sides[1].role, PAIR_ENDS);
                ck_assert_str_eq(rule.sides[1].tracepoint, words[i][2]);
        }
}
END_TEST

START_TEST(bad_pairs) {
        static const char *const words[] = {
                "", "irq", "irq:softirq_entry", ":a:b", "a::b", "a:b:", "a:b:c:", "a:b:c:d:e", "a:b:c d", "a:b:c,d", "a b:c:d",
        };
        _cleanup_(pair_rule_done) PairRule rule = {};

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                const char *why = NULL;

                ck_assert_msg(pair_rule_take_pair(&rule, words[i], &why) == -EINVAL, "'%s'", words[i]);
                ck_assert_str_eq(why, "write it as SYSTEM:BEGIN:END, or as SYSTEM:BEGIN:SYSTEM:END");
                ck_assert(!pair_rule_is_set(&rule));
        }
}
END_TEST

/* A word may come in front of the pair, and the last one counts. */
START_TEST(keys) {
        _cleanup_(pair_rule_done) PairRule rule = {};
        const char *why;

        ck_assert_int_eq(pair_rule_take_keys(&rule, "dev", &why), 0);
        ck_assert_int_eq(pair_rule_take_keys(&rule, "dev,pid=next_pid,cpu", &why), 0);
        ck_assert_int_eq(pair_rule_take_pair(&rule, "a:b:c", &why), 0);
        ck_assert_uint_eq(rule.n_keys, 3);
        ck_assert_str_eq(rule.sides[0].keys[0], "dev");
        ck_assert_str_eq(rule.sides[1].keys[0], "dev");
        ck_assert_str_eq(rule.sides[0].keys[1], "pid");
        ck_assert_str_eq(rule.sides[1].keys[1], "next_pid");
        ck_assert_str_eq(rule.sides[0].keys[2], PAIR_KEY_CPU);
        ck_assert_str_eq(rule.sides[1].keys[2], PAIR_KEY_CPU);
}
END_TEST

START_TEST(bad_keys) {
        static const char *const words[] = { "", ",", "a,", ",a", "a,,b", "a=", "=a", "a=b=c", "a b", "a=b," };
        _cleanup_(pair_rule_done) PairRule rule = {};
        const char *why = NULL;

        ck_assert_int_eq(pair_rule_take_keys(&rule, "first", &why), 0);
        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                ck_assert_msg(pair_rule_take_keys(&rule, words[i], &why) == -EINVAL, "'%s'", words[i]);
                ck_assert_str_eq(why, "write it as FIELD[=FIELD][,FIELD...]");
        }
        ck_assert_int_eq(pair_rule_take_keys(&rule, "a,b,c,d,e", &why), -EINVAL);
        ck_assert_str_eq(why, "four fields are the most");
        ck_assert_uint_eq(rule.n_keys, 1); /* it stays as it was */
        ck_assert_str_eq(rule.sides[1].keys[0], "first");
        ck_assert_int_eq(pair_rule_take_keys(&rule, "a,b,c,d", &why), 0);
        ck_assert_uint_eq(rule.n_keys, 4);
}
END_TEST

START_TEST(named) {
        static const char *const names[] = { "sched", "block", "syscall" };

        ck_assert(!pair_rule_find("disk"));
        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                const PairRule *rule = pair_rule_find(names[i]);
                size_t n[_PAIR_ROLE_MAX] = {};

                ck_assert(rule && rule->n <= PAIR_SIDES_MAX && rule->n_keys > 0);
                ck_assert(strstr(PAIR_RULE_NAMES, names[i]));
                for (size_t k = 0; k < rule->n; k++) {
                        n[rule->sides[k].role]++;
                        ck_assert(strchr(rule->sides[k].tracepoint, ':') && rule->sides[k].keys[rule->n_keys - 1]);
                }
                ck_assert(n[PAIR_BEGINS] > 0 && n[PAIR_ENDS] == 1);
        }
}
END_TEST

TEST_RUN("pair-rule", pairs, bad_pairs, keys, bad_keys, named);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A rule makes pairs of the samples of tracepoints: one begins, and the next one that ends and has the same key is its end. */

#define PAIR_KEYS_MAX 4u
#define PAIR_SIDES_MAX 5u

/* These are no fields, but the thread and the CPU of a sample, also where a tracepoint has a field of that name. */
#define PAIR_KEY_TID "tid"
#define PAIR_KEY_CPU "cpu"

/* A sample can be of several sides. They are taken in this order. */
typedef enum PairRole {
        PAIR_ENDS,
        PAIR_FORGETS, /* what has begun has no end */
        PAIR_BEGINS,
        _PAIR_ROLE_MAX,
} PairRole;

typedef struct PairSide {
        PairRole role;
        const char *tracepoint;          /* SYSTEM:NAME */
        const char *keys[PAIR_KEYS_MAX]; /* the fields that the key is made of, in the same order on all sides */
        bool optional;                   /* a recording may lack it */
        bool else_next;                  /* if the recording lacks it, the next side takes its place, and is left out if not */
} PairSide;

typedef struct PairRule {
        PairSide sides[PAIR_SIDES_MAX];
        size_t n, n_keys;
        bool lone_ends; /* samples that end, and nothing had begun, are as many as you like */
        char **words;   /* owns what was parsed */
} PairRule;

/* The rules that have a name: sched, from when a thread is woken until it has a CPU; block, from when a disk gets a request until
 * it is done; syscall, from when a system call is entered until it returns. */
#define PAIR_RULE_NAMES "sched, block or syscall"

/* Returns one of these; NULL: there is no such rule. */
const PairRule *pair_rule_find(const char *name);

/* A rule is parsed of two words, which may come in any order, the second one not at all. Zero-initialise.
 *
 * pair: SYSTEM:BEGIN:END, or SYSTEM:BEGIN:SYSTEM:END. keys: FIELD[,FIELD…], or FIELD=FIELD if it has another name on the side
 * that ends; without keys it is the thread. 0; -EINVAL: *ret_why, a part of a sentence, says why, and the rule is as before;
 * -ENOMEM. */
int pair_rule_take_pair(PairRule *rule, const char *pair, const char **ret_why);
int pair_rule_take_keys(PairRule *rule, const char *keys, const char **ret_why);
void pair_rule_done(PairRule *rule);

/* Returns whether a pair was taken. */
static inline bool pair_rule_is_set(const PairRule *rule) {
        return rule->n > 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names of tracepoints have a colon in them, and none in their parts, so that a pair has three or four parts. Of a rule that is
 * parsed the first side begins and the second one ends. */

#include "pair-rule.h"

#include <ctype.h>

#include "format-text.h"
#include "strv.h"

enum { SIDE_BEGINS, SIDE_ENDS };

static const struct {
        const char *name;
        PairRule rule;
} named_rules[] = {
        /* A thread that is switched out was woken while it ran: it did not wait. Threads that were preempted come to a CPU, too. */
        { "sched", { .n = 5, .n_keys = 1, .lone_ends = true, .sides = {
                { PAIR_BEGINS, "sched:sched_waking", { "pid" }, .else_next = true },
                { PAIR_BEGINS, "sched:sched_wakeup", { "pid" } },
                { PAIR_BEGINS, "sched:sched_wakeup_new", { "pid" }, .optional = true },
                { PAIR_ENDS, "sched:sched_switch", { "next_pid" } },
                { PAIR_FORGETS, "sched:sched_switch", { "prev_pid" } },
        } } },
        { "block", { .n = 2, .n_keys = 2, .sides = {
                { PAIR_BEGINS, "block:block_rq_issue", { "dev", "sector" } },
                { PAIR_ENDS, "block:block_rq_complete", { "dev", "sector" } },
        } } },
        { "syscall", { .n = 2, .n_keys = 1, .sides = {
                { PAIR_BEGINS, "raw_syscalls:sys_enter", { PAIR_KEY_TID } },
                { PAIR_ENDS, "raw_syscalls:sys_exit", { PAIR_KEY_TID } },
        } } },
};

const PairRule *pair_rule_find(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(named_rules); i++)
                if (streq(named_rules[i].name, name))
                        return &named_rules[i].rule;
        return NULL;
}

void pair_rule_done(PairRule *rule) {
        strv_free(rule->words);
        *rule = (PairRule) {};
}

/* Keeps a word that was allocated, and returns it; NULL: it was not, or there is no memory. */
static const char *rule_keep(PairRule *rule, char *word) {
        return word && strv_consume(&rule->words, word) >= 0 ? word : NULL;
}

/* Returns the size of the name that text begins with, if a separator or the end is behind it; 0: it is none. */
static size_t rule_name_size(const char *text, const char *separators) {
        size_t n = 0;

        while (isalnum((unsigned char) text[n]) || (text[n] && strchr("_-.", text[n])))
                n++;
        return !text[n] || strchr(separators, text[n]) ? n : 0;
}

int pair_rule_take_pair(PairRule *rule, const char *pair, const char **ret_why) {
        const char *parts[5] = { pair }, *begins, *ends;
        size_t sizes[5], n = 0;

        while (n < 4 && (sizes[n] = rule_name_size(parts[n], ":")) > 0 && parts[n][sizes[n]]) {
                parts[n + 1] = parts[n] + sizes[n] + 1;
                n++;
        }
        if (n < 2 || n > 3 || sizes[n] == 0) {
                *ret_why = "write it as SYSTEM:BEGIN:END, or as SYSTEM:BEGIN:SYSTEM:END";
                return -EINVAL;
        }
        begins = rule_keep(rule, format_text("%.*s", (int) (sizes[0] + 1 + sizes[1]), pair));
        ends = rule_keep(rule, n == 3 ? strdup(parts[2]) : format_text("%.*s:%s", (int) sizes[0], pair, parts[2]));
        if (!begins || !ends)
                return -ENOMEM;
        rule->sides[SIDE_BEGINS].role = PAIR_BEGINS;
        rule->sides[SIDE_BEGINS].tracepoint = begins;
        rule->sides[SIDE_ENDS].role = PAIR_ENDS;
        rule->sides[SIDE_ENDS].tracepoint = ends;
        rule->n = 2;
        return 0;
}

int pair_rule_take_keys(PairRule *rule, const char *keys, const char **ret_why) {
        const char *begins[PAIR_KEYS_MAX], *ends[PAIR_KEYS_MAX];
        size_t n = 0;

        for (const char *text = keys; text; n++) {
                size_t size = rule_name_size(text, ",="), other = 0;

                if (size > 0 && text[size] == '=')
                        other = rule_name_size(text + size + 1, ",");
                if (size == 0 || (text[size] == '=' && other == 0)) {
                        *ret_why = "write it as FIELD[=FIELD][,FIELD...]";
                        return -EINVAL;
                }
                if (n == PAIR_KEYS_MAX) {
                        *ret_why = "four fields are the most";
                        return -EINVAL;
                }
                begins[n] = ends[n] = rule_keep(rule, format_text("%.*s", (int) size, text));
                if (other > 0)
                        ends[n] = rule_keep(rule, format_text("%.*s", (int) other, text + size + 1));
                if (!begins[n] || !ends[n])
                        return -ENOMEM;
                text += other > 0 ? size + 1 + other : size;
                text = *text ? text + 1 : NULL;
        }
        memcpy(rule->sides[SIDE_BEGINS].keys, begins, n * sizeof(*begins));
        memcpy(rule->sides[SIDE_ENDS].keys, ends, n * sizeof(*ends));
        rule->n_keys = n;
        return 0;
}

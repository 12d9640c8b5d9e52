/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and letters are perf sched's, where it has the option. */

#include "sched-options.h"

#include "array.h"
#include "parse-number.h"
#include "lock-contention-rows.h"
#include "sched-blame-rows.h"
#include "sched-latency-rows.h"
#include "sched-map-rows.h"
#include "sched-replay-rows.h"
#include "sched-timehist-rows.h"

#define MAX_STACK 5u
#define MAX_STACK_MAX 127u
#define LIMIT_MAX 1000u

static const char *const by_words[_SCHED_BY_MAX] = {
        [SCHED_BY_COMM] = "comm", [SCHED_BY_THREAD] = "thread", [SCHED_BY_PROCESS] = "process", [SCHED_BY_UNIT] = "unit",
        [SCHED_BY_CPU] = "cpu",
};

static const char *const sort_words[_SCHED_SORT_MAX] = {
        [SCHED_SORT_AVG] = "avg", [SCHED_SORT_MAX] = "max", [SCHED_SORT_SWITCH] = "switch", [SCHED_SORT_RUNTIME] = "runtime",
        [SCHED_SORT_P50] = "p50", [SCHED_SORT_P95] = "p95", [SCHED_SORT_P99] = "p99", [SCHED_SORT_PID] = "pid",
};

static const char *const lock_by_words[_LOCK_BY_MAX] = {
        [LOCK_BY_CALLER] = "caller", [LOCK_BY_LOCK] = "lock", [LOCK_BY_THREAD] = "thread", [LOCK_BY_PROCESS] = "process",
        [LOCK_BY_COMM] = "comm", [LOCK_BY_UNIT] = "unit",
};

static const char *const lock_key_words[_LOCK_KEY_MAX] = {
        [LOCK_KEY_WAIT_TOTAL] = "wait_total", [LOCK_KEY_CONTENDED] = "contended", [LOCK_KEY_WAIT_MAX] = "wait_max",
        [LOCK_KEY_WAIT_MIN] = "wait_min", [LOCK_KEY_AVG_WAIT] = "avg_wait",
};

const char *lock_by_word(LockBy by) {
        return lock_by_words[by];
}

const char *sched_by_word(SchedBy by) {
        return by_words[by];
}

static int sched_take_number(void *field, const ViewOption *option, const char *value) {
        return parse_uint(value, field) < 0 ? option_fail(option->name, value, "not a number") : 0;
}

static int sched_take_span(void *field, const ViewOption *option, const char *value) {
        return time_window_take_span(field, option->name, value);
}

static int sched_take_by(void *field, const ViewOption *option, const char *value) {
        const char *word = value ?: by_words[SCHED_BY_THREAD];

        for (unsigned i = 0; i < _SCHED_BY_MAX; i++)
                if (streq(word, by_words[i])) {
                        *(SchedBy *) field = i;
                        return 0;
                }
        return option_fail(option->name, value, "not one of comm, thread, process, unit, cpu");
}

static int sched_add_sort(void *userdata, const char *word) {
        SchedOptions *o = userdata;

        for (unsigned i = 0; i < _SCHED_SORT_MAX; i++)
                if (streq(word, sort_words[i])) {
                        if (!ANY_OF(o->latency.n_sort, k, o->latency.sort[k] == i))
                                o->latency.sort[o->latency.n_sort++] = i;
                        return 0;
                }
        return -EINVAL;
}

static int sched_take_sort(void *options, const ViewOption *option, const char *value) {
        ((SchedOptions *) options)->latency.n_sort = 0;
        return option_list_parse(option->name, value, sched_add_sort, options);
}

static int sched_add_number(void *userdata, const char *word) {
        SchedNumbers *numbers = userdata;
        unsigned number;

        if (parse_uint(word, &number) < 0)
                return -EINVAL;
        if (ARRAY_RESERVE_NEXT(numbers->numbers, numbers->n) < 0)
                return -ENOMEM;
        numbers->numbers[numbers->n++] = number;
        return 0;
}

static int sched_take_numbers(void *field, const ViewOption *option, const char *value) {
        return option_list_parse(option->name, value, sched_add_number, field);
}

static int lock_take_by(void *field, const ViewOption *option, const char *value) {
        const char *word = value ?: lock_by_words[option->number];

        for (unsigned i = 0; i < _LOCK_BY_MAX; i++)
                if (streq(word, lock_by_words[i])) {
                        *(LockBy *) field = i;
                        return 0;
                }
        return option_fail(option->name, value, "not one of caller, lock, thread, process, comm, unit");
}

static int lock_take_key(void *field, const ViewOption *option, const char *value) {
        for (unsigned i = 0; i < _LOCK_KEY_MAX; i++)
                if (streq(value, lock_key_words[i])) {
                        *(LockKey *) field = i;
                        return 0;
                }
        return option_fail(option->name, value, "not one of contended, wait_total, wait_max, wait_min, avg_wait");
}

static const ViewOption timehist_rows[] = { SCHED_TIMEHIST_ROWS };
static const ViewOption latency_rows[] = { SCHED_LATENCY_ROWS };
static const ViewOption map_rows[] = { SCHED_MAP_ROWS };
static const ViewOption blame_rows[] = { SCHED_BLAME_ROWS };
static const ViewOption replay_rows[] = { SCHED_REPLAY_ROWS };
static const ViewOption lock_rows[] = { LOCK_CONTENTION_ROWS };

static const ViewVerb verbs[_SCHED_VERB_MAX] = {
        [SCHED_TIMEHIST] = { .synopsis = "sched timehist [OPTION...]",
                             .purpose = "Show each time that a thread had a CPU, and what it waited for before, as perf sched\n"
                                        "timehist does.",
                             .options = timehist_rows, .n = ELEMENTSOF(timehist_rows) },
        [SCHED_LATENCY] = { .synopsis = "sched latency [OPTION...]",
                            .purpose = "Show how long threads that could have run waited for a CPU.",
                            .options = latency_rows, .n = ELEMENTSOF(latency_rows) },
        [SCHED_MAP] = { .synopsis = "sched map [OPTION...]",
                        .purpose = "Show which thread each CPU has, a line for each switch, as perf sched map does.",
                        .options = map_rows, .n = ELEMENTSOF(map_rows) },
        [SCHED_BLAME] = { .synopsis = "sched blame [OPTION...]",
                          .purpose = "Show the longest waits for a CPU, who ran there instead, and who woke whom.",
                          .options = blame_rows, .n = ELEMENTSOF(blame_rows) },
        [SCHED_REPLAY] = { .synopsis = "sched replay [OPTION...]",
                           .purpose = "Do again what the threads of a recording did, and show how long it takes, as perf sched\n"
                                      "replay does.",
                           .options = replay_rows, .n = ELEMENTSOF(replay_rows) },
        [LOCK_CONTENTION] = { .synopsis = "lock contention [OPTION...]",
                              .purpose = "Show for which locks of the kernel threads waited, as perf lock contention does.",
                              .options = lock_rows, .n = ELEMENTSOF(lock_rows) },
};

static int sched_check_options(const SchedOptions *o, SchedVerb verb) {
        if (verb == SCHED_BLAME && o->by == SCHED_BY_CPU)
                return option_fail("by", "cpu", "not one of thread, process, comm, unit: CPUs do not wait");
        if (o->blame.limit > LIMIT_MAX) {
                (void) fprintf(stderr, "--limit=%u is more than %u\n", o->blame.limit, LIMIT_MAX);
                return -EINVAL;
        }
        if (verb == SCHED_TIMEHIST && o->timehist.idle && (o->timehist.wakeups || o->timehist.migrations)) {
                (void) fprintf(stderr, "--idle-hist shows only idle CPUs, and goes with none of --wakeups and --migrations\n");
                return -EINVAL;
        }
        if (o->timehist.max_stack > MAX_STACK_MAX) {
                (void) fprintf(stderr, "--max-stack=%u is more than %u functions\n", o->timehist.max_stack, MAX_STACK_MAX);
                return -EINVAL;
        }
        return 0;
}

int sched_options_parse(SchedOptions *o, SchedVerb verb, int argc, char **argv) {
        int r;

        *o = (SchedOptions) {
                .timehist = { .chains = true, .max_stack = MAX_STACK },
                .latency = { .sort = { SCHED_SORT_AVG, SCHED_SORT_MAX, SCHED_SORT_SWITCH, SCHED_SORT_RUNTIME }, .n_sort = 4 },
                .blame = { .longer = USEC_PER_MSEC, .limit = 20 },
                .replay = { .repeat = 10 },
                .by = verb == SCHED_BLAME ? SCHED_BY_THREAD : SCHED_BY_COMM,
        };
        r = view_options_parse(verbs + verb, o, argc, argv);
        if (r == 0)
                r = sched_check_options(o, verb);
        if (verb == LOCK_CONTENTION) /* the labels of threads are those of sched */
                o->by = o->lock.by == LOCK_BY_PROCESS ? SCHED_BY_PROCESS : o->lock.by == LOCK_BY_COMM ? SCHED_BY_COMM :
                        o->lock.by == LOCK_BY_UNIT ? SCHED_BY_UNIT : SCHED_BY_THREAD;
        return r == 0 ? recording_names_complete(&o->inputs) : r;
}

void sched_options_done(SchedOptions *o) {
        free(o->inputs.names);
        selection_options_done(&o->select);
        name_options_done(&o->names);
        free(o->map.color_cpus.numbers);
        free(o->map.color_pids.numbers);
        *o = (SchedOptions) {};
}

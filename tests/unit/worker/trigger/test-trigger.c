/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Merging, delays, limits and answers, with a dumper that only notes its orders. */

#include "trigger.h"

#include <perf-recorder/dump-facts.h>
#include "notify-listener.h"
#include "stop-loop.h"

typedef struct Dumper {
        Triggers *triggers;
        Loop *loop;
        bool at_once;      /* finished within the call, like a stream's files */
        unsigned n;        /* dumps begun */
        unsigned n_marks;
        int busy;          /* the result of marks, minus 1 */
        DumpOrder last;
        char trigger[32], detail[64];
        usec_t begun;      /* CLOCK_MONOTONIC, the last one */
        int answer;
} Dumper;

static void finish(Dumper *d) {
        char name[32];

        (void) snprintf(name, sizeof(name), "dump.%u", d->n);
        triggers_dump_done(d->triggers, &(DumpResult) { .name = name });
}

static int mark(void *userdata) {
        Dumper *d = userdata;

        d->n_marks++;
        return 1 + d->busy;
}

static int begin(void *userdata, const DumpOrder *order) {
        Dumper *d = userdata;

        d->n++;
        d->begun = now_usec(CLOCK_MONOTONIC);
        d->last = *order;
        (void) snprintf(d->trigger, sizeof(d->trigger), "%s", order->trigger);
        (void) snprintf(d->detail, sizeof(d->detail), "%s", order->detail);
        if (d->at_once)
                finish(d);
        if (d->loop)
                loop_stop(d->loop);
        return d->answer;
}

typedef struct Fixture {
        Dumper dumper; /* first, since it is the userdata of both */
        Listener listener;
        Loop *loop;
        Triggers *triggers;
} Fixture;

static void fixture_done(Fixture *f) {
        triggers_free(f->triggers);
        loop_free(f->loop);
        listener_done(&f->listener);
}

static void fixture_init(Fixture *f, usec_t delay, TriggerLimit limit) {
        *f = (Fixture) { .listener = listener_new() };
        ck_assert_int_eq(loop_new(&f->loop), 0);
        ck_assert_int_eq(triggers_new(
                                 &(TriggersOptions) {
                                         .mark = mark,
                                         .dump = begin,
                                         .userdata = &f->dumper,
                                         .notifier = &f->listener.notifier,
                                         .delay = delay,
                                         .limit = limit,
                                 },
                                 f->loop, &f->triggers),
                         0);
        f->dumper.triggers = f->triggers;
}

static void fire(Fixture *f, const char *word, const char *id) {
        Trigger trigger = TRIGGER(word);

        trigger.id = id;
        trigger.request.detail = id;
        ck_assert_int_eq(triggers_fire(f->triggers, &trigger), 0);
}

static void assert_next(Fixture *f, const char *message) {
        ck_assert_str_eq(listener_next(&f->listener), message);
}

START_TEST(test_merging) {
        _cleanup_(fixture_done) Fixture f;
        usec_t begin_time = now_usec(CLOCK_REALTIME);

        fixture_init(&f, 0, (TriggerLimit) {});
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 0);

        /* Triggers of one turn are one dump. */
        fire(&f, PR_TRIGGER_CONTROL, "a");
        fire(&f, PR_TRIGGER_SIGNAL, "b");
        ck_assert_uint_eq(f.dumper.n, 0);
        ck_assert(triggers_is_waiting(f.triggers));
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 1);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 2);
        ck_assert_str_eq(f.dumper.trigger, "control");
        ck_assert_str_eq(f.dumper.detail, "a; signal: b"); /* it has all its causes */
        ck_assert_uint_ge(f.dumper.last.timestamp, begin_time);
        ck_assert_uint_le(f.dumper.last.timestamp, now_usec(CLOCK_REALTIME));
        ck_assert(f.dumper.last.content == DUMP_CONTENT_ALL && f.dumper.last.requested && !f.dumper.last.automatic);

        /* Triggers in the meantime are another dump, which begins when the first is finished. */
        fire(&f, PR_TRIGGER_REQUEST, "c");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        fire(&f, PR_TRIGGER_CONTROL, NULL);
        fire(&f, PR_TRIGGER_CONTROL, "d");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 1);
        assert_next(&f, "");
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=a b");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 2);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 3);
        ck_assert_str_eq(f.dumper.trigger, "request");
        ck_assert(!triggers_is_waiting(f.triggers));
        triggers_dump_done(f.triggers, &(DumpResult) { .error = -ENOSPC });
        assert_next(&f, "X_PERF_DUMP_ERROR=28 No space left on device\n"
                        "X_PERF_DUMP_TRIGGER=request: c; control; control: d\nX_PERF_DUMP_IDS=c d");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 2);
        finish(&f.dumper); /* of none */
        assert_next(&f, "");
}
END_TEST

typedef struct Late { /* triggers that collect() finds */
        unsigned n;        /* of control, one at a time */
        const char *word, *id; /* then this one */
        bool runs;         /* as the control word without an argument does */
} Late;

static Late late;

static int collect(void *userdata) {
        Trigger trigger = TRIGGER(PR_TRIGGER_CONTROL);
        Fixture *f = userdata;
        char id[16];

        if (late.n > 0) {
                (void) snprintf(id, sizeof(id), "late-%u", late.n--);
                trigger.id = id;
        } else if (late.word) {
                trigger.request.trigger = steal_ptr(late.word);
                trigger.id = late.id;
        } else
                return 0;
        ck_assert_int_eq(triggers_fire(f->triggers, &trigger), 0);
        return late.runs ? triggers_run(f->triggers) : 0;
}

static void collecting_init(Fixture *f) {
        fixture_init(f, 0, (TriggerLimit) {});
        triggers_free(f->triggers);
        ck_assert_int_eq(offsetof(Fixture, dumper), 0);
        ck_assert_int_eq(triggers_new(
                                 &(TriggersOptions) {
                                         .mark = mark, .collect = collect, .dump = begin, .userdata = f,
                                         .notifier = &f->listener.notifier },
                                 f->loop, &f->triggers),
                         0);
        f->dumper.triggers = f->triggers;
        late = (Late) {};
}

/* Triggers before a dump's cut-off are answered by that dump, also if they are only read then; each needs a later
 * mark. */
START_TEST(test_cutoff) {
        _cleanup_(fixture_done) Fixture f;

        collecting_init(&f);
        fire(&f, PR_TRIGGER_CONTROL, "a");
        late.n = 2;
        late.runs = true; /* which begins nothing */
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 1);
        ck_assert_uint_eq(f.dumper.n_marks, 3);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 3);
        fire(&f, PR_TRIGGER_CONTROL, "b"); /* it is fixed */
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=a late-2 late-1");
        late.runs = false;

        /* An endless number of triggers does not delay it, and all that it answers are before the last mark. */
        late.n = 1000;
        f.dumper.n_marks = 0;
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 2);
        ck_assert_uint_lt(late.n, 1000);
        ck_assert_uint_gt(late.n, 900);
        ck_assert_uint_eq(f.dumper.n_marks, 1000 - late.n + 1);
        finish(&f.dumper);
        late.n = 0;
}
END_TEST

/* A trigger that wants other samples than a dump that was begun is for another one. A dump of everything in memory has
 * the samples that no automatic dump has, and not the reverse. */
START_TEST(test_cutoff_of_contents) {
        _cleanup_(fixture_done) Fixture f;
        Trigger fresh = TRIGGER(PR_TRIGGER_REQUEST);

        collecting_init(&f);
        fresh.request.fresh = true;
        fresh.id = "fresh";
        ck_assert_int_eq(triggers_fire(f.triggers, &fresh), 0);
        late = (Late) { .word = PR_TRIGGER_CONTROL, .id = "a" };
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_int_eq(f.dumper.last.content, DUMP_CONTENT_NEW);
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=fresh");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.2\nX_PERF_DUMP_IDS=a");

        fire(&f, PR_TRIGGER_CALENDAR, "automatic");
        late = (Late) { .word = PR_TRIGGER_CONTROL, .id = "b" };
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert(f.dumper.last.content == DUMP_CONTENT_AUTOMATIC && f.dumper.last.automatic && !f.dumper.last.requested);
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.3\nX_PERF_DUMP_IDS=automatic");
        late = (Late) { .word = PR_TRIGGER_CALENDAR, .id = "c" };
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.4\nX_PERF_DUMP_IDS=b");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.5\nX_PERF_DUMP_IDS=c");
}
END_TEST

/* If the recording can't mark yet, it is asked again, and triggers join the dump in the meantime. */
START_TEST(test_busy) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, 0, (TriggerLimit) {});
        f.dumper.busy = -1;
        fire(&f, PR_TRIGGER_CONTROL, "a");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        fire(&f, PR_TRIGGER_SIGNAL, "b");
        fire(&f, PR_TRIGGER_CALENDAR, "c"); /* an automatic one, with other contents */
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 0);
        ck_assert(triggers_is_waiting(f.triggers));
        f.dumper.busy = 0;
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 2);
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=a b");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.2\nX_PERF_DUMP_IDS=c");
        ck_assert(!triggers_is_waiting(f.triggers));

        f.dumper.busy = -1 - EIO; /* it can't be marked at all */
        fire(&f, PR_TRIGGER_CONTROL, "d");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        assert_next(&f, "X_PERF_DUMP_ERROR=5 Input/output error\nX_PERF_DUMP_TRIGGER=control: d\nX_PERF_DUMP_IDS=d");
        f.dumper.busy = -1 - ENOMEM;
        fire(&f, PR_TRIGGER_CONTROL, "e");
        ck_assert_int_eq(triggers_run(f.triggers), -ENOMEM);
}
END_TEST

/* The triggers of one wake-up are one dump for each wanted content. */
START_TEST(test_contents) {
        _cleanup_(fixture_done) Fixture f;
        Trigger window = TRIGGER(PR_TRIGGER_REQUEST), fresh = TRIGGER(PR_TRIGGER_REQUEST);

        fixture_init(&f, 0, (TriggerLimit) {});
        f.dumper.at_once = true;
        window.request.since = 100;
        window.request.until = 200;
        fresh.request.fresh = true;
        for (unsigned i = 0; i < 2; i++) {
                fire(&f, PR_TRIGGER_CALENDAR, NULL);
                ck_assert_int_eq(triggers_fire(f.triggers, &window), 0);
                ck_assert_int_eq(triggers_fire(f.triggers, &fresh), 0);
                fire(&f, PR_TRIGGER_SIGNAL, NULL);
        }
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert(f.dumper.last.content == DUMP_CONTENT_ALL && f.dumper.last.automatic && f.dumper.last.requested);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 4);
        ck_assert_str_eq(f.dumper.trigger, "calendar");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert(f.dumper.last.since == 100 && f.dumper.last.until == 200 && !f.dumper.last.automatic);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 2);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert(f.dumper.last.content == DUMP_CONTENT_NEW && !f.dumper.last.automatic);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 2);
        ck_assert(!triggers_is_waiting(f.triggers));
}
END_TEST

START_TEST(test_overlap) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, 0, (TriggerLimit) {});
        triggers_free(f.triggers);
        ck_assert_int_eq(triggers_new(
                                 &(TriggersOptions) {
                                         .mark = mark, .dump = begin, .userdata = &f, .notifier = &f.listener.notifier, .overlap = true },
                                 f.loop, &f.triggers),
                         0);
        f.dumper.triggers = f.triggers;
        fire(&f, PR_TRIGGER_EVENT, NULL);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert(f.dumper.last.content == DUMP_CONTENT_ALL && f.dumper.last.automatic && !f.dumper.last.requested);
}
END_TEST

/* A delay counts from the trigger on; a trigger that joins extends it, up to a limit. */
START_TEST(test_delay) {
        _cleanup_(fixture_done) Fixture f;
        usec_t begin_time = now_usec(CLOCK_MONOTONIC);

        fixture_init(&f, 100 * USEC_PER_MSEC, (TriggerLimit) {});
        f.dumper.loop = f.loop;
        f.dumper.at_once = true;
        fire(&f, PR_TRIGGER_CONTROL, NULL);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 0);
        ck_assert(triggers_holds_file(f.triggers));
        fire(&f, PR_TRIGGER_CONTROL, NULL);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_int_eq(loop_run(f.loop), 0);
        ck_assert_uint_eq(f.dumper.n, 1);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 2);
        ck_assert_uint_ge(f.dumper.begun - begin_time, 100 * USEC_PER_MSEC);

        begin_time = now_usec(CLOCK_MONOTONIC);
        for (unsigned i = 0; f.dumper.n < 2; i++) {
                ck_assert_uint_lt(i, 100000);
                fire(&f, PR_TRIGGER_CALENDAR, NULL);
                ck_assert_int_eq(triggers_run(f.triggers), 0);
                (void) usleep(1000);
        }
        ck_assert_uint_ge(f.dumper.begun - begin_time, 200 * USEC_PER_MSEC);
}
END_TEST

static void fire_delayed(Fixture *f, const char *id, usec_t delay) {
        Trigger trigger = TRIGGER(PR_TRIGGER_REQUEST);

        trigger.id = id;
        trigger.request.delay = delay;
        trigger.request.has_delay = true;
        ck_assert_int_eq(triggers_fire(f->triggers, &trigger), 0);
        ck_assert_int_eq(triggers_run(f->triggers), 0);
}

/* A dump in an hour delays no other trigger, and is not made earlier. */
START_TEST(test_delays_apart) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, 0, (TriggerLimit) {});
        f.dumper.at_once = true;
        fire_delayed(&f, "late", USEC_PER_MINUTE);
        ck_assert_uint_gt(triggers_next(f.triggers), now_usec(CLOCK_MONOTONIC));
        ck_assert(!triggers_holds_file(f.triggers));
        fire_delayed(&f, "now", 0);
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=now");
        fire(&f, PR_TRIGGER_SIGNAL, "signal");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        assert_next(&f, "X_PERF_DUMP=dump.2\nX_PERF_DUMP_IDS=signal");
        f.dumper.loop = f.loop;
        fire_delayed(&f, "soon", 20 * USEC_PER_MSEC);
        ck_assert_int_eq(loop_run(f.loop), 0);
        assert_next(&f, "X_PERF_DUMP=dump.3\nX_PERF_DUMP_IDS=soon");
        ck_assert(triggers_is_waiting(f.triggers));
        f.dumper.loop = NULL;

        /* Their number is limited, and other kinds are not affected. */
        for (unsigned i = 0; i < 63; i++)
                fire_delayed(&f, NULL, USEC_PER_MINUTE + i);
        fire_delayed(&f, "more", USEC_PER_MINUTE);
        assert_next(&f, "X_PERF_DUMP_ERROR=105 too many dumps wait for their delays\nX_PERF_DUMP_IDS=more");
        fire(&f, PR_TRIGGER_CALENDAR, "one");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        assert_next(&f, "X_PERF_DUMP=dump.4\nX_PERF_DUMP_IDS=one");
}
END_TEST

#define INCIDENT "0123456789abcdef0123456789abcdef"
#define OTHER_INCIDENT "f123456789abcdef0123456789abcdef"

static void fire_also(Fixture *f, const char *incident) {
        Trigger trigger = TRIGGER(PR_TRIGGER_ALSO);

        trigger.request.incident = incident;
        ck_assert_int_eq(triggers_fire(f->triggers, &trigger), 0);
}

/* A dump of our own is announced before it is made, with an id of its own or that of the other session; a dump that
 * only answers another session is not. */
START_TEST(test_incidents) {
        static const char rest[] = " since=0 until=0 new=0 all=1 detail=request: why";
        _cleanup_(fixture_done) Fixture f;
        const char *message;

        fixture_init(&f, 0, (TriggerLimit) {});
        triggers_free(f.triggers);
        ck_assert_int_eq(triggers_new(
                                 &(TriggersOptions) {
                                         .mark = mark, .dump = begin, .userdata = &f, .notifier = &f.listener.notifier, .announce = true },
                                 f.loop, &f.triggers),
                         0);
        f.dumper.triggers = f.triggers;
        fire(&f, PR_TRIGGER_REQUEST, "why");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        message = listener_next(&f.listener);
        ck_assert_ptr_nonnull(startswith(message, "X_PERF_INCIDENT=incident="));
        message += strlen("X_PERF_INCIDENT=incident=");
        ck_assert_uint_eq(strspn(message, "0123456789abcdef"), 32);
        ck_assert_str_eq(message + 32, rest);
        finish(&f.dumper);
        (void) listener_next(&f.listener);

        fire_also(&f, INCIDENT);
        fire_also(&f, OTHER_INCIDENT); /* which is another dump */
        fire(&f, PR_TRIGGER_EVENT, NULL);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_ptr_nonnull(strstr(listener_next(&f.listener), "incident=" INCIDENT " since=0 until=0 new=0 all=0 detail=also"));
        ck_assert_uint_eq(f.dumper.last.n_triggers, 2);
        finish(&f.dumper);
        (void) listener_next(&f.listener);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_str_eq(listener_next(&f.listener), "");
        ck_assert_uint_eq(f.dumper.n, 3);
}
END_TEST

START_TEST(test_withdrawal) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, USEC_PER_MINUTE, (TriggerLimit) {});
        f.dumper.at_once = true;
        fire_delayed(&f, "a", USEC_PER_MINUTE / 2);
        triggers_withdraw(f.triggers, "b");
        ck_assert(triggers_is_waiting(f.triggers));
        triggers_withdraw(f.triggers, "a");
        ck_assert(!triggers_is_waiting(f.triggers));
        ck_assert_uint_eq(triggers_next(f.triggers), USEC_INFINITY);

        /* Another caller wants it. */
        fire(&f, PR_TRIGGER_CONTROL, "a");
        fire(&f, PR_TRIGGER_CONTROL, "b");
        fire(&f, PR_TRIGGER_EVENT, NULL);
        triggers_withdraw(f.triggers, "a");
        triggers_hurry(f.triggers);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.last.n_triggers, 2);
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=b");
        fire(&f, PR_TRIGGER_EVENT, NULL);
        triggers_withdraw(f.triggers, "");
        ck_assert(triggers_is_waiting(f.triggers));
}
END_TEST

START_TEST(test_hurry) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, USEC_PER_MINUTE, (TriggerLimit) {});
        f.dumper.at_once = true;
        fire(&f, PR_TRIGGER_CONTROL, "a");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 0);
        triggers_hurry(f.triggers);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 1);
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=a");
        triggers_hurry(f.triggers);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        ck_assert_uint_eq(f.dumper.n, 1);
        fire(&f, PR_TRIGGER_CONTROL, "never");
}
END_TEST

static unsigned count_dumps(Fixture *f, const char *word, unsigned n) {
        unsigned before = f->dumper.n;

        for (unsigned i = 0; i < n; i++) {
                fire(f, word, NULL);
                ck_assert_int_eq(triggers_run(f->triggers), 0);
                (void) listener_next(&f->listener);
        }
        return f->dumper.n - before;
}

START_TEST(test_limit) {
        _cleanup_(fixture_done) Fixture usual, set, none;
        Trigger forced = TRIGGER(PR_TRIGGER_CONTROL), signalled = TRIGGER(PR_TRIGGER_SIGNAL);

        fixture_init(&usual, 0, (TriggerLimit) {});
        usual.dumper.at_once = true;
        ck_assert_uint_eq(count_dumps(&usual, PR_TRIGGER_EVENT, 20), 5);
        ck_assert_uint_eq(count_dumps(&usual, PR_TRIGGER_SOCKET, 20), 5);
        ck_assert_uint_eq(count_dumps(&usual, PR_TRIGGER_UNIT_FAILURE, 20), 5);
        ck_assert_uint_eq(count_dumps(&usual, PR_TRIGGER_CALENDAR, 20), 5);
        ck_assert_uint_eq(count_dumps(&usual, PR_TRIGGER_CONTROL, 20), 20);
        ck_assert_uint_eq(count_dumps(&usual, PR_TRIGGER_SIGNAL, 20), 5);
        ck_assert_uint_eq(count_dumps(&usual, PR_TRIGGER_REQUEST, 20), 20);

        signalled.as_perf = true;
        for (unsigned i = 0; i < 7; i++) {
                ck_assert_int_eq(triggers_fire(usual.triggers, &signalled), 0);
                ck_assert_int_eq(triggers_run(usual.triggers), 0);
        }
        ck_assert_uint_eq(usual.dumper.n, 4 * 5 + 20 + 5 + 20 + 7);

        fixture_init(&set, 0, (TriggerLimit) { .set = true, .interval = 200 * USEC_PER_MSEC, .burst = 2 });
        set.dumper.at_once = true;
        ck_assert_uint_eq(count_dumps(&set, PR_TRIGGER_CONTROL, 4), 2);
        fire(&set, PR_TRIGGER_CONTROL, "a");
        assert_next(&set, "X_PERF_DUMP_ERROR=16 there were 2 dumps for the trigger control within 200ms (RateLimitBurst=, "
                          "RateLimitIntervalSec=); the next one is possible in 1s\nX_PERF_DUMP_IDS=a");
        ck_assert_uint_eq(count_dumps(&set, PR_TRIGGER_EVENT, 4), 2); /* they have their own */
        forced.id = "b";
        forced.request.force = true;
        ck_assert_int_eq(triggers_fire(set.triggers, &forced), 0);
        ck_assert_int_eq(triggers_run(set.triggers), 0);
        ck_assert_ptr_nonnull(strstr(listener_next(&set.listener), "X_PERF_DUMP_IDS=b"));
        ck_assert_uint_eq(count_dumps(&set, PR_TRIGGER_RECORDER, 3), 3);
        ck_assert_uint_eq(count_dumps(&set, PR_TRIGGER_SHUTDOWN, 3), 3);
        ck_assert_uint_eq(count_dumps(&set, PR_TRIGGER_ROTATION, 3), 3);
        (void) usleep(200000);
        ck_assert_uint_eq(count_dumps(&set, PR_TRIGGER_CONTROL, 1), 1);

        fixture_init(&none, 0, (TriggerLimit) { .set = true, .burst = 2 });
        none.dumper.at_once = true;
        ck_assert_uint_eq(count_dumps(&none, PR_TRIGGER_EVENT, 20), 20);
}
END_TEST

/* Unknown words do not get around the limit. */
START_TEST(test_limit_of_many_kinds) {
        _cleanup_(fixture_done) Fixture f;
        unsigned n = 0;

        fixture_init(&f, 0, (TriggerLimit) { .set = true, .interval = USEC_PER_MINUTE, .burst = 2 });
        f.dumper.at_once = true;
        for (unsigned i = 0; i < 1000; i++) {
                char word[64];

                (void) snprintf(word, sizeof(word), "kind-%u", i);
                n += count_dumps(&f, word, 1);
        }
        ck_assert_uint_eq(n, 33); /* the words that are counted by themselves, and one more dump for all others */
}
END_TEST

static void fire_unit(Fixture *f, const char *unit, const char *id) {
        Trigger trigger = TRIGGER(PR_TRIGGER_UNIT_FAILURE);

        trigger.request.detail = trigger.request.unit = unit;
        trigger.id = id;
        ck_assert_int_eq(triggers_fire(f->triggers, &trigger), 0);
        ck_assert_int_eq(triggers_run(f->triggers), 0);
}

/* A unit that fails again and again takes nothing away from others, and the first refusal of each is reported by its name. */
START_TEST(test_limit_of_units) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, 0, (TriggerLimit) { .set = true, .interval = 60 * USEC_PER_MINUTE, .burst = 1 });
        f.dumper.at_once = true;
        fire_unit(&f, "flap.service", "a");
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=a");
        fire_unit(&f, "flap.service", "b");
        assert_next(&f, "X_PERF_DUMP_ERROR=16 there was 1 dump for the trigger unit-failure of flap.service within 1h "
                        "(RateLimitBurst=, RateLimitIntervalSec=); the next one is possible in 59min 59s\n"
                        "X_PERF_DUMP_TRIGGER=unit-failure: flap.service\nX_PERF_DUMP_IDS=b");
        fire_unit(&f, "other.service", "c");
        assert_next(&f, "X_PERF_DUMP=dump.2\nX_PERF_DUMP_IDS=c");
        fire_unit(&f, "flap.service", "d");
        ck_assert_ptr_null(strstr(listener_next(&f.listener), "X_PERF_DUMP_TRIGGER="));
        fire_unit(&f, "other.service", "e");
        ck_assert_ptr_nonnull(strstr(listener_next(&f.listener), "\nX_PERF_DUMP_TRIGGER=unit-failure: other.service\n"));
        ck_assert_uint_eq(f.dumper.n, 2);
        for (unsigned i = 0; i < 1000; i++) {
                char unit[32];

                (void) snprintf(unit, sizeof(unit), "unit-%u.service", i);
                fire_unit(&f, unit, NULL);
                (void) listener_next(&f.listener);
        }
        ck_assert_uint_eq(f.dumper.n, 256 + 1); /* one more for all others */
        ck_assert_uint_eq(count_dumps(&f, PR_TRIGGER_EVENT, 2), 1);
}
END_TEST

/* A trigger that joins a pending dump does not count. */
START_TEST(test_limit_and_merging) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, 0, (TriggerLimit) { .set = true, .interval = USEC_PER_MINUTE, .burst = 2 });
        fire(&f, PR_TRIGGER_CONTROL, "a");
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        fire(&f, PR_TRIGGER_CONTROL, "b");
        fire(&f, PR_TRIGGER_CONTROL, "c");
        finish(&f.dumper);
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        assert_next(&f, "X_PERF_DUMP=dump.1\nX_PERF_DUMP_IDS=a");
        fire(&f, PR_TRIGGER_CONTROL, "d");
        ck_assert_ptr_nonnull(strstr(listener_next(&f.listener), "possible in 59s\nX_PERF_DUMP_TRIGGER=control: d\nX_PERF_DUMP_IDS=d"));
        finish(&f.dumper);
        assert_next(&f, "X_PERF_DUMP=dump.2\nX_PERF_DUMP_IDS=b c");
}
END_TEST

/* Each of a thousand triggers is answered once, by a dump that began after it. */
START_TEST(test_thousand) {
        _cleanup_(fixture_done) Fixture f;
        unsigned covered_by[1000] = {}, answered = 0;
        const char *message;

        fixture_init(&f, 0, (TriggerLimit) {});
        for (unsigned i = 0; i < 1000; i++) {
                char id[16];

                (void) snprintf(id, sizeof(id), "%u", i);
                fire(&f, PR_TRIGGER_CONTROL, id);
                covered_by[i] = f.dumper.n + 1;
                ck_assert_int_eq(triggers_run(f.triggers), 0);
                if (i % 37 == 36 || i == 999)
                        finish(&f.dumper);
                if (i % 37 == 36)
                        ck_assert_int_eq(triggers_run(f.triggers), 0);
                if (i == 999 && triggers_run(f.triggers) == 0)
                        finish(&f.dumper);
                while (*(message = listener_next(&f.listener))) {
                        unsigned long dump = strtoul(message + strlen("X_PERF_DUMP=dump."), NULL, 10);
                        char *at = strstr(message, "X_PERF_DUMP_IDS=") + strlen("X_PERF_DUMP_IDS=");

                        for (; *at; at += *at == ' ', answered++)
                                ck_assert_uint_ge(dump, covered_by[strtoul(at, &at, 10)]);
                }
        }
        ck_assert_uint_eq(answered, 1000);
}
END_TEST

/* A receiver that does not read for some time gets them all, and nothing waits for it. */
START_TEST(test_slow_receiver) {
        enum { N = 2000 };
        _cleanup_(fixture_done) Fixture f;
        usec_t begin_time = now_usec(CLOCK_MONOTONIC);
        unsigned n = 0;

        fixture_init(&f, 0, (TriggerLimit) {});
        f.dumper.at_once = true;
        for (unsigned i = 0; i < N; i++) {
                fire(&f, PR_TRIGGER_CONTROL, "id");
                ck_assert_int_eq(triggers_run(f.triggers), 0);
        }
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin_time, 5 * USEC_PER_SEC);
        while (n < N) {
                char expected[64];

                while (n < N && snprintf(expected, sizeof(expected), "X_PERF_DUMP=dump.%u\nX_PERF_DUMP_IDS=id", n + 1) > 0) {
                        const char *message = listener_next(&f.listener);

                        if (!*message)
                                break;
                        ck_assert_str_eq(message, expected);
                        n++;
                }
                ck_assert_int_ge(loop_add_timer(f.loop, 10 * USEC_PER_MSEC, false, stop_loop, f.loop), 0);
                ck_assert_int_eq(loop_run(f.loop), 0);
        }
        assert_next(&f, "");
}
END_TEST

/* Dumps that are due, and that cannot be one, come one after the other by themselves. */
START_TEST(test_several_at_once) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, 0, (TriggerLimit) {});
        f.dumper.at_once = true;
        f.dumper.loop = f.loop;
        for (usec_t i = 1; i <= 3; i++) {
                Trigger trigger = TRIGGER(PR_TRIGGER_REQUEST);

                trigger.request.since = 10 * i;
                trigger.request.until = 10 * i + 1;
                ck_assert_int_eq(triggers_fire(f.triggers, &trigger), 0);
        }
        ck_assert_int_eq(triggers_run(f.triggers), 0);
        for (unsigned i = 1; i <= 3; i++) {
                ck_assert_uint_eq(f.dumper.n, i);
                ck_assert_uint_eq(f.dumper.last.since, 10 * i);
                if (i < 3)
                        ck_assert_int_eq(loop_run(f.loop), 0);
        }
        ck_assert(!triggers_is_waiting(f.triggers));
}
END_TEST

START_TEST(test_failing) {
        _cleanup_(fixture_done) Fixture f;

        fixture_init(&f, 0, (TriggerLimit) {});
        f.dumper.answer = -ENOMEM;
        fire(&f, PR_TRIGGER_CONTROL, NULL);
        ck_assert_int_eq(triggers_run(f.triggers), -ENOMEM);
        triggers_refuse(f.triggers, "x", -EINVAL, "no");
        assert_next(&f, "X_PERF_DUMP_ERROR=22 no\nX_PERF_DUMP_IDS=x");
}
END_TEST

CHECK_MAIN("trigger", test_merging, test_cutoff, test_cutoff_of_contents, test_busy, test_contents, test_overlap, test_delay, test_delays_apart, test_incidents, test_withdrawal, test_hurry, test_limit, test_limit_of_many_kinds, test_limit_of_units, test_limit_and_merging, test_thousand,
           test_slow_receiver, test_several_at_once, test_failing);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The triggers that share a dump, the contents of its order, and the answers with their ids. */

#include <perf-recorder/dump-facts.h>

#include "check-main.h"
#include "pending-dump.h"
#include "strv.h"

#define INCIDENT "0123456789abcdef0123456789abcdef"
#define NOW ((usec_t) 1000)

static PendingDump *begin(const char *word, const char *detail, bool apart) {
        Trigger trigger = TRIGGER(word);
        DumpWish wish = dump_wish_of(&trigger, false);
        PendingDump *p = NULL;

        trigger.request.detail = detail;
        ck_assert_int_eq(pending_dump_new(&trigger, &wish, apart, NOW, &p), 0);
        pending_dump_join(p, &trigger, &wish, 0, NOW);
        return p;
}

static void join(PendingDump *p, const char *word, const char *detail, const char *incident, usec_t delay) {
        Trigger trigger = TRIGGER(word);
        DumpWish wish = dump_wish_of(&trigger, false);

        trigger.request.detail = detail;
        trigger.request.incident = incident;
        ck_assert(pending_dump_suits(p, &trigger, &wish, NOW, false, NOW));
        pending_dump_join(p, &trigger, &wish, delay, NOW);
}

START_TEST(test_order) {
        _cleanup_(pending_dump_freep) PendingDump *p = begin(PR_TRIGGER_CALENDAR, NULL, false);
        DumpOrder o = pending_dump_order(p);

        ck_assert_str_eq(o.trigger, PR_TRIGGER_CALENDAR);
        ck_assert_str_eq(o.detail, "");
        ck_assert(o.n_triggers == 1 && o.automatic && !o.requested && o.content == DUMP_CONTENT_AUTOMATIC);
        join(p, PR_TRIGGER_SIGNAL, "USR2", NULL, 0);
        join(p, PR_TRIGGER_SIGNAL, "USR2", INCIDENT, 0); /* a reason is named once */
        o = pending_dump_order(p);
        ck_assert_str_eq(o.detail, "signal: USR2");
        ck_assert_str_eq(o.incident, INCIDENT);
        ck_assert(o.n_triggers == 3 && o.automatic && o.requested && o.content == DUMP_CONTENT_ALL);
        ck_assert(p->own);
}
END_TEST

static void join_unit(PendingDump *p, const char *unit, const char *detail) {
        Trigger trigger = TRIGGER(PR_TRIGGER_UNIT_FAILURE);
        DumpWish wish = dump_wish_of(&trigger, false);

        trigger.request.detail = detail;
        trigger.request.unit = unit;
        pending_dump_join(p, &trigger, &wish, 0, NOW);
}

/* A unit that fails again and again leaves room for the names of others. */
START_TEST(test_units) {
        _cleanup_(pending_dump_freep) PendingDump *p = begin(PR_TRIGGER_UNIT_FAILURE, "a.service, invocation 1", false);
        DumpOrder o;

        join_unit(p, "a.service", "a.service, invocation 2");
        join_unit(p, "b.service", "b.service, invocation 3");
        join_unit(p, "b.service", "b.service, invocation 4");
        join_unit(p, "service", "service, invocation 5");
        join_unit(p, "c.service", "c.service");
        join_unit(p, "c.service", "c.service");
        o = pending_dump_order(p);
        ck_assert_str_eq(o.detail, "a.service, invocation 1; unit-failure: b.service, invocation 3; "
                                   "unit-failure: service, invocation 5; unit-failure: c.service");
        ck_assert_uint_eq(o.n_triggers, 7);
}
END_TEST

/* Pressure that lasts is one reason, whatever its average is; that of another group or resource is another one. */
START_TEST(test_pressure) {
        _cleanup_(pending_dump_freep) PendingDump *p = begin("cpu-pressure", "500ms in 1s, some avg10=89.36", false);
        DumpOrder o;

        join(p, "cpu-pressure", "500ms in 1s, some avg10=90.92", NULL, 0);
        join(p, "cpu-pressure", "500ms in 1s of web.service, some avg10=90.92", NULL, 0);
        join(p, "io-pressure", "500ms in 1s, some avg10=3.10", NULL, 0);
        join(p, "cpu-pressure", "500ms in 1s of web.service, some avg10=1.00", NULL, 0);
        join(p, "io-pressure", "500ms in 1s, some avg10=4.00", NULL, 0);
        o = pending_dump_order(p);
        ck_assert_str_eq(o.detail, "500ms in 1s, some avg10=89.36; cpu-pressure: 500ms in 1s of web.service, some avg10=90.92; "
                                   "io-pressure: 500ms in 1s, some avg10=3.10");
        ck_assert_uint_eq(o.n_triggers, 6);
}
END_TEST

/* Each trigger that joins delays it, up to a limit. */
START_TEST(test_due) {
        _cleanup_(pending_dump_freep) PendingDump *p = begin(PR_TRIGGER_EVENT, NULL, false);

        ck_assert_uint_eq(p->due, NOW);
        p->due = NOW + 150;
        join(p, PR_TRIGGER_EVENT, NULL, NULL, 100);
        ck_assert_uint_eq(p->due, NOW + 150);
        p->due = NOW + 500;
        join(p, PR_TRIGGER_EVENT, NULL, NULL, 100);
        ck_assert_uint_eq(p->due, NOW + 200);
}
END_TEST

START_TEST(test_suits) {
        _cleanup_(pending_dump_freep) PendingDump *shared = begin(PR_TRIGGER_EVENT, NULL, false), *apart = begin(PR_TRIGGER_EVENT, NULL, true);
        Trigger trigger = TRIGGER(PR_TRIGGER_EVENT);
        DumpWish wish = dump_wish_of(&trigger, false), window = { DUMP_CONTENT_ALL, .since = 7 };

        shared->due = apart->due = NOW + 10; /* neither is due */
        ck_assert(pending_dump_suits(shared, &trigger, &wish, NOW + 20, false, NOW));
        ck_assert(!pending_dump_suits(shared, &trigger, &wish, NOW + 20, true, NOW));
        ck_assert(!pending_dump_suits(apart, &trigger, &wish, NOW + 20, false, NOW));
        ck_assert(pending_dump_suits(apart, &trigger, &wish, NOW + 10, true, NOW + 10)); /* both are */
        ck_assert(!pending_dump_suits(shared, &trigger, &window, NOW + 20, false, NOW));
        (void) snprintf(shared->incident, sizeof(shared->incident), "%s", INCIDENT);
        trigger.request.incident = "f123456789abcdef0123456789abcdef";
        ck_assert(!pending_dump_suits(shared, &trigger, &wish, NOW + 20, false, NOW));
        trigger.request.incident = INCIDENT;
        ck_assert(pending_dump_suits(shared, &trigger, &wish, NOW + 20, false, NOW));
}
END_TEST

static void assert_answer(const TriggerIds *ids, const DumpResult *result, const char *message) {
        _cleanup_strv_free_ char **messages = NULL;

        ck_assert_int_eq(trigger_ids_answer(ids, result, &messages), 0);
        ck_assert_uint_eq(strv_length(messages), 1);
        ck_assert_str_eq(messages[0], message);
}

START_TEST(test_answers) {
        _cleanup_(trigger_ids_done) TriggerIds ids = {}, others = {};

        assert_answer(&ids, &(DumpResult) { .name = "perf.data.1" }, "X_PERF_DUMP=perf.data.1");
        ck_assert_int_eq(trigger_ids_add(&ids, "a"), 0);
        ck_assert_int_eq(trigger_ids_add(&ids, "b-2"), 0);
        assert_answer(&ids, &(DumpResult) { .name = "perf.data.1" }, "X_PERF_DUMP=perf.data.1\nX_PERF_DUMP_IDS=a b-2");
        assert_answer(&ids, &(DumpResult) { .error = -ENOSPC },
                      "X_PERF_DUMP_ERROR=28 No space left on device\nX_PERF_DUMP_IDS=a b-2");
        assert_answer(&ids, &(DumpResult) { .error = -EBUSY, .sentence = "not now" },
                      "X_PERF_DUMP_ERROR=16 not now\nX_PERF_DUMP_IDS=a b-2");
        assert_answer(&ids, &(DumpResult) { .error = -ENOSPC, .trigger = "unit-failure", .detail = "a.service" },
                      "X_PERF_DUMP_ERROR=28 No space left on device\nX_PERF_DUMP_TRIGGER=unit-failure: a.service\n"
                      "X_PERF_DUMP_IDS=a b-2");
        ck_assert_int_eq(trigger_ids_add_all(&ids, &others), 0);
        ck_assert_int_eq(trigger_ids_add(&others, "c"), 0);
        ck_assert_int_eq(trigger_ids_add_all(&ids, &others), 0);
        assert_answer(&ids, &(DumpResult) { .name = "x" }, "X_PERF_DUMP=x\nX_PERF_DUMP_IDS=a b-2 c");
}
END_TEST

/* None is left out, none is cut, and each message fits the daemon's buffer. */
START_TEST(test_many_ids) {
        _cleanup_(trigger_ids_done) TriggerIds ids = {};
        _cleanup_strv_free_ char **messages = NULL;
        char id[80];
        unsigned n = 0;

        for (unsigned i = 0; i < 300; i++) {
                (void) snprintf(id, sizeof(id), "%0*u", 40 + (int) i % 24, i);
                ck_assert_int_eq(trigger_ids_add(&ids, id), 0);
        }
        ck_assert_int_eq(trigger_ids_answer(&ids, &(DumpResult) { .name = "perf.data.2026112210000000" }, &messages), 0);
        STRV_FOREACH(message, messages) {
                const char *at = startswith(*message, "X_PERF_DUMP=perf.data.2026112210000000\nX_PERF_DUMP_IDS=");

                ck_assert_uint_lt(strlen(*message), 4096);
                ck_assert_ptr_nonnull(at);
                while (*at) {
                        size_t length = strcspn(at, " ");

                        ck_assert_uint_eq(length, 40 + n % 24);
                        ck_assert_uint_eq(strtoul(at, NULL, 10), n++);
                        at += length + (at[length] == ' ');
                }
        }
        ck_assert_uint_eq(n, 300);
        ck_assert_uint_le(strv_length(messages), 5);
}
END_TEST

START_TEST(test_ids_limit) {
        _cleanup_(trigger_ids_done) TriggerIds ids = {};
        size_t n = 0;

        while (trigger_ids_add(&ids, "0123456789012345678901234567890123456789012345678901234567890123") == 0)
                n++;
        ck_assert_uint_eq(n, TRIGGER_IDS_MAX / 65);
        ck_assert_int_eq(trigger_ids_add(&ids, "0123456789012345678901234567890123456789012345678901234567890123"), -ENOBUFS);
}
END_TEST

CHECK_MAIN("pending-dump", test_order, test_units, test_pressure, test_due, test_suits, test_answers, test_many_ids, test_ids_limit);

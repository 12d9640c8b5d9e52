/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The triggers that share a dump, and the contents of its order. */

#include <perf-recorder/dump-facts.h>

#include "check-main.h"
#include "pending-dump.h"

#define INCIDENT "0123456789abcdef0123456789abcdef"
#define NOW ((usec_t) 1000)

static PendingDump *begin(const char *word, const char *detail, bool apart) {
        Trigger trigger = TRIGGER(word);
        DumpWish wish = dump_wish_of(&trigger, false);
        PendingDump *p = NULL;

        trigger.detail = detail;
        ck_assert_int_eq(pending_dump_new(&trigger, &wish, apart, NOW, &p), 0);
        pending_dump_join(p, &trigger, &wish, 0, NOW);
        return p;
}

static void join(PendingDump *p, const char *word, const char *detail, const char *incident, usec_t delay) {
        Trigger trigger = TRIGGER(word);
        DumpWish wish = dump_wish_of(&trigger, false);

        trigger.detail = detail;
        trigger.incident = incident;
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
        trigger.incident = "f123456789abcdef0123456789abcdef";
        ck_assert(!pending_dump_suits(shared, &trigger, &wish, NOW + 20, false, NOW));
        trigger.incident = INCIDENT;
        ck_assert(pending_dump_suits(shared, &trigger, &wish, NOW + 20, false, NOW));
}
END_TEST

CHECK_MAIN("pending-dump", test_order, test_due, test_suits);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A term in each event of a -e argument; the results are what perf record 6.1 takes. */

#include "check-main.h"
#include "event-term.h"

static const struct {
        const char *event, *with_term;
} cases[] = {
        { "cycles", "cycles/max-stack=5/" },
        { "cycles:u", "cycles/max-stack=5/u" },
        { "cycles:upp", "cycles/max-stack=5/upp" },
        { "r1a8", "r1a8/max-stack=5/" },
        { "r1a8:k", "r1a8/max-stack=5/k" },
        { "sched:sched_switch", "sched:sched_switch/max-stack=5/" },
        { "sched:sched_switch:u", "sched:sched_switch/max-stack=5/u" },
        { "sched:*", "sched:*/max-stack=5/" },
        { "cycles/period=1000/", "cycles/period=1000,max-stack=5/" },
        { "cycles/period=1000/u", "cycles/period=1000,max-stack=5/u" },
        { "cpu/event=0x3c,umask=1/pp", "cpu/event=0x3c,umask=1,max-stack=5/pp" },
        { "cycles//", "cycles/max-stack=5/" },
        { "cycles,instructions:u", "cycles/max-stack=5/,instructions/max-stack=5/u" },
        { "{cycles,instructions}:S", "{cycles/max-stack=5/,instructions/max-stack=5/}:S" },
        { "{cycles:u,a/b=1,c=2/},faults", "{cycles/max-stack=5/u,a/b=1,c=2,max-stack=5/},faults/max-stack=5/" },
        { "L1-dcache-load-misses:u", "L1-dcache-load-misses/max-stack=5/u" },
        { "uprobe:/bin/a:f,cs", "uprobe:/bin/a:f/max-stack=5/,cs/max-stack=5/" },
        { "uprobe:/bin/a:f+4%return:u", "uprobe:/bin/a:f+4%return/max-stack=5/u" },
        { "{uprobe:/a:0x10/period=2/u,kprobe:f:k}", "{uprobe:/a:0x10/period=2,max-stack=5/u,kprobe:f/max-stack=5/k}" },
        { "uprobe:'/a,b':'n/h.(*c).s',cs", "uprobe:'/a,b':'n/h.(*c).s'/max-stack=5/,cs/max-stack=5/" },
        { "uprobe:/bin/a", "uprobe:/bin/a/max-stack=5/" }, /* left to the recorder, too */
        { "", "" },
        { "/", ",max-stack=5/" }, /* no event: left to the recorder to refuse */
        { ":u", ":u/max-stack=5/" },
};

START_TEST(test_events) {
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *s = NULL;

                ck_assert_int_eq(event_add_term(cases[i].event, "max-stack=5", &s, NULL), 0);
                ck_assert_str_eq(s, cases[i].with_term);
        }
}
END_TEST

START_TEST(test_breakpoint) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char *s = NULL;

        ck_assert_int_eq(event_add_term("cycles,mem:0x1000/4:rw", "max-stack=5", &s, &d), -EOPNOTSUPP);
        ck_assert_str_eq(d.sentence, "cannot be set for breakpoint events");
        ck_assert_ptr_null(s);
}
END_TEST

CHECK_MAIN("event-term", test_events, test_breakpoint);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Real events, where the kernel lets us: our own page faults. */

#include <check.h>
#include <sys/mman.h>
#include "check-main.h"
#include "grammar.h"
#include "switch-event.h"

static unsigned n_fired;

static void fired(void *userdata) {
        n_fired++;
        if (userdata)
                loop_stop(userdata);
}

static void fault(void) {
        volatile char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        ck_assert(p != MAP_FAILED);
        *p = 1;
        ck_assert_int_eq(munmap((void *) p, 4096), 0);
}

START_TEST(test_fires) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(switch_event_freep) SwitchEvent *s = NULL;
        _cleanup_(target_done) Target target = TARGET_EMPTY;
        SwitchEventOptions o = { .specs = &specs, .target = &target, .fired = fired };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        pid_t tid = getpid();
        int r;

        ck_assert_int_eq(event_specs_parse(&specs, "minor-faults:u", NULL, &d), 0);
        target.tids = &tid;
        target.n_tids = 1;
        ck_assert_int_eq(loop_new(&loop), 0);
        o.userdata = loop;
        r = switch_event_new(&o, loop, &s, &d);
        target.tids = NULL;
        target.n_tids = 0;
        if (r == -EACCES || r == -EPERM) {
                (void) fprintf(stderr, "left out: %s\n", d.sentence);
                return;
        }
        ck_assert_int_eq(r, 0);
        fault();
        switch_event_look(s);
        ck_assert_uint_eq(n_fired, 0); /* not enabled yet */
        ck_assert_int_eq(switch_event_enable(s), 0);
        fault();
        fault();
        ck_assert_int_eq(loop_run(loop), 0); /* woken up without a full ring */
        ck_assert_uint_ge(n_fired, 1);
}
END_TEST

START_TEST(test_refusals) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(target_done) Target target = TARGET_EMPTY;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        SwitchEvent *s = NULL;
        pid_t tid = 0x7ffffffe;

        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_int_eq(event_specs_parse(&specs, "cpu-clock", NULL, &d), 0);
        target.tids = &tid;
        target.n_tids = 1;
        ck_assert_int_lt(switch_event_new(&(SwitchEventOptions) { .specs = &specs, .target = &target, .fired = fired }, loop, &s, &d), 0);
        ck_assert_ptr_null(s);
        target.tids = NULL;
        target.n_tids = 0;
}
END_TEST

CHECK_MAIN("switch-event", test_fires, test_refusals);

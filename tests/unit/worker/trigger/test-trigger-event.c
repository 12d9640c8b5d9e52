/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Real events, if the kernel allows them: the test's own page faults. */

#include <check.h>
#include <sched.h>
#include <sys/mman.h>
#include "check-main.h"
#include "grammar.h"
#include "trigger-event.h"
#include "trigger-fired.h"

#define BURST 1000u

static void fault(void) {
        volatile char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        ck_assert(p != MAP_FAILED);
        *p = 1;
        ck_assert_int_eq(munmap((void *) p, 4096), 0);
}

/* Returns NULL if the kernel does not allow it. */
static TriggerEvent *open_own(const EventSpecs *specs, Fired *f) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(target_done) Target target = TARGET_EMPTY;
        TriggerEvent *t = NULL;
        pid_t tid = getpid();
        int r;

        target.tids = &tid;
        target.n_tids = 1;
        ck_assert_int_eq(loop_new(&f->loop), 0);
        r = trigger_event_new(&(TriggerEventOptions) { .specs = specs, .target = &target, .fired = fired, .userdata = f }, f->loop,
                              &t, &d);
        target.tids = NULL;
        target.n_tids = 0;
        if (r == -EACCES || r == -EPERM)
                (void) fprintf(stderr, "left out: %s\n", d.sentence);
        else
                ck_assert_int_eq(r, 0);
        return t;
}

START_TEST(test_fires) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_free_ char *expected = NULL;
        TriggerEvent *t;
        Fired f = {};

        ck_assert_int_eq(event_specs_parse(&specs, "cpu-migrations:u", NULL, NULL), 0);
        ck_assert_int_eq(event_specs_parse(&specs, "minor-faults:u", NULL, NULL), 0);
        t = open_own(&specs, &f);
        if (t) {
                fault();
                ck_assert_int_eq(trigger_event_look(t), 0);
                ck_assert_uint_eq(f.calls, 0); /* not enabled yet */
                ck_assert_int_eq(trigger_event_enable(t), 0);
                fault();
                fault();
                ck_assert_int_eq(loop_run(f.loop), 0); /* woken up without a full ring */
                ck_assert_uint_eq(f.calls, 1);
                ck_assert_uint_ge(f.n, 2);
                ck_assert_int_ge(asprintf(&expected, "minor-faults:u, PID %d (", getpid()), 0);
                ck_assert_msg(startswith(f.detail, expected), "%s", f.detail);
        }
        trigger_event_free(t);
        loop_free(f.loop);
}
END_TEST

/* More events than a ring holds. Of more than perf_event_max_sample_rate allows in a tick, the kernel would count none. */
static void burst(void) {
        for (unsigned k = 0; k < BURST; k++) {
                fault();
                if (k % 25 == 24)
                        (void) usleep(4000);
        }
}

/* An event of any rate is only read now and then, and none is missed by that. */
START_TEST(test_storm) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        TriggerEvent *t;
        Fired f = {};
        cpu_set_t one;

        CPU_ZERO(&one); /* each CPU has a ring, and last losses of its own */
        CPU_SET((size_t) sched_getcpu(), &one);
        ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
        ck_assert_int_eq(event_specs_parse(&specs, "minor-faults:u", NULL, NULL), 0);
        t = open_own(&specs, &f);
        if (t) {
                ck_assert_int_eq(trigger_event_enable(t), 0);
                for (unsigned i = 0; i < 4; i++) {
                        burst();
                        ck_assert_int_eq(loop_run(f.loop), 0);
                        ck_assert_uint_eq(f.calls, i + 1);
                }
                ck_assert_uint_ge(f.n, 3 * BURST); /* the kernel reports the last losses with the next record */
                ck_assert_uint_ge(now_usec(CLOCK_MONOTONIC) - begin, 3 * TRIGGER_EVENT_PAUSE);
        }
        trigger_event_free(t);
        loop_free(f.loop);
}
END_TEST

START_TEST(test_refusals) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(target_done) Target target = TARGET_EMPTY;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        TriggerEvent *t = NULL;
        pid_t tid = 0x7ffffffe;

        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_int_eq(event_specs_parse(&specs, "cpu-clock", NULL, &d), 0);
        target.tids = &tid;
        target.n_tids = 1;
        ck_assert_int_lt(trigger_event_new(&(TriggerEventOptions) { .specs = &specs, .target = &target, .fired = fired }, loop, &t, &d), 0);
        ck_assert_ptr_null(t);
        target.tids = NULL;
        target.n_tids = 0;
}
END_TEST

CHECK_MAIN("trigger-event", test_fires, test_storm, test_refusals);

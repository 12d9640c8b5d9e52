/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Page faults of this process and of control groups, counted by the kernel. */

#include "trigger-counter.h"

#include <sys/mman.h>
#include "check-main.h"
#include "skip.h"
#include "stop-loop.h"

#define FAULTS 100

static char detail[512];

static int fired(void *userdata, const char *text) {
        (void) snprintf(detail, sizeof(detail), "%s", text);
        loop_stop(userdata);
        return 0;
}

static int cause_faults(void *userdata, int fd, uint32_t events) {
        size_t page = (size_t) sysconf(_SC_PAGESIZE);
        volatile char *p = mmap(NULL, FAULTS * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        ck_assert_ptr_ne((void *) p, MAP_FAILED);
        ck_assert_int_eq(madvise((void *) p, FAULTS * page, MADV_NOHUGEPAGE) == 0 || errno == EINVAL, true);
        for (size_t i = 0; i < FAULTS; i++)
                p[i * page] = 1;
        return munmap((void *) p, FAULTS * page);
}

/* Causes 100 faults each 10 ms until the trigger fires, or until that time. */
static void run(const char *counter, usec_t until) {
        _cleanup_(counter_spec_done) CounterSpec spec = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(trigger_counter_freep) TriggerCounter *t = NULL;
        _cleanup_(target_done) Target target = TARGET_EMPTY;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char pid[32];

        detail[0] = '\0';
        (void) snprintf(pid, sizeof(pid), "%d", getpid());
        ck_assert_int_eq(target_add_pids(&target, pid, NULL), 0);
        ck_assert_int_eq(counter_spec_parse(counter, NULL, &spec, NULL), 0);
        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_msg(trigger_counter_new(&(TriggerCounterOptions) { .spec = &spec, .target = &target, .fired = fired, .userdata = loop },
                                          loop, &t, &d) == 0, "%s", d.sentence);
        ck_assert_int_eq(trigger_counter_enable(t), 0);
        ck_assert_int_ge(loop_add_timer(loop, 10 * USEC_PER_MSEC, true, cause_faults, NULL), 0);
        ck_assert_int_ge(loop_add_timer(loop, until, false, stop_loop, loop), 0);
        ck_assert_int_eq(loop_run(loop), 0);
}

START_TEST(test_above) {
        run("minor-faults:u>150/200ms", 20 * USEC_PER_SEC);
        ck_assert_msg(startswith(detail, "minor-faults:u: "), "%s", detail);
        ck_assert_msg(strstr(detail, ", above 150"), "%s", detail);
}
END_TEST

START_TEST(test_below) {
        run("minor-faults:u>100000000/100ms", 500 * USEC_PER_MSEC);
        ck_assert_str_eq(detail, "");
}
END_TEST

/* A control group is counted once on each CPU, however many tasks there are. */
START_TEST(test_control_group) {
        _cleanup_(counter_spec_done) CounterSpec spec = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(trigger_counter_freep) TriggerCounter *t = NULL;
        _cleanup_(target_done) Target target = TARGET_EMPTY;
        const EventSet *set;
        int r;

        ck_assert_int_eq(target_add_pids(&target, "1", NULL), 0);
        ck_assert_int_eq(counter_spec_parse("minor-faults>5/1s:/", NULL, &spec, NULL), 0);
        ck_assert_int_eq(loop_new(&loop), 0);
        r = trigger_counter_new(&(TriggerCounterOptions) { .spec = &spec, .target = &target, .fired = fired }, loop, &t, NULL);
        if (r < 0)
                SKIP("no event of a control group can be opened: %s", strerror(-r));
        set = trigger_counter_set(t);
        ck_assert_uint_eq(set->n_tids, 1);
        ck_assert_int_eq(set->tids[0], -1);
        ck_assert_uint_eq(set->n_events, set->n_cpus);
}
END_TEST

static void assert_wrong(const char *s, int error, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        CounterSpec spec;

        ck_assert_int_eq(counter_spec_parse(s, NULL, &spec, &d), error);
        ck_assert_msg(strstr(d.sentence, sentence), "%s", d.sentence);
}

START_TEST(test_specs) {
        _cleanup_(counter_spec_done) CounterSpec spec = {};

        ck_assert_int_eq(counter_spec_parse("cs:u>5/1s:system.slice/a.service", NULL, &spec, NULL), 0);
        ck_assert_str_eq(spec.event.specs[0].name, "cs:u");
        ck_assert_str_eq(spec.event.specs[0].cgroup, "system.slice/a.service");
        ck_assert_uint_eq(spec.threshold, 5);
        ck_assert_uint_eq(spec.window, USEC_PER_SEC);
        assert_wrong("cs", -EINVAL, "not EVENT>NUMBER/TIME");
        assert_wrong("no-such-event>5/1s", -EINVAL, "");
        assert_wrong("cs,faults>5/1s", -EINVAL, "cs,faults is not a single event");
        assert_wrong("cs>5/1s:../x", -EINVAL, "..");
}
END_TEST

CHECK_MAIN("trigger-counter", test_above, test_below, test_control_group, test_specs);

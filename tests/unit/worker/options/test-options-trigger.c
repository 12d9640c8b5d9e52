/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The options of triggers, from the words to the specifications. */

#include <signal.h>
#include "check-main.h"
#include "options.h"

static void assert_right(Options *o, const char *word) {
        char *const words[] = { (char *) word, NULL };
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_msg(options_parse(o, words, &d) == 0, "%s: %s", word, d.sentence);
}

static void assert_wrong(const char *word, const char *part) {
        char *const words[] = { (char *) word, NULL };
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(options_parse(&o, words, &d), -EINVAL);
        ck_assert_msg(strstr(d.sentence, part), "%s: %s", word, d.sentence);
}

START_TEST(test_right) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        const TriggerCommandLine *t = &o.triggers;

        assert_right(&o, "--trigger-signal=RTMIN+3");
        ck_assert_int_eq(t->signal, SIGRTMIN + 3);
        assert_right(&o, "--trigger-signal=SIGUSR1");
        ck_assert_int_eq(t->signal, SIGUSR1);

        assert_right(&o, "--trigger-event=minor-faults:u");
        assert_right(&o, "--trigger-event=context-switches,cpu-clock");
        ck_assert_uint_eq(t->events.n_specs, 3);
        ck_assert_str_eq(t->events.specs[0].name, "minor-faults:u");

        assert_right(&o, "--trigger-pressure=cpu:150ms/1s");
        assert_right(&o, "--trigger-pressure=memory:2s/10s:system.slice/a:b.service");
        ck_assert_uint_eq(t->n_pressures, 2);
        ck_assert_int_eq(t->pressures[0].resource, PRESSURE_CPU);
        ck_assert_uint_eq(t->pressures[0].threshold, 150000);
        ck_assert_uint_eq(t->pressures[0].window, USEC_PER_SEC);
        ck_assert_ptr_null(t->pressures[0].cgroup);
        ck_assert_int_eq(t->pressures[1].resource, PRESSURE_MEMORY);
        ck_assert_str_eq(t->pressures[1].cgroup, "system.slice/a:b.service");

        assert_right(&o, "--trigger-delay=1min 500ms");
        ck_assert_uint_eq(t->delay, 60500 * USEC_PER_MSEC);
        ck_assert(!t->limit.set);
        assert_right(&o, "--trigger-limit=3/1min");
        ck_assert(t->limit.set);
        ck_assert_uint_eq(t->limit.burst, 3);
        ck_assert_uint_eq(t->limit.interval, USEC_PER_MINUTE);
        assert_right(&o, "--trigger-limit=0/0");
        ck_assert_uint_eq(t->limit.burst, 0);
        ck_assert(t->shutdown);
        assert_right(&o, "--no-trigger-shutdown");
        ck_assert(!t->shutdown);
        assert_right(&o, "--trigger-shutdown");
        ck_assert(t->shutdown);
}
END_TEST

START_TEST(test_filter) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        if (access("/sys/kernel/tracing/events/sched/sched_process_exit/id", R_OK) < 0) {
                (void) fprintf(stderr, "left out: tracefs: %s\n", strerror(errno));
                return;
        }
        assert_right(&o, "--trigger-event=sched:sched_process_exit  comm == true || pid == 1");
        assert_right(&o, "--trigger-event=sched:sched_process_exit");
        ck_assert_str_eq(o.triggers.events.specs[0].filter, "comm == true || pid == 1");
        ck_assert_ptr_null(o.triggers.events.specs[1].filter);
}
END_TEST

START_TEST(test_wrong) {
        assert_wrong("--trigger-signal=NOSUCH", "no signal");
        assert_wrong("--trigger-signal=TERM", "something else");
        assert_wrong("--trigger-signal=KILL", "something else");
        assert_wrong("--trigger-event=nonsense", "");
        assert_wrong("--trigger-event=cpu-clock a==1", "filter");
        assert_wrong("--trigger-pressure=cpu", "THRESHOLD/WINDOW");
        assert_wrong("--trigger-pressure=net:1ms/1s", "none of cpu, memory, io");
        assert_wrong("--trigger-pressure=cpu:1ms", "THRESHOLD/WINDOW");
        assert_wrong("--trigger-pressure=cpu:x/1s", "THRESHOLD/WINDOW");
        assert_wrong("--trigger-pressure=cpu:1ms/100ms", "500ms to 10s");
        assert_wrong("--trigger-pressure=cpu:1ms/11s", "500ms to 10s");
        assert_wrong("--trigger-pressure=cpu:0/1s", "above its window");
        assert_wrong("--trigger-pressure=cpu:2s/1s", "above its window");
        assert_wrong("--trigger-delay=2h", "up to an hour");
        assert_wrong("--trigger-delay=infinity", "up to an hour");
        assert_wrong("--trigger-delay=-1", "up to an hour");
        assert_wrong("--trigger-limit=5", "such as 5/1min");
        assert_wrong("--trigger-limit=x/1s", "such as 5/1min");
        assert_wrong("--trigger-limit=5/x", "such as 5/1min");
}
END_TEST

CHECK_MAIN("options-trigger", test_right, test_filter, test_wrong);

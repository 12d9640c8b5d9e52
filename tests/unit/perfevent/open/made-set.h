/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include <fcntl.h>
#include "event-set.h"
#include "fake-kernel.h"
#include "grammar.h"
#include "scratch.h"
#include "test-machine.h"

/* A set on the made-up kernel, with the arguments to open it; one for each process, as Check runs its tests. */

typedef struct Made {
        FakeKernel kernel;
        EventSpecs specs;
        EventSetOptions options;
        Target target;
        char *proc; /* what make_process() made */
        EventSet *set;
        Diagnosis d;
} Made;

static Made made = { .options = EVENT_SET_OPTIONS_DEFAULT, .target = TARGET_EMPTY };

static inline void make_specs(const char *text) {
        static const GrammarSources sources = { .event_source = TEST_EVENT_SOURCE("intel"), .tracefs = TEST_DATA "/tracefs",
                                                .kallsyms = TEST_DATA "/kallsyms" };

        ck_assert_msg(event_specs_parse(&made.specs, text, &sources, &made.d) == 0, "%s: %s", text, made.d.sentence);
}

static inline int make_set(void) {
        made.options.ops = fake_ops(&made.kernel);
        made.options.target = &made.target;
        if (made.options.pages == 0)
                made.options.pages = 4;
        return event_set_open(&made.specs, &made.options, &made.set, &made.d);
}

static inline void made_done(void) {
        made.set = event_set_free(made.set);
        event_specs_done(&made.specs);
        target_done(&made.target);
        diagnosis_reset(&made.d);
        if (made.proc)
                scratch_done(&made.proc);
}

/* Makes the target a process 100 that has the threads 100 and up, n of them, in a /proc that made_done() removes. */
static inline void make_process(unsigned n) {
        char name[64];

        made.proc = scratch_new();
        for (unsigned i = 0; i < n; i++) {
                (void) snprintf(name, sizeof(name), "100/task/%u/comm", 100 + i);
                scratch_write_text(made.proc, name, "x");
        }
        made.options.proc_root = made.proc;
        ck_assert_int_eq(target_add_pids(&made.target, "100", NULL), 0);
}

/* Checks that no descriptor of the made-up kernel is open any more. */
static inline void assert_all_closed(void) {
        for (size_t i = 0; i < made.kernel.n_events; i++)
                ck_assert_int_eq(fcntl(made.kernel.events[i].fd, F_GETFD), -1);
}

static inline size_t online_cpus(void) {
        return (size_t) sysconf(_SC_NPROCESSORS_ONLN);
}

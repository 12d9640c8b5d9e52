/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tries an event without recording it. The fallbacks of a recording are no failure here: a newer kernel's features are
 * left out from the start, and user level is enough. Events of a part of the machine (memory controllers) are opened
 * on a CPU, and most can't be sampled, for which the kernel has no error but EINVAL: so counting is tried then. */

#include "event-check.h"

#include "attr.h"
#include "event.h"
#include "privilege.h"
#include "probe.h"

typedef struct Check {
        const EventSpec *spec;
        const EventOps *ops;
        struct perf_event_attr attr;
        pid_t pid; /* 0: this process */
        int cpu;
} Check;

static int check_open(Check *c) {
        AttrMissing missing = {};
        const char *why = NULL;

        for (;;) {
                Event e = EVENT_EMPTY;
                int r;

                attr_drop_missing(&c->attr, &missing);
                r = event_open(&e, c->ops, &c->attr, c->pid, c->cpu, -1, PERF_FLAG_FD_CLOEXEC);
                event_done(&e);
                if (r != -EINVAL || !attr_give_up_feature(&missing, &c->attr, c->spec->keep_guest, &why))
                        return r;
        }
}

/* After EINVAL for a process, tries a CPU, then without samples. */
static int check_open_otherwise(Check *c) {
        struct perf_event_attr sampled = c->attr;
        int r = -EINVAL;

        if (c->cpu < 0) {
                c->pid = -1;
                c->cpu = 0;
                r = check_open(c);
        }
        if (r != -EINVAL)
                return r;
        c->attr.sample_period = 0;
        c->attr.sample_type = 0;
        c->attr.freq = false;
        r = check_open(c);
        c->attr = sampled;
        return r >= 0 ? -EOPNOTSUPP : -EINVAL;
}

int event_check(const EventSpec *spec, const EventOps *ops, Diagnosis *d) {
        AttrOptions options = ATTR_OPTIONS_DEFAULT;
        Check c = { .spec = spec, .ops = ops ?: &event_ops_kernel, .cpu = -1 };
        int r;

        attr_build(spec, &options, false, &c.attr);
        c.attr.disabled = true;
        c.attr.inherit = false;
        c.attr.read_format = 0;
        if (spec->n_cpus > 0) {
                c.pid = -1;
                c.cpu = spec->cpus[0];
        }
        r = check_open(&c);
        if (r == -EACCES && !c.attr.exclude_kernel && !c.attr.exclude_user) {
                c.attr.exclude_kernel = c.attr.exclude_hv = true;
                r = check_open(&c);
                c.attr.exclude_kernel = c.attr.exclude_hv = r >= 0;
        }
        if (r == -EINVAL)
                r = check_open_otherwise(&c);
        if (r >= 0)
                return 0;
        if (spec->probe_kind != PROBE_NONE && !privilege_is_filtered() && probe_diagnose_open(d, r, spec, &c.attr) < 0)
                return r;
        return attr_diagnose_open(d, r, spec->name, &c.attr, c.cpu, c.pid);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The counter is read twice a window by a timer, which costs as much as the reading alone, however often the event happens. The
 * count of a window is compared, the difference to the reading before the last one. A window that fired is not compared again.
 * Counts of an event that shared its counter are extrapolated, as perf stat does. */

#include "trigger-counter.h"

#include <inttypes.h>

#include "event-reading.h"
#include "parse-counter.h"

/* The count at some time. */
typedef struct CounterReading {
        double count;
        uint64_t time; /* ns of CLOCK_MONOTONIC; 0: none */
} CounterReading;

struct TriggerCounter {
        TriggerCounterOptions options;
        Loop *loop;
        EventSet *set;               /* NULL: its control group is gone */
        int timer;                   /* -EBADF: it is not enabled */
        CounterReading readings[2];  /* the last ones, the newer one first */
};

void counter_spec_done(CounterSpec *c) {
        event_specs_done(&c->event);
}

/* The control group follows the time, whose letters have no colon. */
int counter_spec_parse(const char *s, const GrammarSources *sources, CounterSpec *ret, Diagnosis *d) {
        const char *colon = strchrnul(strrchr(s, '>') ?: s, ':');
        _cleanup_free_ char *counter = strndup(s, (size_t) (colon - s)), *event = NULL;
        CounterSpec c = {};
        int r = counter ? parse_counter(counter, &event, &c.threshold, &c.window, d) : -ENOMEM;

        if (r < 0)
                return r;
        r = event_specs_parse(&c.event, event, sources, d);
        if (r >= 0 && (c.event.n_specs != 1 || c.event.specs[0].probe_kind != PROBE_NONE))
                r = diagnosis_set(d, -EINVAL, "%s is not a single event, or it is a probe, which --trigger-event takes", event);
        if (r >= 0 && *colon && colon[1])
                r = event_specs_set_cgroups(&c.event, colon + 1, d);
        if (r < 0)
                counter_spec_done(&c);
        else
                *ret = c;
        return r;
}

TriggerCounter *trigger_counter_free(TriggerCounter *t) {
        if (!t)
                return NULL;
        if (t->loop)
                loop_remove_timer(t->loop, t->timer);
        event_set_free(t->set);
        free(t);
        return NULL;
}

EventSet *trigger_counter_set(const TriggerCounter *t) {
        return t->set;
}

int trigger_counter_new(const TriggerCounterOptions *options, Loop *loop, TriggerCounter **ret, Diagnosis *d) {
        _cleanup_(trigger_counter_freep) TriggerCounter *t = calloc(1, sizeof(*t));
        const char *group = options->spec->event.specs[0].cgroup;
        Target all = { .all_cpus = true, .uid = TARGET_UID_INVALID };
        Target target = group ? all : *options->target; /* groups are counted on CPUs */
        EventSetOptions so = { .attr = ATTR_OPTIONS_DEFAULT, .target = &target, .lendings = options->lendings };
        int r;

        if (!t)
                return -ENOMEM;
        t->options = *options;
        t->loop = loop;
        t->timer = -EBADF;
        so.attr.counting = true;
        target.per_thread = !target_has_cpu(&target);
        r = event_set_open(&options->spec->event, &so, &t->set, d);
        if (r < 0 && (r != -ENOENT || !group || !options->group_may_be_gone))
                return r;
        *ret = steal_ptr(t);
        return 0;
}

static CounterReading counter_read(const TriggerCounter *t) {
        CounterReading now = { .time = now_nsec(CLOCK_MONOTONIC) };

        for (size_t i = 0; i < t->set->n_events; i++) {
                const Event *e = &t->set->events[i];
                EventReading r;

                if (e->fd >= 0 && event_read(e, t->set->members[e->member].attr.read_format, &r) >= 0 && r.running > 0)
                        now.count += (double) r.value * ((double) r.enabled / (double) r.running);
        }
        return now;
}

/* "context-switches: 253122 in 1s, above 200000" */
static int counter_fire(const TriggerCounter *t, double count, uint64_t nsec) {
        char detail[512], span[64];

        (void) snprintf(detail, sizeof(detail), "%s: %.0f in %s%s%s, above %" PRIu64, t->set->members[0].name, count,
                        format_timespan(span, sizeof(span), (nsec + NSEC_PER_MSEC / 2) / NSEC_PER_MSEC * USEC_PER_MSEC),
                        t->options.spec->event.specs[0].cgroup ? " of " : "", t->options.spec->event.specs[0].cgroup ?: "",
                        t->options.spec->threshold);
        return t->options.fired(t->options.userdata, detail);
}

/* The timer may be late: the count is that of the window's length. */
static int counter_on_time(void *userdata, int fd, uint32_t events) {
        TriggerCounter *t = userdata;
        const CounterSpec *spec = t->options.spec;
        CounterReading now = counter_read(t), since = t->readings[1];
        double window = (double) spec->window * NSEC_PER_USEC;

        t->readings[1] = t->readings[0];
        t->readings[0] = now;
        if (since.time == 0 || (now.count - since.count) * window <= (double) spec->threshold * (double) (now.time - since.time))
                return 0;
        t->readings[1] = (CounterReading) {};
        return counter_fire(t, now.count - since.count, now.time - since.time);
}

int trigger_counter_enable(TriggerCounter *t) {
        int r;

        if (!t->set)
                return 0;
        r = event_set_enable(t->set, NULL, true);
        if (r < 0)
                return r;
        t->readings[0] = counter_read(t);
        t->timer = loop_add_timer(t->loop, t->options.spec->window / 2, true, counter_on_time, t);
        return MIN_OF(t->timer, 0);
}

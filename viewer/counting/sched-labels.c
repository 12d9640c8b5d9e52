/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recording that lacks what labels need is refused, with how to record it. */

#include "sched-labels.h"

#include <inttypes.h>

#include "process-view.h"
#include "utf8.h"

struct SchedLabels {
        SchedEvents *events;
        char text[THREAD_NAME_SIZE]; /* a state is shorter than a name */
};

SchedLabels *sched_labels_free(SchedLabels *l) {
        if (l)
                sched_events_free(l->events);
        free(l);
        return NULL;
}

const char *sched_labels_event(const PerfDataReader *reader, bool wakers) {
        const PerfDataEvent *e = perf_data_reader_find_tracepoint(reader, wakers ? sched_events_waking(reader) : SCHED_SWITCH);

        return e ? e->name : NULL;
}

int sched_labels_new(const PerfDataReader *reader, bool wakers, SchedLabels **ret) {
        _cleanup_(sched_labels_freep) SchedLabels *l = calloc(1, sizeof(*l));
        int r = l ? sched_events_new(reader, SCHED_EVENTS_SWITCHES | (wakers ? SCHED_EVENTS_WAKINGS : 0), &l->events) : -ENOMEM;

        if (r < 0)
                return r;
        *ret = steal_ptr(l);
        return 0;
}

bool sched_labels_event_of(const SchedLabels *l, const Moment *m, SchedEvent *ret) {
        return sched_events_of(l->events, m, ret);
}

SampleLabel sched_labels_label(SchedLabels *l, const Moment *m, const SchedEvent *event) {
        char name[SCHED_NAME_SIZE] = "";

        if (event->kind == SCHED_WAKING) {
                (void) sched_events_name_in(l->events, m, name);
                (void) utf8_line_to(l->text, sizeof(l->text), name);
        } else
                (void) snprintf(l->text, sizeof(l->text), "%s", sched_state_text(event->state));
        return (SampleLabel) { .texts = l->text, .size = strlen(l->text) + 1 };
}

/* Returns what is wrong with an event; NULL: nothing. */
static const char *lack_of_event(const PerfDataReader *reader, const PerfDataEvent *e, bool chains) {
        const void *data;
        size_t size;

        if (!(e->attr.sample_type & PERF_SAMPLE_RAW) || !(e->attr.sample_type & PERF_SAMPLE_TIME) ||
            perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size) < 0)
                return "its samples have no fields or no times";
        if (e->attr.freq || e->attr.sample_period > 1)
                return "not each of them was recorded; record it with -c 1, in a session Period=1";
        if (chains && !(e->attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER)))
                return "its samples have no call chains; record it with -g, in a session CallGraph=fp";
        return NULL;
}

static int sched_check_event(const RecordingInput *in, const char *option, const char *name, bool chains) {
        const PerfDataEvent *e = perf_data_reader_find_tracepoint(in->reader, name);
        const char *lack = e ? lack_of_event(in->reader, e, chains) :
                "it has none; record it with -a -g, or take the session 'sched'";

        if (!lack)
                return 0;
        (void) fprintf(stderr, "%s: --%s needs the event %s: %s\n", in->name, option, name, lack);
        return -ENODATA;
}

int sched_labels_check(const RecordingInputs *inputs, const char *option, bool wakers) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < inputs->n; i++) {
                const RecordingInput *in = inputs->inputs + i;

                r = sched_check_event(in, option, SCHED_SWITCH, false);
                if (r >= 0 && wakers)
                        r = sched_check_event(in, option, sched_events_waking(in->reader), true);
        }
        return r;
}

bool sched_labels_lack_chains(const RecordingInputs *inputs) {
        for (size_t i = 0; i < inputs->n; i++) {
                const PerfDataEvent *e = perf_data_reader_find_tracepoint(inputs->inputs[i].reader, SCHED_SWITCH);

                if (e && !(e->attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER)))
                        return true;
        }
        return false;
}

void sched_labels_remark(const char *title, const ThreadWaits *w) {
        const WaitTotals *t = &w->totals;

        if (t->waits == 0)
                (void) fprintf(stderr, "%s: no thread left a CPU and %s; were all CPUs recorded (-a)?\n", title,
                               w->wakers ? "was woken" : "came back to one");
        if (t->open > 0 && !w->spans_wanted)
                (void) fprintf(stderr, "%s: waits that had not ended with the recording, and do not count: %" PRIu64 "\n", title,
                               t->open);
        if (t->doubtful > 0)
                (void) fprintf(stderr, "%s: waits that are left out, since records of that time are missing: %" PRIu64 "\n", title,
                               t->doubtful);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each range has a table of its own, so that recordings of other machines, with other clocks and with other builds of the same
 * programs can be compared. One recording is opened once, and read by two readers.
 *
 * With a trigger, the first recording is what is compared: the time before its trigger. The baseline is what the recording has from
 * before that time, or earlier recordings without the time before their own triggers, which is as little what is usual. What was
 * recorded after a trigger is in neither.
 *
 * The time of a range is what it selects between the first and the last sample of its recording, of whatever thread and CPU. */

#include "diff-range.h"

#include "sample-times.h"
#include "selection-text.h"

void diff_ranges_done(DiffRange *ranges) {
        for (unsigned i = 0; i < _DIFF_RANGES; i++) {
                counted_samples_done(&ranges[i].samples);
                span_counts_done(&ranges[i].spans);
                free(ranges[i].part);
                free(ranges[i].session);
        }
}

/* Opens a recording that is open for a second reader. */
static int diff_open_again(RecordingInput *in, const RecordingInput *first) {
        char descriptor[16];
        int r;

        (void) snprintf(descriptor, sizeof(descriptor), "&%d", first->fd);
        r = recording_input_open(in, descriptor, first->name, NULL);
        in->path = first->path;
        in->symfs = first->symfs;
        if (r >= 0 && first->symbols)
                r = free_and_strdup(&in->symbols, first->symbols);
        return r;
}

static int diff_open_inputs(RecordingInputs *all, const RecordingNames *names) {
        int r = 0;

        all->n = MAX_OF(names->n, (size_t) _DIFF_RANGES);
        all->inputs = calloc(all->n, sizeof(*all->inputs));
        if (!all->inputs)
                return all->n = 0, -ENOMEM;
        for (size_t i = 0; i < all->n; i++)
                all->inputs[i] = (RecordingInput) RECORDING_INPUT_EMPTY;
        for (size_t i = 0; r >= 0 && i < names->n; i++)
                r = recording_input_open(all->inputs + i, names->names[i].path, names->names[i].name, names->names[i].symfs);
        if (r >= 0 && names->n < _DIFF_RANGES)
                r = diff_open_again(all->inputs + 1, all->inputs);
        if (r >= 0)
                r = recording_inputs_restrict(all->inputs, all->n);
        for (size_t i = 0; r >= 0 && i < all->n; i++)
                r = recording_input_read(all->inputs + i);
        return r;
}

/* Selects the time before the trigger, and what is earlier. */
static int diff_select_trigger(DiffRange *ranges, const DiffOptions *o, const RecordingInput *in) {
        usec_t span = o->trigger.span ?: time_window_incident(in) ?: TIME_WINDOW_INCIDENT;
        SelectionOptions *baseline = &ranges[DIFF_BASELINE].select;
        int r;

        ranges[DIFF_COMPARED].select.window.before_trigger = baseline->window.earlier = span;
        r = time_window_find(&ranges[DIFF_COMPARED].select.window, in, &baseline->left_out);
        if (r < 0)
                return r;
        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                ranges[i].spans.length = span * NSEC_PER_USEC;
        return in->session ? free_and_strdup(&ranges[DIFF_COMPARED].session, in->session) : 0;
}

int diff_ranges_open(DiffRange *ranges, const DiffOptions *o) {
        _cleanup_(recording_inputs_done) RecordingInputs all = {};
        int r = diff_open_inputs(&all, &o->inputs);

        for (unsigned i = 0; r >= 0 && i < _DIFF_RANGES; i++) {
                ranges[i].select = o->select;
                ranges[i].select.other_times = i == DIFF_BASELINE && diff_options_have_rest(o);
        }
        if (r >= 0 && o->trigger.wanted) {
                r = diff_select_trigger(ranges, o, all.inputs);
                ranges[DIFF_BASELINE].select.left_out_of = ranges[DIFF_COMPARED].session;
        }
        for (size_t i = 0; r >= 0 && i < all.n; i++) {
                bool compared = o->trigger.wanted ? i == 0 : i == DIFF_COMPARED;

                r = counted_samples_take(&ranges[compared ? DIFF_COMPARED : DIFF_BASELINE].samples, all.inputs + i);
                if (r < 0)
                        (void) recording_input_fail(all.inputs + i, "read", r);
        }
        return r;
}

/* Returns how much of the time between two moments is in spans, of which none is all of it; they do not overlap. */
static double diff_sum_spans(const SampleSpan *spans, size_t n, uint64_t first, uint64_t last) {
        double sum = n > 0 ? 0 : (double) (last - first);

        for (size_t i = 0; i < n; i++) {
                uint64_t since = MAX_OF(first, spans[i].since);
                uint64_t until = spans[i].until > 0 ? MIN_OF(last, spans[i].until) : last;

                sum += until > since ? (double) (until - since) : 0;
        }
        return sum / NSEC_PER_SEC;
}

/* Selected spans may overlap; the times beside them do not. */
static int diff_measure(DiffRange *range) {
        _cleanup_free_ SampleSpan *spans = NULL, *others = NULL;
        const RecordingInput *in = range->samples.inputs.inputs;
        SelectionOptions opposite = range->select;
        SampleSelection selection, other;
        int r = sample_times_find(in->reader, &range->first, &range->last);

        if (r == -ENODATA)
                return 0;
        if (r < 0)
                return recording_input_fail(in, "find the times of samples in", r);
        opposite.other_times = !opposite.other_times;
        r = selection_options_find(&range->select, in, &spans, &selection);
        if (r >= 0)
                r = selection_options_find(&opposite, in, &others, &other);
        if (r < 0)
                return r;
        if (range->select.other_times)
                range->seconds = diff_sum_spans(spans, selection.n_spans, range->first, range->last);
        else
                range->seconds = diff_sum_spans(NULL, 0, range->first, range->last) -
                                 (selection.n_spans > 0 ? diff_sum_spans(others, other.n_spans, range->first, range->last) : 0);
        return 0;
}

/* The same for several recordings, of which each selects one span at most, and has the times of others left out. */
static int diff_measure_all(DiffRange *range) {
        const RecordingInputs *all = &range->samples.inputs;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < all->n; i++) {
                _cleanup_free_ SampleSpan *spans = NULL;
                uint64_t first, last;
                SampleSelection selection;

                r = sample_times_find(all->inputs[i].reader, &first, &last);
                if (r == -ENODATA) {
                        r = 0;
                        continue;
                }
                if (r < 0)
                        return recording_input_fail(all->inputs + i, "find the times of samples in", r);
                range->first = range->first > 0 ? MIN_OF(range->first, first) : first;
                range->last = MAX_OF(range->last, last);
                r = selection_options_find(&range->select, all->inputs + i, &spans, &selection);
                if (r >= 0)
                        r = recording_inputs_leave_out_common(all, i, &spans, &selection.n_spans);
                if (r >= 0)
                        range->seconds += diff_sum_spans(spans, selection.n_spans, first, last);
        }
        return r;
}

void diff_ranges_remark_common(const DiffRange *ranges) {
        const DiffRange *baseline = ranges + DIFF_BASELINE, *compared = ranges + DIFF_COMPARED;
        const RecordingInput *in = baseline->samples.inputs.inputs, *other = compared->samples.inputs.inputs;
        uint64_t since = MAX_OF(baseline->first, compared->first), until = MIN_OF(baseline->last, compared->last);

        if (baseline->select.other_times || baseline->spans.length > 0 || !in->session || !other->session ||
            !streq(in->session, other->session) || since >= until)
                return;
        (void) fprintf(stderr, "%s and %s have the same samples of %.3f s: what changed is there in both; --last and the like "
                       "compare a part\n", in->name, other->name, (double) (until - since) / NSEC_PER_SEC);
}

static unsigned diff_dimensions(const DiffOptions *o) {
        static const unsigned of_key[_DIFF_KEY_MAX] = {
                [DIFF_KEY_PID] = SAMPLE_BY_THREAD, [DIFF_KEY_CPU] = SAMPLE_BY_CPU, [DIFF_KEY_UNIT] = SAMPLE_BY_CGROUP,
                [DIFF_KEY_CGROUP] = SAMPLE_BY_CGROUP,
        };
        unsigned dimensions = SAMPLE_WITHOUT_CHAIN;

        for (size_t i = 0; i < o->n_keys; i++)
                dimensions |= of_key[o->keys[i]];
        return o->trigger.wanted ? dimensions | SAMPLE_BY_CGROUP : dimensions;
}

int diff_range_read(DiffRange *range, const DiffOptions *o) {
        const CountingPlan plan = {
                .select = &range->select, .names = &o->names, .dimensions = diff_dimensions(o), .verbose = o->verbose,
                .spans = o->trigger.wanted ? &range->spans : NULL,
        };
        int r = selection_text(&range->select, &range->part);

        if (r < 0)
                return recording_input_fail(range->samples.inputs.inputs, "read", r);
        r = o->trigger.wanted ? diff_measure_all(range) : diff_measure(range);
        if (r >= 0)
                r = counted_samples_count(&range->samples, &plan);
        return r < 0 ? r : counted_samples_name(&range->samples);
}

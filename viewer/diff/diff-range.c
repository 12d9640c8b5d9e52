/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each range has a table of its own, so that recordings of other machines, with other clocks and with other builds of the same
 * programs can be compared. One recording is opened once, and read by two readers.
 *
 * The time of a range is what it selects between the first and the last sample of its recording, of whatever thread and CPU. */

#include "diff-range.h"

#include "sample-times.h"
#include "selection-text.h"

void diff_ranges_done(DiffRange *ranges) {
        for (unsigned i = 0; i < _DIFF_RANGES; i++) {
                counted_samples_done(&ranges[i].samples);
                free(ranges[i].part);
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

static int diff_open_inputs(RecordingInput *inputs, const RecordingNames *names) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < names->n; i++)
                r = recording_input_open(inputs + i, names->names[i].path, names->names[i].name, names->names[i].symfs);
        if (r >= 0 && names->n < _DIFF_RANGES)
                r = diff_open_again(inputs + DIFF_COMPARED, inputs + DIFF_BASELINE);
        if (r >= 0)
                r = recording_inputs_restrict(inputs, _DIFF_RANGES);
        for (unsigned i = 0; r >= 0 && i < _DIFF_RANGES; i++)
                r = recording_input_read(inputs + i);
        return r;
}

int diff_ranges_open(DiffRange *ranges, const DiffOptions *o) {
        RecordingInput inputs[_DIFF_RANGES] = { RECORDING_INPUT_EMPTY, RECORDING_INPUT_EMPTY };
        int r = diff_open_inputs(inputs, &o->inputs);

        for (unsigned i = 0; r >= 0 && i < _DIFF_RANGES; i++) {
                ranges[i].select = o->select;
                ranges[i].select.other_times = i == DIFF_BASELINE && diff_options_have_rest(o);
                r = counted_samples_take(&ranges[i].samples, inputs + i);
                if (r < 0)
                        (void) recording_input_fail(inputs + i, "read", r);
        }
        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                recording_input_done(inputs + i);
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
static int diff_measure(DiffRange *range, const RecordingInput *in) {
        _cleanup_free_ SampleSpan *spans = NULL, *others = NULL;
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

void diff_ranges_remark_common(const DiffRange *ranges) {
        const DiffRange *baseline = ranges + DIFF_BASELINE, *compared = ranges + DIFF_COMPARED;
        const RecordingInput *in = baseline->samples.inputs.inputs, *other = compared->samples.inputs.inputs;
        uint64_t since = MAX_OF(baseline->first, compared->first), until = MIN_OF(baseline->last, compared->last);

        if (baseline->select.other_times || !in->session || !other->session || !streq(in->session, other->session) ||
            since >= until)
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
        return dimensions;
}

int diff_range_read(DiffRange *range, const DiffOptions *o) {
        const CountingPlan plan = {
                .select = &range->select, .names = &o->names, .dimensions = diff_dimensions(o), .verbose = o->verbose,
        };
        int r = selection_text(&range->select, &range->part);

        if (r < 0)
                return recording_input_fail(range->samples.inputs.inputs, "read", r);
        r = diff_measure(range, range->samples.inputs.inputs);
        if (r >= 0)
                r = counted_samples_count(&range->samples, &plan);
        return r < 0 ? r : counted_samples_name(&range->samples);
}

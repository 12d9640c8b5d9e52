/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All are opened before the process restricts itself, and read afterwards. */

#include "recording-inputs.h"

#include "array.h"
#include "sample-times.h"

static int inputs_add_recording(RecordingNames *names) {
        if (ARRAY_RESERVE_NEXT(names->names, names->n) < 0)
                return -ENOMEM;
        names->names[names->n++] = (RecordingName) {};
        return 0;
}

int recording_names_take(void *names, const ViewOption *option, const char *value) {
        RecordingNames *all = names;
        bool begins = all->n == 0 || (option->number == RECORDING_PATH && all->names[all->n - 1].path);
        RecordingName *last;

        if (begins && inputs_add_recording(all) < 0)
                return -ENOMEM;
        last = all->names + all->n - 1;
        *(option->number == RECORDING_PATH ? &last->path : option->number == RECORDING_NAME ? &last->name : &last->symfs) = value;
        return 0;
}

int recording_names_complete(RecordingNames *names) {
        return names->n > 0 ? 0 : inputs_add_recording(names);
}

int recording_inputs_open(RecordingInputs *all, const RecordingNames *names) {
        int r = 0;

        *all = (RecordingInputs) { .inputs = calloc(names->n + 1, sizeof(*all->inputs)) };
        if (!all->inputs)
                return -ENOMEM;
        while (r >= 0 && all->n < names->n) {
                const RecordingName *name = names->names + all->n;
                RecordingInput *in = all->inputs + all->n++;

                *in = (RecordingInput) RECORDING_INPUT_EMPTY;
                r = recording_input_open(in, name->path, name->name, name->symfs);
        }
        if (r >= 0)
                r = recording_inputs_restrict(all->inputs, all->n, names->sandbox);
        for (size_t i = 0; r >= 0 && i < all->n; i++)
                r = recording_input_read(all->inputs + i);
        return r;
}

void recording_inputs_done(RecordingInputs *all) {
        for (size_t i = 0; i < all->n; i++)
                recording_input_done(all->inputs + i);
        free(all->inputs);
        *all = (RecordingInputs) {};
}

int recording_inputs_leave_out_common(const RecordingInputs *all, size_t number, SampleSpan **spans, size_t *n) {
        const char *session = all->inputs[number].session;
        int r = 0;

        for (size_t i = 0; session && r >= 0 && i < number; i++) {
                const RecordingInput *in = all->inputs + i;
                SampleSpan other;

                if (in->session && streq(in->session, session) && sample_times_find(in->reader, &other.since, &other.until) >= 0)
                        r = sample_spans_leave_out(spans, n, other);
        }
        return r;
}

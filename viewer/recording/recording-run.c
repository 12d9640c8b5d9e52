/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All that a recording has is followed; what is selected is up to the consumer. So what began before the selected time is known. */

#include "recording-run.h"

#include <inttypes.h>

#include "progress.h"
#include "recording-damage.h"
#include "recording-lendings.h"

#define STATUS_FAILED 1

static void recording_run_done(RecordingRun *run) {
        replay_free(run->replay);
        symbols_free(run->symbols);
        machine_view_done(&run->machine);
        free(run->spans);
}

static int recording_run_select(RecordingRun *run, const RecordingRunOptions *o, const RecordingInputs *all, size_t number) {
        int r = selection_options_find(o->select, run->in, &run->spans, &run->selection);

        if (r < 0)
                return r;
        r = recording_inputs_leave_out_common(all, number, &run->spans, &run->selection.n_spans);
        run->selection.spans = run->spans;
        if (r < 0)
                return recording_input_fail(run->in, "read", r);
        recording_lendings_select(all->inputs + number, run->spans, run->selection.n_spans);
        return 0;
}

/* Other threads and times are left out by the consumer, who follows all of them. */
static int recording_run_open(RecordingRun *run, const RecordingRunOptions *o, const RecordingConsumer *c, Watcher watcher) {
        SampleSelection units = { .units = o->select->units };
        ReplayOptions options = {
                .selection = &units, .others = MOMENT_OTHER_TIME, .machine = &run->machine, .watcher = watcher,
        };
        int r = machine_view_init(&run->machine);

        run->machine.processes.with_data = c->data_maps;
        options.named = c->named && c->named(c->userdata, run->in);
        if (r >= 0 && options.named)
                r = name_options_symbols(o->names, o->verbose, run->in, &run->symbols);
        options.symbols = run->symbols;
        if (r >= 0)
                r = replay_new(run->in->reader, &options, &run->replay);
        return r < 0 ? recording_input_fail(run->in, "read", r) : 0;
}

/* Returns the exit status; *ret_error is an error that ends everything. */
static int recording_run_read(RecordingRun *run, const RecordingConsumer *c, int *ret_error) {
        Moment m;
        int r = c->begin ? c->begin(c->userdata, run) : 0, read = 1;

        while (r == 0 && (read = replay_next(run->replay, &m)) == 1)
                r = c->moment(c->userdata, run, &m);
        read = r > 0 ? 0 : read;
        if (r >= 0)
                r = c->end ? c->end(c->userdata, run) : 0;
        *ret_error = r == -ENOSPC ? 0 : r;
        if (r == -ENOSPC)
                (void) fprintf(stderr, "%s has more than %" PRIu32 " threads: what follows is not shown\n", run->in->name,
                               c->threads_max);
        else if (r < 0)
                return recording_input_fail(run->in, "show", r), STATUS_FAILED;
        recording_lendings_remark(run->in);
        return recording_damage_print(replay_totals(run->replay), run->in, read) | (r < 0);
}

/* Reads a recording. Returns the exit status. */
static int recording_run_one(const RecordingRunOptions *o, const RecordingInputs *all, size_t number, const RecordingConsumer *c,
                             int *ret_error) {
        _cleanup_(recording_run_done) RecordingRun run = { .in = all->inputs + number };
        Progress progress;
        Watcher watcher = progress_begin(&progress, "Reading", run.in->name);
        int status = STATUS_FAILED, r = c->check ? c->check(c->userdata, run.in) : 0;

        if (r >= 0)
                r = recording_run_select(&run, o, all, number);
        if (r >= 0)
                r = recording_run_open(&run, o, c, watcher);
        *ret_error = r;
        if (r >= 0)
                status = recording_run_read(&run, c, ret_error);
        progress_end(&progress);
        return status;
}

int recording_run_all(const RecordingRunOptions *o, const RecordingConsumer *c) {
        _cleanup_(recording_inputs_done) RecordingInputs all = {};
        int status = EXIT_SUCCESS, r = 0;

        if (recording_inputs_open(&all, o->inputs) < 0)
                return STATUS_FAILED;
        for (size_t i = 0; r >= 0 && i < all.n; i++)
                status |= recording_run_one(o, &all, i, c, &r);
        return r < 0 ? STATUS_FAILED : status;
}

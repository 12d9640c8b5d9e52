/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The output is opened before the process restricts itself, which opening the recordings does. */

#include "picture-run.h"

#define STATUS_FAILED 1

int picture_run(const PictureRun *run) {
        _cleanup_(counted_samples_done) CountedSamples all = {};
        _cleanup_(picture_output_done) PictureOutput output = PICTURE_OUTPUT_EMPTY;
        int r, status;

        progress_catch_interrupt();
        if (name_options_begin(run->names) < 0 || picture_output_open(&output, run->output) < 0 ||
            counted_samples_open(&all, run->inputs) < 0 || picture_output_check(&output, &all.inputs) < 0)
                return STATUS_FAILED;
        r = run->draw(&all, run->options, &output);
        if (r < 0)
                return STATUS_FAILED;
        status = counted_samples_remark(&all, COUNTED_ALL);
        if (r == 0)
                return status;
        picture_output_leave(&output);
        return STATUS_FAILED;
}

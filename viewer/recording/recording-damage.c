/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every verb shows a broken recording as far as it can be read. */

#include "recording-damage.h"

#include <inttypes.h>
#include <stdio.h>

#include "parse-time.h"

#define STATUS_FAILED 1

static void print_throttled(const SampleTotals *totals, const RecordingInput *in) {
        char span[64];

        (void) fprintf(stderr, "%s: the kernel throttled events %" PRIu64 " times", in->name, totals->throttled);
        if (totals->throttled_time >= NSEC_PER_USEC)
                (void) fprintf(stderr, ", for %s in all",
                               format_timespan(span, sizeof(span), totals->throttled_time / NSEC_PER_USEC));
        (void) fputs(": samples are missing\n", stderr);
}

int recording_damage_print(const SampleTotals *totals, const RecordingInput *in, int read) {
        int status = recording_input_report_damage(in, read) ? STATUS_FAILED : EXIT_SUCCESS;

        if (totals->unreadable > 0) {
                (void) fprintf(stderr, "%s: %" PRIu64 " samples cannot be read\n", in->name, totals->unreadable);
                status = STATUS_FAILED;
        }
        if (totals->lightened > 0)
                (void) fprintf(stderr, "%s: the periods of its samples add up to more than 2^64-1: the last %" PRIu64
                               " samples weigh less than recorded, or nothing\n", in->name, totals->lightened);
        if (totals->lost_samples > 0)
                (void) fprintf(stderr, "%s: %" PRIu64 " samples were lost\n", in->name, totals->lost_samples);
        if (totals->throttled > 0)
                print_throttled(totals, in);
        if (totals->lost_records > 0)
                (void) fprintf(stderr, "%s: %" PRIu64 " records were lost\n", in->name, totals->lost_records);
        return status;
}

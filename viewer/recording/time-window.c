/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Times of day are converted to the recording's clock, so that what reads samples compares only that. Invariant: a span's end is
 * never 0, which would be no limit. */

#include "time-window.h"

#include "option-list.h"
#include "parse-timestamp.h"
#include "sample-times.h"
#include "wall-clock.h"

int time_window_take_point(usec_t *ret, const char *option, const char *value) {
        char examples[128];

        if (parse_timestamp(value, now_usec(CLOCK_REALTIME), ret) >= 0 && *ret > 0 && *ret <= UINT64_MAX / NSEC_PER_USEC)
                return 0;
        (void) fprintf(stderr, "--%s: not a time: '%s'; write it as %s\n", option, value,
                       timestamp_examples(value, examples, sizeof(examples)));
        return -EINVAL;
}

int time_window_take_span(usec_t *ret, const char *option, const char *value) {
        return parse_timespan(value, ret) < 0 || *ret == 0 || *ret > UINT64_MAX / NSEC_PER_USEC ?
                option_fail(option, value, "not a time span as '10s'") : 0;
}

static void limit(SampleSpan *span, uint64_t since, uint64_t until) {
        span->since = MAX_OF(span->since, since);
        span->until = MIN_OF(span->until, MAX_OF(until, 1u));
}

static uint64_t before(uint64_t time, uint64_t distance) {
        return time > distance ? time - distance : 0;
}

static uint64_t behind(uint64_t time, uint64_t distance) {
        return time < UINT64_MAX - distance ? time + distance : UINT64_MAX;
}

static int limit_to_last(const TimeWindow *w, const RecordingInput *in, SampleSpan *span) {
        uint64_t first, last;
        int r = sample_times_find(in->reader, &first, &last);

        if (r == -ENODATA) {
                (void) fprintf(stderr, "The samples of %s have no times, which --last needs\n", in->name);
                return r;
        }
        if (r < 0)
                return recording_input_fail(in, "find the times of samples in", r);
        limit(span, before(last, w->last * NSEC_PER_USEC), last);
        return 0;
}

static int limit_to_trigger(const TimeWindow *w, const RecordingInput *in, const WallClock *clock, SampleSpan *span) {
        uint64_t trigger = wall_clock_to_time(clock, in->triggered * NSEC_PER_USEC);

        if (in->triggered == 0 && w->before_trigger == 0 && w->around_trigger == 0)
                return 0;
        if (in->triggered == 0) {
                (void) fprintf(stderr, "%s does not say when it was triggered, as the files of dumps do: --since and --until "
                               "take a time\n", in->name);
                return -ENODATA;
        }
        if (w->before_trigger > 0)
                limit(span, before(trigger, w->before_trigger * NSEC_PER_USEC), trigger);
        if (w->earlier > 0)
                limit(span, 0, before(trigger, w->earlier * NSEC_PER_USEC + 1));
        if (w->around_trigger > 0)
                limit(span, before(trigger, w->around_trigger * NSEC_PER_USEC), behind(trigger, w->around_trigger * NSEC_PER_USEC));
        return 0;
}

static int limit_to_times_of_day(const TimeWindow *w, const RecordingInput *in, SampleSpan *span) {
        WallClock clock;

        if (wall_clock_read(in->reader, &clock) < 0) {
                (void) fprintf(stderr, "%s does not relate its clock to the time of day: record with -k monotonic, or select with "
                               "--last or --time\n", in->name);
                return -ENODATA;
        }
        limit(span, wall_clock_to_time(&clock, w->since * NSEC_PER_USEC),
              w->until > 0 ? wall_clock_to_time(&clock, w->until * NSEC_PER_USEC) : UINT64_MAX);
        return w->before_trigger > 0 || w->around_trigger > 0 || w->earlier > 0 ? limit_to_trigger(w, in, &clock, span) : 0;
}

int time_window_find(const TimeWindow *w, const RecordingInput *in, SampleSpan *ret) {
        SampleSpan span = { .until = UINT64_MAX };
        int r = w->last > 0 ? limit_to_last(w, in, &span) : 0;

        if (r >= 0 && (w->since > 0 || w->until > 0 || w->before_trigger > 0 || w->around_trigger > 0 ||
                       (w->earlier > 0 && in->triggered > 0)))
                r = limit_to_times_of_day(w, in, &span);
        if (r >= 0)
                *ret = span;
        return r;
}

usec_t time_window_incident(const RecordingInput *in, uint64_t *ret_trigger) {
        uint64_t first, last, trigger;
        usec_t quarter;
        WallClock clock;

        if (in->triggered == 0 || wall_clock_read(in->reader, &clock) < 0 || sample_times_find(in->reader, &first, &last) < 0)
                return 0;
        trigger = wall_clock_to_time(&clock, in->triggered * NSEC_PER_USEC);
        quarter = trigger > first ? (trigger - first) / 4 / NSEC_PER_USEC : 0;
        quarter -= quarter % (quarter >= 2 * USEC_PER_SEC ? USEC_PER_SEC : 100 * USEC_PER_MSEC);
        if (ret_trigger)
                *ret_trigger = trigger;
        return MIN_OF(TIME_WINDOW_INCIDENT, quarter);
}

void time_window_cut(SampleSpan *spans, size_t n, SampleSpan window) {
        for (size_t i = 0; i < n; i++) {
                if (spans[i].until == 0)
                        spans[i].until = UINT64_MAX;
                limit(spans + i, window.since, window.until);
        }
}

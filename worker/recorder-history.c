/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The history ring of a recording (-M): fed whenever a ring of samples is half full, and what dumps are made of. The page of
 * counters says how many samples came, and how far back it reaches; the latter is noted at most once a second: who asks for it is
 * a person. */

#include "recorder.h"

#include <time.h>
#include "history-drain.h"
#include "log.h"
#include "takeover.h"

int recorder_open_history(Recorder *r, const PerfDataEvent *events, size_t n_events, FlightSamples *ret) {
        const Options *o = r->options;
        int q = 0;

        if (!r->history)
                q = history_for_set(r->set, o->history_size, o->history_time, (int) o->history_level, &r->history);
        if (q >= 0)
                q = history_source_new(r->history, r->set, events, n_events, r->flight_state, &r->history_source);
        if (q >= 0)
                *ret = history_source_samples(r->history_source);
        return q;
}

/* What it has committed may still be in the rings, if the recorder before ended just then. */
int recorder_take_over_history(Recorder *r, EventSet *set) {
        int fd = takeover_file(r->takeover, HANDOVER_HISTORY);
        int q = fd < 0 ? -EBADMSG : history_take_over(fd, &r->history);

        if (q < 0)
                return q;
        if (history_options(r->history)->n_rings != set->n_rings)
                return -EBADMSG;
        history_skip_read(r->history, set);
        return 0;
}

static void say_what_it_held(const Recorder *r) {
        HistoryTotals t;

        history_totals(r->history, &t);
        log_info("[ perf record: History held %" PRIu64 " samples of %.1f s, %.3f MB in %.3f MB, and dropped %" PRIu64 " ]",
                 t.counts.samples, (double) (t.counts.last - t.counts.first) / (double) NSEC_PER_SEC,
                 (double) t.bytes / 1024.0 / 1024.0, (double) t.stored / 1024.0 / 1024.0, t.dropped_samples);
}

void recorder_close_history(Recorder *r) {
        if (r->history && log_is_verbose(1))
                say_what_it_held(r);
        r->history_source = history_source_free(r->history_source);
        r->history = history_free(r->history);
}

static void tell_oldest(Recorder *r) {
        uint64_t oldest = 0;
        int64_t offset; /* of the wall clock from the samples' */

        r->history_told = now_usec(CLOCK_MONOTONIC);
        if (flight_clock_offset(r->flight, &offset) < 0)
                return;
        history_tell_time(r->history, now_nsec(CLOCK_REALTIME) - (uint64_t) offset);
        if (!history_oldest(r->history, &oldest))
                return;
        oldest += (uint64_t) offset - (now_nsec(CLOCK_REALTIME) - now_nsec(CLOCK_MONOTONIC));
        counters_set(&r->counters->page->first_sample_nsec, oldest);
}

int recorder_drain_history(Recorder *r) {
        int q = history_drain(r->history, r->set);

        flight_count(r->flight);
        if (q >= 0 && now_usec(CLOCK_MONOTONIC) - r->history_told >= USEC_PER_SEC)
                tell_oldest(r);
        return q;
}

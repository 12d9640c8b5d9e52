/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The control page of a ring has the conversion from the processor's counter to the scheduler's clock, but only if the
 * counter is stable, which it often is not in virtual machines. A record works everywhere: this thread sets its name
 * to the one that it has (prctl(2)), the kernel writes that with the time into the ring of a dummy event, and the wall
 * clock is read before and after. */

#include "sample-clock.h"

#include <sys/prctl.h>
#include <time.h>
#include "event.h"
#include "parse-time.h"
#include "record-cursor.h"
#include "record-trailer.h"

#define TRIES 3u

int sample_clock_open(SampleClock *c, const struct perf_event_attr *attr) {
        struct perf_event_attr own = {
                .type = PERF_TYPE_SOFTWARE,
                .size = sizeof(own),
                .config = PERF_COUNT_SW_DUMMY,
                .sample_type = PERF_SAMPLE_TIME,
                .sample_id_all = true,
                .comm = true,
                .exclude_kernel = true,
                .exclude_hv = true,
        };
        SampleClock clock = SAMPLE_CLOCK_EMPTY;
        int r;

        if (attr->use_clockid) {
                clock.clock = attr->clockid;
                *c = clock;
                return 0;
        }
        clock.fd = event_ops_kernel.open(NULL, &own, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
        if (clock.fd < 0)
                return clock.fd;
        r = ring_map(&clock.ring, clock.fd, 1, false);
        if (r < 0)
                return safe_close(clock.fd), r;
        *c = clock;
        return 0;
}

void sample_clock_done(SampleClock *c) {
        ring_done(&c->ring);
        safe_close(c->fd);
        c->fd = -EBADF;
}

/* The time is at the end of the record. */
static int sample_clock_read(SampleClock *c, uint64_t *ret) {
        uint64_t scratch[RECORD_SCRATCH_SIZE / sizeof(uint64_t)];
        const struct perf_event_header *h;
        struct iovec v[2];
        RecordCursor cursor;
        unsigned n;
        size_t bytes = ring_read_begin(&c->ring, v, &n);
        int r = -ENODATA;

        record_cursor_init(&cursor, v, n, scratch);
        while (record_cursor_next(&cursor, &h) > 0) {
                const uint64_t *time = h->type == PERF_RECORD_COMM ? record_word_from_end(h, 1) : NULL;

                if (time) {
                        *ret = *time;
                        r = 0;
                }
        }
        ring_consume(&c->ring, bytes);
        return r;
}

static int sample_clock_note(SampleClock *c, uint64_t *ret) {
        char name[16] = "";

        if (c->fd < 0) {
                *ret = now_nsec(c->clock);
                return 0;
        }
        if (prctl(PR_GET_NAME, name) < 0 || prctl(PR_SET_NAME, name) < 0)
                return -errno;
        return 0;
}

/* The result of the shortest of several tries is the best. */
int sample_clock_offset(SampleClock *c, int64_t *ret) {
        uint64_t best = UINT64_MAX;

        for (unsigned i = 0; i < TRIES; i++) {
                uint64_t noted = 0, before, after;
                int r;

                before = now_nsec(CLOCK_REALTIME);
                r = sample_clock_note(c, &noted);
                after = now_nsec(CLOCK_REALTIME);
                if (r >= 0 && c->fd >= 0)
                        r = sample_clock_read(c, &noted);
                if (r < 0)
                        return r;
                if (after - before >= best)
                        continue;
                best = after - before;
                *ret = (int64_t) (before + best / 2 - noted);
        }
        return best == UINT64_MAX ? -ENODATA : 0;
}

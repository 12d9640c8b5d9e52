/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thread may do one thing on one CPU and the next one on another. A quiet machine has rounds, too. */

#include "live-rings.h"

#include <linux/perf_event.h>

#include "record-cursor.h"
#include "sample.h"
#include "stop-signals.h"

void live_rings_done(LiveRings *l) {
        hash_index_done(&l->by_id);
        record_order_done(&l->order);
        free(l->fds);
}

static uint64_t rings_hash_of(const void *owner, uintptr_t entry) {
        return hash_mix(0, ((const LiveRings *) owner)->set->events[entry - 1].id);
}

int live_rings_init(LiveRings *l, EventSet *set, int fd) {
        int r = 0;

        l->set = set;
        for (size_t i = 0; r >= 0 && set && i < set->n_events; i++)
                r = hash_index_add(&l->by_id, hash_mix(0, set->events[i].id), i + 1, rings_hash_of, l);
        if (r < 0)
                return r;
        l->fds = calloc((set ? set->n_rings : 0) + 1, sizeof(*l->fds));
        if (!l->fds)
                return -ENOMEM;
        for (size_t i = 0; set && i < set->n_rings; i++)
                l->fds[l->n_fds++] = (struct pollfd) { .fd = set->rings[i].fd, .events = POLLIN };
        l->fds[l->n_fds++] = (struct pollfd) { .fd = fd, .events = POLLIN };
        return 0;
}

size_t live_rings_member(const LiveRings *l, const struct perf_event_header *record, const struct perf_event_attr **ret_attr) {
        size_t member = 0;
        uintptr_t found;
        uint64_t id;

        if (record->size >= sizeof(*record) + sizeof(id)) { /* PERF_SAMPLE_IDENTIFIER is in front of samples, and behind others */
                bool sample = record->type == PERF_RECORD_SAMPLE;

                memcpy(&id, (const uint8_t *) record + (sample ? sizeof(*record) : record->size - sizeof(id)), sizeof(id));
                found = HASH_INDEX_FIND(&l->by_id, hash_mix(0, id), entry, l->set->events[entry - 1].id == id);
                member = found > 0 ? l->set->events[found - 1].member : 0;
        }
        *ret_attr = &l->set->members[member].attr;
        return member;
}

bool live_rings_wait(LiveRings *l, const struct timespec *timeout, const sigset_t *waiting) {
        (void) stop_signals_wait(l->fds, l->n_fds, timeout, waiting);
        /* The rings of a task hang up shortly before its end can be waited for. */
        if (l->fds[0].revents & POLLHUP && l->fds[l->n_fds - 1].fd >= 0)
                (void) stop_signals_wait(l->fds + l->n_fds - 1, 1, timeout, waiting);
        for (size_t i = 0; i + 1 < l->n_fds; i++)
                if (l->fds[i].revents & (POLLHUP | POLLERR))
                        l->fds[i].fd = -1; /* its task is gone; what it left is read in each round */
        return l->fds[l->n_fds - 1].revents != 0;
}

int live_rings_read(LiveRings *l) {
        static uint64_t scratch[RECORD_SCRATCH_SIZE / sizeof(uint64_t)];
        const struct perf_event_header *record;
        const struct perf_event_attr *attr;
        struct iovec segments[2];
        PerfSample s;
        unsigned n;
        int r = 0;

        for (size_t i = 0; r >= 0 && l->set && i < l->set->n_rings; i++) {
                size_t bytes = ring_read_begin(l->set->rings + i, segments, &n);
                RecordCursor cursor;

                if (bytes == 0)
                        continue;
                record_cursor_init(&cursor, segments, n, scratch);
                while (r >= 0 && record_cursor_next(&cursor, &record) > 0) {
                        (void) live_rings_member(l, record, &attr);
                        if ((record->type == PERF_RECORD_SAMPLE ? sample_parse : sample_parse_trailer)(attr, record, &s) >= 0)
                                r = record_order_put(&l->order, &(OrderedRecord) { .time = s.time, .record = record }, false);
                }
                ring_consume(l->set->rings + i, bytes);
        }
        return r < 0 ? r : record_order_finish_round(&l->order);
}

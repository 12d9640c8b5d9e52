/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From rings to the history. A round reads every ring once and commits what it found; only then do the rings' tails move.
 * Whoever takes both over after we died in between finds the tails behind what the history has read, and moves them. */

#include "history-drain.h"

#include "record-repair.h"
#include "record-trailer.h"
#include "sample-layout.h"

/* Where all samples have their time; -1: nowhere. */
static int time_word(const EventSet *set) {
        int word = -1;

        for (size_t i = 0; i < set->n_members; i++) {
                SampleLayout l;

                if (set->members[i].added) /* has no samples */
                        continue;
                sample_layout_init(&l, &set->members[i].attr);
                if (l.time < 0 || (word >= 0 && l.time != word))
                        return -1;
                word = l.time;
        }
        return word;
}

/* Where context switches have their time, in words from their end; 0: nowhere. Events that have them differently can't be told
 * apart here, so that the first one's counts. */
static unsigned switch_word(const EventSet *set) {
        for (size_t i = 0; i < set->n_members; i++) {
                TrailerPlaces places = trailer_places_of(&set->members[i].attr);

                if (set->members[i].attr.context_switch && places.time > 0)
                        return places.time;
        }
        return 0;
}

int history_for_set(const EventSet *set, uint64_t size, usec_t max_age, int level, History **ret) {
        const HistoryOptions o = {
                .size = size,
                .max_age = max_age,
                .level = level,
                .n_rings = set->n_rings,
                .time_word = time_word(set),
                .switch_word = switch_word(set),
                .unmark_maps = record_repair_of(set).unmarks,
        };

        return o.time_word < 0 ? -ENODATA : history_new(&o, ret);
}

static bool is_source(const Ring *r) {
        return !r->overwrite && !r->sideband;
}

/* Something that is no record came from nobody but the kernel: the rest of the ring is given up, nothing else. */
static int append_ring(History *h, EventSet *set, size_t i) {
        struct iovec segments[2];
        unsigned n;
        size_t bytes = ring_read_begin(&set->rings[i], segments, &n);
        int r = bytes > 0 ? history_append(h, i, segments, n, set->rings[i].position + bytes) : 0;

        return r == -EBADMSG ? 0 : r;
}

void history_skip_read(const History *h, EventSet *set) {
        for (size_t i = 0; i < set->n_rings; i++) {
                Ring *ring = &set->rings[i];
                uint64_t read = history_tail(h, i);

                if (is_source(ring) && read > ring->position)
                        ring_consume(ring, (size_t) (read - ring->position));
        }
}

int history_drain(History *h, EventSet *set) {
        int r = 0, committed;

        for (size_t i = 0; i < set->n_rings && r >= 0; i++)
                if (is_source(&set->rings[i]))
                        r = append_ring(h, set, i);
        committed = history_commit(h); /* also what was read before something failed */
        history_skip_read(h, set);
        return r < 0 ? r : committed;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One round reads every ring once and commits what it found. Invariant: a ring's tail moves only after the commit. A
 * successor of a recorder that was killed in between finds tails behind what the history has, and moves them
 * (history_skip_read()). */

#include "history-drain.h"

#include "record-repair.h"
#include "record-trailer.h"
#include "sample-columns.h"
#include "sample-layout.h"

/* Returns the word that is the time in the samples of all events; -1: there is none. */
static int history_time_word(const EventSet *set) {
        int word = -1;

        for (size_t i = 0; i < set->n_members; i++) {
                SampleLayout l;

                if (set->members[i].only_sideband) /* has no samples */
                        continue;
                sample_layout_init(&l, &set->members[i].attr);
                if (l.time < 0 || (word >= 0 && l.time != word))
                        return -1;
                word = l.time;
        }
        return word;
}

/* Returns the word that is the number of addresses in the call chains of all samples; 0: there is none, or they differ. */
static unsigned history_chain_word(const EventSet *set) {
        int word = 0;

        for (size_t i = 0; i < set->n_members; i++) {
                SampleLayout l;

                if (set->members[i].only_sideband)
                        continue;
                sample_layout_init(&l, &set->members[i].attr);
                if (l.callchain <= 0 || (word > 0 && l.callchain != word))
                        return 0;
                word = l.callchain;
        }
        return word <= (int) SAMPLE_COLUMNS_FRONT_MAX ? (unsigned) word : 0;
}

/* Returns the word from the end that is the time in context switches; 0: there is none. Context switches do not say of which
 * event they are, so those of the first event that asks for them count. */
static unsigned history_switch_word(const EventSet *set) {
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
                .time_word = history_time_word(set),
                .chain_word = history_chain_word(set),
                .switch_word = history_switch_word(set),
                .unmark_maps = record_repair_of(set).unmarks,
        };

        return o.time_word < 0 ? -ENODATA : history_new(&o, ret);
}

#define UNWIND_USEC (100 * USEC_PER_MSEC) /* of CPU time, in one round: ten times what full rings of honest stacks take */

static bool feeds_history(const Ring *r) {
        return !r->overwrite && !r->sideband;
}

void history_skip_read(const History *h, EventSet *set) {
        for (size_t i = 0; i < set->n_rings; i++)
                if (feeds_history(&set->rings[i]))
                        ring_skip_to(&set->rings[i], history_tail(h, i));
}

/* Only the kernel can have written something that is no record: the rest of that ring is dropped, and the recording
 * goes on. */
static int history_append_rings(History *h, EventSet *set) {
        int r = 0;

        for (size_t i = 0; i < set->n_rings && r >= 0; i++) {
                struct iovec segments[2];
                size_t bytes;
                unsigned n;

                if (!feeds_history(&set->rings[i]))
                        continue;
                bytes = ring_read_begin(&set->rings[i], segments, &n);
                if (bytes > 0)
                        r = history_append(h, i, segments, n, set->rings[i].position + bytes);
                if (r == -EBADMSG)
                        r = 0;
        }
        return r;
}

int history_drain(History *h, EventSet *set, HistoryStacks *stacks) {
        int r, committed;

        if (stacks)
                r = history_stacks_drain(stacks, h, set, UNWIND_USEC);
        else
                r = history_append_rings(h, set);
        committed = history_commit(h); /* also what was read before something failed */
        history_skip_read(h, set);
        return r < 0 ? r : committed;
}

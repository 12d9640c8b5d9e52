/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A few notes of "by then so many bytes had been written", in the order of time. A ring holds the last SIZE bytes, so its oldest
 * byte was written when the count was WRITTEN - SIZE: between the two notes around that count.
 *
 * Invariant: the first note is from the moment that the rings were made (all zero), or older than what any ring holds. When there
 * are too many notes, those that no ring reaches back to go first, then the one that its neighbours make up for best. */

#include "ring-reach.h"

#define NOTES_MAX 64
#define NOTE_INTERVAL_USEC USEC_PER_SEC

typedef struct Note {
        usec_t when;
        uint64_t written[]; /* for each ring */
} Note;

struct RingReach {
        size_t n_rings, n_notes;
        Note *notes[NOTES_MAX];
};

RingReach *ring_reach_free(RingReach *r) {
        if (!r)
                return NULL;
        for (size_t i = 0; i < r->n_notes; i++)
                free(r->notes[i]);
        free(r);
        return NULL;
}

static Note *note_new(usec_t when, const RingFill *rings, size_t n) {
        Note *note = calloc(1, sizeof(Note) + n * sizeof(uint64_t));

        if (!note)
                return NULL;
        note->when = when;
        for (size_t i = 0; rings && i < n; i++)
                note->written[i] = rings[i].written;
        return note;
}

static int ring_reach_new(usec_t begin, size_t n, RingReach **ret) {
        _cleanup_(ring_reach_freep) RingReach *r = calloc(1, sizeof(RingReach));

        if (!r)
                return -ENOMEM;
        r->n_rings = n;
        r->notes[0] = note_new(begin, NULL, n);
        if (!r->notes[0])
                return -ENOMEM;
        r->n_notes = 1;
        *ret = steal_ptr(r);
        return 0;
}

/* The count at which the oldest byte of a ring was written. */
static uint64_t oldest_byte(const RingFill *ring) {
        return ring->written > ring->size ? ring->written - ring->size : 0;
}

static bool is_out_of_reach(const Note *note, const RingFill *rings, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (note->written[i] > oldest_byte(&rings[i]))
                        return false;
        return true;
}

static void drop_note(RingReach *r, size_t i) {
        free(r->notes[i]);
        memmove(r->notes + i, r->notes + i + 1, (--r->n_notes - i) * sizeof(Note *));
}

/* By how many bytes the count would be wrong at the time of note i without it. */
static double cost_of(const RingReach *r, size_t i) {
        const Note *before = r->notes[i - 1], *note = r->notes[i], *after = r->notes[i + 1];
        double part = (double) (note->when - before->when) / (double) (after->when - before->when), cost = 0;

        for (size_t k = 0; k < r->n_rings; k++) {
                double grown = (double) (note->written[k] - before->written[k]);
                double expected = part * (double) (after->written[k] - before->written[k]);

                cost = MAX_OF(cost, grown > expected ? grown - expected : expected - grown);
        }
        return cost;
}

static void make_room(RingReach *r, const RingFill *rings) {
        size_t cheapest = 1;

        while (r->n_notes > 1 && is_out_of_reach(r->notes[1], rings, r->n_rings))
                drop_note(r, 0);
        if (r->n_notes < NOTES_MAX)
                return;
        for (size_t i = 2; i + 1 < r->n_notes; i++)
                if (cost_of(r, i) < cost_of(r, cheapest))
                        cheapest = i;
        drop_note(r, cheapest);
}

/* Rings that were made again have less in them than the previous ones. */
static bool goes_on(const RingReach *r, const RingFill *rings, size_t n) {
        const Note *last = r->notes[r->n_notes - 1];

        if (r->n_rings != n)
                return false;
        for (size_t i = 0; i < n; i++)
                if (rings[i].written < last->written[i])
                        return false;
        return true;
}

int ring_reach_note(RingReach **r, usec_t *begin, usec_t now, const RingFill *rings, size_t n) {
        Note *note;
        int k;

        if (*r && !goes_on(*r, rings, n)) {
                *r = ring_reach_free(*r);
                *begin = now;
        }
        if (!*r) {
                k = ring_reach_new(*begin, n, r);
                if (k < 0)
                        return k;
        }
        if (now < (*r)->notes[(*r)->n_notes - 1]->when + NOTE_INTERVAL_USEC)
                return 0;
        if ((*r)->n_notes == NOTES_MAX)
                make_room(*r, rings);
        note = note_new(now, rings, n);
        if (!note)
                return -ENOMEM;
        (*r)->notes[(*r)->n_notes++] = note;
        return 0;
}

/* When ring i had written so many bytes. */
static usec_t time_of(const RingReach *r, usec_t now, const RingFill *ring, size_t i, uint64_t bytes) {
        size_t k = r->n_notes - 1;
        uint64_t from, to;
        usec_t begin, end;

        while (k > 0 && r->notes[k]->written[i] > bytes)
                k--;
        begin = r->notes[k]->when;
        from = r->notes[k]->written[i];
        end = k + 1 < r->n_notes ? r->notes[k + 1]->when : now;
        to = k + 1 < r->n_notes ? r->notes[k + 1]->written[i] : ring->written;
        if (bytes <= from || to <= from || end <= begin)
                return begin;
        return begin + (usec_t) ((double) (end - begin) * ((double) (bytes - from) / (double) (to - from)));
}

usec_t ring_reach_get(const RingReach *r, usec_t now, const RingFill *rings, size_t n) {
        usec_t latest = 0;

        if (!r || n == 0 || !goes_on(r, rings, n))
                return 0;
        for (size_t i = 0; i < n; i++) {
                uint64_t oldest = oldest_byte(&rings[i]);
                usec_t t = oldest == 0 ? r->notes[0]->when : time_of(r, now, &rings[i], i, oldest);

                latest = MAX_OF(latest, t);
        }
        return latest < now ? now - latest : 0;
}

void ring_samples_note(RingSamples *s, const RingFill *rings, size_t n, uint64_t mean) {
        uint64_t written = 0;

        for (size_t i = 0; i < n; i++)
                written += rings[i].written;
        if (written < s->written)
                s->written = 0;
        if (written > s->written)
                s->samples += (double) (written - s->written) * ((double) mean / (double) written);
        s->written = written;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Keeps what a recorder handed over (kept-rings.c) as long as the recorder runs, and until its successor has handed it over again
 * itself. It goes when the session is stopped, or started with other settings, and after a few successors that died with it
 * before they had answered for a dump: what is in it may be why.
 *
 * What the daemon keeps ends with the daemon, except for the time when the rings were made. The next daemon asks the recorders
 * for the rings again (recorder-adopt.c); those that died in between, or had died without a successor yet, have lost them, and
 * the journal says so. */

#include "ring-keeper.h"

#include "format-text.h"

#define GIVEN_MAX 3

void ring_keeper_done(RingKeeper *k) {
        kept_rings_free(k->kept);
        ring_reach_free(k->reach);
        free(k->ended);
        *k = (RingKeeper) {};
}

void ring_keeper_log_refusal(RingKeeper *k, int error, const JournalSession *j) {
        if (k->refused)
                return;
        k->refused = true;
        journal_log_session(j, LOG_WARNING, NULL, "Its rings cannot be kept for a recorder after this one: %s",
                            error == -EMFILE ? "too many descriptors (LimitNOFILE= of perf-recorderd.service)" : strerror(-error));
}

bool ring_keeper_take(RingKeeper *k, NotifyMessage *m, const DescriptorBatch *batch, size_t n_max, const JournalSession *j) {
        int r = m->fds_lost ? -EMFILE : kept_rings_take(&k->kept, m->sender, batch, m->fds, m->n_fds, n_max);

        if (r < 0)
                ring_keeper_log_refusal(k, r, j);
        if (r <= 0)
                return false;
        k->ended = (free(k->ended), NULL);
        k->hands_over = k->kept != NULL;
        return true;
}

void ring_keeper_drop(RingKeeper *k, const char *why, const JournalSession *j) {
        bool refused = k->refused;

        if (why && kept_rings_are_whole(k->kept))
                journal_log_session(j, LOG_NOTICE, NULL, "The content of its rings is given up: %s", why);
        ring_keeper_done(k);
        k->refused = refused;
}

void ring_keeper_keep_for_successor(RingKeeper *k, pid_t pid, const char *sentence, const JournalSession *j) {
        if (k->hands_over && !kept_rings_are_whole(k->kept))
                journal_log_session(j, LOG_WARNING, NULL, "The content of its rings is lost: %s",
                                    pid > 0 ? "nobody kept them when it ended"
                                            : "the daemon that kept them ended before another recorder took them over");
        if (!kept_rings_are_whole(k->kept)) {
                ring_keeper_drop(k, NULL, j);
                return;
        }
        if (pid <= 0)
                return;
        free(k->ended);
        k->ended = format_text("PID %d ended: %s", (int) pid, sentence && *sentence ? sentence : "nothing is known of why");
}

bool ring_keeper_has_left(const RingKeeper *k) {
        return kept_rings_are_whole(k->kept) && k->ended;
}

bool ring_keeper_can_give(const RingKeeper *k) {
        return kept_rings_are_whole(k->kept) && k->n_given < GIVEN_MAX;
}

bool ring_keeper_give(RingKeeper *k, int *ret_fd, const JournalSession *j) {
        int r;

        k->n_given++;
        r = kept_rings_give(k->kept, k->ended ?: "", ret_fd);
        if (r < 0)
                ring_keeper_drop(k, strerror(-r), j);
        return r >= 0;
}

void ring_keeper_note_dump(RingKeeper *k) {
        k->n_given = 0;
}

void ring_keeper_uncount_give(RingKeeper *k) {
        k->n_given -= MIN_OF(k->n_given, 1u);
}

void ring_keeper_read(const RingKeeper *k, RingSamples *given, PrCounters *c) {
        usec_t now = now_usec(CLOCK_MONOTONIC), reach;
        _cleanup_free_ RingFill *rings = NULL;
        uint64_t samples = 0;
        size_t n = 0;

        rings = kept_rings_fill(k->kept, &n, &samples);
        if (rings)
                ring_samples_note(given, rings, n, samples);
        c->samples = MAX_OF(c->samples, (uint64_t) given->samples);
        if (!rings && c->overwritten && given->samples == 0)
                c->samples = PR_COUNTERS_UNKNOWN;
        if (!rings || samples == 0)
                return;
        reach = ring_reach_get(k->reach, now, rings, n);
        if (reach > 0)
                c->first_sample_nsec = (now - reach) * NSEC_PER_USEC;
}

void ring_keeper_note_fill(RingKeeper *k, RingSamples *given, usec_t begin) {
        _cleanup_free_ RingFill *rings = NULL;
        uint64_t samples;
        size_t n;

        rings = kept_rings_fill(k->kept, &n, &samples);
        if (!rings)
                return;
        ring_samples_note(given, rings, n, samples);
        if (k->begin == 0)
                k->begin = begin;
        (void) ring_reach_note(&k->reach, &k->begin, now_usec(CLOCK_MONOTONIC), rings, n);
}

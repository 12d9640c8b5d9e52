/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/counters.h>

#include "journal.h"
#include "kept-rings.h"
#include "notify.h"

/* The keeper has what outlives a session's recorder: the rings and events that it handed over for its successor. j names the
 * session in the journal. */

typedef struct RingKeeper {
        KeptRings *kept;   /* NULL: nothing */
        RingReach *reach;  /* how far back overwrite rings among them reach; NULL: not known */
        usec_t begin;      /* when they were made, by the recorder or a predecessor, CLOCK_MONOTONIC; 0: not known */
        char *ended;       /* how the recorder ended that left them; NULL: a recorder has them */
        unsigned n_given;  /* successors in a row that got them and have not answered for a dump */
        bool hands_over;   /* there was something to keep */
        bool refused;      /* what came could not be kept, which the journal has */
        bool reach_missed; /* they reach back less than KeepSec=, which the journal has */
} RingKeeper;

void ring_keeper_done(RingKeeper *k);

/* Takes the descriptors that came with a message, whose text has that batch. n_max: how many there may be. true: a whole set is
 * kept from now on, or none, as the recorder wants it. */
bool ring_keeper_take(RingKeeper *k, NotifyMessage *m, const DescriptorBatch *batch, size_t n_max, const JournalSession *j);

/* Logs why what came cannot be kept, once for each recorder. Nothing is dropped. */
void ring_keeper_log_refusal(RingKeeper *k, int error, const JournalSession *j);

/* Its recorder ended and will be started again: a whole set stays for the successor, which gets pid and sentence with it. A set
 * that is not whole is dropped; if the recorder handed any over, the journal says that the rings are lost. pid 0: no recorder has
 * run since the last one ended; without a set, a previous daemon kept it for a successor that was not started any more. */
void ring_keeper_keep_for_successor(RingKeeper *k, pid_t pid, const char *sentence, const JournalSession *j);

/* why: it was to be kept; NULL: it is as it should be. */
void ring_keeper_drop(RingKeeper *k, const char *why, const JournalSession *j);

/* A recorder ended and left them, and no successor has handed them over again. */
bool ring_keeper_has_left(const RingKeeper *k);

bool ring_keeper_can_give(const RingKeeper *k); /* a whole set, and few successors died with it */

/* Copies for the successor that is started now, by a socket, and counts that it got them. Dropped if that fails. */
bool ring_keeper_give(RingKeeper *k, int *ret_fd, const JournalSession *j);

/* A recorder wrote what it holds, or said why not: what it took over does not kill recorders. */
void ring_keeper_note_dump(RingKeeper *k);

/* The successor that got the copies ended before it ran its program, so it is none of those that died with them: the last
 * ring_keeper_give() does not count. The keeper has had the rings all the time. */
void ring_keeper_uncount_give(RingKeeper *k);

/* Reads from the rings what a recorder that the kernel does not wake cannot say: the number of samples, and the oldest one's time.
 * given: what they were given since the recorder started, which is noted. Without rings the number is PR_COUNTERS_UNKNOWN. */
void ring_keeper_read(const RingKeeper *k, RingSamples *given, PrCounters *c);

/* Notes how full the rings are. begin: when they were made, CLOCK_MONOTONIC, if the keeper does not know it. */
void ring_keeper_note_fill(RingKeeper *k, RingSamples *given, usec_t begin);

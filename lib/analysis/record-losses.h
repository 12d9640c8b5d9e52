/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The times of which a recording lacks records. A record of a loss says when it ended, and the last sample of its CPU before that
 * when it began, so that all losses, and then all samples in the order of time, have to be there first. */

/* A CPU's records were lost from its last sample, or the beginning, on. */
typedef struct RecordLoss {
        uint64_t begin, end;
        uint64_t earliest; /* the begin of all that end here or later */
        uint32_t cpu;      /* UINT32_MAX: not known */
} RecordLoss;

/* Zero-initialise. */
typedef struct RecordLosses {
        RecordLoss *losses;
        size_t n, allocated;
        size_t dated;       /* of those that were there when record_losses_begin() was called, … */
        size_t n_to_date;   /* … of which there are so many */
        uint64_t *last;     /* the time of each CPU's last sample; 0: it had none */
} RecordLosses;

void record_losses_done(RecordLosses *l);

/* Adds a loss that ended then; cpu: UINT32_MAX: not known. 0, -ENOMEM. */
int record_losses_add(RecordLosses *l, uint32_t cpu, uint64_t end);

/* Begins to date them: the caller passes all samples in the order of time, and ends then. beginnings: what was before a CPU's first
 * sample is a loss, too. 0, -ENOMEM. */
int record_losses_begin(RecordLosses *l);
int record_losses_pass(RecordLosses *l, uint32_t cpu, uint64_t time, bool beginnings);
void record_losses_end(RecordLosses *l);

/* Returns whether records of that time were lost. */
bool record_losses_during(const RecordLosses *l, uint64_t since, uint64_t until);

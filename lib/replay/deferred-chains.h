/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* The user parts of call chains that the kernel records later than their samples, when the task is about to return to user space
 * (attr.defer_callchain, Linux 6.19 and later). Zero-initialise. */
typedef struct DeferredChain {
        uint64_t cookie; /* of the task's stay in the kernel */
        uint32_t tid;
        uint32_t n;      /* words */
        size_t first;
} DeferredChain;

typedef struct DeferredChains {
        DeferredChain *chains; /* by tid and cookie */
        size_t n, allocated;
        uint64_t *words;
        size_t n_words, words_allocated;
        uint64_t *merged;      /* made last */
        size_t merged_allocated;
} DeferredChains;

#define DEFERRED_WORDS_MAX ((size_t) 32 << 20)  /* of all of them; those beyond count as missing */
#define DEFERRED_CHAINS_MAX ((size_t) 4 << 20)

void deferred_chains_done(DeferredChains *d);

/* Takes those of a recording, which is read for it if one of its events may have them. What can't be read is missing. 0 or
 * -ENOMEM. */
int deferred_chains_read(DeferredChains *d, PerfDataReader *reader);

/* Returns whether a call chain waits for its user part. */
bool deferred_chain_waits(const uint64_t *chain, size_t n);

/* Replaces a chain that waits, of a sample of that thread, by the whole one; without the user part if unwound, since a copy of the
 * stack has it. If it is missing, the chain is marked with UNWIND_MISSING (unwinder.h). *chain is valid until the next call. 0 or
 * -ENOMEM. */
int deferred_chains_merge(DeferredChains *d, uint32_t tid, bool unwound, const uint64_t **chain, size_t *n);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"

/* The addresses of a call chain as it was recorded, the innermost first. Between them are markers (PERF_CONTEXT_*,
 * perf_event_open(2)), which say where the addresses behind them were; all but the first behind a marker are callers'. */
typedef struct ChainCursor {
        const void *words; /* at any address */
        size_t n, next;
        uint64_t ip;       /* the address at which the cursor is */
        uint16_t cpumode;  /* where it was: PERF_RECORD_MISC_… */
        bool caller;       /* it is a caller's */
        bool follows;      /* the last word was an address */
} ChainCursor;

/* A chain of n words, which must outlive the cursor. */
static inline ChainCursor chain_cursor_of(const void *words, size_t n) {
        return (ChainCursor) { .words = words, .n = n, .cpumode = PERF_RECORD_MISC_USER };
}

/* Goes to the next address. 1; 0: there is none; -EOPNOTSUPP: a marker of another kind, such as a guest's. perf takes the whole
 * chain for none then. */
static inline int chain_cursor_next(ChainCursor *c) {
        while (c->next < c->n) {
                memcpy(&c->ip, (const uint8_t *) c->words + c->next++ * sizeof(c->ip), sizeof(c->ip));
                c->caller = c->follows;
                c->follows = c->ip < PERF_CONTEXT_MAX;
                if (c->follows)
                        return 1;
                if (c->ip != PERF_CONTEXT_USER && c->ip != PERF_CONTEXT_KERNEL && c->ip != PERF_CONTEXT_HV)
                        return -EOPNOTSUPP;
                c->cpumode = c->ip == PERF_CONTEXT_USER ? PERF_RECORD_MISC_USER :
                             c->ip == PERF_CONTEXT_KERNEL ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_HYPERVISOR;
        }
        return 0;
}

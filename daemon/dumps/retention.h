/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump.h"

/* Decides which dumps are removed; touches no file. */

typedef struct RetentionLimits {
        uint64_t max_use, max_files; /* UINT64_MAX: no limit */
        uint64_t keep_free;          /* bytes of the file system; 0: no limit */
        usec_t max_age;              /* USEC_INFINITY: no limit */
        uint64_t other_use;          /* bytes that count for max_use and belong to no dump */
} RetentionLimits;

typedef struct RetentionEntry {
        const Dump *dump;
        bool newest; /* of an existing session: it is removed only because of its age */
        bool stays;  /* it could not be removed */
        bool symbols_stay; /* they could not be removed */
        uint64_t symbols;  /* bytes of the symbols that no later entry shares: what removing them frees */
} RetentionEntry;

typedef enum RetentionTarget {
        RETENTION_DUMP,    /* and its symbols */
        RETENTION_SYMBOLS, /* and the dump stays */
} RetentionTarget;

typedef enum RetentionReason {
        RETENTION_MAX_AGE,
        RETENTION_MAX_FILES,
        RETENTION_MAX_USE,
        RETENTION_KEEP_FREE,
} RetentionReason;

/* Sorts entries in the order of their removal: those of the trigger unit-restart, then the others, the oldest
 * first; "newest" is set before. Dumps share symbols by hard links: each file is counted once, for the last dump
 * that has it, so that the sums stay right while the first ones are removed. 0, -ENOMEM. */
int retention_sort(RetentionEntry *entries, size_t n);

/* The index of the next one to be removed of sorted entries; n: none. now: µs since the epoch; free: bytes of the
 * file system. */
size_t retention_pick(const RetentionEntry *entries, size_t n, const RetentionLimits *l, usec_t now, uint64_t free,
                      RetentionTarget *ret_target, RetentionReason *ret_reason);

/* Returns true if there are too many, or they use too much space; *ret_reason says which. */
bool retention_is_too_much(const RetentionEntry *entries, size_t n, const RetentionLimits *l, uint64_t free,
                           RetentionReason *ret_reason);

/* µs until the next one is too old; USEC_INFINITY: none will be. */
usec_t retention_next(const RetentionEntry *entries, size_t n, const RetentionLimits *l, usec_t now);

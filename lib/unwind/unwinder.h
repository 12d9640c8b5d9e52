/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "map-list.h"
#include "process-table.h"
#include "unwind-stack.h"
#include "watcher.h"

/* Makes call chains of copies of stacks. Each distinct rule is asked for once, and kept. */

/* Finds the rule of an address (an offset in the file) of the binary of that number. *ret is that there is none at this address, to
 * begin with. operations of a frame are a block of malloc(3), the caller's. 0; -EAGAIN: it is not known yet, and will be asked for
 * again; -ENOMEM. */
typedef struct UnwindSource {
        int (*find)(void *userdata, uint32_t dso, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame);
        void *userdata;
        bool foreign; /* stacks are of another processor, and are not followed */
} UnwindSource;

typedef enum UnwindEnd {
        UNWIND_WHOLE, /* up to a function that has no caller */
        UNWIND_CUT,   /* the rest lies behind the end of the copy */
        UNWIND_DEEP,  /* there was no more room for addresses */
        UNWIND_LOST,  /* there is no rule, or what it says is not possible */
        UNWIND_MISSING, /* the kernel was to record the user part later, and it is not there */
        UNWIND_FOREIGN, /* the stack is of a 32-bit program, or of another processor */
        UNWIND_END_MAX,
} UnwindEnd;

#define UNWIND_ADDRESSES_MAX 127u /* of a call chain, as perf has it (PERF_MAX_STACK_DEPTH) */

/* An address that was in a chain, and its rule. */
typedef struct CachedAddress {
        uint64_t address;
        uint32_t dso;
        uint32_t rule;
} CachedAddress;

/* Initialise source and watcher, the rest with zeros. */
typedef struct Unwinder {
        UnwindSource source;
        Watcher watcher; /* asked before each rule; when it ends unwinding, chains end at their first address that is not known */
        bool ended;      /* by the watcher */
        CachedAddress *addresses;
        size_t n_addresses, addresses_allocated;
        HashIndex index; /* of number + 1 */
        UnwindRule *rules;
        size_t n_rules, rules_allocated;
        MapList *ranges; /* of each binary: the code of its rules, with their numbers as objects */
        size_t n_ranges, ranges_allocated;
        UnwindFrame *frames;
        size_t n_frames, frames_allocated;
        uint64_t *chain; /* made last */
        size_t chain_allocated;
} Unwinder;

#define UNWINDER_ADDRESSES_MAX ((size_t) 1 << 18)
#define UNWINDER_FRAMES_MAX ((size_t) 1 << 12)

void unwinder_done(Unwinder *u);

/* Changes s. maps: of the process. Addresses come innermost first; as in perf, those of callers are in the call, so one less than
 * where it returns to. 0 or -ENOMEM. */
int unwinder_run(Unwinder *u, const MapList *maps, UnwindStack *s, uint64_t addresses[static UNWIND_ADDRESSES_MAX], size_t *ret_n,
                 UnwindEnd *ret);

/* Makes a whole call chain: the n words that were recorded, which are the kernel's part, then those addresses behind their
 * marker. It is u->chain until the next call. process: NULL: not known. 0 or -ENOMEM. */
int unwinder_chain(Unwinder *u, const Process *process, UnwindStack *s, const uint64_t *recorded, size_t n, size_t *ret_n,
                   UnwindEnd *ret);

/* Makes the chain of a sample whose stack is not followed: the n words that were recorded, then the address that was interrupted in
 * user space unless that is NULL. It is u->chain until the next call. 0 or -ENOMEM. */
int unwinder_chain_hit(Unwinder *u, const uint64_t *recorded, size_t n, const uint64_t *address, size_t *ret_n);

/* Marks a chain of n words, where there is room for UNWIND_END_MAX more, with how it ends, and returns its words then. The mark is
 * the marker of user space with no address behind it, once or several times, which perf passes over. */
size_t unwinder_mark(uint64_t *chain, size_t n, UnwindEnd end);
/* Returns how a chain of n words that was read ends; one without a mark is whole. It may lie at any address. */
UnwindEnd unwinder_mark_of(const void *chain, size_t n);

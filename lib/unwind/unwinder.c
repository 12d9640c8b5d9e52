/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rules are found by the binary and the offset in it, which all processes share: first among the addresses that were in chains
 * already, then among the ranges of code of the rules that are known. A recording of any length has a few thousand distinct
 * addresses, so that the time which a rule takes to find does not count; if there are many, all are forgotten, and asked for again.
 *
 * Where code has no rule (a JIT compiler's mostly), frame pointers are followed, as long as they lead to mapped code. */

#include "unwinder.h"

#include "array.h"
#include "record-layout.h"

static void unwinder_empty(Unwinder *u) {
        for (size_t i = 0; i < u->n_frames; i++)
                free(u->frames[i].operations);
        for (size_t i = 0; i < u->n_ranges; i++)
                map_list_done(u->ranges + i);
        u->n_frames = u->n_rules = u->n_addresses = u->n_ranges = 0;
        hash_index_done(&u->index);
        u->index = (HashIndex) {};
}

void unwinder_done(Unwinder *u) {
        unwinder_empty(u);
        free(u->addresses);
        free(u->rules);
        free(u->ranges);
        free(u->frames);
        free(u->chain);
        *u = (Unwinder) {};
}

static uint64_t address_hash(uint32_t dso, uint64_t address) {
        return hash_mix(dso, address);
}

static uint64_t address_hash_of(const void *owner, uintptr_t entry) {
        const CachedAddress *a = ((const Unwinder *) owner)->addresses + entry - 1;

        return address_hash(a->dso, a->address);
}

static int unwinder_ranges(Unwinder *u, uint32_t dso, MapList **ret) {
        if (dso >= u->n_ranges) {
                if (ARRAY_RESERVE(u->ranges, u->ranges_allocated, (size_t) dso + 1) < 0)
                        return -ENOMEM;
                memset(u->ranges + u->n_ranges, 0, (dso + 1 - u->n_ranges) * sizeof(*u->ranges));
                u->n_ranges = (size_t) dso + 1;
        }
        *ret = u->ranges + dso;
        return 0;
}

static int unwinder_ask(Unwinder *u, uint32_t dso, uint64_t address, uint32_t *ret) {
        UnwindFrame frame = {};
        UnwindRule *rule;
        int r;

        u->ended = u->ended || !watcher_go_on(&u->watcher);
        if (u->ended)
                return -EAGAIN;
        if (ARRAY_RESERVE(u->rules, u->rules_allocated, u->n_rules + 1) < 0 ||
            ARRAY_RESERVE(u->frames, u->frames_allocated, u->n_frames + 1) < 0)
                return -ENOMEM;
        rule = u->rules + u->n_rules;
        *rule = (UnwindRule) { .start = address, .end = address + 1 };
        r = u->source.find(u->source.userdata, dso, address, rule, &frame);
        if (r < 0)
                return r;
        if (rule->kind == UNWIND_FRAME) {
                rule->frame = (uint32_t) u->n_frames;
                u->frames[u->n_frames++] = frame;
        } else
                free(frame.operations);
        *ret = (uint32_t) u->n_rules++;
        return 0;
}

/* A list of ranges that is full, or a source that gave a range without the address, costs only another question for the next
 * address. */
static int unwinder_find(Unwinder *u, uint32_t dso, uint64_t address, uint32_t *ret) {
        const Map *known;
        MapList *ranges;
        int r = unwinder_ranges(u, dso, &ranges);

        if (r < 0)
                return r;
        known = map_list_find(ranges, address);
        if (known) {
                *ret = known->object;
                return 0;
        }
        r = unwinder_ask(u, dso, address, ret);
        if (r < 0)
                return r;
        r = map_list_insert(ranges, u->rules[*ret].start, u->rules[*ret].end, *ret);
        return r == -ENOMEM ? r : 0;
}

static int unwinder_add(Unwinder *u, uint32_t dso, uint64_t address, uint64_t hash, const UnwindRule **ret) {
        uint32_t rule;
        int r;

        if (u->n_addresses >= UNWINDER_ADDRESSES_MAX || u->n_frames >= UNWINDER_FRAMES_MAX)
                unwinder_empty(u);
        if (ARRAY_RESERVE(u->addresses, u->addresses_allocated, u->n_addresses + 1) < 0)
                return -ENOMEM;
        r = unwinder_find(u, dso, address, &rule);
        if (r < 0)
                return r;
        u->addresses[u->n_addresses] = (CachedAddress) { .address = address, .dso = dso, .rule = rule };
        r = hash_index_add(&u->index, hash, u->n_addresses + 1, address_hash_of, u);
        if (r < 0)
                return r;
        u->n_addresses++;
        *ret = u->rules + rule;
        return 0;
}

static int unwinder_rule(Unwinder *u, const Map *map, uint64_t pc, const UnwindRule **ret) {
        static const UnwindRule none = { .kind = UNWIND_NO_RULE };
        uint64_t address, hash;
        uintptr_t found;

        *ret = &none;
        if (!map || !u->source.find)
                return 0;
        address = pc - map->start + map->page_offset;
        hash = address_hash(map->object, address);
        found = HASH_INDEX_FIND(&u->index, hash, entry,
                                u->addresses[entry - 1].address == address && u->addresses[entry - 1].dso == map->object);
        if (found == 0)
                return unwinder_add(u, map->object, address, hash, ret);
        *ret = u->rules + u->addresses[found - 1].rule;
        return 0;
}

static bool step(Unwinder *u, UnwindStack *s, const UnwindRule *rule, const MapList *maps) {
        s->beyond = false;
        switch (rule->kind) {
        case UNWIND_PLAIN:
                return unwind_step_plain(s, rule);
        case UNWIND_FRAME:
                return unwind_step_frame(s, u->frames + rule->frame, rule->signal);
        default:
                return unwind_step_pointer(s) && map_list_find(maps, s->registers[UNWIND_RIP] - 1);
        }
}

int unwinder_run(Unwinder *u, const MapList *maps, UnwindStack *s, uint64_t addresses[static UNWIND_ADDRESSES_MAX], size_t *ret_n,
                 UnwindEnd *ret) {
        const Map *map = NULL;
        bool exact = true;
        size_t n = 0;

        for (;;) {
                uint64_t pc = s->registers[UNWIND_RIP];
                const UnwindRule *rule;
                int r;

                if (n > 0 && pc == 0) {
                        *ret = UNWIND_WHOLE;
                        break;
                }
                if (n >= UNWIND_ADDRESSES_MAX) {
                        *ret = UNWIND_DEEP;
                        break;
                }
                if (n > 0 && pc - !exact == 0) { /* no code is there */
                        *ret = UNWIND_LOST;
                        break;
                }
                if (!map || pc - !exact < map->start || pc - !exact >= map->end)
                        map = map_list_find(maps, pc - !exact);
                r = unwinder_rule(u, map, pc - !exact, &rule);
                if (r == -EAGAIN) {
                        addresses[n++] = pc - !exact;
                        *ret = UNWIND_LOST;
                        break;
                }
                if (r < 0)
                        return r;
                /* a handler returns to the beginning of the code that ends it, which has not called */
                addresses[n++] = pc - (!exact && !rule->signal);
                exact = rule->signal;
                if (rule->kind == UNWIND_LAST || !step(u, s, rule, maps)) {
                        *ret = rule->kind == UNWIND_LAST ? UNWIND_WHOLE : s->beyond ? UNWIND_CUT : UNWIND_LOST;
                        break;
                }
        }
        *ret_n = n;
        return 0;
}

/* Takes what was recorded, and leaves room for the rest. */
static int unwinder_begin_chain(Unwinder *u, const uint64_t *recorded, size_t n) {
        if (ARRAY_RESERVE(u->chain, u->chain_allocated, n + 1 + UNWIND_ADDRESSES_MAX + UNWIND_END_MAX) < 0)
                return -ENOMEM;
        if (n > 0)
                memcpy(u->chain, recorded, n * sizeof(*recorded));
        return 0;
}

int unwinder_chain_hit(Unwinder *u, const uint64_t *recorded, size_t n, const uint64_t *address, size_t *ret_n) {
        int r = unwinder_begin_chain(u, recorded, n);

        if (r < 0)
                return r;
        if (address) {
                u->chain[n++] = PERF_CONTEXT_USER;
                u->chain[n++] = *address;
        }
        *ret_n = n;
        return 0;
}

int unwinder_chain(Unwinder *u, const Process *process, UnwindStack *s, const uint64_t *recorded, size_t n, size_t *ret_n,
                   UnwindEnd *ret) {
        static const MapList none = {};
        int r = unwinder_begin_chain(u, recorded, n);

        if (r < 0)
                return r;
        u->chain[n++] = PERF_CONTEXT_USER;
        r = unwinder_run(u, process ? &process->maps : &none, s, u->chain + n, ret_n, ret);
        if (r >= 0)
                *ret_n += n;
        return r;
}

size_t unwinder_mark(uint64_t *chain, size_t n, UnwindEnd end) {
        for (UnwindEnd i = UNWIND_WHOLE; i < end; i++)
                chain[n++] = PERF_CONTEXT_USER;
        return n;
}

static uint64_t word_of(const void *chain, size_t i) {
        uint64_t word;

        memcpy(&word, (const uint8_t *) chain + i * sizeof(word), sizeof(word));
        return word;
}

/* The kernel itself puts the marker last where there is no room for an address of user space behind it, since its own part has as
 * many as it records, and for guests (kernel/events/callchain.c): then it is the only one. A chain that was made has one before
 * its addresses, too. */
UnwindEnd unwinder_mark_of(const void *chain, size_t n) {
        UnwindEnd end = UNWIND_WHOLE;

        while (end < UNWIND_END_MAX - 1 && end < n && word_of(chain, n - end - 1) == PERF_CONTEXT_USER)
                end++;
        return end != UNWIND_CUT || ANY_OF(n - 1, i, word_of(chain, i) == PERF_CONTEXT_USER) ? end : UNWIND_WHOLE;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "data-source.h"

/* Facts of a sampled access to memory: which it was, where its data came from, and what is not known of it. They are told apart as
 * perf c2c does, whose sums of several facts are below. */
typedef enum AccessFact {
        ACCESS_LOCKED,
        ACCESS_BLOCKED_BY_DATA,
        ACCESS_BLOCKED_BY_ADDRESS,
        ACCESS_LOAD,
        ACCESS_LOAD_WITHOUT_ADDRESS, /* the facts below of loads are of those with one */
        ACCESS_LOAD_UNCACHED,
        ACCESS_LOAD_IO,
        ACCESS_LOAD_FILL_BUFFER,
        ACCESS_LOAD_L1,
        ACCESS_LOAD_L2,
        ACCESS_LOAD_L3,              /* not modified by another core */
        ACCESS_LOAD_MISS,            /* of some level */
        ACCESS_LOCAL_HITM,           /* another core of the node had modified it */
        ACCESS_REMOTE_HITM,          /* a core of another node had */
        ACCESS_REMOTE_HIT,
        ACCESS_PEER_L2,              /* a core of the node forwarded it */
        ACCESS_PEER_L3,
        ACCESS_REMOTE_PEER,
        ACCESS_LOCAL_RAM,
        ACCESS_REMOTE_RAM,
        ACCESS_LOCAL_SHARED,         /* out of that memory, while other caches had it … */
        ACCESS_LOCAL_EXCLUSIVE,      /* … or none */
        ACCESS_REMOTE_SHARED,
        ACCESS_REMOTE_EXCLUSIVE,
        ACCESS_STORE,
        ACCESS_STORE_WITHOUT_ADDRESS,
        ACCESS_STORE_UNCACHED,
        ACCESS_STORE_L1,
        ACCESS_STORE_L1_MISS,
        ACCESS_STORE_LEVEL_UNKNOWN,
        ACCESS_UNMAPPED,             /* its code or its data is in no map */
        ACCESS_UNKNOWN,              /* neither a load nor a store */
        _ACCESS_FACT_MAX,
} AccessFact;

#define ACCESS(fact) (UINT32_C(1) << ACCESS_##fact)
#define ACCESSES_HITM (ACCESS(LOCAL_HITM) | ACCESS(REMOTE_HITM))
#define ACCESSES_LOCAL_PEER (ACCESS(PEER_L2) | ACCESS(PEER_L3))
#define ACCESSES_PEER (ACCESSES_LOCAL_PEER | ACCESS(REMOTE_PEER))
#define ACCESSES_SHARED (ACCESS(LOCAL_SHARED) | ACCESS(REMOTE_SHARED))
#define ACCESSES_EXCLUSIVE (ACCESS(LOCAL_EXCLUSIVE) | ACCESS(REMOTE_EXCLUSIVE))
#define ACCESSES_BLOCKED (ACCESS(BLOCKED_BY_DATA) | ACCESS(BLOCKED_BY_ADDRESS))
#define ACCESSES_L3 (ACCESS(LOAD_L3) | ACCESS(LOCAL_HITM))
#define ACCESSES_L3_MISS (ACCESS(LOCAL_RAM) | ACCESS(REMOTE_RAM) | ACCESS(REMOTE_HIT) | ACCESS(REMOTE_HITM))
#define ACCESSES_LOADED \
        (ACCESS(LOAD_FILL_BUFFER) | ACCESS(LOAD_L1) | ACCESS(LOAD_L2) | ACCESSES_L3 | ACCESSES_L3_MISS)
#define ACCESSES_STORED (ACCESS(STORE_L1) | ACCESS(STORE_L1_MISS) | ACCESS(STORE_LEVEL_UNKNOWN))

/* The word of a fact in JSON: "load_l1". */
const char *access_fact_word(AccessFact fact);

/* Returns the facts, a bit each, out of a union perf_mem_data_src. mapped: its code and its data are. */
uint32_t access_facts(uint64_t source, bool has_address, bool mapped);

/* Sums of facts. Zero-initialise. */
typedef struct AccessCounts {
        uint64_t n; /* accesses */
        uint64_t of[_ACCESS_FACT_MAX];
} AccessCounts;

void access_counts_add(AccessCounts *c, uint32_t facts, uint64_t n);
void access_counts_merge(AccessCounts *c, const AccessCounts *other);

/* Returns the sum of what these facts count; an access with two of them counts twice. */
uint64_t access_counts_sum(const AccessCounts *c, uint32_t facts);

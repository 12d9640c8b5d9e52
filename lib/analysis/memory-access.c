/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The meaning of the bits is that of union perf_mem_data_src (perf_event_open(2)). Processors differ in which of them they set:
 * some name a remote cache as level, others a level and that it is remote. */

#include "memory-access.h"

#include "format.h"

static const char *const fact_words[_ACCESS_FACT_MAX] = {
        [ACCESS_LOCKED] = "locked",
        [ACCESS_BLOCKED_BY_DATA] = "blocked_by_data",
        [ACCESS_BLOCKED_BY_ADDRESS] = "blocked_by_address",
        [ACCESS_LOAD] = "load",
        [ACCESS_LOAD_WITHOUT_ADDRESS] = "load_without_address",
        [ACCESS_LOAD_UNCACHED] = "load_uncached",
        [ACCESS_LOAD_IO] = "load_io",
        [ACCESS_LOAD_FILL_BUFFER] = "load_fill_buffer",
        [ACCESS_LOAD_L1] = "load_l1",
        [ACCESS_LOAD_L2] = "load_l2",
        [ACCESS_LOAD_L3] = "load_l3",
        [ACCESS_LOAD_MISS] = "load_miss",
        [ACCESS_LOCAL_HITM] = "local_hitm",
        [ACCESS_REMOTE_HITM] = "remote_hitm",
        [ACCESS_REMOTE_HIT] = "remote_hit",
        [ACCESS_PEER_L2] = "peer_l2",
        [ACCESS_PEER_L3] = "peer_l3",
        [ACCESS_REMOTE_PEER] = "remote_peer",
        [ACCESS_LOCAL_RAM] = "local_ram",
        [ACCESS_REMOTE_RAM] = "remote_ram",
        [ACCESS_LOCAL_SHARED] = "local_shared",
        [ACCESS_LOCAL_EXCLUSIVE] = "local_exclusive",
        [ACCESS_REMOTE_SHARED] = "remote_shared",
        [ACCESS_REMOTE_EXCLUSIVE] = "remote_exclusive",
        [ACCESS_STORE] = "store",
        [ACCESS_STORE_WITHOUT_ADDRESS] = "store_without_address",
        [ACCESS_STORE_UNCACHED] = "store_uncached",
        [ACCESS_STORE_L1] = "store_l1",
        [ACCESS_STORE_L1_MISS] = "store_l1_miss",
        [ACCESS_STORE_LEVEL_UNKNOWN] = "store_level_unknown",
        [ACCESS_UNMAPPED] = "unmapped",
        [ACCESS_UNKNOWN] = "unknown",
};

const char *access_fact_word(AccessFact fact) {
        return fact_words[fact];
}

/* A load that hit: where. */
static uint32_t facts_of_hit(unsigned level, bool hit, bool modified, bool peer, bool remote) {
        static const uint32_t rows[][2] = {
                { PERF_MEM_LVL_UNC, ACCESS(LOAD_UNCACHED) },     { PERF_MEM_LVL_IO, ACCESS(LOAD_IO) },
                { PERF_MEM_LVL_LFB, ACCESS(LOAD_FILL_BUFFER) },  { PERF_MEM_LVL_L1, ACCESS(LOAD_L1) },
                { PERF_MEM_LVL_L2, ACCESS(LOAD_L2) },            { PERF_MEM_LVL_LOC_RAM, ACCESS(LOCAL_RAM) },
                { PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2, ACCESS(REMOTE_RAM) },
        };
        uint32_t facts = remote ? ACCESS(REMOTE_RAM) : 0;

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                if (level & rows[i][0])
                        facts |= rows[i][1];
        if (level & PERF_MEM_LVL_L3)
                facts |= modified ? ACCESS(LOCAL_HITM) : ACCESS(LOAD_L3);
        if (peer)
                facts |= (level & PERF_MEM_LVL_L2 ? ACCESS(PEER_L2) : 0) | (level & PERF_MEM_LVL_L3 ? ACCESS(PEER_L3) : 0);
        if (facts & ACCESS(LOCAL_RAM))
                facts |= hit ? ACCESS(LOCAL_SHARED) : ACCESS(LOCAL_EXCLUSIVE);
        if (facts & ACCESS(REMOTE_RAM))
                facts |= hit ? ACCESS(REMOTE_SHARED) : ACCESS(REMOTE_EXCLUSIVE);
        return facts;
}

static uint32_t facts_of_load(uint64_t source) {
        unsigned level = data_source_part(source, DATA_LEVEL), snoop = data_source_part(source, DATA_SNOOP);
        bool hit = snoop & PERF_MEM_SNOOP_HIT, modified = snoop & PERF_MEM_SNOOP_HITM;
        bool peer = data_source_part(source, DATA_SNOOP_MORE) & DATA_SNOOP_PEER, remote = data_source_part(source, DATA_REMOTE);
        uint32_t facts = level & PERF_MEM_LVL_HIT ? facts_of_hit(level, hit, modified, peer, remote) : 0;

        if (level & (PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2) || remote)
                facts |= hit ? ACCESS(REMOTE_HIT) : modified ? ACCESS(REMOTE_HITM) :
                         peer ? ACCESS(REMOTE_HIT) | ACCESS(REMOTE_PEER) : 0;
        return facts | (level & PERF_MEM_LVL_MISS ? ACCESS(LOAD_MISS) : 0);
}

static uint32_t facts_of_store(unsigned level) {
        uint32_t facts = level & PERF_MEM_LVL_NA ? ACCESS(STORE_LEVEL_UNKNOWN) : 0;

        if (level & PERF_MEM_LVL_HIT)
                facts |= (level & PERF_MEM_LVL_UNC ? ACCESS(STORE_UNCACHED) : 0) | (level & PERF_MEM_LVL_L1 ? ACCESS(STORE_L1) : 0);
        if (level & PERF_MEM_LVL_MISS && level & PERF_MEM_LVL_L1)
                facts |= ACCESS(STORE_L1_MISS);
        return facts;
}

uint32_t access_facts(uint64_t source, bool has_address, bool mapped) {
        unsigned op = data_source_part(source, DATA_OP), block = data_source_part(source, DATA_BLOCK);
        uint32_t facts = data_source_part(source, DATA_LOCK) & PERF_MEM_LOCK_LOCKED ? ACCESS(LOCKED) : 0;

        facts |= block & DATA_BLOCK_DATA ? ACCESS(BLOCKED_BY_DATA) : 0;
        facts |= block & DATA_BLOCK_ADDRESS ? ACCESS(BLOCKED_BY_ADDRESS) : 0;
        if (!(op & (PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE)))
                return facts | ACCESS(UNKNOWN);
        if (op & PERF_MEM_OP_LOAD)
                facts |= ACCESS(LOAD) | (has_address ? facts_of_load(source) : ACCESS(LOAD_WITHOUT_ADDRESS));
        else
                facts |= ACCESS(STORE) | (has_address ? facts_of_store(data_source_part(source, DATA_LEVEL)) :
                                                       ACCESS(STORE_WITHOUT_ADDRESS));
        return facts | (has_address && !mapped ? ACCESS(UNMAPPED) : 0);
}

void access_counts_add(AccessCounts *c, uint32_t facts, uint64_t n) {
        c->n += n;
        for (; facts != 0; facts &= facts - 1)
                c->of[__builtin_ctz(facts)] += n;
}

void access_counts_merge(AccessCounts *c, const AccessCounts *other) {
        c->n += other->n;
        for (size_t i = 0; i < _ACCESS_FACT_MAX; i++)
                c->of[i] += other->of[i];
}

uint64_t access_counts_sum(const AccessCounts *c, uint32_t facts) {
        uint64_t sum = 0;

        for (; facts != 0; facts &= facts - 1)
                sum += c->of[__builtin_ctz(facts)];
        return sum;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-accesses.h"
#include "memory-access.h"
#include "memory-nodes.h"

#define LOAD(level, snoop) \
        (PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, level) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(SNOOP, snoop))
#define STORE(level, result) (PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, level) | PERF_MEM_S(LVL, result))
#define REMOTE (UINT64_C(1) << 37)
#define PEER (UINT64_C(2) << 38)

START_TEST(loads_and_stores) {
        const struct {
                uint64_t source;
                uint32_t facts;
        } all[] = {
                { LOAD(L1, NONE), ACCESS(LOAD) | ACCESS(LOAD_L1) },
                { LOAD(L3, HIT), ACCESS(LOAD) | ACCESS(LOAD_L3) },
                { LOAD(L3, HITM), ACCESS(LOAD) | ACCESS(LOCAL_HITM) },
                { LOAD(L3, NONE) | PEER, ACCESS(LOAD) | ACCESS(LOAD_L3) | ACCESS(PEER_L3) },
                { LOAD(REM_CCE1, HITM), ACCESS(LOAD) | ACCESS(REMOTE_HITM) },
                { LOAD(REM_CCE2, NONE) | PEER, ACCESS(LOAD) | ACCESS(REMOTE_HIT) | ACCESS(REMOTE_PEER) },
                { LOAD(LOC_RAM, HIT), ACCESS(LOAD) | ACCESS(LOCAL_RAM) | ACCESS(LOCAL_SHARED) },
                { LOAD(REM_RAM1, MISS), ACCESS(LOAD) | ACCESS(REMOTE_RAM) | ACCESS(REMOTE_EXCLUSIVE) },
                { LOAD(HIT, HITM) | REMOTE, ACCESS(LOAD) | ACCESS(REMOTE_RAM) | ACCESS(REMOTE_EXCLUSIVE) | ACCESS(REMOTE_HITM) },
                { STORE(L1, HIT) | PERF_MEM_S(LOCK, LOCKED), ACCESS(STORE) | ACCESS(STORE_L1) | ACCESS(LOCKED) },
                { STORE(L1, MISS), ACCESS(STORE) | ACCESS(STORE_L1_MISS) },
                { STORE(NA, NA), ACCESS(STORE) | ACCESS(STORE_LEVEL_UNKNOWN) },
                { PERF_MEM_S(OP, PFETCH) | PERF_MEM_S(LVL, L2), ACCESS(UNKNOWN) },
        };
        AccessCounts c = {};

        for (size_t i = 0; i < ELEMENTSOF(all); i++) {
                ck_assert_uint_eq(access_facts(all[i].source, true, true), all[i].facts);
                access_counts_add(&c, all[i].facts, 1);
        }
        ck_assert_uint_eq(access_facts(LOAD(L3, HITM), false, false), ACCESS(LOAD) | ACCESS(LOAD_WITHOUT_ADDRESS));
        ck_assert_uint_eq(access_facts(STORE(L1, HIT), true, false), ACCESS(STORE) | ACCESS(STORE_L1) | ACCESS(UNMAPPED));
        ck_assert_uint_eq(c.n, ELEMENTSOF(all));
        ck_assert_uint_eq(access_counts_sum(&c, ACCESSES_HITM), 3);
        ck_assert_uint_eq(access_counts_sum(&c, ACCESSES_PEER), 2);
        ck_assert_uint_eq(access_counts_sum(&c, ACCESSES_L3), 3);
}
END_TEST

START_TEST(nodes) {
        _cleanup_free_ char *path = test_path("accesses.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(memory_nodes_done) MemoryNodes m = {};

        made_accesses(path, &(MadeFacets) { .program = "/bin/true" }, NULL, 0);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(memory_nodes_read(&m, reader));
        ck_assert_uint_eq(memory_nodes_of_cpu(&m, 1), 0);
        ck_assert_uint_eq(memory_nodes_of_cpu(&m, 2), 1);
        ck_assert_uint_eq(memory_nodes_of_cpu(&m, 4), MEMORY_NODE_UNKNOWN);
        ck_assert_uint_eq(memory_nodes_of_cpu(&m, UINT32_MAX), MEMORY_NODE_UNKNOWN);
        ck_assert_uint_eq(m.n_ranges, 2);
        ck_assert_uint_eq(memory_nodes_of_address(&m, 0), 0);
        ck_assert_uint_eq(memory_nodes_of_address(&m, 0x40000000), 1);
        ck_assert_uint_eq(memory_nodes_of_address(&m, 0x80000000), MEMORY_NODE_UNKNOWN);
}
END_TEST

TEST_RUN("memory-access", loads_and_stores, nodes);

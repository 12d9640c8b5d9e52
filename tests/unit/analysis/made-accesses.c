/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-accesses.h"

#include <sys/mman.h>

#define LOADS_ID UINT64_C(41)
#define STORES_ID UINT64_C(42)
#define FIELDS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | \
                PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR)
#define THREADS 6u
#define NODES 2u
#define CPUS 4u
#define LINES 12u

/* The parts of union perf_mem_data_src that older headers do not name. */
#define SOURCE_REMOTE (UINT64_C(1) << 37)
#define SOURCE_PEER (UINT64_C(2) << 38)
#define SOURCE_BLOCKED_BY_DATA (UINT64_C(2) << 40)
#define SOURCE_BLOCKED_BY_ADDRESS (UINT64_C(4) << 40)
#define SOURCE_LEVEL(n) ((uint64_t) (n) << 33)

#define LOAD(level, snoop) \
        (PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, level) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(SNOOP, snoop) | PERF_MEM_S(TLB, L1) | \
         PERF_MEM_S(TLB, HIT))
#define STORE(level, result) (PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, level) | PERF_MEM_S(LVL, result) | PERF_MEM_S(SNOOP, NA))

static uint32_t pid_of(unsigned thread) {
        return thread < 4 ? 4100 : 4200;
}

static uint32_t tid_of(unsigned thread) {
        return thread < 4 ? 4100 + thread : 4200 + thread - 4;
}

static void put_sample(RecordBuffer *b, uint64_t time, const MadeAccess *a) {
        size_t start = b->size;

        byte_buffer_put(b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER },
                        sizeof(struct perf_event_header));
        byte_buffer_put_u64(b, a->source & PERF_MEM_S(OP, STORE) ? STORES_ID : LOADS_ID);
        byte_buffer_put_u64(b, a->ip);
        byte_buffer_put_u32(b, pid_of(a->thread));
        byte_buffer_put_u32(b, tid_of(a->thread));
        byte_buffer_put_u64(b, time);
        byte_buffer_put_u64(b, a->address);
        byte_buffer_put_u64(b, a->cpu);
        byte_buffer_put_u64(b, 10); /* period */
        byte_buffer_put_u64(b, a->weight);
        byte_buffer_put_u64(b, a->source);
        byte_buffer_put_u64(b, a->physical);
        ck_assert_int_eq(b->error, 0);
        ((struct perf_event_header *) (b->data + start))->size = (uint16_t) (b->size - start);
}

static void put_maps(RecordBuffer *b, uint32_t pid, uint64_t shared, const MadeFacets *facets) {
        const RecordTrailer trailer = { .sample_type = FIELDS };
        struct stat st = {};
        RecordMap map = {
                .pid = pid, .tid = pid, .start = MADE_FACETS_BASE, .length = 0x100000, .path = facets->program,
                .misc = PERF_RECORD_MISC_USER, .protection = 5, .flags = MAP_PRIVATE,
        };

        ck_assert_int_eq(stat(facets->program, &st), 0);
        map.inode = st.st_ino;
        ck_assert_ok(record_put_mmap2(b, &map, &trailer));
        map = (RecordMap) {
                .pid = pid, .tid = pid, .start = MADE_FACETS_DATA, .length = 0x100000, .path = "//anon",
                .misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, .protection = 3, .flags = MAP_PRIVATE,
        };
        ck_assert_ok(record_put_mmap2(b, &map, &trailer));
        map = (RecordMap) {
                .pid = pid, .tid = pid, .start = shared, .length = 0x10000, .path = "/dev/shm/made", .page_offset = 0x1000,
                .misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, .protection = 3, .flags = MAP_SHARED,
                .minor = 25, .inode = 77,
        };
        ck_assert_ok(record_put_mmap2(b, &map, &trailer));
}

static void put_processes(RecordBuffer *b, const MadeFacets *facets) {
        const RecordTrailer trailer = { .sample_type = FIELDS };

        for (unsigned i = 0; i < THREADS; i++)
                ck_assert_ok(record_put_comm(b, pid_of(i), tid_of(i), i < 4 ? "demo" : "other", 0, &trailer));
        put_maps(b, pid_of(0), MADE_ACCESSES_SHARED, facets);
        put_maps(b, pid_of(4), MADE_ACCESSES_SHARED + MADE_ACCESSES_APART, facets);
        ck_assert_ok(record_put_finished_init(b));
}

/* CPUs 0 and 1 are of node 0, which has the first GiB of physical memory, the others of node 1, which has the second one. */
static void add_topology(FeatureTable *t) {
        ByteBuffer cpus = {}, nodes = {}, memory = {};

        byte_buffer_put_u32(&cpus, CPUS);
        byte_buffer_put_u32(&cpus, CPUS);
        byte_buffer_put_u32(&nodes, NODES);
        byte_buffer_put_u64(&memory, 1); /* version */
        byte_buffer_put_u64(&memory, UINT64_C(1) << 27);
        byte_buffer_put_u64(&memory, NODES);
        for (unsigned i = 0; i < NODES; i++) {
                byte_buffer_put_u32(&nodes, i);
                byte_buffer_put_u64(&nodes, 1 << 20);
                byte_buffer_put_u64(&nodes, 1 << 19);
                byte_buffer_put_string(&nodes, i == 0 ? "0-1" : "2-3");
                byte_buffer_put_u64(&memory, i);
                byte_buffer_put_u64(&memory, 8 * (i + 1));
                byte_buffer_put_u64(&memory, 8 * (i + 1));
                byte_buffer_put_u64(&memory, UINT64_C(0xff) << 8 * i);
        }
        ck_assert_ok(feature_table_take(t, PERF_FEATURE_NRCPUS, &cpus));
        ck_assert_ok(feature_table_take(t, PERF_FEATURE_NUMA_TOPOLOGY, &nodes));
        ck_assert_ok(feature_table_take(t, PERF_FEATURE_MEM_TOPOLOGY, &memory));
}

static PerfDataEvent event_of(const char *name, uint64_t config, const uint64_t *id) {
        return (PerfDataEvent) {
                .attr = {
                        .type = PERF_TYPE_RAW, .config = config, .size = sizeof(struct perf_event_attr), .sample_period = 10,
                        .sample_type = FIELDS, .sample_id_all = 1, .read_format = PERF_FORMAT_ID, .mmap = 1, .mmap2 = 1,
                        .mmap_data = 1, .comm = 1, .task = 1, .exclude_kernel = 1, .precise_ip = 2,
                },
                .ids = id, .n_ids = 1, .name = name,
        };
}

void made_accesses(const char *path, const MadeFacets *facets, const MadeAccess *accesses, size_t n) {
        static const uint64_t ids[] = { LOADS_ID, STORES_ID };
        const PerfDataEvent events[] = {
                event_of("cpu/mem-loads,ldlat=30/P", 0x1cd, ids), event_of("cpu/mem-stores/P", 0x82d0, ids + 1),
        };
        const PerfDataWriterOptions options = { .events = events, .n_events = ELEMENTSOF(events) };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *features = NULL;

        put_processes(&b, facets);
        for (size_t i = 0; i < n; i++)
                put_sample(&b, 1000 * (i + 1), accesses + i);
        ck_assert_ok(feature_table_new(&features));
        add_topology(features);
        ck_assert_ok(feature_table_add_events(features, events, ELEMENTSOF(events)));
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &options, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
}

static const struct {
        uint64_t source;
        uint32_t weight; /* at least */
} kinds[] = {
        { LOAD(L1, NONE), 4 },
        { LOAD(L1, NONE) | PERF_MEM_S(LOCK, LOCKED), 20 },
        { LOAD(LFB, NONE), 9 },
        { LOAD(L2, NONE), 14 },
        { LOAD(L3, NONE), 45 },
        { LOAD(L3, HIT), 60 },
        { LOAD(L3, HITM), 90 },
        { LOAD(L3, HITM) | PERF_MEM_S(LOCK, LOCKED), 120 },
        { LOAD(REM_CCE1, HITM), 300 },
        { LOAD(REM_CCE2, HITM) | SOURCE_REMOTE | SOURCE_LEVEL(3), 340 },
        { LOAD(REM_CCE1, HIT), 200 },
        { LOAD(LOC_RAM, HIT), 180 },
        { LOAD(LOC_RAM, MISS), 190 },
        { LOAD(REM_RAM1, MISS), 380 },
        { LOAD(REM_RAM2, HIT), 420 },
        { LOAD(L2, NONE) | SOURCE_PEER, 70 },
        { LOAD(L3, NONE) | SOURCE_PEER, 75 },
        { LOAD(REM_CCE1, NONE) | SOURCE_PEER, 310 },
        { LOAD(L1, NONE) | SOURCE_BLOCKED_BY_DATA, 30 },
        { LOAD(L1, NONE) | SOURCE_BLOCKED_BY_ADDRESS | SOURCE_BLOCKED_BY_DATA, 33 },
        { PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVL, MISS) | PERF_MEM_S(SNOOP, MISS), 210 },
        { PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(SNOOP, HITM) | SOURCE_REMOTE | SOURCE_LEVEL(11), 330 },
        { LOAD(UNC, NONE), 500 },
        { LOAD(IO, NONE), 800 },
        { STORE(L1, HIT), 0 },
        { STORE(L1, HIT), 0 },
        { STORE(L1, MISS), 0 },
        { STORE(L1, MISS) | PERF_MEM_S(LOCK, LOCKED), 0 },
        { PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, NA), 0 },
        { STORE(UNC, HIT), 0 },
        { PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA), 7 },
        { PERF_MEM_S(OP, PFETCH) | PERF_MEM_S(LVL, L2) | PERF_MEM_S(LVL, HIT), 8 },
};

static unsigned next_random(uint64_t *state, unsigned n) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        return (unsigned) (*state >> 33) % n;
}

/* Every other line is of the shared file, those between of each process's own memory; only some of their bytes are accessed. */
static uint64_t address_of(uint64_t *state, unsigned thread) {
        unsigned line = next_random(state, LINES) * next_random(state, LINES) / LINES, offset = next_random(state, 5) * 12;
        uint64_t shared = MADE_ACCESSES_SHARED + (thread >= 4 ? MADE_ACCESSES_APART : 0);

        if (next_random(state, 10) == 0) /* of one thread, and of no other one */
                return MADE_FACETS_DATA + 0x8000 + UINT64_C(0x1000) * thread + 8 * next_random(state, 500);
        return (line % 2 == 0 ? shared : MADE_FACETS_DATA) + UINT64_C(192) * line + offset;
}

void made_access_mixture(MadeAccess *accesses, size_t n, const MadeFacets *facets) {
        uint64_t state = 1;

        for (size_t i = 0; i < n; i++) {
                unsigned kind = next_random(&state, ELEMENTSOF(kinds)), thread = next_random(&state, THREADS);
                MadeAccess *a = accesses + i;

                *a = (MadeAccess) {
                        .ip = MADE_FACETS_BASE + facets->functions[next_random(&state, ELEMENTSOF(facets->functions))] +
                              UINT64_C(4) * next_random(&state, 3),
                        .address = address_of(&state, thread), .source = kinds[kind].source,
                        .weight = kinds[kind].weight + (kinds[kind].weight > 0 ? next_random(&state, 40) : 0),
                        .cpu = (thread + next_random(&state, 2)) % CPUS, .thread = thread,
                };
                a->physical = UINT64_C(0x10000000) + (thread < 4 ? 0 : UINT64_C(0x40000000)) + a->address % 0x100000;
                if (i % 97 == 0)
                        a->address = 0;
                else if (i % 89 == 0)
                        a->address = 0x1000;
                else if (i % 83 == 0)
                        a->ip = 0x10;
        }
}

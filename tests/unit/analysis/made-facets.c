/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-facets.h"

#define ID UINT64_C(31)
#define PID 4100u
#define FIRST_FIELDS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
                      PERF_SAMPLE_PERIOD)
#define MEMORY_FIELDS (FIRST_FIELDS | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | \
                       PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE)

typedef struct Access {
        uint64_t ip, address;
        uint32_t weight;
        uint16_t latency, stage;
        uint64_t source, transaction, physical, data_page, code_page;
} Access;

static void put_first_fields(RecordBuffer *b, uint64_t type, uint64_t ip, uint64_t time, uint64_t address) {
        byte_buffer_put(b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER },
                        sizeof(struct perf_event_header));
        byte_buffer_put_u64(b, ID);
        byte_buffer_put_u64(b, ip);
        byte_buffer_put_u32(b, PID);
        byte_buffer_put_u32(b, PID);
        byte_buffer_put_u64(b, time);
        if (type & PERF_SAMPLE_ADDR)
                byte_buffer_put_u64(b, address);
        byte_buffer_put_u64(b, 0);  /* cpu */
        byte_buffer_put_u64(b, 10); /* period */
}

static void finish_sample(RecordBuffer *b, size_t start) {
        ck_assert_int_eq(b->error, 0);
        ((struct perf_event_header *) (b->data + start))->size = (uint16_t) (b->size - start);
}

static void put_access(RecordBuffer *b, uint64_t time, const Access *a) {
        size_t start = b->size;

        put_first_fields(b, MEMORY_FIELDS, a->ip, time, a->address);
        byte_buffer_put_u64(b, (uint64_t) a->stage << 48 | (uint64_t) a->latency << 32 | a->weight);
        byte_buffer_put_u64(b, a->source);
        byte_buffer_put_u64(b, a->transaction);
        byte_buffer_put_u64(b, a->physical);
        byte_buffer_put_u64(b, a->data_page);
        byte_buffer_put_u64(b, a->code_page);
        finish_sample(b, start);
}

static void put_branches(RecordBuffer *b, uint64_t time, const struct perf_branch_entry *branches, size_t n) {
        size_t start = b->size;

        put_first_fields(b, FIRST_FIELDS, branches[0].to, time, 0);
        byte_buffer_put_u64(b, n);
        byte_buffer_put(b, branches, n * sizeof(*branches));
        finish_sample(b, start);
}

static void put_process(RecordBuffer *b, uint64_t type, const MadeFacets *facets) {
        const RecordTrailer trailer = { .sample_type = type };
        struct stat st = {};
        RecordMap map = {
                .pid = PID, .tid = PID, .start = MADE_FACETS_BASE, .length = 0x100000, .path = facets->program,
                .misc = PERF_RECORD_MISC_USER, .protection = 5, .flags = 2,
        };

        ck_assert_int_eq(stat(facets->program, &st), 0);
        map.inode = st.st_ino;
        ck_assert_ok(record_put_comm(b, PID, PID, "demo", 0, &trailer));
        ck_assert_ok(record_put_mmap2(b, &map, &trailer));
        map = (RecordMap) {
                .pid = PID, .tid = PID, .start = MADE_FACETS_DATA, .length = 0x10000, .path = "//anon",
                .misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, .protection = 3, .flags = 2,
        };
        ck_assert_ok(record_put_mmap2(b, &map, &trailer));
        ck_assert_ok(record_put_finished_init(b));
}

static void write_recording(const char *path, const PerfDataEvent *event, const RecordBuffer *b) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *features = NULL;

        ck_assert_ok(feature_table_new(&features));
        if (event->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
                ck_assert_ok(feature_table_put(features, PERF_FEATURE_BRANCH_STACK, NULL, 0));
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = event, .n_events = 1 }, &w));
        ck_assert_ok(test_append(w, b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
}

static PerfDataEvent event_of(const char *name, uint64_t type) {
        static const uint64_t ids[] = { ID };

        return (PerfDataEvent) {
                .attr = {
                        .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .size = sizeof(struct perf_event_attr),
                        .sample_period = 10, .sample_type = type, .sample_id_all = 1, .read_format = PERF_FORMAT_ID, .mmap = 1,
                        .mmap2 = 1, .mmap_data = 1, .comm = 1, .task = 1, .exclude_kernel = 1,
                },
                .ids = ids, .n_ids = ELEMENTSOF(ids), .name = name,
        };
}

void made_memory(const char *path, const MadeFacets *facets) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        PerfDataEvent event = event_of("mem-loads", MEMORY_FIELDS);
        uint64_t base = MADE_FACETS_BASE;
        const Access first = {
                .ip = base + facets->functions[0], .address = MADE_FACETS_DATA + 0x10, .weight = 7, .latency = 3, .stage = 2,
                .source = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(SNOOP, NONE) |
                        PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, L1) | PERF_MEM_S(TLB, HIT) | PERF_MEM_S(BLK, NA),
                .physical = 0x1234010, .data_page = 4096, .code_page = 4096,
        };
        const Access second = {
                .ip = base + facets->functions[1], .address = MADE_FACETS_DATA + 0x48, .weight = 250, .latency = 40, .stage = 9,
                .source = PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVL, MISS) | PERF_MEM_S(SNOOP, HITM) |
                        PERF_MEM_S(LOCK, LOCKED) | PERF_MEM_S(TLB, L2) | PERF_MEM_S(TLB, MISS) | PERF_MEM_S(BLK, ADDR),
                .transaction = PERF_TXN_TRANSACTION | PERF_TXN_SYNC | PERF_TXN_CONFLICT | UINT64_C(5) << PERF_TXN_ABORT_SHIFT,
                .physical = 0x1234048, .data_page = 2 << 20, .code_page = 2 << 20,
        };
        const Access third = {
                .ip = base + facets->functions[1] + 1, .address = 0x10, .weight = 7, .latency = 3, .stage = 9,
                .source = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, LOC_RAM) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(SNOOP, MISS) |
                        PERF_MEM_S(TLB, WK) | PERF_MEM_S(TLB, HIT) | PERF_MEM_S(BLK, DATA) | PERF_MEM_S(BLK, ADDR),
                .transaction = PERF_TXN_ELISION, .data_page = UINT64_C(1) << 30, .code_page = 4096,
        };

        put_process(&b, MEMORY_FIELDS, facets);
        put_access(&b, 1000, &first);
        put_access(&b, 2000, &second);
        put_access(&b, 3000, &third);
        put_access(&b, 4000, &first);
        write_recording(path, &event, &b);
}

void made_branches(const char *path, const MadeFacets *facets) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        PerfDataEvent event = event_of("cycles:u", FIRST_FIELDS | PERF_SAMPLE_BRANCH_STACK);
        uint64_t base = MADE_FACETS_BASE;
        const struct perf_branch_entry branches[] = {
                { .from = base + facets->functions[2] + 4, .to = base + facets->functions[0], .predicted = 1, .cycles = 12 },
                { .from = base + facets->functions[0] + 2, .to = base + facets->functions[1], .mispred = 1, .in_tx = 1 },
                { .from = 0x10, .to = base + facets->functions[2], .predicted = 1, .abort = 1, .cycles = 3 },
                { .from = base + facets->functions[1] + 1, .to = base + facets->functions[0] + 4, .predicted = 1, .cycles = 700 },
        };
        struct perf_branch_entry second[] = { branches[0], branches[3], branches[3] };

        event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
        second[2].cycles = 1;
        put_process(&b, event.attr.sample_type, facets);
        put_branches(&b, 1000, branches, 3);
        put_branches(&b, 2000, second, ELEMENTSOF(second));
        write_recording(path, &event, &b);
}

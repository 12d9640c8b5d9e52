/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The builders of record.h write records of these layouts, and no shorter record counts as whole. */

#include "perfdata-test.h"
#include "record-layout.h"

static const RecordTrailer trailer = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
#define TRAILER_SIZE 16u

/* The record is whole; truncated to any shorter size it is not, unless only zeros behind its text are lost. */
static void assert_whole(const RecordBuffer *b, size_t least) {
        struct perf_event_header *h = (void *) b->data;
        uint16_t size = h->size;

        ck_assert(record_is_whole(h, TRAILER_SIZE));
        ck_assert(record_is_whole(h, 0));
        for (h->size = 8; h->size < size; h->size++)
                ck_assert_msg(!record_is_whole(h, TRAILER_SIZE) || h->size >= least, "type %u of %u bytes", h->type, h->size);
        h->size = (uint16_t) (size + 1);
        ck_assert(!record_is_whole(h, TRAILER_SIZE));
        h->size = size;
}

START_TEST(tasks) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const PerfRecordTask *t;

        ck_assert_ok(record_put_fork(&b, 1, 2, 3, 4, 5, 0, &trailer));
        assert_whole(&b, b.size);
        t = (const void *) b.data;
        ck_assert(t->pid == 1 && t->ppid == 2 && t->tid == 3 && t->ptid == 4 && t->time == 5);
        ck_assert_uint_eq(record_pid((const void *) t), 1);
}
END_TEST

START_TEST(names) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct perf_event_header *h;

        ck_assert_ok(record_put_comm(&b, 1, 2, "fifteen letters", 0, &trailer));
        assert_whole(&b, b.size);
        h = (void *) b.data;
        ck_assert_str_eq(((const PerfRecordComm *) h)->name, "fifteen letters");
        b.data[sizeof(PerfRecordComm) + 15] = 'x'; /* the terminating zero is in the trailer now */
        ck_assert(!record_is_whole(h, TRAILER_SIZE));
        ck_assert(record_is_whole(h, 0));
        record_buffer_reset(&b);
        ck_assert_ok(record_put_cgroup(&b, 7, "/system.slice", &trailer));
        assert_whole(&b, b.size);
        ck_assert_str_eq(((const PerfRecordCgroup *) b.data)->path, "/system.slice");
        record_buffer_reset(&b);
        ck_assert_ok(record_put_ksymbol(&b, 0x1000, 64, PERF_RECORD_KSYMBOL_TYPE_BPF, 1, "bpf_prog", &trailer));
        assert_whole(&b, b.size - 7); /* 8 letters and 8 zeros */
        ck_assert_uint_eq(((const PerfRecordKsymbol *) b.data)->flags, 1);
        ck_assert_uint_eq(((const PerfRecordKsymbol *) b.data)->length, 64);
}
END_TEST

START_TEST(maps) {
        RecordMap m = { .pid = 1, .start = 0x1000, .length = 0x2000, .page_offset = 0x3000, .major = 4, .minor = 5, .inode = 6,
                        .inode_generation = 7, .protection = 8, .flags = 9, .path = "/bin/sh" };
        const BuildId id = { .bytes = { 1, 2, 3 }, .size = 20 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        PerfRecordMmap2 *mmap2;

        ck_assert_ok(record_put_mmap(&b, &m, &trailer));
        assert_whole(&b, b.size);
        ck_assert_str_eq(((const PerfRecordMmap *) b.data)->path, "/bin/sh");
        record_buffer_reset(&b);
        ck_assert_ok(record_put_mmap2(&b, &m, &trailer));
        assert_whole(&b, b.size);
        mmap2 = (void *) b.data;
        ck_assert(mmap2->start == 0x1000 && mmap2->length == 0x2000 && mmap2->page_offset == 0x3000);
        ck_assert(mmap2->major == 4 && mmap2->minor == 5 && mmap2->inode == 6 && mmap2->inode_generation == 7);
        ck_assert(mmap2->protection == 8 && mmap2->flags == 9);
        ck_assert_str_eq(mmap2->path, "/bin/sh");
        mmap2->length = 0;
        ck_assert(!record_is_whole((const void *) mmap2, 0));
        mmap2->length = UINT64_MAX;
        ck_assert(!record_is_whole((const void *) mmap2, 0));
        record_buffer_reset(&b);
        m.build_id = &id;
        ck_assert_ok(record_put_mmap2(&b, &m, &trailer));
        mmap2 = (void *) b.data;
        ck_assert_uint_eq(mmap2->build_id_size, 20);
        ck_assert_mem_eq(mmap2->build_id, id.bytes, 20);
}
END_TEST

START_TEST(counts_in_records) {
        struct perf_ns_link_info links[3] = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        PerfRecordTextPoke *poke;

        ck_assert_ok(record_put_namespaces(&b, 1, 1, links, 3, &trailer));
        assert_whole(&b, b.size);
        ((PerfRecordNamespaces *) b.data)->n = UINT64_MAX;
        ck_assert(!record_is_whole((const void *) b.data, 0));
        record_buffer_reset(&b);
        poke = byte_buffer_extend(&b, sizeof(*poke) + 12);
        poke->header = (struct perf_event_header) { .type = PERF_RECORD_TEXT_POKE, .size = sizeof(*poke) + 12 };
        poke->old_length = poke->new_length = 6;
        ck_assert(record_is_whole((const void *) poke, 0));
        poke->new_length = 7;
        ck_assert(!record_is_whole((const void *) poke, 0));
}
END_TEST

START_TEST(others) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_bpf_program(&b, 5, (const uint8_t[8]) { 1, 2 }, &trailer));
        assert_whole(&b, b.size);
        ck_assert_uint_eq(((const PerfRecordBpfEvent *) b.data)->id, 5);
        ck_assert_uint_eq(((const PerfRecordBpfEvent *) b.data)->tag[1], 2);
        record_buffer_reset(&b);
        ck_assert_ok(record_put_lost_samples(&b, 17, &trailer));
        assert_whole(&b, b.size);
        ck_assert_uint_eq(((const PerfRecordLostSamples *) b.data)->lost, 17);
        record_buffer_reset(&b);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert(!record_is_whole((const void *) b.data, 0)); /* there is no layout for it */
}
END_TEST

TEST_RUN("record-layout", tasks, names, maps, counts_in_records, others);

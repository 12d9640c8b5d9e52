/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Made records of call chains whose user part the kernel has put off, whatever kernel runs. */

#include <fcntl.h>
#include <unistd.h>

#include "deferred-chains.h"
#include "made-samples.h"
#include "replay.h"
#include "unwinder.h"

#define KERNEL UINT64_C(0xffffffff81001000)

static void put_words(RecordBuffer *b, const uint64_t *words, size_t n) {
        for (size_t i = 0; i < n; i++)
                byte_buffer_put_u64(b, words[i]);
}

static void end_record(RecordBuffer *b, size_t start) {
        struct perf_event_header *h = (struct perf_event_header *) (b->data + start);

        ck_assert_int_eq(b->error, 0);
        h->size = (uint16_t) (b->size - start);
}

/* A sample in the kernel, whose chain waits for that cookie. */
static void put_waiting(RecordBuffer *b, uint32_t tid, uint64_t time, uint64_t cookie) {
        const uint64_t chain[] = { PERF_CONTEXT_KERNEL, KERNEL, KERNEL + 16, CONTEXT_USER_DEFERRED, cookie };
        size_t start = b->size;

        byte_buffer_put(b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_KERNEL }, 8);
        put_words(b, (const uint64_t[]) { 11, KERNEL, (uint64_t) tid << 32 | 7, time, 0, 1, ELEMENTSOF(chain) }, 7);
        put_words(b, chain, ELEMENTSOF(chain));
        end_record(b, start);
}

/* n: what the record says that it has; two addresses are there. */
static void put_deferred(RecordBuffer *b, uint32_t tid, uint64_t time, uint64_t cookie, uint64_t n, uint64_t address) {
        size_t start = b->size;

        byte_buffer_put(b, &(struct perf_event_header) { .type = RECORD_CALLCHAIN_DEFERRED, .misc = PERF_RECORD_MISC_USER }, 8);
        put_words(b, (const uint64_t[]) { cookie, n, PERF_CONTEXT_USER, address, address + 16 }, 5);
        put_words(b, (const uint64_t[]) { (uint64_t) tid << 32 | 7, time, 0, 11 }, 4);
        end_record(b, start);
}

/* The recording of those records, whose events may put chains off. */
static PerfDataReader *made_recording(const RecordBuffer *b) {
        _cleanup_free_ char *path = test_path("deferred.data");
        PerfDataReader *reader = test_recording(path, b, NULL, 0);
        _cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC);
        uint64_t attributes, flags;

        perf_data_reader_free(reader);
        ck_assert_int_eq(pread(fd, &attributes, 8, 24), 8); /* where the attributes are */
        ck_assert_int_eq(pread(fd, &flags, 8, (off_t) attributes + 40), 8);
        flags |= ATTR_FLAG_DEFER_CALLCHAIN | ATTR_FLAG_DEFER_OUTPUT;
        ck_assert_int_eq(pwrite(fd, &flags, 8, (off_t) attributes + 40), 8);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        return reader;
}

typedef struct Seen {
        uint64_t chains[8][16];
        size_t words[8], n;
} Seen;

/* Sees the chains of all samples, and counts how they end. */
static Seen see_chains(PerfDataReader *reader, uint64_t ends[static UNWIND_END_MAX]) {
        _cleanup_replay_free_ Replay *replay = NULL;
        Seen seen = {};
        Moment m;
        int r;

        ck_assert_ok(replay_new(reader, &(ReplayOptions) {}, &replay));
        while ((r = replay_next(replay, &m)) == 1) {
                if (!moment_is_sample(&m))
                        continue;
                seen.words[seen.n] = m.sample->n_callchain;
                memcpy(seen.chains[seen.n++], m.sample->callchain, m.sample->n_callchain * sizeof(uint64_t));
        }
        ck_assert_int_eq(r, 0);
        memcpy(ends, replay_unwound(replay, 0), UNWIND_END_MAX * sizeof(*ends));
        return seen;
}

/* Two samples of one stay in the kernel have the same user part; one of another thread has another with the same cookie. */
START_TEST(merged) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        uint64_t ends[UNWIND_END_MAX];
        Seen seen;

        put_waiting(&b, 7, 1000, 33);
        put_waiting(&b, 8, 1001, 33);
        put_waiting(&b, 7, 1002, 33);
        put_deferred(&b, 8, 1500, 33, 3, 0x500000);
        put_deferred(&b, 7, 2000, 33, 3, 0x400000);
        put_deferred(&b, 7, 3000, 33, 3, 0x600000); /* another event's, of the same stay */
        reader = made_recording(&b);
        seen = see_chains(reader, ends);
        ck_assert_uint_eq(seen.n, 3);
        for (size_t i = 0; i < seen.n; i++) {
                ck_assert_uint_eq(seen.words[i], 6);
                ck_assert_uint_eq(seen.chains[i][2], KERNEL + 16);
                ck_assert_uint_eq(seen.chains[i][3], PERF_CONTEXT_USER);
                ck_assert_uint_eq(seen.chains[i][4], i == 1 ? 0x500000 : 0x400000);
                ck_assert_uint_eq(seen.chains[i][5], i == 1 ? 0x500010 : 0x400010);
        }
        ck_assert_uint_eq(ends[UNWIND_WHOLE], 3);
}
END_TEST

/* The part that is not there, or is broken, or is another thread's, is said to be missing, and the cookie is no address. */
START_TEST(missing) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        uint64_t ends[UNWIND_END_MAX];
        Seen seen;

        put_waiting(&b, 7, 1000, 33);
        put_waiting(&b, 7, 1001, 34);
        put_deferred(&b, 7, 2000, 33, 4000, 0x400000); /* more than the record has */
        put_deferred(&b, 7, 2001, 33, UINT64_MAX, 0x400000);
        put_deferred(&b, 8, 2002, 34, 3, 0x400000);
        reader = made_recording(&b);
        seen = see_chains(reader, ends);
        ck_assert_uint_eq(seen.n, 2);
        for (size_t i = 0; i < seen.n; i++) {
                ck_assert_uint_eq(seen.chains[i][2], KERNEL + 16);
                for (size_t k = 3; k < seen.words[i]; k++)
                        ck_assert_uint_eq(seen.chains[i][k], PERF_CONTEXT_USER);
                ck_assert_int_eq(unwinder_mark_of(seen.chains[i], seen.words[i]), UNWIND_MISSING);
        }
        ck_assert_uint_eq(ends[UNWIND_MISSING], 2);
}
END_TEST

START_TEST(in_tables) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        SampleTable *t = NULL;
        const SampleRow *rows;
        const uint32_t *chain;
        size_t n;

        put_waiting(&b, 7, 1000, 33);
        put_waiting(&b, 7, 1001, 34);
        put_deferred(&b, 7, 2000, 33, 3, 0x400000);
        reader = made_recording(&b);
        ck_assert_ok(sample_table_new(&(SampleTablePlan) {}, &t));
        ck_assert_ok(sample_table_read(t, reader, &(SampleReading) {}));
        rows = sample_table_rows(t, &n);
        ck_assert_uint_eq(n, 2);
        chain = sample_table_chain(t, rows[0].chain, &n);
        ck_assert_uint_eq(n, 4);
        ck_assert_uint_eq(sample_table_places(t)->places[chain[3]].ip, 0x400010);
        (void) sample_table_chain(t, rows[1].chain, &n);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(sample_table_events(t, &n)->unwound[UNWIND_MISSING], 1);
        ck_assert_uint_eq(sample_table_events(t, &n)->unwound[UNWIND_WHOLE], 1);
        sample_table_free(t);
}
END_TEST

/* A copy of the stack has the user part: of the chain that waits, the kernel's stays. */
START_TEST(unwound) {
        const uint64_t words[] = { PERF_CONTEXT_KERNEL, KERNEL, CONTEXT_USER_DEFERRED, 33 };
        DeferredChains d = {};
        const uint64_t *chain = words;
        size_t n = ELEMENTSOF(words);

        ck_assert(deferred_chain_waits(chain, n));
        ck_assert(!deferred_chain_waits(chain, 3));
        ck_assert(!deferred_chain_waits(NULL, 0));
        ck_assert_ok(deferred_chains_merge(&d, 7, true, &chain, &n));
        ck_assert_uint_eq(n, 2);
        n = 2;
        chain = words + 2; /* nothing of the kernel */
        ck_assert_ok(deferred_chains_merge(&d, 7, false, &chain, &n));
        ck_assert_int_eq(unwinder_mark_of(chain, n), UNWIND_MISSING);
        deferred_chains_done(&d);
}
END_TEST

TEST_RUN("deferred-chains", merged, missing, in_tables, unwound);

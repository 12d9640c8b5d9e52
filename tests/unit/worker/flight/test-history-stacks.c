/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Samples with copies of stacks, from a ring in plain memory to a history. Nothing answers questions for rules here, so that frame
 * pointers are followed. */

#include <stdlib.h>

#include "check-main.h"
#include "history-drain.h"
#include "made-recording.h"
#include "unwinder.h"
#include "unwound-sample.h"

#define CODE UINT64_C(0x400000)
#define STACK UINT64_C(0x7ffc00001000)
#define PID 7u

typedef struct PERF_RECORD_PACKED MadeStack {
        struct perf_event_header header;
        uint64_t ip;
        uint32_t pid, tid;
        uint64_t time, id, n_chain, abi, bp, sp, pc, size;
        uint64_t stack[4];
        uint64_t filled;
} MadeStack;

typedef struct PERF_RECORD_PACKED MadeTrailer {
        uint32_t pid, tid;
        uint64_t time, id;
} MadeTrailer;

static struct {
        PerfDataEvent events[1]; /* as written */
        HistoryStacks *stacks;
        History *history;
        uint64_t time;
        uint64_t chain[8]; /* of the last sample */
        size_t n_chain;
} m;

static void setup(void) {
        struct perf_event_attr *attr = &made.members[0].attr;

        ck_assert_int_eq(setenv("PERF_RECORDER_VIEW", "/bin/false", 1), 0);
        made_set();
        made.set.n_members = 1;
        attr->sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
        attr->sample_regs_user = 7 << 6; /* bp, sp, ip */
        attr->sample_stack_user = sizeof(((MadeStack *) NULL)->stack);
        m.events[0].attr = *attr;
        ck_assert(unwound_sample_attr(&m.events[0].attr, false));
        ck_assert_int_eq(history_for_set(&made.set, HISTORY_SIZE_MIN, USEC_INFINITY, 3, &m.history), 0);
        ck_assert_int_eq(history_stacks_new(&made.set, m.events, 1, false, &m.stacks), 0);
}

static void teardown(void) {
        history_stacks_free(m.stacks);
        history_free(m.history);
}

/* Records without a time are of the present. */
static void follow(const void *record, size_t size) {
        MadeTrailer trailer = { .pid = PID, .tid = PID };
        uint8_t bytes[256];
        struct iovec v = { bytes, size + sizeof(trailer) };

        ck_assert_uint_le(v.iov_len, sizeof(bytes));
        memcpy(bytes, record, size);
        memcpy(bytes + size, &trailer, sizeof(trailer));
        ((struct perf_event_header *) bytes)->size = (uint16_t) v.iov_len;
        ck_assert_int_eq(history_stacks_follow(m.stacks, UINT32_MAX, &v, 1, v.iov_len), 0);
}

static void follow_task(uint32_t type, uint32_t ppid, uint32_t tid) {
        const PerfRecordTask t = { .header.type = type, .pid = PID, .ppid = ppid, .tid = tid, .ptid = ppid };

        follow(&t, sizeof(t));
}

static void follow_map(void) {
        static const PerfRecordMmap2 map = {
                .header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER }, .pid = PID, .tid = PID, .start = CODE,
                .length = 0x10000, .protection = 5,
        };
        _Alignas(uint64_t) uint8_t r[sizeof(map) + 8] = {};

        memcpy(r, &map, sizeof(map));
        memcpy(r + sizeof(map), "//anon", 6);
        follow(r, sizeof(r));
}

static void put_sample(uint32_t tid) {
        const MadeStack s = {
                .header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = sizeof(MadeStack) },
                .ip = CODE + 16, .pid = PID, .tid = tid, .time = ++m.time, .id = 100, .abi = PERF_SAMPLE_REGS_ABI_64,
                .bp = STACK, .sp = STACK, .pc = CODE + 16, .size = sizeof(s.stack), .stack = { STACK + 16, CODE + 33, 0, 0 },
                .filled = sizeof(s.stack),
        };

        made_ring_put(0, &s, sizeof(s));
}

static int see(void *userdata, const struct iovec *records) {
        for (size_t at = 0; at < records->iov_len;) {
                const struct perf_event_header *record = (const void *) ((const uint8_t *) records->iov_base + at);
                PerfSample s;

                ck_assert_int_eq(sample_parse(&m.events[0].attr, record, &s), 0);
                ck_assert_uint_le(s.n_callchain, ELEMENTSOF(m.chain));
                memcpy(m.chain, s.callchain, s.n_callchain * sizeof(*m.chain));
                m.n_chain = s.n_callchain;
                at += record->size;
        }
        return 0;
}

/* Reads the ring: the last sample in it has that chain. */
static void assert_chain(usec_t time, const uint64_t *words, size_t n) {
        ck_assert_int_eq(history_stacks_drain(m.stacks, m.history, &made.set, time), 0);
        ck_assert_int_eq(history_commit(m.history), 0);
        history_skip_read(m.history, &made.set);
        ck_assert_int_eq(history_each(m.history, &(HistorySpan) { .to = UINT64_MAX }, see, NULL, NULL), 0);
        ck_assert_uint_eq(m.n_chain, n);
        ck_assert_mem_eq(m.chain, words, n * sizeof(*words));
}

#define LOST PERF_CONTEXT_USER, PERF_CONTEXT_USER, PERF_CONTEXT_USER
static const uint64_t with_caller[] = { PERF_CONTEXT_USER, CODE + 16, CODE + 32, LOST };

/* A round whose time is over writes what was interrupted. */
START_TEST(test_time_is_over) {
        const uint64_t alone[] = { PERF_CONTEXT_USER, CODE + 16, LOST };

        follow_map();
        put_sample(PID);
        assert_chain(USEC_INFINITY, with_caller, ELEMENTSOF(with_caller));
        put_sample(PID);
        assert_chain(0, alone, ELEMENTSOF(alone));
        put_sample(PID);
        assert_chain(USEC_INFINITY, with_caller, ELEMENTSOF(with_caller));
}
END_TEST

/* The first thread may end before the others: their samples have callers until the last one's EXIT. */
START_TEST(test_first_thread_ends) {
        const uint64_t alone[] = { PERF_CONTEXT_USER, CODE + 16, LOST };

        follow_map();
        follow_task(PERF_RECORD_FORK, PID, PID + 1);
        follow_task(PERF_RECORD_EXIT, PID, PID);
        for (unsigned i = 0; i < 4; i++) {
                put_sample(PID + 1);
                assert_chain(USEC_INFINITY, with_caller, ELEMENTSOF(with_caller));
        }
        follow_task(PERF_RECORD_EXIT, PID, PID + 1);
        for (unsigned i = 0; i < 4; i++) {
                put_sample(PID + 1);
                assert_chain(USEC_INFINITY, i < 2 ? with_caller : alone, i < 2 ? ELEMENTSOF(with_caller) : ELEMENTSOF(alone));
        }
}
END_TEST

CHECK_MAIN_WITH("history-stacks", setup, teardown, test_time_is_over, test_first_thread_ends);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "call-memory.h"

#include "call-memory-record.h"
#include "check-main.h"

typedef struct Record {
        size_t n;
        uint8_t bytes[CALL_MEMORY_RECORD_MAX];
} Record;

static Record record_new(uint32_t number, uint32_t returned) {
        Record r = { .n = sizeof(CallMemoryHead) };
        const CallMemoryHead head = { .number = number, .returned = returned };

        memcpy(r.bytes, &head, sizeof(head));
        return r;
}

static void record_add(Record *r, uint8_t argument, const char *text, uint16_t size) {
        const CallMemoryPiece piece = { .argument = argument, .size = size };

        memcpy(r->bytes + r->n, &piece, sizeof(piece));
        memcpy(r->bytes + r->n + sizeof(piece), text, size);
        r->n += sizeof(piece) + ((size + 7u) & ~7u);
}

static void expect_piece(const CallMemory *m, size_t i, unsigned argument, const char *text) {
        ck_assert_uint_lt(i, m->n);
        ck_assert_uint_eq(m->pieces[i].argument, argument);
        ck_assert_uint_eq(m->pieces[i].size, strlen(text));
        ck_assert_int_eq(memcmp(m->pieces[i].bytes, text, strlen(text)), 0);
}

/* The end adds to the begin, and replaces nothing. */
START_TEST(begin_and_end) {
        Record begin = record_new(0, 0), end = record_new(0, 1);
        CallMemory *m = NULL;

        record_add(&begin, 1, "/etc/passwd", 11);
        record_add(&end, 1, "other", 5);
        record_add(&end, 2, "12345678", 8);
        ck_assert_int_eq(call_memory_take(&m, begin.bytes, begin.n), 0);
        ck_assert_int_eq(call_memory_take(&m, end.bytes, end.n), 0);
        ck_assert_uint_eq(m->n, 2);
        expect_piece(m, 0, 1, "/etc/passwd");
        expect_piece(m, 1, 2, "12345678");
        m = call_memory_free(m);
}
END_TEST

/* The rest of a call whose end was lost does not get into the next one. */
START_TEST(another_call) {
        Record first = record_new(0, 0), begin = record_new(0, 0), end = record_new(7, 1);
        CallMemory *m = NULL;

        record_add(&first, 1, "first", 5);
        record_add(&begin, 1, "second", 6);
        record_add(&end, 0, "third", 5);
        ck_assert_int_eq(call_memory_take(&m, first.bytes, first.n), 0);
        ck_assert_int_eq(call_memory_take(&m, begin.bytes, begin.n), 0);
        ck_assert_uint_eq(m->n, 1);
        expect_piece(m, 0, 1, "second");
        ck_assert_int_eq(call_memory_take(&m, end.bytes, end.n), 0);
        ck_assert_uint_eq(m->number, 7);
        expect_piece(m, 0, 0, "third");
        m = call_memory_free(m);
}
END_TEST

/* Numbers of new descriptors are no memory of an argument. */
START_TEST(inodes) {
        Record end = record_new(22, 1);
        const uint64_t numbers[2] = { 17, UINT64_MAX };
        CallMemory *m = NULL;

        record_add(&end, 0, "12345678", 8);
        record_add(&end, CALL_MEMORY_INODES, (const char *) numbers, sizeof(numbers));
        record_add(&end, CALL_MEMORY_INODES + 1, "other", 5);
        ck_assert_int_eq(call_memory_take(&m, end.bytes, end.n), 0);
        ck_assert_uint_eq(m->n, 1);
        ck_assert_uint_eq(m->inodes[0], 17);
        ck_assert_uint_eq(m->inodes[1], UINT64_MAX);
        m = call_memory_free(m);
}
END_TEST

/* A record that is cut, or whose sizes are wrong, gives what is whole. */
START_TEST(broken) {
        Record r = record_new(0, 0);
        size_t whole;

        record_add(&r, 1, "text", 4);
        whole = r.n;
        record_add(&r, 2, "12345678", 8);
        for (size_t n = 0; n < r.n; n++) {
                _cleanup_free_ uint8_t *copy = malloc(n + 1); /* what is behind it is seen to be read */
                CallMemory *m = NULL;

                memcpy(copy, r.bytes, n);
                ck_assert_int_eq(call_memory_take(&m, copy, n), 0);
                ck_assert_uint_eq(m ? m->n : 0, n >= whole - 4 ? 1 : 0);
                m = call_memory_free(m);
        }
        for (uint32_t size = CALL_MEMORY_STRINGS_BYTES + 1; size <= UINT16_MAX; size += 1000) {
                CallMemoryPiece piece = { .argument = 1, .size = (uint16_t) size };
                CallMemory *m = NULL;

                memcpy(r.bytes + sizeof(CallMemoryHead), &piece, sizeof(piece));
                ck_assert_int_eq(call_memory_take(&m, r.bytes, sizeof(r.bytes)), 0);
                ck_assert_uint_eq(m->n, 0);
                m = call_memory_free(m);
        }
}
END_TEST

CHECK_MAIN("call-memory", begin_and_end, another_call, inodes, broken);

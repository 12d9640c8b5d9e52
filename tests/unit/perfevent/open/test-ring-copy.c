/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Copies of a ring while a thread writes into it as the kernel does, with nested records whose head is published only
 * when the outermost is finished. */

#include <inttypes.h>
#include <pthread.h>

#include "check-main.h"
#include "ring-copy.h"

#define RECORD_MAX 208u
#define NESTED_MAX 4u

typedef struct Memory {
        struct perf_event_mmap_page page;
        Ring ring;
        uint8_t *data, *copy;
        uint64_t sequence, reserved; /* the writer's */
        bool stop;
} Memory;

static Memory *memory_new(size_t size) {
        Memory *m = calloc(1, sizeof(Memory));

        ck_assert_ptr_nonnull(m);
        m->data = calloc(1, size);
        m->copy = calloc(1, size);
        ck_assert(m->data && m->copy);
        ck_assert_int_eq(ring_init_memory(&m->ring, &m->page, m->data, size, true), 0);
        return m;
}

static void memory_done(Memory *m) {
        free(m->data);
        free(m->copy);
        free(m);
}

static void put_u64(Memory *m, uint64_t at, uint64_t v) {
        __atomic_store_n((uint64_t *) (void *) (m->data + (at & (m->ring.size - 1))), v, __ATOMIC_RELAXED);
}

static uint16_t size_of(uint64_t sequence) {
        return (uint16_t) (16 + sequence * 7919 % (RECORD_MAX / 8 - 1) * 8);
}

/* Reserves a record, writes its first half, is interrupted "depth" times, writes the rest; does not publish the
 * head. */
static void write_record(Memory *m, unsigned depth) {
        uint64_t sequence = ++m->sequence, header;
        struct perf_event_header h = { .type = PERF_RECORD_SAMPLE, .size = size_of(sequence) };
        uint64_t at = m->reserved -= h.size;

        memcpy(&header, &h, sizeof(header));
        put_u64(m, at, header);
        for (uint64_t i = 8; i < h.size; i += 8) {
                if (i == 8 && depth > 0)
                        write_record(m, depth - 1);
                put_u64(m, at + i, sequence);
        }
}

static void publish(Memory *m) {
        __atomic_store_n(&m->page.data_head, m->reserved, __ATOMIC_RELEASE);
}

static void *write_all_the_time(void *userdata) {
        Memory *m = userdata;

        while (!__atomic_load_n(&m->stop, __ATOMIC_RELAXED)) {
                write_record(m, (unsigned) (m->sequence % NESTED_MAX));
                publish(m);
        }
        return NULL;
}

static void put(Memory *m, unsigned n) {
        for (unsigned i = 0; i < n; i++) {
                write_record(m, 0);
                publish(m);
        }
}

/* Checks that every whole record is correct, and that their numbers are consecutive. Returns the newest's number, 0:
 * none. */
static uint64_t check(const Memory *m, const RingCopy *c, uint64_t *ret_oldest) {
        uint64_t newest = 0, expected = 0, v;
        size_t at = 0;

        while (c->intact - at >= sizeof(struct perf_event_header)) {
                const struct perf_event_header *h = (const void *) (c->memory + at);

                if (h->size < 16 || h->size > RECORD_MAX)
                        ck_abort_msg("no record %zu bytes before the newest", at);
                if (h->size > c->intact - at)
                        break;
                memcpy(&v, c->memory + at + 8, sizeof(v));
                newest = newest ?: v;
                if ((expected > 0 && v != expected) || h->size != size_of(v))
                        ck_abort_msg("record %" PRIu64 " where %" PRIu64 " should be", v, expected);
                for (size_t i = 16; i < h->size; i += 8)
                        if (memcmp(c->memory + at + i, &v, sizeof(v)) != 0)
                                ck_abort_msg("record %" PRIu64 " was torn", v);
                expected = v - 1;
                at += h->size;
        }
        *ret_oldest = expected + 1;
        return newest;
}

START_TEST(test_still) {
        Memory *m = memory_new(4096);
        RingCopy c = { .memory = m->copy };
        uint64_t oldest, last;

        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), 0, 64, &c);
        ck_assert(c.intact == 0 && !c.cut);
        put(m, 5);
        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), 0, 64, &c);
        ck_assert(!c.cut && c.head == m->page.data_head);
        ck_assert_uint_eq(check(m, &c, &oldest), 5);
        ck_assert_uint_eq(oldest, 1);

        /* The next copy has new records only. */
        last = c.head;
        put(m, 3);
        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), last, 64, &c);
        ck_assert(!c.cut);
        ck_assert_uint_eq(check(m, &c, &oldest), 8);
        ck_assert_uint_eq(oldest, 6);
        last = c.head;
        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), last, 64, &c);
        ck_assert(c.intact == 0 && !c.cut);
        memory_done(m);
}
END_TEST

START_TEST(test_overwritten) {
        Memory *m = memory_new(4096);
        RingCopy c = { .memory = m->copy };
        uint64_t oldest, last;

        put(m, 1000);
        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), 0, 0, &c);
        ck_assert(c.cut && c.intact == 4096);
        ck_assert_uint_eq(check(m, &c, &oldest), 1000);
        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), 0, 1000, &c);
        ck_assert(c.cut && c.intact == 3096);
        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), 0, 5000, &c);
        ck_assert(c.cut && c.intact == 0);

        /* The guard cuts off no newer record. */
        last = c.head;
        put(m, 4);
        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), last, 1000, &c);
        ck_assert(!c.cut);
        ck_assert_uint_eq(check(m, &c, &oldest), 1004);
        ck_assert_uint_eq(oldest, 1001);
        memory_done(m);
}
END_TEST

/* A record that is being written during the copy is not published yet. */
START_TEST(test_unpublished) {
        Memory *m = memory_new(4096);
        RingCopy c = { .memory = m->copy };
        uint64_t oldest;

        put(m, 1000);
        write_record(m, NESTED_MAX - 1);
        ring_copy_running(&m->ring, ring_copy_mark(&m->ring), 0, ring_guard(RECORD_MAX), &c);
        ck_assert_uint_eq(check(m, &c, &oldest), 1000);
        memory_done(m);
}
END_TEST

static void race(size_t size, unsigned rounds) {
        Memory *m = memory_new(size);
        RingCopy c = { .memory = m->copy };
        uint64_t last = 0, seen = 0;
        pthread_t writer;

        ck_assert_int_eq(pthread_create(&writer, NULL, write_all_the_time, m), 0);
        for (unsigned with_data = 0; with_data < rounds;) {
                uint64_t oldest, n;

                ring_copy_running(&m->ring, ring_copy_mark(&m->ring), last, ring_guard(RECORD_MAX), &c);
                n = check(m, &c, &oldest);
                last = c.head;
                if (n == 0)
                        continue;
                with_data++;
                ck_assert_uint_gt(oldest, seen);
                if (!c.cut && seen > 0)
                        ck_assert_uint_eq(oldest, seen + 1);
                seen = n;
        }
        __atomic_store_n(&m->stop, true, __ATOMIC_RELAXED);
        ck_assert_int_eq(pthread_join(writer, NULL), 0);
        memory_done(m);
}

START_TEST(test_race) {
        race((size_t) 64 * 1024, 1000);
        race((size_t) 1024 * 1024, 50);
}
END_TEST

START_TEST(test_pause) {
        Memory *m = memory_new(65536);

        ck_assert_uint_eq(ring_guard(100), 400);
        ck_assert_uint_eq(ring_guard(SIZE_MAX), 4 * RING_RECORD_MAX);
        ck_assert(!ring_copy_wants_pause(&m->ring, 32768));
        ck_assert(ring_copy_wants_pause(&m->ring, 32776));
        m->ring.size = (size_t) 64 << 20; /* copying it takes longer than a pause may */
        ck_assert(!ring_copy_wants_pause(&m->ring, SIZE_MAX));
        m->ring.size = 65536;
        memory_done(m);
}
END_TEST

CHECK_MAIN("ring-copy", test_still, test_overwritten, test_unpublished, test_race, test_pause);

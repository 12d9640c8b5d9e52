/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "jit-codes.h"
#include "made-jit-dump.h"
#include "perfdata-test.h"

static JitCodes *codes_of(const ByteBuffer *b, bool timed) {
        _cleanup_close_ int fd = made_jit_fd(b);
        JitCodes *c = NULL;

        ck_assert_ok(jit_codes_read(fd, timed, &c));
        return c;
}

#define NONE UINT64_MAX

static uint64_t place_of(const JitCodes *c, uint64_t address, uint64_t time) {
        uint64_t place;

        return jit_codes_find(c, address, time, &place) ? place : NONE;
}

START_TEST(by_time) {
        _cleanup_(jit_codes_freep) JitCodes *c = NULL;
        _cleanup_byte_buffer_ ByteBuffer b = {};

        made_jit_begin(&b, 7, 0);
        made_jit_load(&b, 10, 0x1000, 0x40, 1, "old", true);  /* place 0 */
        made_jit_load(&b, 20, 0x1010, 0x10, 2, "part", true); /* place 0x40 */
        made_jit_load(&b, 30, 0x1000, 0x40, 3, "new", true);  /* place 0x50 */
        made_jit_move(&b, 40, 0x1010, 0x2000, 0x10, 2);
        c = codes_of(&b, true);
        ck_assert_uint_eq(jit_codes_n(c), 4);
        ck_assert_uint_eq(jit_codes_until(c, 9), 0);
        ck_assert_uint_eq(jit_codes_until(c, 10), 1);
        ck_assert_uint_eq(jit_codes_until(c, 39), 3);
        ck_assert_uint_eq(place_of(c, 0x1000, 9), NONE);
        ck_assert_uint_eq(place_of(c, 0x1018, 10), 0x18);
        ck_assert_uint_eq(place_of(c, 0x1018, 20), 0x48);
        ck_assert_uint_eq(place_of(c, 0x1008, 20), 0x08);
        ck_assert_uint_eq(place_of(c, 0x1020, 20), 0x20);
        ck_assert_uint_eq(place_of(c, 0x1018, 30), 0x68);
        ck_assert_uint_eq(place_of(c, 0x1040, 30), NONE);
        ck_assert_uint_eq(place_of(c, 0x2008, 39), NONE);
        ck_assert_uint_eq(place_of(c, 0x2008, 40), 0x48);
        ck_assert_uint_eq(place_of(c, 0xfff, 40), NONE);
}
END_TEST

/* Without a clock that can be compared, the one that was written last counts, whatever its time. */
START_TEST(without_times) {
        _cleanup_(jit_codes_freep) JitCodes *c = NULL, *cycles = NULL;
        _cleanup_byte_buffer_ ByteBuffer b = {}, counter = {};

        made_jit_begin(&b, 7, 0);
        made_jit_load(&b, 30, 0x1000, 0x40, 1, "old", true);
        made_jit_load(&b, 20, 0x1000, 0x40, 2, "new", true);
        c = codes_of(&b, false);
        ck_assert_uint_eq(place_of(c, 0x1000, 1), 0x40);
        ck_assert_uint_eq(jit_codes_until(c, 1), jit_codes_until(c, 100));
        made_jit_begin(&counter, 7, 1);
        made_jit_load(&counter, 30, 0x1000, 0x40, 1, "f", true);
        cycles = codes_of(&counter, true);
        ck_assert_uint_eq(place_of(cycles, 0x1000, 1), 0);
}
END_TEST

START_TEST(moves_of_nothing) {
        _cleanup_(jit_codes_freep) JitCodes *c = NULL, *none = NULL;
        _cleanup_byte_buffer_ ByteBuffer b = {}, empty = {};

        made_jit_begin(&b, 7, 0);
        made_jit_move(&b, 5, 0x1000, 0x2000, 0x10, 1);
        made_jit_load(&b, 10, 0x1000, 0x10, 1, "f", true);
        made_jit_move(&b, 20, 0x1000, 0x2000, 0x20, 1); /* longer than the function */
        c = codes_of(&b, true);
        ck_assert_uint_eq(jit_codes_n(c), 1);
        made_jit_begin(&empty, 7, 0);
        none = codes_of(&empty, true);
        ck_assert_uint_eq(jit_codes_n(none), 0);
        ck_assert_uint_eq(place_of(none, 0x1000, 1), NONE);
}
END_TEST

/* Compares with a search through all functions. */
START_TEST(random_ones) {
        enum { N = 400 };
        struct {
                uint64_t time, start, size, place;
        } f[N];
        _cleanup_(jit_codes_freep) JitCodes *c = NULL;
        _cleanup_byte_buffer_ ByteBuffer b = {};
        uint64_t place = 0;
        unsigned found = 0;

        srandom(1);
        made_jit_begin(&b, 7, 0);
        for (unsigned i = 0; i < N; i++) {
                f[i].time = i * 3 + (uint64_t) random() % 2;
                f[i].start = (uint64_t) random() % 2000;
                f[i].size = 1 + (uint64_t) random() % (i % 50 == 0 ? 2000 : 20);
                f[i].place = place;
                place += f[i].size;
                made_jit_load(&b, f[i].time, f[i].start, f[i].size, i, "f", i % 2);
        }
        c = codes_of(&b, true);
        for (unsigned n = 0; n < 20000; n++) {
                uint64_t address = (uint64_t) random() % 4000, time = (uint64_t) random() % (3 * N), wanted = NONE;

                for (unsigned i = 0; i < N; i++)
                        if (f[i].time <= time && address >= f[i].start && address - f[i].start < f[i].size)
                                wanted = f[i].place + address - f[i].start;
                ck_assert_uint_eq(place_of(c, address, time), wanted);
                found += wanted != NONE;
        }
        ck_assert_uint_gt(found, 5000);
}
END_TEST

/* One function over all others, and an address that had very many: each search is short, or the test would not end. */
START_TEST(hostile) {
        enum { N = 100000 };
        _cleanup_(jit_codes_freep) JitCodes *c = NULL;
        _cleanup_byte_buffer_ ByteBuffer b = {};
        const uint64_t far = UINT64_C(1) << 50, all = UINT64_C(1) << 40;

        made_jit_begin(&b, 7, 0);
        made_jit_load(&b, 1, 0, all, 0, "all", false);
        for (unsigned i = 0; i < N; i++)
                made_jit_load(&b, 2 + i, 0x1000 + i * 16ull, 16, 1 + i, "f", false);
        for (unsigned i = 0; i < N; i++)
                made_jit_load(&b, 2 * N + i, far, 16, 2 * N + i, "same", false);
        c = codes_of(&b, true);
        for (unsigned i = 0; i < N; i++)
                ck_assert_uint_eq(place_of(c, 0x1000 + i * 16ull, N / 2), i <= N / 2 - 2 ? all + i * 16ull : 0x1000 + i * 16ull);
        for (unsigned i = 0; i < N; i++)
                ck_assert_uint_eq(place_of(c, far + 3, 2 * N + i), all + (N + i) * 16ull + 3);
        ck_assert_uint_eq(place_of(c, far, UINT64_MAX), all + (2 * N - 1) * 16ull);
        ck_assert_uint_eq(place_of(c, far + 16, UINT64_MAX), NONE);
        ck_assert_uint_eq(place_of(c, far, 2 * N - 1), NONE);
}
END_TEST

TEST_RUN("jit-codes", by_time, without_times, moves_of_nothing, random_ones, hostile);

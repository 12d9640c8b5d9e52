/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"

START_TEST(grows_and_keeps_what_was_put) {
        _cleanup_byte_buffer_ ByteBuffer b = {};

        for (uint32_t i = 0; i < 10000; i++)
                byte_buffer_put_u32(&b, i);
        ck_assert_int_eq(b.error, 0);
        ck_assert_uint_eq(b.size, 40000);
        for (uint32_t i = 0; i < 10000; i++)
                ck_assert_uint_eq(((uint32_t *) b.data)[i], i);
}
END_TEST

START_TEST(strings_are_padded_to_64) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        char long_text[65] = {};

        byte_buffer_put_string(&b, "");
        ck_assert_uint_eq(b.size, 4 + 64);
        memset(long_text, 'x', 63);
        byte_buffer_put_string(&b, long_text);
        ck_assert_uint_eq(b.size, 2 * (4 + 64));
        long_text[63] = 'x';
        byte_buffer_put_string(&b, long_text);
        ck_assert_uint_eq(b.size, 2 * (4 + 64) + 4 + 128);
        ck_assert_uint_eq(*(uint32_t *) (b.data + 136), 128);
        ck_assert_str_eq((char *) b.data + 140, long_text);
}
END_TEST

START_TEST(an_error_stays_until_reset) {
        _cleanup_byte_buffer_ ByteBuffer b = {};

        byte_buffer_put_u64(&b, 1);
        ck_assert_ptr_null(byte_buffer_extend(&b, BYTE_BUFFER_MAX));
        ck_assert_int_eq(b.error, -E2BIG);
        byte_buffer_put_u64(&b, 2);
        ck_assert_uint_eq(b.size, 8);
        byte_buffer_set_u32(&b, 0, 7);
        ck_assert_uint_eq(*(uint64_t *) b.data, 1);
        byte_buffer_reset(&b);
        byte_buffer_put_u64(&b, 2);
        ck_assert_int_eq(b.error, 0);
        ck_assert_uint_eq(*(uint64_t *) b.data, 2);
}
END_TEST

START_TEST(a_count_can_be_set_later) {
        _cleanup_byte_buffer_ ByteBuffer b = {};

        byte_buffer_put_u32(&b, 0);
        byte_buffer_put_u32(&b, 5);
        byte_buffer_set_u32(&b, 0, 9);
        byte_buffer_set_u32(&b, 8, 1); /* behind the end: nothing */
        ck_assert_uint_eq(((uint32_t *) b.data)[0], 9);
        ck_assert_uint_eq(((uint32_t *) b.data)[1], 5);
        ck_assert_uint_eq(b.size, 8);
}
END_TEST

typedef struct Drained {
        uint64_t next; /* the next expected number */
        size_t pieces, most;
        uint64_t refused_at;
} Drained;

static int take_numbers(void *userdata, const struct iovec *bytes) {
        Drained *d = userdata;
        const uint64_t *numbers = bytes->iov_base;

        d->pieces++;
        d->most = MAX_OF(d->most, bytes->iov_len);
        for (size_t i = 0; i < bytes->iov_len / sizeof(uint64_t); i++)
                if (numbers[i] != d->next++)
                        return -EBADMSG;
        return d->refused_at > 0 && d->next >= d->refused_at ? -ENOSPC : 0;
}

START_TEST(a_drain_gets_all_in_pieces) {
        Drained d = {};
        _cleanup_byte_buffer_ ByteBuffer b = { .drain = take_numbers, .userdata = &d };

        for (uint64_t i = 0; i < 64 * 1024 * 1024 / sizeof(uint64_t); i++) {
                byte_buffer_put_u64(&b, i);
                if (byte_buffer_relieve(&b) < 0)
                        ck_abort_msg("number %llu", (unsigned long long) i);
        }
        ck_assert_int_eq(byte_buffer_flush(&b), 0);
        ck_assert_int_eq(byte_buffer_flush(&b), 0); /* nothing more */
        ck_assert_uint_eq(d.next, 64 * 1024 * 1024 / sizeof(uint64_t));
        ck_assert_uint_eq(d.pieces, 64 * 1024 * 1024 / BYTE_BUFFER_PIECE);
        ck_assert_uint_eq(d.most, BYTE_BUFFER_PIECE);
        ck_assert_uint_le(b.allocated, 2 * BYTE_BUFFER_PIECE + 256);
}
END_TEST

START_TEST(a_drain_may_refuse) {
        Drained d = { .refused_at = 1 };
        _cleanup_byte_buffer_ ByteBuffer b = { .drain = take_numbers, .userdata = &d }, plain = {};

        byte_buffer_put_u64(&b, 0);
        ck_assert_int_eq(byte_buffer_relieve(&b), 0); /* not a piece yet */
        ck_assert_int_eq(byte_buffer_flush(&b), -ENOSPC);
        byte_buffer_put_u64(&plain, 0);
        ck_assert_int_eq(byte_buffer_flush(&plain), 0);
        ck_assert_uint_eq(plain.size, 8); /* nothing is flushed */
}
END_TEST

TEST_RUN("byte-buffer", grows_and_keeps_what_was_put, strings_are_padded_to_64, an_error_stays_until_reset, a_count_can_be_set_later,
         a_drain_gets_all_in_pieces, a_drain_may_refuse);

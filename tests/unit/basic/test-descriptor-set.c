/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sets of descriptors over a socket: batches, descriptors to be mapped, and messages that do not fit. */

#include <fcntl.h>
#include <sys/stat.h>

#include "check-main.h"
#include "descriptor-set.h"
#include "fd-file.h"

static int pair[2];

static void setup(void) {
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
}

static void teardown(void) {
        safe_close(pair[0]);
        safe_close(pair[1]);
}

/* Each file has one byte more than the previous one, which identifies it. */
static void make_set(DescriptorSet *s, size_t n) {
        ck_assert_int_eq(descriptor_set_reserve(s, 7, n), 0);
        for (size_t i = 0; i < n; i++) {
                s->fds[i] = open_memfd("test", i + 1);
                ck_assert_int_ge(s->fds[i], 0);
                s->map_bytes[i] = i % 2 ? 4096 * i : 0;
        }
}

static void send_all(const DescriptorSet *s, const char *more) {
        size_t sent = 0;

        do {
                ssize_t n = descriptor_set_send(s, sent, sent == 0 ? more : NULL, pair[0], NULL, 0);

                ck_assert_int_ge(n, 0);
                sent += (size_t) n;
        } while (sent < s->n_fds);
}

static off_t size_of(int fd) {
        struct stat st;

        ck_assert_int_eq(fstat(fd, &st), 0);
        return st.st_size;
}

START_TEST(test_many) {
        _cleanup_(descriptor_set_close) DescriptorSet s = {}, other = {};
        _cleanup_free_ char *more = NULL;

        make_set(&s, 700);
        send_all(&s, "X_MORE=1");
        ck_assert_int_eq(descriptor_set_receive(&other, pair[1], &more), 0);
        ck_assert_ptr_nonnull(strstr(more, "\nX_MORE=1"));
        ck_assert_uint_eq(other.generation, 7);
        ck_assert_uint_eq(other.n_fds, 700);
        for (size_t i = 0; i < other.n_fds; i++) {
                ck_assert_int_eq(size_of(other.fds[i]), (off_t) i + 1);
                ck_assert_uint_eq(other.map_bytes[i], s.map_bytes[i]);
        }
}
END_TEST

START_TEST(test_none) {
        _cleanup_(descriptor_set_close) DescriptorSet s = {}, other = {};
        _cleanup_free_ char *more = NULL;

        make_set(&s, 0);
        send_all(&s, NULL);
        ck_assert_int_eq(descriptor_set_receive(&other, pair[1], &more), 0);
        ck_assert_uint_eq(other.n_fds, 0);
}
END_TEST

START_TEST(test_half_a_set_is_none) {
        _cleanup_(descriptor_set_close) DescriptorSet s = {}, other = {};
        _cleanup_free_ char *more = NULL;

        make_set(&s, 300);
        ck_assert_int_eq(descriptor_set_send(&s, 0, NULL, pair[0], NULL, 0), DESCRIPTOR_BATCH_MAX);
        ck_assert_int_eq(descriptor_set_receive(&other, pair[1], &more), -EPROTO);
        ck_assert_ptr_null(more);
}
END_TEST

START_TEST(test_a_full_queue_is_not_waited_for) {
        _cleanup_(descriptor_set_close) DescriptorSet s = {};
        ssize_t n;

        make_set(&s, 1);
        do
                n = descriptor_set_send(&s, 0, NULL, pair[0], NULL, 0);
        while (n == 1);
        ck_assert(n == -EAGAIN || n == -ETOOMANYREFS);
}
END_TEST

START_TEST(test_words) {
        static const char *const bad[] = {
                "X_PERF_KEEP=", "X_PERF_KEEP=1 2", "X_PERF_KEEP=1 3 2", "X_PERF_KEEP=1 0 99999", "X_PERF_KEEP=x 0 1",
                "X_PERF_KEEP=1 0 2\nX_PERF_KEEP_MAP=0", "X_PERF_KEEP=1 0 2\nX_PERF_KEEP_MAP=0:99999999999999",
                "X_PERF_KEEP=1 0 2\nX_PERF_KEEP_MAP=0:", "X_PERF_KEEP=1 0 1 2",
        };
        DescriptorBatch b;

        ck_assert_int_eq(descriptor_batch_parse("READY=1\nSTATUS=x", &b), -ENOMSG);
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                ck_assert_msg(descriptor_batch_parse(bad[i], &b) == -EBADMSG, "%s", bad[i]);
        ck_assert_int_eq(descriptor_batch_parse("X_PERF_KEEP=9 1 3\nX_PERF_KEEP_MAP=1:4096 2:8192\nREADY=1", &b), 0);
        ck_assert_uint_eq(b.generation, 9);
        ck_assert_uint_eq(b.first, 1);
        ck_assert_uint_eq(b.total, 3);
        ck_assert_uint_eq(b.n_maps, 2);
        ck_assert_uint_eq(b.maps[1].index, 2);
        ck_assert_uint_eq(b.maps[1].bytes, 8192);
}
END_TEST

START_TEST(test_what_does_not_fit) {
        _cleanup_(descriptor_set_close) DescriptorSet s = {};
        DescriptorBatch b;
        int fds[2] = { open_memfd("a", 1), open_memfd("b", 2) };

        ck_assert_int_eq(descriptor_batch_parse("X_PERF_KEEP=1 0 1", &b), 0);
        ck_assert_int_eq(descriptor_set_take(&s, &b, fds, 2), -EBADMSG);
        ck_assert_int_eq(descriptor_batch_parse("X_PERF_KEEP=1 0 3\nX_PERF_KEEP_MAP=2:4096", &b), 0);
        ck_assert_int_eq(descriptor_set_take(&s, &b, fds, 2), -EBADMSG);
        ck_assert_int_ge(fds[0], 0);

        ck_assert_int_eq(descriptor_batch_parse("X_PERF_KEEP=1 0 2", &b), 0);
        ck_assert_int_eq(descriptor_set_take(&s, &b, fds, 1), 0);
        ck_assert_int_lt(fds[0], 0);
        ck_assert_int_eq(descriptor_batch_parse("X_PERF_KEEP=2 0 1", &b), 0); /* another one begins: the first is closed */
        ck_assert_int_eq(descriptor_set_take(&s, &b, fds + 1, 1), 1);
        ck_assert_uint_eq(s.n_fds, 1);
        ck_assert_int_eq(size_of(s.fds[0]), 2);
}
END_TEST

START_TEST(test_too_many) {
        DescriptorSet s = {};

        ck_assert_int_eq(descriptor_set_reserve(&s, 1, DESCRIPTORS_MAX + 1), -E2BIG);
        descriptor_set_close(&s);
}
END_TEST

CHECK_MAIN_WITH("descriptor-set", setup, teardown, test_many, test_none, test_half_a_set_is_none, test_a_full_queue_is_not_waited_for,
                test_words, test_what_does_not_fit, test_too_many);

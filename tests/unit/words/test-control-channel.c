/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf's control protocol: words, lines, acknowledgements. */

#include <fcntl.h>

#include "check-main.h"
#include "control-channel.h"

typedef struct Heard {
        char text[4096];
        int answer;
} Heard;

static const char *const words[_CONTROL_WORD_MAX] = { "enable", "disable", "evlist", "snapshot", "withdraw",
                                                      "ping", "stop", "hand-over", "lend", "return", "reason", "window" };

static int hear(void *userdata, ControlWord word, const char *argument) {
        Heard *h = userdata;
        size_t n = strlen(h->text);

        (void) snprintf(h->text + n, sizeof(h->text) - n, "%s(%s) ", word < 0 ? "unknown" : words[word], argument ?: "");
        return h->answer;
}

START_TEST(test_words) {
        const char *argument = "x";
        ControlWord w;

        for (w = 0; w < _CONTROL_WORD_MAX; w++) {
                ControlWord parsed;

                ck_assert_int_eq(control_line_parse(words[w], &parsed, &argument), 0);
                ck_assert_int_eq(parsed, w);
                ck_assert_ptr_null(argument);
        }
        ck_assert_int_eq(control_line_parse("enable  cpu-clock:u", &w, &argument), 0);
        ck_assert_int_eq(w, CONTROL_ENABLE);
        ck_assert_str_eq(argument, "cpu-clock:u");
        ck_assert_int_eq(control_line_parse("evlist -v", &w, &argument), 0);
        ck_assert_str_eq(argument, "-v");
        ck_assert_int_eq(control_line_parse("enablefoo", &w, &argument), -EINVAL);
        ck_assert_int_eq(control_line_parse("", &w, &argument), -EINVAL);
        ck_assert_int_eq(control_line_parse(" ping", &w, &argument), -EINVAL);
}
END_TEST

static void assert_heard(const char *data, size_t size, size_t piece, const char *expected, const char *acks) {
        int ack[2];
        char buffer[64] = "";
        Heard h = {};
        ControlChannel c = CONTROL_CHANNEL_EMPTY;

        ck_assert_int_eq(pipe(ack), 0);
        ck_assert_int_eq(fcntl(ack[0], F_SETFL, O_NONBLOCK), 0);
        c.ack_fd = ack[1];
        c.handler = hear;
        c.userdata = &h;
        for (size_t i = 0; i < size; i += piece)
                ck_assert_int_eq(control_channel_feed(&c, data + i, MIN_OF(piece, size - i)), 0);
        ck_assert_str_eq(h.text, expected);
        (void) !read(ack[0], buffer, sizeof(buffer) - 1);
        ck_assert_str_eq(buffer, acks);
        (void) close(ack[0]);
        (void) close(ack[1]);
}

START_TEST(test_lines) {
        static const char data[] = "ping\nenable cpu-clock\n\n\0nonsense\nevlist -v\0stop";

        for (size_t piece = 1; piece < sizeof(data); piece++)
                assert_heard(data, sizeof(data), piece, "ping() enable(cpu-clock) unknown(nonsense) evlist(-v) stop() ", "ack\nack\nack\nack\n");
}
END_TEST

START_TEST(test_unfinished_line) {
        assert_heard("ping\npin", 8, 8, "ping() ", "ack\n");
}
END_TEST

START_TEST(test_overlong_line) {
        _cleanup_free_ char *data = malloc(3 * PR_CONTROL_WORD_MAX);
        size_t n = 2 * PR_CONTROL_WORD_MAX;

        memset(data, 'x', n);
        memcpy(data, "enable ", 7);
        memcpy(data + n, "\nping\n", 6);
        assert_heard(data, n + 6, 100, "ping() ", "ack\n");
}
END_TEST

START_TEST(test_handler_ends_it) {
        Heard h = { .answer = -EIO };
        ControlChannel c = { .fd = -EBADF, .ack_fd = -EBADF, .handler = hear, .userdata = &h };

        ck_assert_int_eq(control_channel_feed(&c, "ping\nping\n", 10), -EIO);
        ck_assert_str_eq(h.text, "ping() ");
}
END_TEST

/* A read gets what has come, and learns that the other side was closed. A failed acknowledgement is no failure of the word. */
START_TEST(test_reading) {
        Heard h = {};
        ControlChannel c = { .fd = -EBADF, .ack_fd = -EBADF, .handler = hear, .userdata = &h };
        char address[32];
        int in[2];

        ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
        (void) snprintf(address, sizeof(address), "fd:%d,%d", in[0], in[0]);
        ck_assert_int_eq(control_channel_open(&c, address, NULL), 0);
        ck_assert_int_eq(control_channel_read(&c), 0);
        ck_assert_int_eq(write(in[1], "ping\nenable\ndis", 15), 15);
        ck_assert_int_eq(control_channel_read(&c), 0);
        ck_assert_str_eq(h.text, "ping() enable() ");
        ck_assert_int_eq(c.ack_error, -EBADF);
        (void) close(in[1]);
        ck_assert_int_eq(control_channel_read(&c), 1);
        control_channel_done(&c);
        ck_assert_int_ge(fcntl(in[0], F_GETFD), 0); /* the channel does not close it */
        (void) close(in[0]);
}
END_TEST

START_TEST(test_wrong_addresses) {
        static const char *const wrong[] = { "", "x", "fifo:", "fifo:,ack", "fd:", "fd:x", "fd:-1", "fd:1;2", "pipe:1" };

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_msg(control_channel_check_address(wrong[i], &d) == -EINVAL, "%s", wrong[i]);
                ck_assert_ptr_nonnull(d.sentence);
        }
        ck_assert_int_eq(control_channel_check_address("fifo:/nonexistent/control", NULL), 0);
        ck_assert_int_eq(control_channel_check_address("fd:0,4095", NULL), 0);
}
END_TEST

CHECK_MAIN("control-channel", test_words, test_lines, test_unfinished_line, test_overlong_line, test_handler_ends_it, test_reading,
           test_wrong_addresses);

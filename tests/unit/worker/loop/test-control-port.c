/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf's control protocol: words, lines, acknowledgements. */

#include <sys/stat.h>
#include "check-main.h"
#include "control-port.h"
#include "scratch.h"

typedef struct Heard {
        char text[4096];
        int answer;
        Loop *loop;
} Heard;

static const char *const words[_CONTROL_WORD_MAX] = { "enable", "disable", "evlist", "snapshot", "withdraw",
                                                      "ping", "stop", "hand-over", "lend", "return", "reason" };

static int hear(void *userdata, ControlWord word, const char *argument) {
        Heard *h = userdata;
        size_t n = strlen(h->text);

        (void) snprintf(h->text + n, sizeof(h->text) - n, "%s(%s) ", words[word], argument ?: "");
        if (h->loop)
                loop_stop(h->loop);
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
        _cleanup_(control_port_freep) ControlPort *c = NULL;

        ck_assert_int_eq(pipe(ack), 0);
        ck_assert_int_eq(fcntl(ack[0], F_SETFL, O_NONBLOCK), 0);
        ck_assert_int_eq(control_port_new(ack[1], hear, &h, &c), 0);
        for (size_t i = 0; i < size; i += piece)
                ck_assert_int_eq(control_port_feed(c, data + i, MIN_OF(piece, size - i)), 0);
        ck_assert_str_eq(h.text, expected);
        (void) !read(ack[0], buffer, sizeof(buffer) - 1);
        ck_assert_str_eq(buffer, acks);
        (void) close(ack[0]);
        (void) close(ack[1]);
}

START_TEST(test_lines) {
        static const char data[] = "ping\nenable cpu-clock\n\n\0nonsense\nevlist -v\0stop";

        for (size_t piece = 1; piece < sizeof(data); piece++)
                assert_heard(data, sizeof(data), piece, "ping() enable(cpu-clock) evlist(-v) stop() ", "ack\nack\nack\nack\n");
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
        _cleanup_(control_port_freep) ControlPort *c = NULL;

        ck_assert_int_eq(control_port_new(-EBADF, hear, &h, &c), 0);
        ck_assert_int_eq(control_port_feed(c, "ping\nping\n", 10), -EIO);
        ck_assert_str_eq(h.text, "ping() ");
}
END_TEST

START_TEST(test_fifos) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *control = path_join(dir, "control"), *ack = path_join(dir, "ack"), *address = NULL;
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(control_port_freep) ControlPort *c = NULL;
        _cleanup_close_ int in = -EBADF, out = -EBADF;
        char buffer[16] = "";
        Heard h = {};

        ck_assert_int_eq(mkfifo(control, 0600), 0);
        ck_assert_int_eq(mkfifo(ack, 0600), 0);
        ck_assert_int_gt(asprintf(&address, "fifo:%s,%s", control, ack), 0);
        ck_assert_int_eq(loop_new(&loop), 0);
        h.loop = loop;
        ck_assert_int_eq(control_port_open(address, loop, hear, &h, &c, NULL), 0);

        for (int i = 0; i < 2; i++) { /* writers may come and go */
                in = open(control, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
                out = open(ack, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
                ck_assert_int_eq(write(in, "ping\n", 5), 5);
                ck_assert_int_eq(loop_run(loop), 0);
                ck_assert_int_eq(read(out, buffer, sizeof(buffer)), 4);
                ck_assert_mem_eq(buffer, "ack\n", 4);
                in = safe_close(in);
                out = safe_close(out);
        }
        ck_assert_str_eq(h.text, "ping() ping() ");
}
END_TEST

START_TEST(test_descriptors) {
        int in[2], out[2];
        char address[64], buffer[16];
        _cleanup_(loop_freep) Loop *loop = NULL;
        Heard h = {};
        ControlPort *c = NULL;

        ck_assert_int_eq(pipe(in), 0);
        ck_assert_int_eq(pipe(out), 0);
        (void) snprintf(address, sizeof(address), "fd:%d,%d", in[0], out[1]);
        ck_assert_int_eq(loop_new(&loop), 0);
        h.loop = loop;
        ck_assert_int_eq(control_port_open(address, loop, hear, &h, &c, NULL), 0);
        ck_assert_int_eq(write(in[1], "stop\n", 5), 5);
        ck_assert_int_eq(loop_run(loop), 0);
        ck_assert_int_eq(read(out[0], buffer, sizeof(buffer)), 4);
        c = control_port_free(c);
        ck_assert_int_ge(fcntl(in[0], F_GETFD), 0); /* the port does not close them */
        for (int i = 0; i < 2; i++) {
                (void) close(in[i]);
                (void) close(out[i]);
        }
}
END_TEST

START_TEST(test_wrong_addresses) {
        static const char *const wrong[] = { "", "x", "fifo:", "fifo:,ack", "fd:", "fd:x", "fd:-1", "fd:1;2", "pipe:1" };
        static const char *const missing[] = { "fifo:/nonexistent/control", "fifo:/dev/null", "fd:4095", "fd:0,4095" };
        _cleanup_(loop_freep) Loop *loop = NULL;

        ck_assert_int_eq(loop_new(&loop), 0);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_msg(control_port_check_address(wrong[i], &d) == -EINVAL, "%s", wrong[i]);
                ck_assert_ptr_nonnull(d.sentence);
        }
        for (size_t i = 0; i < ELEMENTSOF(missing); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                ControlPort *c = NULL;

                ck_assert_int_eq(control_port_check_address(missing[i], NULL), 0);
                ck_assert_msg(control_port_open(missing[i], loop, hear, NULL, &c, &d) < 0, "%s", missing[i]);
                ck_assert_ptr_null(c);
                ck_assert_ptr_nonnull(d.sentence);
        }
}
END_TEST

CHECK_MAIN("control-port", test_words, test_lines, test_unfinished_line, test_overlong_line, test_handler_ends_it, test_fifos,
           test_descriptors, test_wrong_addresses);

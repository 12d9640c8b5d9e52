/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The control descriptor in a loop: FIFOs and descriptors. */

#include <sys/stat.h>
#include "check-main.h"
#include "control-port.h"
#include "scratch.h"

typedef struct Heard {
        char text[4096];
        Loop *loop;
} Heard;

static int hear(void *userdata, ControlWord word, const char *argument) {
        Heard *h = userdata;
        size_t n = strlen(h->text);

        (void) snprintf(h->text + n, sizeof(h->text) - n, "%s ", word == CONTROL_PING ? "ping" : word == CONTROL_STOP ? "stop" : "?");
        if (h->loop)
                loop_stop(h->loop);
        return 0;
}

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
                ck_assert_int_eq(write(in, "nonsense\nping\n", 14), 14);
                ck_assert_int_eq(loop_run(loop), 0);
                ck_assert_int_eq(read(out, buffer, sizeof(buffer)), 4);
                ck_assert_mem_eq(buffer, "ack\n", 4);
                in = safe_close(in);
                out = safe_close(out);
        }
        ck_assert_str_eq(h.text, "ping ping ");
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
        static const char *const wrong[] = { "pipe:1", "fifo:/nonexistent/control", "fifo:/dev/null", "fd:4095", "fd:0,4095" };
        _cleanup_(loop_freep) Loop *loop = NULL;

        ck_assert_int_eq(loop_new(&loop), 0);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                ControlPort *c = NULL;

                ck_assert_msg(control_port_open(wrong[i], loop, hear, NULL, &c, &d) < 0, "%s", wrong[i]);
                ck_assert_ptr_null(c);
                ck_assert_ptr_nonnull(d.sentence);
        }
}
END_TEST

CHECK_MAIN("control-port", test_fifos, test_descriptors, test_wrong_addresses);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Real programs that run when the test forks, if the kernel allows them. */

#include "trigger-bpf.h"

#include <sys/wait.h>
#include "bpf-object.h"
#include "scratch.h"
#include "stop-loop.h"
#include "trigger-fired.h"

static void fork_once(void) {
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                _exit(0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

/* Returns NULL if it can't be tried here. */
static TriggerBpf *open_file(const char *file, Fired *f) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        TriggerBpf *t = NULL;
        int r = trigger_bpf_new(&(TriggerBpfOptions) { .file = file, .fired = fired, .userdata = f }, f->loop, &t, &d);

        if (r == -EPERM || r == -EOPNOTSUPP || r == -ENOSYS)
                (void) fprintf(stderr, "left out: %s\n", d.sentence);
        else
                ck_assert_msg(r == 0, "%s", d.sentence);
        return t;
}

static void assert_fires(const char *source, const char *detail) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "fork.bpf.o");
        TriggerBpf *t;
        Fired f = {};

        if (!bpf_object_compile(source, path))
                return;
        ck_assert_int_eq(loop_new(&f.loop), 0);
        t = open_file(path, &f);
        if (t) {
                ck_assert_int_ge(loop_add_timer(f.loop, 20 * USEC_PER_SEC, false, stop_loop, f.loop), 0);
                for (unsigned i = 1; i <= 3; i++) {
                        usec_t begin = now_usec(CLOCK_MONOTONIC);

                        fork_once();
                        fork_once();
                        ck_assert_int_eq(loop_run(f.loop), 0);
                        ck_assert_uint_eq(f.calls, i);
                        ck_assert_uint_eq(f.n, 2 * i);
                        ck_assert_str_eq(f.detail, detail);
                        if (i > 1) /* the pause after the previous one */
                                ck_assert_uint_ge(now_usec(CLOCK_MONOTONIC) - begin, TRIGGER_BPF_PAUSE / 2);
                }
        }
        trigger_bpf_free(t);
        loop_free(f.loop);
}

START_TEST(test_ring_buffer) {
        assert_fires(BPF_OBJECT_BEGIN BPF_OBJECT_RING("events")
                             BPF_OBJECT_ON_FORK("char text[16] = \"forked\\n\"; ringbuf_output(&events, text, sizeof(text), 0);\n"),
                     "fork.bpf.o: forked");
}
END_TEST

START_TEST(test_perf_events) {
        assert_fires(BPF_OBJECT_BEGIN BPF_OBJECT_ARRAY("events") BPF_OBJECT_ON_FORK(
                             "u64 data[2] = { 0x11223344, 0xff }; perf_event_output(ctx, &events, 0xffffffffULL, data, sizeof(data));\n"),
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
                     "fork.bpf.o: 4433221100000000ff0000000000000000000000" /* with the kernel's padding */
#else
                     "fork.bpf.o: 000000001122334400000000000000ff00000000"
#endif
        );
}
END_TEST

static void assert_refused(const char *dir, const char *source, const char *map, int error, const char *part) {
        _cleanup_free_ char *path = path_join(dir, "refused.bpf.o"), *file = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        TriggerBpf *t = NULL;
        int r;

        if (source && !bpf_object_compile(source, path))
                return;
        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_int_ge(asprintf(&file, "%s%s", path, map), 0);
        r = trigger_bpf_new(&(TriggerBpfOptions) { .file = file, .fired = fired }, loop, &t, &d);
        ck_assert_ptr_null(t);
        if (r == -EPERM || (r == -EOPNOTSUPP && strstr(d.sentence, "not installed"))) {
                (void) fprintf(stderr, "left out: %s\n", d.sentence);
                return;
        }
        ck_assert_msg(r == error && strstr(d.sentence, part), "%d: %s", r, d.sentence);
}

START_TEST(test_refusals) {
        static const char program[] = BPF_OBJECT_ON_FORK("");
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *source = NULL;
        TriggerBpf *t = NULL;

        assert_refused(dir, NULL, "", -ENOENT, "can't be opened: No such file or directory");
        ck_assert_int_ge(asprintf(&source, "%s%s", BPF_OBJECT_BEGIN, program), 0);
        assert_refused(dir, source, "", -ENOENT, "has no map for output");
        assert_refused(dir, BPF_OBJECT_BEGIN BPF_OBJECT_RING("a") BPF_OBJECT_RING("b") BPF_OBJECT_ON_FORK(""), "", -EINVAL,
                       "several maps for output, a and b");
        assert_refused(dir, BPF_OBJECT_BEGIN BPF_OBJECT_RING("a") BPF_OBJECT_ON_FORK(""), ":c", -ENOENT, "has no map c");
        assert_refused(dir, BPF_OBJECT_BEGIN BPF_OBJECT_RING("a"), "", -EINVAL, "has no program");
        assert_refused(dir, BPF_OBJECT_BEGIN BPF_OBJECT_RING("a") "SEC(\"tc\") int p(void *ctx) { return 0; }\n", "", -EOPNOTSUPP,
                       "the section of p does not say");
        assert_refused(dir, BPF_OBJECT_BEGIN BPF_OBJECT_RING("a") "SEC(\"tp/no/such\") int p(void *ctx) { return 0; }\n", "", -ENOENT,
                       "can't be attached: No such file or directory: ");
        assert_refused(dir, BPF_OBJECT_BEGIN BPF_OBJECT_RING("a") BPF_OBJECT_ON_FORK("*(volatile char *) 0 = 1;\n"), "", -EACCES,
                       "can't be loaded: Permission denied: ");
        ck_assert_int_eq(trigger_bpf_new(&(TriggerBpfOptions) { .file = "/x.o", .library = "libno-such.so" }, NULL, &t, &d), -EOPNOTSUPP);
}
END_TEST

START_TEST(test_describe) {
        static const struct {
                const char *data;
                size_t size;
                const char *expected;
        } cases[] = {
                { "slow", 4, "slow" },
                { "slow\0\0\0", 7, "slow" },
                { "two\nlines\n", 11, "two lines" },
                { "\1\2\377", 3, "0102ff" },
                { "a\0b", 3, "610062" },
                { "", 0, "" },
                { "\0\0", 2, "0000" },
        };
        uint8_t many[1000] = { 1 };
        char text[384];

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                trigger_bpf_describe(cases[i].data, cases[i].size, text, sizeof(text));
                ck_assert_str_eq(text, cases[i].expected);
        }
        trigger_bpf_describe(many, sizeof(many), text, sizeof(text));
        ck_assert_uint_eq(strlen(text), 64);
        memset(many, 'x', sizeof(many));
        trigger_bpf_describe(many, sizeof(many), text, sizeof(text));
        ck_assert_uint_eq(strlen(text), sizeof(text) - 1);
}
END_TEST

CHECK_MAIN("trigger-bpf", test_ring_buffer, test_perf_events, test_refusals, test_describe);

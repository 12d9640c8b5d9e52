/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* An object file with BPF programs, compiled while the test runs, if there is a clang for BPF. */

#include "check-main.h"
#include "fd-file.h"

/* The macros of <bpf/bpf_helpers.h>, so that no header is needed; they are the ABI of kernel and libbpf. */
#define BPF_OBJECT_BEGIN                                                                          \
        "#define SEC(name) __attribute__((section(name), used))\n"                                \
        "typedef unsigned long long u64;\n"                                                       \
        "static u64 (*current_pid_tgid)(void) = (void *) 14;\n"                                   \
        "static long (*perf_event_output)(void *, void *, u64, void *, u64) = (void *) 25;\n"     \
        "static long (*ringbuf_output)(void *, void *, u64, u64) = (void *) 130;\n"               \
        "char LICENSE[] SEC(\"license\") = \"GPL\";\n"
#define BPF_OBJECT_RING(name) "struct { int (*type)[27]; int (*max_entries)[65536]; } " name " SEC(\".maps\");\n"
#define BPF_OBJECT_ARRAY(name) \
        "struct { int (*type)[4]; int (*key_size)[4]; int (*value_size)[4]; } " name " SEC(\".maps\");\n"

/* A program that runs when our own process forks. body: may use ctx. */
#define BPF_OBJECT_ON_FORK(body)                                                                  \
        "SEC(\"tp/sched/sched_process_fork\") int on_fork(void *ctx) {\n"                         \
        "if (current_pid_tgid() >> 32 != PID) return 0;\n" body "return 0; }\n"

/* Returns whether it could be compiled. */
static inline bool bpf_object_compile(const char *source, const char *path) {
        _cleanup_free_ char *text = NULL, *command = NULL;
        FILE *f;

        ck_assert_int_ge(asprintf(&text, "%s.c", path), 0);
        f = fopen(text, "we");
        ck_assert_ptr_nonnull(f);
        ck_assert_int_ge(fputs(source, f), 0);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_int_ge(asprintf(&command, "clang -target bpf -O2 -g -DPID=%d -c -o %s %s 2>%s.log", getpid(), path, text, path), 0);
        if (system(command) == 0)
                return true;
        (void) fprintf(stderr, "left out: no clang that compiles for BPF\n");
        return false;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sums system calls up by thread and number. An entry of a table is changed only by the thread that it is of. */

#include <linux/bpf.h>
#include <stdint.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "trace-sums-program.h"

#define ERROR_MAX 4095 /* results from -4095 to -1 are errors */

#define TS_COMPAT 2u /* of x86, in a call of i386: arch/x86/include/asm/thread_info.h of the kernel */

struct thread_info {
        uint32_t status;
} __attribute__((preserve_access_index));

struct task_struct {
        int pid;
        struct thread_info thread_info;
} __attribute__((preserve_access_index));

struct {
        __uint(type, BPF_MAP_TYPE_ARRAY);
        __uint(max_entries, 1);
        __type(key, uint32_t);
        __type(value, SumsSettings);
} settings SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_ARRAY);
        __uint(max_entries, 2 * SUMS_CALLS);
        __type(key, uint32_t);
        __type(value, uint32_t);
} wanted SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_HASH);
        __uint(map_flags, BPF_F_NO_PREALLOC);
        __uint(max_entries, SUMS_THREADS);
        __type(key, uint32_t);
        __type(value, SumsThread);
} threads SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_HASH);
        __uint(map_flags, BPF_F_NO_PREALLOC);
        __uint(max_entries, SUMS_MAX);
        __type(key, SumsKey);
        __type(value, SumsValue);
} sums SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_HASH);
        __uint(map_flags, BPF_F_NO_PREALLOC);
        __uint(max_entries, SUMS_ERRORS_MAX);
        __type(key, SumsErrorKey);
        __type(value, uint64_t);
} errors SEC(".maps");

char LICENSE[] SEC("license") = "GPL";

static __always_inline void lose(SumsSettings *s) {
        __sync_fetch_and_add(&s->lost, 1);
}

/* Returns the thread that runs; NULL: it is not traced. */
static __always_inline SumsThread *this_thread(SumsSettings *s) {
        uint64_t id = bpf_get_current_pid_tgid();
        uint32_t tid = (uint32_t) id;
        SumsThread *t = bpf_map_lookup_elem(&threads, &tid), new = {};

        if (t || !s->all || id >> 32 == s->own_pid)
                return t;
        (void) bpf_get_current_comm(new.name, sizeof(new.name));
        if (bpf_map_update_elem(&threads, &tid, &new, BPF_NOEXIST) < 0)
                lose(s);
        return bpf_map_lookup_elem(&threads, &tid);
}

SEC("raw_tp/sys_enter")
int begin(struct bpf_raw_tracepoint_args *context) {
        struct task_struct *task = (struct task_struct *) bpf_get_current_task();
        uint32_t zero = 0, number = context->args[1], compat = 0;
        SumsSettings *s = bpf_map_lookup_elem(&settings, &zero);
        SumsThread *t = s ? this_thread(s) : NULL;

        if (!t)
                return 0;
        /* A call of i386, which 64-bit programs can make, too. Other machines do not have the field. */
        if (bpf_core_field_exists(task->thread_info.status) && BPF_CORE_READ(task, thread_info.status) & TS_COMPAT)
                compat = SUMS_COMPAT;
        if (s->some && !t->waits) {
                uint32_t place = number + (compat ? SUMS_CALLS : 0);
                const uint32_t *is_wanted = number < SUMS_CALLS ? bpf_map_lookup_elem(&wanted, &place) : NULL;

                t->in_call = 0;
                if (!is_wanted || !*is_wanted)
                        return 0;
        }
        t->n += !t->waits;
        t->number = number | compat;
        t->in_call = 1;
        t->since = bpf_ktime_get_ns();
        return 0;
}

static __always_inline void add_error(SumsSettings *s, const SumsKey *key, int64_t result) {
        const SumsErrorKey error = { .tid = key->tid, .number = key->number, .error = -result };
        uint64_t *n = bpf_map_lookup_elem(&errors, &error), one = 1;

        if (n)
                (*n)++;
        else if (bpf_map_update_elem(&errors, &error, &one, BPF_NOEXIST) < 0)
                lose(s);
}

static __always_inline void add_square(SumsValue *v, uint64_t time) {
        uint64_t low = time * time, high = 0;

        if (time >> 32) { /* without the lowest bits, which do not matter then */
                uint64_t square = (time >> 16) * (time >> 16);

                low = square << 32;
                high = square >> 32;
        }
        v->squares += low;
        v->squares_high += high + (v->squares < low);
}

SEC("raw_tp/sys_exit")
int end(struct bpf_raw_tracepoint_args *context) {
        uint64_t now = bpf_ktime_get_ns(), id = bpf_get_current_pid_tgid(), time;
        int64_t result = context->args[1];
        SumsKey key = { .tid = (uint32_t) id };
        uint32_t zero = 0;
        SumsSettings *s = bpf_map_lookup_elem(&settings, &zero);
        SumsThread *t = bpf_map_lookup_elem(&threads, &key.tid);
        SumsValue *v;

        if (!s || !t || !t->in_call)
                return 0;
        t->in_call = 0;
        if (t->waits) {
                t->waits = t->number != s->exec_number || result != 0;
                return 0;
        }
        t->n++;
        key.number = t->number;
        time = now - t->since;
        v = bpf_map_lookup_elem(&sums, &key);
        if (!v) {
                const SumsValue new = { .shortest = UINT64_MAX };

                (void) bpf_map_update_elem(&sums, &key, &new, BPF_NOEXIST);
                v = bpf_map_lookup_elem(&sums, &key);
        }
        if (!v) {
                lose(s);
                return 0;
        }
        v->n++;
        v->total += time;
        add_square(v, time);
        if (time < v->shortest)
                v->shortest = time;
        if (time > v->longest)
                v->longest = time;
        if (result < 0 && result >= -ERROR_MAX) {
                v->failed++;
                add_error(s, &key, result);
        }
        return 0;
}

/* New threads of those that are traced are traced, too, and have their name. */
SEC("raw_tp/sched_process_fork")
int follow(struct bpf_raw_tracepoint_args *context) {
        struct task_struct *child = (struct task_struct *) context->args[1];
        uint32_t tid = (uint32_t) bpf_get_current_pid_tgid(), zero = 0, new_tid = BPF_CORE_READ(child, pid);
        SumsSettings *s = bpf_map_lookup_elem(&settings, &zero);
        const SumsThread *t = bpf_map_lookup_elem(&threads, &tid);
        SumsThread new = {};

        if (!s || !t || t->waits)
                return 0;
        __builtin_memcpy(new.name, t->name, sizeof(new.name));
        if (bpf_map_update_elem(&threads, &new_tid, &new, BPF_ANY) < 0)
                lose(s);
        return 0;
}

SEC("raw_tp/task_rename")
int rename(struct bpf_raw_tracepoint_args *context) {
        struct task_struct *task = (struct task_struct *) context->args[0];
        uint32_t tid = BPF_CORE_READ(task, pid);
        SumsThread *t = bpf_map_lookup_elem(&threads, &tid);

        if (t)
                (void) bpf_probe_read_kernel_str(t->name, sizeof(t->name), (void *) context->args[1]);
        return 0;
}

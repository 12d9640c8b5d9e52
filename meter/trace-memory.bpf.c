/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads the memory that arguments of system calls point to, for threads that are traced: what the kernel reads when the call
 * begins, what it writes when it has returned. What is not in memory when the call begins is read at its end, by when the kernel
 * itself has had it read. A program of a tracepoint that returns 0 hides the event from everybody who traces it: these return 1. */

#include <linux/bpf.h>
#include <stdint.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "call-memory-record.h"
#include "trace-memory-program.h"

#define STRING_BYTES 40u    /* of a text of an argv */
#define STRINGS_MAX 16u
#define MORE (1u << 31)
#define ROOM (CALL_MEMORY_STRINGS_BYTES + STRING_BYTES) /* that a piece may need */

/* The data of raw_syscalls:sys_enter and sys_exit, see events/raw_syscalls in tracefs. */
struct enter_context {
        uint64_t common;
        uint64_t number;
        uint64_t arguments[MEMORY_ARGUMENTS];
};

struct exit_context {
        uint64_t common;
        uint64_t number;
        int64_t result;
};

struct inode {
        unsigned long i_ino;
} __attribute__((preserve_access_index));

struct file {
        struct inode *f_inode;
} __attribute__((preserve_access_index));

struct fdtable {
        unsigned max_fds;
        struct file **fd;
} __attribute__((preserve_access_index));

struct files_struct {
        struct fdtable *fdt;
} __attribute__((preserve_access_index));

struct task_struct {
        int pid;
        struct files_struct *files;
} __attribute__((preserve_access_index));

/* A record in the making, and the call that it is of. */
struct scratch {
        MemoryPending call;
        CallMemoryHead head;
        uint8_t bytes[CALL_MEMORY_RECORD_MAX];
};

struct {
        __uint(type, BPF_MAP_TYPE_ARRAY);
        __uint(max_entries, 1);
        __type(key, uint32_t);
        __type(value, MemorySettings);
} settings SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_ARRAY);
        __uint(max_entries, MEMORY_CALLS);
        __type(key, uint32_t);
        __type(value, MemoryRules);
} rules SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_HASH);
        __uint(map_flags, BPF_F_NO_PREALLOC);
        __uint(max_entries, MEMORY_TRACED);
        __type(key, uint32_t);
        __type(value, uint8_t);
} traced SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_HASH);
        __uint(map_flags, BPF_F_NO_PREALLOC);
        __uint(max_entries, MEMORY_LEFT_OUT);
        __type(key, uint32_t);
        __type(value, uint8_t);
} left_out SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
        __uint(max_entries, MEMORY_GROUPS);
        __type(key, uint32_t);
        __type(value, uint32_t);
} groups SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_LRU_HASH);
        __uint(max_entries, MEMORY_PENDING);
        __type(key, uint32_t);
        __type(value, MemoryPending);
} pending SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
        __uint(max_entries, 1);
        __type(key, uint32_t);
        __type(value, struct scratch);
} scratches SEC(".maps");

/* By CPU: events whose records lie in the rings of the tracepoints. */
struct {
        __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
        __type(key, int);
        __type(value, int);
} rings SEC(".maps");

char LICENSE[] SEC("license") = "GPL";

/* Functions that are global are verified once, for all values that they may get. */

/* Reads the texts of an argv, one behind the other, behind the first "at" bytes of the record's. Returns their bytes; the highest
 * bit: there are more. */
__noinline uint32_t read_strings(uint32_t at, uint64_t from) {
        uint32_t zero = 0, used = 0;
        struct scratch *s = bpf_map_lookup_elem(&scratches, &zero);

        if (!s || at > sizeof(s->bytes) - ROOM)
                return 0;
        for (uint32_t i = 0; i < STRINGS_MAX; i++) {
                uint64_t text = 0;
                long n;

                if (used > CALL_MEMORY_STRINGS_BYTES - STRING_BYTES ||
                    bpf_probe_read_user(&text, sizeof(text), (void *) (from + 8 * i)) < 0)
                        break;
                if (!text)
                        return used;
                n = bpf_probe_read_user_str(s->bytes + at + used, STRING_BYTES, (void *) text);
                if (n <= 0 || n > STRING_BYTES)
                        break;
                used += n;
        }
        return used | MORE;
}

/* Adds a piece behind the n bytes that the record has; kind, size: of the rule, and how many bytes it wants. Returns the bytes
 * then, or n if the memory could not be read. */
__noinline uint32_t add_piece(uint32_t n, uint32_t argument, uint32_t kind, uint64_t wanted) {
        uint32_t zero = 0, size = wanted > CALL_MEMORY_BYTES ? CALL_MEMORY_BYTES : wanted;
        struct scratch *s = bpf_map_lookup_elem(&scratches, &zero);
        uint8_t cut = wanted > CALL_MEMORY_BYTES;
        CallMemoryPiece *piece;
        uint64_t from;
        long read;

        if (!s || n > sizeof(s->bytes) - sizeof(*piece) - ROOM)
                return n;
        from = s->call.arguments[argument & 7];
        piece = (CallMemoryPiece *) (s->bytes + n);
        if (kind == ARGUMENT_MEMORY_TEXT) {
                read = bpf_probe_read_user_str(piece->bytes, CALL_MEMORY_BYTES, (void *) from);
                cut = read == CALL_MEMORY_BYTES;
        } else if (kind == ARGUMENT_MEMORY_STRINGS) {
                uint32_t strings = read_strings(n + sizeof(*piece), from);

                read = strings & ~MORE;
                cut = (strings & MORE) != 0;
        } else {
                read = bpf_probe_read_user(piece->bytes, size, (void *) from) < 0 ? 0 : size;
        }
        if (read <= 0 || read > CALL_MEMORY_STRINGS_BYTES)
                return n;
        piece->argument = argument;
        piece->cut = cut;
        piece->size = read;
        piece->reserved = 0;
        return n + sizeof(*piece) + ((read + 7) & ~7u);
}

/* Returns the number of what a descriptor of this process is open to; 0: it is closed. */
static __always_inline uint64_t inode_of(int32_t fd) {
        const struct task_struct *task = (const struct task_struct *) bpf_get_current_task();
        const struct fdtable *table = BPF_CORE_READ(task, files, fdt);
        const struct file *file = NULL;

        if (fd < 0 || (uint32_t) fd >= BPF_CORE_READ(table, max_fds) ||
            bpf_probe_read_kernel(&file, sizeof(file), BPF_CORE_READ(table, fd) + fd) < 0 || !file)
                return 0;
        return BPF_CORE_READ(file, f_inode, i_ino);
}

/* Adds the numbers of new descriptors; second: -1: there is none. Returns the bytes then. */
__noinline uint32_t add_inodes(uint32_t n, int32_t first, int32_t second) {
        uint32_t zero = 0;
        struct scratch *s = bpf_map_lookup_elem(&scratches, &zero);
        CallMemoryPiece *piece;
        uint64_t inodes[2];

        if (!s || n > sizeof(s->bytes) - sizeof(*piece) - ROOM)
                return n;
        inodes[0] = inode_of(first);
        inodes[1] = inode_of(second);
        piece = (CallMemoryPiece *) (s->bytes + n);
        piece->argument = CALL_MEMORY_INODES;
        piece->cut = 0;
        piece->size = sizeof(inodes);
        piece->reserved = 0;
        __builtin_memcpy(piece->bytes, inodes, sizeof(inodes));
        return n + sizeof(*piece) + sizeof(inodes);
}

/* Returns the bytes that the rule wants, count: what its other argument says. */
static __always_inline uint64_t wanted_bytes(const ArgumentMemory *rule, uint64_t count) {
        return rule->kind == ARGUMENT_MEMORY_FIXED ? rule->unit : count * rule->unit;
}

static __always_inline void hand_over(void *context, struct scratch *s, uint32_t n, uint64_t number, uint32_t returned) {
        s->head.zero = 0;
        s->head.number = number;
        s->head.returned = returned;
        if (n > 0) /* the mask is for the verifier */
                (void) bpf_perf_event_output(context, &rings, BPF_F_CURRENT_CPU, &s->head,
                                             sizeof(s->head) + (n & (CALL_MEMORY_RECORD_MAX - 1)));
}

static __always_inline int is_traced(const MemorySettings *set, uint64_t id) {
        uint32_t pid = id >> 32, tid = (uint32_t) id;

        if (set->left_out && bpf_map_lookup_elem(&left_out, &pid))
                return 0;
        if (!set->all)
                return bpf_map_lookup_elem(&traced, &tid) != 0;
        if (pid == set->own_pid || set->n_groups == 0)
                return pid != set->own_pid;
        for (uint32_t i = 0; i < MEMORY_GROUPS && i < set->n_groups; i++)
                if (bpf_current_task_under_cgroup(&groups, i) == 1)
                        return 1;
        return 0;
}

SEC("tracepoint/raw_syscalls/sys_enter")
int begin(struct enter_context *context) {
        uint32_t zero = 0, number = context->number, n = 0, missing = 0, later = 0;
        MemoryRules *r = bpf_map_lookup_elem(&rules, &number);
        MemorySettings *set = bpf_map_lookup_elem(&settings, &zero);
        struct scratch *s = bpf_map_lookup_elem(&scratches, &zero);
        uint64_t id = bpf_get_current_pid_tgid();
        uint32_t tid = (uint32_t) id;

        if (!r || !r->wanted || !set || !s || !is_traced(set, id))
                return 1;
        for (uint32_t i = 0; i < MEMORY_ARGUMENTS; i++)
                s->call.arguments[i] = context->arguments[i];
        for (uint32_t i = 0; i < MEMORY_ARGUMENTS; i++) {
                const ArgumentMemory *rule = &r->arguments[i];
                uint32_t before = n;

                if (rule->kind == ARGUMENT_MEMORY_NONE || !s->call.arguments[i])
                        continue;
                if (rule->returned) {
                        later = 1;
                        continue;
                }
                n = add_piece(n, i, rule->kind, wanted_bytes(rule, s->call.arguments[rule->length & 7]));
                if (n == before)
                        missing |= 1u << i;
        }
        if (later || missing || r->opens) {
                s->call.number = number;
                s->call.missing = missing;
                (void) bpf_map_update_elem(&pending, &tid, &s->call, BPF_ANY);
        }
        hand_over(context, s, n, number, 0);
        return 1;
}

SEC("tracepoint/raw_syscalls/sys_exit")
int end(struct exit_context *context) {
        uint32_t zero = 0, number = context->number, n = 0, tid = (uint32_t) bpf_get_current_pid_tgid();
        MemoryRules *r = bpf_map_lookup_elem(&rules, &number);
        int64_t result = context->result;
        MemoryPending *call;
        struct scratch *s;

        if (!r || !r->wanted)
                return 1;
        call = bpf_map_lookup_elem(&pending, &tid);
        s = bpf_map_lookup_elem(&scratches, &zero);
        if (!call || !s)
                return 1;
        s->call = *call;
        (void) bpf_map_delete_elem(&pending, &tid);
        if (s->call.number != number || (r->replaces && result >= 0))
                return 1;
        for (uint32_t i = 0; i < MEMORY_ARGUMENTS; i++) {
                const ArgumentMemory *rule = &r->arguments[i];
                uint64_t count = s->call.arguments[rule->length & 7];

                if (rule->kind == ARGUMENT_MEMORY_NONE || !s->call.arguments[i])
                        continue;
                if (rule->returned ? result < 0 : !(s->call.missing & 1u << i))
                        continue;
                if (rule->kind == ARGUMENT_MEMORY_RESULT && count > (uint64_t) result)
                        count = result;
                n = add_piece(n, i, rule->kind, wanted_bytes(rule, count));
        }
        if (r->opens != MEMORY_OPENS_NONE && result >= 0) {
                int32_t fds[2] = { (int32_t) result, -1 };

                if (r->opens == MEMORY_OPENS_PAIR)
                        (void) bpf_probe_read_user(fds, sizeof(fds), (void *) s->call.arguments[r->pair & 7]);
                n = add_inodes(n, fds[0], fds[1]);
        }
        hand_over(context, s, n, number, 1);
        return 1;
}

/* New threads of those that are traced are traced, too. */
SEC("raw_tp/sched_process_fork")
int follow(struct bpf_raw_tracepoint_args *context) {
        struct task_struct *child = (struct task_struct *) context->args[1];
        uint32_t tid = (uint32_t) bpf_get_current_pid_tgid(), new_tid = BPF_CORE_READ(child, pid);
        uint8_t one = 1;

        if (bpf_map_lookup_elem(&traced, &tid))
                (void) bpf_map_update_elem(&traced, &new_tid, &one, BPF_ANY);
        return 0;
}

SEC("raw_tp/sched_process_exit")
int forget(struct bpf_raw_tracepoint_args *context) {
        uint32_t tid = (uint32_t) bpf_get_current_pid_tgid();

        (void) bpf_map_delete_elem(&traced, &tid);
        (void) bpf_map_delete_elem(&pending, &tid);
        return 0;
}

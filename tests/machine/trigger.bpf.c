/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Has an output when a program called trigger-bpf is executed. It needs no headers, so that any clang compiles it; the
 * numbers are the kernel's. */

#define SEC(name) __attribute__((section(name), used))

static long (*get_current_comm)(void *buffer, unsigned size) = (void *) 16;
static long (*ringbuf_output)(void *map, void *data, unsigned long long size, unsigned long long flags) = (void *) 130;

struct {
        int (*type)[27]; /* BPF_MAP_TYPE_RINGBUF */
        int (*max_entries)[65536];
} events SEC(".maps");

char LICENSE[] SEC("license") = "GPL";

SEC("tp/sched/sched_process_exec")
int on_exec(void *context) {
        static const char wanted[] = "trigger-bpf";
        char comm[16] = "";

        (void) get_current_comm(comm, sizeof(comm));
        for (unsigned i = 0; i < sizeof(wanted); i++)
                if (comm[i] != wanted[i])
                        return 0;
        (void) ringbuf_output(&events, comm, sizeof(comm), 0);
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-switches.h"

#include "record-layout.h"

#define SWITCH_ID UINT64_C(31)
#define WAKING_ID UINT64_C(41)
#define LINE(type, offset, size, is_signed) "\tfield:" type ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";\n"
#define COMMON LINE("unsigned short common_type", 0, 2, 0) LINE("int common_pid", 4, 4, 1) "\n"

static const char switch_format[] =
        "name: sched_switch\nID: 372\nformat:\n" COMMON LINE("char prev_comm[16]", 8, 16, 0) LINE("pid_t prev_pid", 24, 4, 1)
        LINE("int prev_prio", 28, 4, 1) LINE("long prev_state", 32, 8, 1) LINE("char next_comm[16]", 40, 16, 0)
        LINE("pid_t next_pid", 56, 4, 1) LINE("int next_prio", 60, 4, 1) "\nprint fmt: \"\"\n";
static const char waking_format[] =
        "name: sched_waking\nID: 373\nformat:\n" COMMON LINE("char comm[16]", 8, 16, 0) LINE("pid_t pid", 24, 4, 1)
        LINE("int prio", 28, 4, 1) LINE("int target_cpu", 32, 4, 1) "\nprint fmt: \"\"\n";

static const char lock_format[] =
        "name: contention_begin\nID: 374\nformat:\n" COMMON LINE("void * lock_addr", 8, 8, 0) LINE("unsigned int flags", 16, 4, 0)
        "\nprint fmt: \"\"\n";
static const char unlock_format[] =
        "name: contention_end\nID: 375\nformat:\n" COMMON LINE("void * lock_addr", 8, 8, 0) LINE("int ret", 16, 4, 1)
        "\nprint fmt: \"\"\n";

typedef struct SwitchRaw {
        uint16_t type;
        uint8_t flags, count;
        int32_t pid;
        char out_comm[16];
        int32_t out, out_prio;
        int64_t state;
        char in_comm[16];
        int32_t in, in_prio;
        uint32_t pad; /* with the size before it, words */
} __attribute__((packed)) SwitchRaw;

typedef struct WakingRaw {
        uint16_t type;
        uint8_t flags, count;
        int32_t pid;
        char comm[16];
        int32_t in, prio, cpu;
} __attribute__((packed)) WakingRaw;

static void put_raw(RecordBuffer *b, const MadeSwitch *s) {
        SwitchRaw switched = {
                .type = 372, .pid = (int32_t) s->out, .out = (int32_t) s->out, .state = (int64_t) s->state, .in = (int32_t) s->in,
        };
        WakingRaw waking = { .type = 373, .pid = (int32_t) s->out, .in = (int32_t) s->in };

        byte_buffer_put_u32(b, s->comm ? sizeof(waking) : sizeof(switched));
        if (!s->comm) {
                byte_buffer_put(b, &switched, sizeof(switched));
                return;
        }
        memcpy(waking.comm, s->comm, strnlen(s->comm, sizeof(waking.comm)));
        byte_buffer_put(b, &waking, sizeof(waking));
}

static void put_switches(RecordBuffer *b, const MadeSwitch *s, size_t n, bool chains) {
        for (; n > 0; n--, s++) {
                size_t start = b->size, frames = s->chain[0] == 0 ? 0 : s->chain[1] == 0 ? 1 : 2;
                struct perf_event_header *h;

                byte_buffer_put(b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER }, sizeof(*h));
                byte_buffer_put_u64(b, s->comm ? WAKING_ID : SWITCH_ID);
                byte_buffer_put_u64(b, s->chain[0]);
                byte_buffer_put_u32(b, s->out);
                byte_buffer_put_u32(b, s->out);
                byte_buffer_put_u64(b, s->usec * 1000);
                byte_buffer_put_u64(b, s->cpu);
                byte_buffer_put_u64(b, 1);
                if (chains) {
                        byte_buffer_put_u64(b, frames + 1);
                        byte_buffer_put_u64(b, PERF_CONTEXT_USER);
                        byte_buffer_put(b, s->chain, frames * sizeof(*s->chain));
                }
                put_raw(b, s);
                ck_assert_int_eq(b->error, 0);
                h = (struct perf_event_header *) (b->data + start);
                h->size = (uint16_t) (b->size - start);
        }
}

void made_switches(RecordBuffer *b, const MadeSwitch *s, size_t n) {
        put_switches(b, s, n, true);
}

void made_switches_without_chains(RecordBuffer *b, const MadeSwitch *s, size_t n) {
        put_switches(b, s, n, false);
}

void made_loss(RecordBuffer *b, uint32_t cpu, uint64_t usec) {
        const struct {
                PerfRecordLost lost;
                uint32_t pid, tid;
                uint64_t time;
                uint32_t cpu, reserved;
                uint64_t id;
        } record = {
                .lost = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(record) }, .id = SWITCH_ID, .lost = 5 },
                .time = usec * 1000, .cpu = cpu, .id = SWITCH_ID,
        };

        byte_buffer_put(b, &record, sizeof(record));
}

static void put_format(ByteBuffer *b, const char *format) {
        byte_buffer_put_u64(b, strlen(format));
        byte_buffer_put(b, format, strlen(format));
}

static void put_formats(FeatureTable *features, const char *system, const char *first, const char *second) {
        _cleanup_byte_buffer_ ByteBuffer b = {};

        byte_buffer_put(&b, "\27\10Dtracing", 10);
        byte_buffer_put(&b, "0.6\0\0\10\0\20\0\0", 10);
        byte_buffer_put(&b, "header_page\0\0\0\0\0\0\0\0\0", 20);
        byte_buffer_put(&b, "header_event\0\0\0\0\0\0\0\0\0", 21);
        byte_buffer_put_u32(&b, 0);
        byte_buffer_put_u32(&b, 1);
        byte_buffer_put(&b, system, strlen(system) + 1);
        byte_buffer_put_u32(&b, 2);
        put_format(&b, first);
        put_format(&b, second);
        ck_assert_ok(feature_table_take(features, PERF_FEATURE_TRACING_DATA, &b));
}

/* config: that of the first event, and one less than that of the second. */
static void write_recording(const char *path, const RecordBuffer *b, uint64_t config, const char *first, const char *second,
                            void (*change)(struct perf_event_attr *attr)) {
        static const uint64_t switch_ids[] = { SWITCH_ID }, waking_ids[] = { WAKING_ID };
        const struct perf_event_attr attr = {
                .type = PERF_TYPE_TRACEPOINT, .config = config, .size = sizeof(attr), .sample_period = 1, .sample_type = MADE_SCHED_TYPE,
                .sample_id_all = 1, .read_format = PERF_FORMAT_ID, .comm = 1, .task = 1, .mmap = 1, .mmap2 = 1,
        };
        PerfDataEvent events[] = {
                { .attr = attr, .ids = switch_ids, .n_ids = 1, .name = first },
                { .attr = attr, .ids = waking_ids, .n_ids = 1, .name = second },
        };
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        uint64_t left_out;

        events[1].attr.config = config + 1;
        if (change)
                change(&events[0].attr);
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_add_events(features, events, second ? 2 : 1));
        if (config == 372)
                put_formats(features, "sched", switch_format, waking_format);
        else
                put_formats(features, "lock", lock_format, unlock_format);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path,
                                          &(PerfDataWriterOptions) { .events = events, .n_events = second ? 2 : 1 }, &w));
        ck_assert_ok(test_append(w, b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, &left_out));
}

void made_sched_recording(const char *path, const RecordBuffer *b, const char *waking, void (*change)(struct perf_event_attr *attr)) {
        write_recording(path, b, 372, "sched:sched_switch", waking, change);
}

void made_lock_recording(const char *path, const RecordBuffer *b) {
        write_recording(path, b, 374, "lock:contention_begin", "lock:contention_end", NULL);
}

void made_lock(RecordBuffer *b, const MadeLock *l) {
        const struct {
                uint32_t size;
                uint16_t type;
                uint8_t common[2];
                int32_t pid;
                uint64_t lock;
                uint32_t flags;
        } __attribute__((packed)) raw = {
                .size = sizeof(raw) - sizeof(raw.size), .type = l->ends ? 375 : 374, .pid = (int32_t) l->thread, .lock = l->lock,
                .flags = l->flags,
        };
        size_t start = b->size;
        struct perf_event_header *h;

        byte_buffer_put(b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_KERNEL }, sizeof(*h));
        byte_buffer_put_u64(b, l->ends ? WAKING_ID : SWITCH_ID);
        byte_buffer_put_u64(b, 0);
        byte_buffer_put_u32(b, l->thread);
        byte_buffer_put_u32(b, l->thread);
        byte_buffer_put_u64(b, l->usec * 1000);
        byte_buffer_put_u64(b, 0);
        byte_buffer_put_u64(b, 1);
        byte_buffer_put_u64(b, 0);
        byte_buffer_put(b, &raw, sizeof(raw));
        ck_assert_int_eq(b->error, 0);
        h = (struct perf_event_header *) (b->data + start);
        h->size = (uint16_t) (b->size - start);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events of the scheduler and of locks with any threads, CPUs, states and times: the model keeps its invariants, and what the verbs
 * print has no control characters. The fields are put into a recording whose formats are sound.
 *
 * A sample is a byte of flags and events of EVENT_SIZE bytes: a letter that says what it is, the CPU, two threads, the state, the
 * time that passed since the last one, backwards too, and what else there is. Events are readable,
 * as "s0abAA@@": on CPU 0, 49 goes to sleep and 50 comes. */

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include "fd-file.h"
#include "fuzz.h"
#include "record.h"
#include "sandbox.h"
#include "sched-model.h"
#include "text-buffer.h"
#include "verb-sched.h"
#include "work-plan.h"

#define EVENT_SIZE 8u
#define EVENTS_MAX 2000u
#define FIRST_CONFIG 300u
#define SAMPLE_TYPE \
        (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN | \
         PERF_SAMPLE_RAW)

enum { FLAG_WAKEUP = 1, FLAG_OVERWRITTEN = 2, FLAG_LOCKS = 4 };

typedef struct FuzzEvent {
        char kind;
        uint8_t cpu, out, in, state;
        int8_t passed;
        uint8_t scale, rest;
} FuzzEvent;

/* All events have the fields of all. */
typedef struct __attribute__((packed)) FuzzRaw {
        uint16_t type;
        uint8_t flags, count;
        uint32_t pid;
        char name_out[16];
        uint32_t out, from;
        uint64_t state;
        char name_in[16];
        uint32_t in, to;
        uint64_t lock;
        uint32_t lock_flags;
} FuzzRaw;

#define FIELD(declaration, offset, size) "\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:0;\n"
#define FIELDS \
        FIELD("unsigned short common_type", 0, 2) FIELD("int common_pid", 4, 4) "\n" FIELD("char prev_comm[16]", 8, 16) \
        FIELD("pid_t prev_pid", 24, 4) FIELD("int orig_cpu", 28, 4) FIELD("long prev_state", 32, 8) FIELD("char next_comm[16]", 40, 16) \
        FIELD("char comm[16]", 40, 16) FIELD("pid_t next_pid", 56, 4) FIELD("pid_t pid", 56, 4) FIELD("int target_cpu", 60, 4) \
        FIELD("int dest_cpu", 60, 4) FIELD("void * lock_addr", 64, 8) FIELD("unsigned int flags", 72, 4) \
        FIELD("u64 runtime", 64, 8) "\nprint fmt: \"\"\n"

/* By the letter of an event; the ids are 1 and so on. */
static const struct {
        char letter;
        const char *system, *name;
} kinds[] = {
        { 's', "sched", "sched_switch" }, { 'w', "sched", "sched_waking" }, { 'u', "sched", "sched_wakeup" },
        { 'n', "sched", "sched_wakeup_new" }, { 'm', "sched", "sched_migrate_task" }, { 'r', "sched", "sched_stat_runtime" },
        { 'b', "lock", "contention_begin" }, { 'e', "lock", "contention_end" },
};

/* In place of the one in viewer/base: the process of the fuzzer goes on. */
int __wrap_sandbox_enter(const char *const *places, unsigned flags, bool *ret_landlock);
int __wrap_sandbox_enter(const char *const *places, unsigned flags, bool *ret_landlock) {
        *ret_landlock = true;
        return 0;
}

static uint32_t fuzz_number(uint8_t byte) {
        static const uint32_t hostile[] = { 0, UINT32_MAX, INT32_MAX, 1u << 31, SCHED_CPUS_MAX - 1, SCHED_CPUS_MAX, 4096, 1u << 22 };

        return byte >= 0xf8 ? hostile[byte - 0xf8] : byte >= 0x30 ? byte - 0x30u : byte;
}

/* Formats are grouped by system; the events of locks are the last two. */
static void put_formats(RecordBuffer *b) {
        _cleanup_(text_buffer_done) TextBuffer formats = {};
        size_t n_locks = 2, n = ELEMENTSOF(kinds);
        const uint32_t numbers[] = { 0, 2 };

        text_buffer_put(&formats, "\27\10Dtracing0.6\0\0\10\0\20\0\0header_page\0\0\0\0\0\0\0\0\0header_event\0\0\0\0\0\0\0\0\0", 61);
        text_buffer_put(&formats, (const char *) numbers, sizeof(numbers));
        for (size_t i = 0; i < n; i++) {
                char format[2048];
                const uint32_t count = (uint32_t) (i == 0 ? n - n_locks : n_locks);
                uint64_t size = (uint64_t) snprintf(format, sizeof(format), "name: %s\nID: %zu\nformat:\n" FIELDS, kinds[i].name,
                                                    FIRST_CONFIG + i);

                FUZZ_ASSERT(size < sizeof(format));
                if (i == 0 || i == n - n_locks) {
                        text_buffer_put(&formats, kinds[i].system, strlen(kinds[i].system) + 1);
                        text_buffer_put(&formats, (const char *) &count, sizeof(count));
                }
                text_buffer_put(&formats, (const char *) &size, sizeof(size));
                text_buffer_put(&formats, format, size);
        }
        FUZZ_ASSERT(record_put_tracing_data(b, formats.data, formats.n) == 0);
}

static void put_begin(RecordBuffer *b, uint8_t flags) {
        const uint64_t header[] = { PERF_FILE_MAGIC, 2 * sizeof(uint64_t) };

        byte_buffer_put(b, header, sizeof(header));
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++) {
                const struct perf_event_attr attr = {
                        .type = PERF_TYPE_TRACEPOINT, .config = FIRST_CONFIG + i, .size = sizeof(attr), .sample_period = 1,
                        .sample_type = SAMPLE_TYPE, .sample_id_all = 1, .write_backward = flags & FLAG_OVERWRITTEN ? 1 : 0,
                };
                uint64_t id = i + 1;
                char name[64];

                if (kinds[i].letter == 'w' && flags & FLAG_WAKEUP)
                        continue;
                (void) snprintf(name, sizeof(name), "%s:%s", kinds[i].system, kinds[i].name);
                FUZZ_ASSERT(record_put_attr(b, &attr, &id, 1) == 0);
                FUZZ_ASSERT(record_put_event_name(b, id, name) == 0);
        }
        put_formats(b);
}

static void put_sample(RecordBuffer *b, const FuzzEvent *e, size_t number, uint64_t time) {
        static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER, 0x401000 };
        const uint32_t cpu[] = { fuzz_number(e->cpu), 0 }, thread[] = { fuzz_number(e->out) & 0xfffe, fuzz_number(e->out) };
        const FuzzRaw raw = {
                .type = (uint16_t) (FIRST_CONFIG + number), .pid = thread[1], .out = thread[1], .in = fuzz_number(e->in),
                .state = e->state & 0x80 ? UINT64_MAX << (e->state & 0x3f) : e->state & 0x3f, .from = cpu[0],
                .to = fuzz_number(e->rest), .lock = e->in, .lock_flags = e->state,
                .name_out = { (char) e->out, '\n', 27 }, .name_in = { (char) e->in, '\r', (char) 0x9b },
        };
        size_t start = record_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
        uint32_t size = e->scale & 0x40 ? sizeof(raw) : e->scale & 0x3f;
        uint64_t frames = e->scale % 5;

        byte_buffer_put_u64(b, number + 1);
        byte_buffer_put_u64(b, 0);
        byte_buffer_put(b, thread, sizeof(thread));
        byte_buffer_put_u64(b, time);
        byte_buffer_put(b, cpu, sizeof(cpu));
        byte_buffer_put_u64(b, frames);
        byte_buffer_put(b, chain, frames * sizeof(*chain));
        size = ((size + 4 + 7) & ~7u) - 4; /* with its size, words */
        byte_buffer_put_u32(b, size);
        for (uint32_t i = 0; i < size; i++)
                byte_buffer_put(b, i < sizeof(raw) ? (const uint8_t *) &raw + i : (const uint8_t *) "", 1);
        FUZZ_ASSERT(record_end(b, start, NULL) == 0);
}

static void put_other(RecordBuffer *b, const FuzzEvent *e, uint64_t time) {
        const uint32_t out = fuzz_number(e->out), in = fuzz_number(e->in);
        const char name[] = { (char) e->state, '\n', (char) e->rest, 'x', '\0' };
        const RecordTrailer trailer = {
                .sample_type = SAMPLE_TYPE, .pid = out, .tid = out, .time = time, .cpu = fuzz_number(e->cpu), .id = 1,
        };
        const struct {
                uint64_t id, lost;
        } loss = { 1, e->rest };
        size_t start;

        switch (e->kind) {
        case 'f':
                FUZZ_ASSERT(record_put_fork(b, in, out, in, out, time, 0, &trailer) == 0);
                break;
        case 'x':
                FUZZ_ASSERT(record_put_exit(b, in, out, in, out, time, &trailer) == 0);
                break;
        case 'c':
                FUZZ_ASSERT(record_put_comm(b, out, in, name, 0, &trailer) == 0);
                break;
        case 'l':
                start = record_begin(b, PERF_RECORD_LOST, 0);
                byte_buffer_put(b, &loss, sizeof(loss));
                FUZZ_ASSERT(record_end(b, start, &trailer) == 0);
                break;
        default:
                FUZZ_ASSERT(record_put_finished_round(b) == 0);
        }
}

/* A time is some microseconds after the last one or before it, or anywhere. */
static uint64_t fuzz_pass(uint64_t time, const FuzzEvent *e) {
        uint64_t by = (uint64_t) ((int64_t) e->passed * 1000);

        return e->scale & 0x80 ? time + (by << (e->rest & 0x3f)) : time + by;
}

static void put_events(RecordBuffer *b, const uint8_t *data, size_t size) {
        uint64_t time = 1000000;
        FuzzEvent e;

        for (size_t n = 0; size >= EVENT_SIZE && n < EVENTS_MAX; n++, data += EVENT_SIZE, size -= EVENT_SIZE) {
                size_t number = 0;

                memcpy(&e, data, sizeof(e));
                time = fuzz_pass(time, &e);
                while (number < ELEMENTSOF(kinds) && kinds[number].letter != e.kind)
                        number++;
                if (number < ELEMENTSOF(kinds))
                        put_sample(b, &e, number, time);
                else
                        put_other(b, &e, time);
        }
}

static void check_step(const SchedModel *m, const SchedStep *s, uint64_t time) {
        uint64_t delay;

        FUZZ_ASSERT(s->time == time && s->out < m->n_threads && s->in < m->n_threads);
        FUZZ_ASSERT(m->n_cpus <= SCHED_CPUS_MAX && m->n_threads <= SCHED_THREADS_MAX);
        if (!sched_event_is_switch(&s->event))
                return;
        FUZZ_ASSERT(s->wait.came == s->time && s->wait.ready <= s->time && s->wait.left <= s->time);
        FUZZ_ASSERT(s->stay.came <= s->time);
        FUZZ_ASSERT(!sched_wait_delay(&s->wait, &delay) || delay <= s->time);
        FUZZ_ASSERT(s->cpu >= m->n_cpus || m->cpus[s->cpu].running == s->in);
}

/* Does a plan as its threads would, and expects that none waits for ever. */
static void check_plan(const WorkPlan *p) {
        _cleanup_free_ size_t *at = calloc(p->n_tasks + 1, sizeof(*at)), *woken = calloc(p->n_tasks + 1, sizeof(*woken));
        bool goes_on = true;

        FUZZ_ASSERT(at && woken);
        while (goes_on) {
                goes_on = false;
                for (size_t i = 0; i < p->n_tasks; i++)
                        for (; at[i] < p->tasks[i].n; at[i]++) {
                                const WorkPiece *piece = p->tasks[i].pieces + at[i];

                                if (piece->kind == WORK_SLEEP && piece->woken && woken[i] == 0)
                                        break;
                                woken[i] -= piece->kind == WORK_SLEEP && piece->woken;
                                if (piece->kind == WORK_WAKE)
                                        woken[piece->wakes]++;
                                goes_on = true;
                        }
        }
        for (size_t i = 0; i < p->n_tasks; i++)
                FUZZ_ASSERT(at[i] == p->tasks[i].n && woken[i] == 0);
}

static void follow(PerfDataReader *reader) {
        _cleanup_(work_plan_done) WorkPlan plan = {};
        _cleanup_(sched_model_freep) SchedModel *model = NULL;
        _cleanup_replay_free_ Replay *replay = NULL;
        SchedStep step;
        Moment m;
        int r;

        FUZZ_ASSERT(replay_new(reader, &(ReplayOptions) {}, &replay) == 0 && sched_model_new(reader, &model) == 0);
        while ((r = replay_next(replay, &m)) == 1) {
                int taken = sched_model_take(model, &m, &step);

                FUZZ_ASSERT(taken >= 0);
                if (taken == 1)
                        check_step(model, &step, m.time);
                if (taken == 1)
                        FUZZ_ASSERT(work_plan_take(&plan, model, &step) == 0);
        }
        FUZZ_ASSERT(r == 0 || r == -EBADMSG);
        check_plan(&plan);
}

/* Runs a verb of up to four more words on the recording, and looks at what it prints. */
static void show(int fd, const char *const *words, int (*verb)(int argc, char **argv)) {
        FILE *out = stdout;
        char *argv[8], path[32], *text = NULL;
        size_t size = 0;
        int argc = 0, status;

        (void) snprintf(path, sizeof(path), "&%d", fd);
        while (words[argc]) {
                argv[argc] = (char *) words[argc];
                argc++;
        }
        argv[argc++] = (char *) "-i";
        argv[argc++] = path;
        argv[argc] = NULL;
        FUZZ_ASSERT((stdout = open_memstream(&text, &size)));
        status = verb(argc, argv);
        (void) fclose(stdout);
        stdout = out;
        FUZZ_ASSERT(status == EXIT_SUCCESS || status == EXIT_FAILURE);
        for (size_t i = 0; i < size; i++)
                FUZZ_ASSERT(((unsigned char) text[i] >= ' ' && text[i] != 0x7f) || text[i] == '\n');
        free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const char *const sched[][6] = {
                { "sched", "timehist", "-wMn", "--state", NULL }, { "sched", "timehist", "--json", "-wM", NULL },
                { "sched", "timehist", "-SI", NULL }, { "sched", "latency", "--histogram", "-p", NULL },
                { "sched", "latency", "--json", "--by=cpu", NULL }, { "sched", "map", "--compact", NULL },
                { "sched", "map", "--json", NULL }, { "sched", "blame", "--longer-than=1us", NULL },
                { "sched", "blame", "--json", "--by=process", NULL },
        };
        static const char *const locks[][5] = { { "lock", "contention", "-l", NULL }, { "lock", "contention", "--json", NULL } };
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_close_ int fd = -EBADF;

        if (size == 0)
                return 0;
        put_begin(&b, data[0]);
        put_events(&b, data + 1, size - 1);
        FUZZ_ASSERT(b.error == 0 && perf_data_reader_new_memory(b.data, b.size, &reader) == 0);
        follow(reader);
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        FUZZ_ASSERT(fd >= 0 && write_all(fd, b.data, b.size) == 0 && lseek(fd, 0, SEEK_SET) == 0);
        (void) setenv("SYSTEMD_COLORS", "false", 1); /* colours are control characters */
        for (size_t i = 0; i < ELEMENTSOF(sched); i++)
                show(fd, sched[i], verb_sched);
        for (size_t i = 0; i < (data[0] & FLAG_LOCKS ? ELEMENTSOF(locks) : 0); i++)
                show(fd, locks[i], verb_lock);
        return 0;
}

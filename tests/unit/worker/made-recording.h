/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include "event-set.h"
#include "output.h"
#include "reader.h"
#include "scratch.h"

/* A recording without the kernel: two events on two CPUs, whose rings are in plain memory and whose descriptors are
 * pipes, and an output into a scratch directory. There is one for each process, as Check runs its tests. */

#define MADE_CPUS 2
#define MADE_MEMBERS 2
#define MADE_RING_SIZE 4096
#define MADE_SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID)

typedef struct MadeSample {
        struct perf_event_header header;
        uint64_t ip;
        uint32_t pid, tid;
        uint64_t time, id;
} MadeSample;

typedef struct Made {
        EventSet set;
        SetMember members[MADE_MEMBERS];
        EventSpec specs[MADE_MEMBERS];
        Event events[MADE_CPUS * MADE_MEMBERS];
        Ring rings[MADE_CPUS];
        struct perf_event_mmap_page pages[MADE_CPUS];
        _Alignas(8) uint8_t data[MADE_CPUS][MADE_RING_SIZE];
        int hangup[MADE_CPUS * MADE_MEMBERS]; /* the other ends of the events' descriptors */
        int cpus[MADE_CPUS];
        pid_t tids[1];
        char *dir;
        char *path;
        Counters counters;
        Notifier notifier;
        OutputFiles files;
        Output *output;
        unsigned n_preambles;
        LeftOut left_out;
} Made;

static Made made = { .notifier = NOTIFIER_EMPTY, .files = OUTPUT_FILES_EMPTY };

static inline void made_event(unsigned cpu, unsigned member) {
        unsigned i = cpu * MADE_MEMBERS + member;
        int p[2];

        ck_assert_int_eq(pipe2(p, O_CLOEXEC), 0);
        made.events[i] = (Event) {
                .fd = p[0],
                .cpu = (int) cpu,
                .tid = -1,
                .id = 100 * (member + 1) + cpu,
                .member = member,
                .ring = cpu,
                .watch_input = member == 0,
                .watch_hangup = member == 0,
        };
        made.hangup[i] = p[1];
}

static inline void made_set(void) {
        for (unsigned m = 0; m < MADE_MEMBERS; m++) {
                made.members[m] = (SetMember) { .name = (char *) (m == 0 ? "cpu-clock" : "dummy:HG"), .spec = &made.specs[m] };
                made.members[m].attr = (struct perf_event_attr) {
                        .type = PERF_TYPE_SOFTWARE,
                        .size = sizeof(struct perf_event_attr),
                        .config = m == 0 ? PERF_COUNT_SW_CPU_CLOCK : PERF_COUNT_SW_DUMMY,
                        .sample_type = MADE_SAMPLE_TYPE,
                        .read_format = PERF_FORMAT_ID,
                        .sample_id_all = 1,
                };
                made.specs[m].attr = made.members[m].attr;
                made.specs[m].scale = m == 0 ? 1e-6 : 1;
                made.specs[m].unit = (char *) (m == 0 ? "msec" : NULL);
        }
        for (unsigned cpu = 0; cpu < MADE_CPUS; cpu++) {
                made.cpus[cpu] = (int) cpu;
                ck_assert_int_eq(ring_init_memory(&made.rings[cpu], &made.pages[cpu], made.data[cpu], MADE_RING_SIZE, false), 0);
                for (unsigned m = 0; m < MADE_MEMBERS; m++)
                        made_event(cpu, m);
        }
        made.tids[0] = -1;
        made.set = (EventSet) {
                .members = made.members, .n_members = MADE_MEMBERS, .events = made.events, .n_events = ELEMENTSOF(made.events),
                .rings = made.rings, .n_rings = MADE_CPUS, .cpus = made.cpus, .n_cpus = MADE_CPUS, .tids = made.tids, .n_tids = 1,
        };
}

static inline int made_preamble(void *userdata, RecordBuffer *b, LeftOut *ret_left_out) {
        made.n_preambles++;
        *ret_left_out = made.left_out;
        return record_put_finished_init(b);
}

/* Describes the files from now on. */
static inline void made_describe(FileDescriptionOptions options) {
        char *command_line[] = { (char *) "test", NULL };

        options.set = &made.set;
        options.command_line = command_line;
        made.files.description = file_description_free(made.files.description);
        ck_assert_int_eq(file_description_new(&options, &made.files.description, NULL), 0);
}

static inline void made_output(unsigned max_files) {
        OutputOptions o = {
                .files = &made.files,
                .trailer.sample_type = MADE_SAMPLE_TYPE,
                .preamble = made_preamble,
        };

        made.dir = scratch_new();
        made.path = path_join(made.dir, "perf.data");
        ck_assert_int_eq(output_place_open(&made.files.place, made.path, NULL), 0);
        counters_open(&made.counters);
        made.files.counters = &made.counters;
        made.files.notifier = &made.notifier;
        made.files.kept.max = max_files;
        made_describe((FileDescriptionOptions) {});
        ck_assert_int_eq(output_new(&o, &made.output), 0);
}

static inline void made_setup(void) {
        made_set();
        made_output(0);
}

static inline void made_teardown(void) {
        made.output = output_free(made.output);
        output_files_done(&made.files);
        scratch_done(&made.dir);
        free(made.path);
}

static inline size_t made_count_files(void) {
        _cleanup_strv_free_ char **names = NULL;

        ck_assert_int_eq(list_directory(made.dir, 100, &names), 0);
        return strv_length(names);
}

/* Appends a record as the kernel does, around the end if necessary. */
static inline void made_ring_put(unsigned cpu, const void *record, size_t size) {
        uint64_t head = made.pages[cpu].data_head;

        for (size_t i = 0; i < size; i++)
                made.data[cpu][(head + i) % MADE_RING_SIZE] = ((const uint8_t *) record)[i];
        made.pages[cpu].data_head = head + size;
}

static inline void made_ring_sample(unsigned cpu, uint64_t time) {
        const MadeSample s = {
                .header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = sizeof(MadeSample) },
                .ip = 0x1000, .pid = 7, .tid = 7, .time = time, .id = 100 + cpu,
        };

        made_ring_put(cpu, &s, sizeof(s));
}

/* Prepends a record as the kernel does in an overwrite ring. */
static inline void made_ring_prepend(unsigned cpu, uint64_t time, uint32_t pid) {
        const MadeSample s = {
                .header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = sizeof(MadeSample) },
                .ip = 0x1000, .pid = pid, .tid = pid, .time = time, .id = 100 + cpu,
        };
        uint64_t head = made.pages[cpu].data_head - sizeof(s);
        const Ring *r = &made.rings[cpu];

        for (size_t i = 0; i < sizeof(s); i++)
                r->data[(head + i) % r->size] = ((const uint8_t *) &s)[i];
        made.pages[cpu].data_head = head;
}

static inline unsigned made_count(const char *path, uint32_t type) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;
        unsigned n = 0;

        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &r), 0);
        while (perf_data_reader_next(r, &cursor, &h) > 0)
                n += h->type == type;
        return n;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Builds records, and walks those in one block. A record is a header of 8 bytes, whose size counts the header, and is a
 * multiple of 8 bytes: the kernel guarantees that for its own records, and this library in files. record-walk.h reads other
 * ones. First come the records that the kernel writes too, for what existed before the recording began, then those that only
 * perf writes (types from 64 on), which have no trailer. Layouts: the comments of enum perf_event_type in linux/perf_event.h,
 * perf.data-file-format.txt of Linux 6.1, and files of perf 6.1. */

#include "record.h"

#include "record-layout.h"

#define RECORD_SIZE_MAX 65528u /* the header has 16 bits for it, and it is a multiple of 8 */
#define PATH_SIZE_MAX 4095u /* PATH_MAX without its zero: the kernel's own limit for these records */
#define THREAD_NAME_SIZE 16u
#define ID_INDEX_ENTRIES_MAX ((RECORD_SIZE_MAX - 16u) / sizeof(RecordIdIndexEntry))

size_t record_begin(RecordBuffer *b, uint32_t type, uint16_t misc) {
        struct perf_event_header h = { .type = type, .misc = misc };
        size_t start = b->size;

        byte_buffer_put(b, &h, sizeof(h));
        return start;
}

/* A string and at least one zero, to a multiple of 8 bytes; cut at max bytes. */
static void put_text(RecordBuffer *b, const char *s, size_t max) {
        size_t n = MIN_OF(strlen(s), max);
        char *p = byte_buffer_extend(b, PERF_ALIGN_UP(n + 1, sizeof(uint64_t)));

        if (p)
                memcpy(p, s, n);
}

int record_end(RecordBuffer *b, size_t start, const RecordTrailer *trailer) {
        struct perf_event_header h;
        int r;

        if (trailer)
                record_trailer_put(b, trailer);
        r = b->error;
        if (r == 0 && b->size - start > RECORD_SIZE_MAX)
                r = -E2BIG;
        if (r < 0) {
                b->size = start;
                b->error = 0;
                return r;
        }
        memcpy(&h, b->data + start, sizeof(h)); /* not aligned behind a feature */
        h.size = (uint16_t) (b->size - start);
        memcpy(b->data + start, &h, sizeof(h));
        return byte_buffer_relieve(b);
}

static size_t begin_map(RecordBuffer *b, uint32_t type, uint16_t misc, const RecordMap *m) {
        size_t start = record_begin(b, type, misc);

        byte_buffer_put_u32(b, m->pid);
        byte_buffer_put_u32(b, m->tid);
        byte_buffer_put_u64(b, m->start);
        byte_buffer_put_u64(b, m->length);
        byte_buffer_put_u64(b, m->page_offset);
        return start;
}

int record_put_mmap(RecordBuffer *b, const RecordMap *m, const RecordTrailer *trailer) {
        size_t start = begin_map(b, PERF_RECORD_MMAP, m->misc, m);

        put_text(b, m->path, PATH_SIZE_MAX);
        return record_end(b, start, trailer);
}

int record_put_mmap2(RecordBuffer *b, const RecordMap *m, const RecordTrailer *trailer) {
        uint16_t misc = m->misc | (m->build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
        size_t start = begin_map(b, PERF_RECORD_MMAP2, misc, m);

        if (m->build_id) {
                byte_buffer_put_u32(b, m->build_id->size);
                byte_buffer_put(b, m->build_id->bytes, sizeof(m->build_id->bytes));
        } else {
                byte_buffer_put_u32(b, m->major);
                byte_buffer_put_u32(b, m->minor);
                byte_buffer_put_u64(b, m->inode);
                byte_buffer_put_u64(b, m->inode_generation);
        }
        byte_buffer_put_u32(b, m->protection);
        byte_buffer_put_u32(b, m->flags);
        put_text(b, m->path, PATH_SIZE_MAX);
        return record_end(b, start, trailer);
}

int record_put_comm(RecordBuffer *b, uint32_t pid, uint32_t tid, const char *name, uint16_t misc, const RecordTrailer *trailer) {
        size_t start = record_begin(b, PERF_RECORD_COMM, misc);

        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u32(b, tid);
        put_text(b, name, PATH_SIZE_MAX);
        return record_end(b, start, trailer);
}

static int put_task(RecordBuffer *b, uint32_t type, uint16_t misc, const uint32_t ids[static 4], uint64_t time,
                    const RecordTrailer *trailer) {
        size_t start = record_begin(b, type, misc);

        byte_buffer_put(b, ids, 4 * sizeof(uint32_t));
        byte_buffer_put_u64(b, time);
        return record_end(b, start, trailer);
}

int record_put_fork(RecordBuffer *b, uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid, uint64_t time, uint16_t misc,
                    const RecordTrailer *trailer) {
        return put_task(b, PERF_RECORD_FORK, misc, (uint32_t[]) { pid, ppid, tid, ptid }, time, trailer);
}

int record_put_exit(RecordBuffer *b, uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid, uint64_t time,
                    const RecordTrailer *trailer) {
        return put_task(b, PERF_RECORD_EXIT, 0, (uint32_t[]) { pid, ppid, tid, ptid }, time, trailer);
}

int record_put_namespaces(RecordBuffer *b, uint32_t pid, uint32_t tid, const struct perf_ns_link_info *links, size_t n,
                          const RecordTrailer *trailer) {
        size_t start = record_begin(b, PERF_RECORD_NAMESPACES, 0);

        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u32(b, tid);
        byte_buffer_put_u64(b, n);
        byte_buffer_put(b, links, n * sizeof(*links));
        return record_end(b, start, trailer);
}

int record_put_cgroup(RecordBuffer *b, uint64_t id, const char *path, const RecordTrailer *trailer) {
        size_t start = record_begin(b, PERF_RECORD_CGROUP, 0);

        byte_buffer_put_u64(b, id);
        put_text(b, path, PATH_SIZE_MAX);
        return record_end(b, start, trailer);
}

int record_put_ksymbol(RecordBuffer *b, uint64_t address, uint32_t length, uint16_t type, uint16_t flags, const char *name,
                       const RecordTrailer *trailer) {
        size_t start = record_begin(b, PERF_RECORD_KSYMBOL, 0);

        byte_buffer_put_u64(b, address);
        byte_buffer_put_u32(b, length);
        byte_buffer_put(b, &type, sizeof(type));
        byte_buffer_put(b, &flags, sizeof(flags));
        put_text(b, name, PATH_SIZE_MAX);
        return record_end(b, start, trailer);
}

int record_put_bpf_program(RecordBuffer *b, uint32_t id, const uint8_t tag[static 8], const RecordTrailer *trailer) {
        size_t start = record_begin(b, PERF_RECORD_BPF_EVENT, 0);

        byte_buffer_put_u32(b, PERF_BPF_EVENT_PROG_LOAD); /* and flags, none */
        byte_buffer_put_u32(b, id);
        byte_buffer_put(b, tag, 8);
        return record_end(b, start, trailer);
}

int record_put_lost_samples(RecordBuffer *b, uint64_t lost, const RecordTrailer *trailer) {
        size_t start = record_begin(b, PERF_RECORD_LOST_SAMPLES, 0);

        byte_buffer_put_u64(b, lost);
        return record_end(b, start, trailer);
}

int record_put_thread_map(RecordBuffer *b, const RecordThread *threads, size_t n) {
        size_t start = record_begin(b, PERF_RECORD_THREAD_MAP, 0);

        byte_buffer_put_u64(b, n);
        for (size_t i = 0; i < n && b->size - start <= RECORD_SIZE_MAX; i++) {
                char name[THREAD_NAME_SIZE] = {};

                if (threads[i].comm)
                        memcpy(name, threads[i].comm, strnlen(threads[i].comm, sizeof(name) - 1));
                byte_buffer_put_u64(b, (uint64_t) (int64_t) threads[i].tid);
                byte_buffer_put(b, name, sizeof(name));
        }
        return record_end(b, start, NULL);
}

static void put_u16(RecordBuffer *b, uint16_t v) {
        byte_buffer_put(b, &v, sizeof(v));
}

static bool is_range(const int *cpus, size_t n) {
        for (size_t i = 1; i < n; i++)
                if (cpus[i] != cpus[0] + (int) i)
                        return false;
        return n > 0 && cpus[0] >= 0;
}

/* Puts the CPUs as a range in 8 bytes if they are one, otherwise as a list, in which 65535 is any CPU. */
static void put_cpus(RecordBuffer *b, const int *cpus, size_t n) {
        static const int any = -1;

        if (is_range(cpus, n)) {
                put_u16(b, CPU_MAP_RANGE);
                put_u16(b, 0);
                put_u16(b, (uint16_t) cpus[0]);
                put_u16(b, (uint16_t) cpus[n - 1]);
                return;
        }
        if (n == 0) {
                cpus = &any;
                n = 1;
        }
        put_u16(b, CPU_MAP_LIST);
        put_u16(b, (uint16_t) MIN_OF(n, (size_t) UINT16_MAX));
        for (size_t i = 0; i < n && i < UINT16_MAX; i++)
                put_u16(b, (uint16_t) cpus[i]);
        while (!b->error && b->size % sizeof(uint64_t) != 0)
                put_u16(b, 0);
}

int record_put_cpu_map(RecordBuffer *b, const int *cpus, size_t n) {
        size_t start = record_begin(b, PERF_RECORD_CPU_MAP, 0);

        put_cpus(b, cpus, n);
        return record_end(b, start, NULL);
}

static size_t begin_update(RecordBuffer *b, uint64_t id, uint64_t kind) {
        size_t start = record_begin(b, PERF_RECORD_EVENT_UPDATE, 0);

        byte_buffer_put_u64(b, kind);
        byte_buffer_put_u64(b, id);
        return start;
}

int record_put_event_name(RecordBuffer *b, uint64_t id, const char *name) {
        size_t start = begin_update(b, id, EVENT_UPDATE_NAME);

        put_text(b, name, RECORD_SIZE_MAX);
        return record_end(b, start, NULL);
}

int record_put_event_unit(RecordBuffer *b, uint64_t id, const char *unit) {
        size_t start = begin_update(b, id, EVENT_UPDATE_UNIT);

        put_text(b, unit, RECORD_SIZE_MAX);
        return record_end(b, start, NULL);
}

int record_put_event_scale(RecordBuffer *b, uint64_t id, double scale) {
        size_t start = begin_update(b, id, EVENT_UPDATE_SCALE);

        byte_buffer_put(b, &scale, sizeof(scale));
        return record_end(b, start, NULL);
}

int record_put_event_cpus(RecordBuffer *b, uint64_t id, const int *cpus, size_t n) {
        size_t start = begin_update(b, id, EVENT_UPDATE_CPUS);

        put_cpus(b, cpus, n);
        return record_end(b, start, NULL);
}

int record_put_stat_config(RecordBuffer *b, uint64_t placing, uint64_t interval, bool scale) {
        const uint64_t words[] = { 3, STAT_CONFIG_PLACING, placing, STAT_CONFIG_INTERVAL, interval, STAT_CONFIG_SCALE, scale };
        size_t start = record_begin(b, PERF_RECORD_STAT_CONFIG, 0);

        byte_buffer_put(b, words, sizeof(words));
        return record_end(b, start, NULL);
}

int record_put_stat(RecordBuffer *b, uint64_t id, int cpu, uint32_t thread, const uint64_t counts[static 3]) {
        size_t start = record_begin(b, PERF_RECORD_STAT, 0);

        byte_buffer_put_u64(b, id);
        byte_buffer_put_u32(b, (uint32_t) cpu);
        byte_buffer_put_u32(b, thread);
        byte_buffer_put(b, counts, 3 * sizeof(*counts));
        return record_end(b, start, NULL);
}

int record_put_stat_round(RecordBuffer *b, bool final, uint64_t time) {
        size_t start = record_begin(b, PERF_RECORD_STAT_ROUND, 0);

        byte_buffer_put_u64(b, final ? STAT_ROUND_FINAL : STAT_ROUND_INTERVAL);
        byte_buffer_put_u64(b, time);
        return record_end(b, start, NULL);
}

int record_put_id_index(RecordBuffer *b, const RecordIdIndexEntry *entries, size_t n) {
        size_t first = b->size;

        while (n > 0) {
                size_t part = MIN_OF(n, ID_INDEX_ENTRIES_MAX), start = record_begin(b, PERF_RECORD_ID_INDEX, 0);
                int r;

                byte_buffer_put_u64(b, part);
                byte_buffer_put(b, entries, part * sizeof(*entries));
                r = record_end(b, start, NULL);
                if (r < 0) {
                        b->size = first;
                        return r;
                }
                entries += part;
                n -= part;
        }
        return 0;
}

int record_put_time_conversion(RecordBuffer *b, const RecordTimeConversion *c) {
        size_t start = record_begin(b, PERF_RECORD_TIME_CONV, 0);
        uint8_t capabilities[8] = { c->cap_user_time_zero, c->cap_user_time_short };

        byte_buffer_put_u64(b, c->shift);
        byte_buffer_put_u64(b, c->mult);
        byte_buffer_put_u64(b, c->zero);
        byte_buffer_put_u64(b, c->cycles);
        byte_buffer_put_u64(b, c->mask);
        byte_buffer_put(b, capabilities, sizeof(capabilities));
        return record_end(b, start, NULL);
}

int record_put_finished_round(RecordBuffer *b) {
        return record_end(b, record_begin(b, PERF_RECORD_FINISHED_ROUND, 0), NULL);
}

int record_put_finished_init(RecordBuffer *b) {
        return record_end(b, record_begin(b, PERF_RECORD_FINISHED_INIT, 0), NULL);
}

/* The records of a stream in place of a header, as perf 6.1 sends them. A feature's bytes are not padded, since some
 * readers use their number; so the record after it may not be aligned. */

int record_put_attr(RecordBuffer *b, const struct perf_event_attr *attr, const uint64_t *ids, size_t n_ids) {
        size_t start = record_begin(b, PERF_RECORD_HEADER_ATTR, 0);
        struct perf_event_attr a = *attr;

        a.size = sizeof(a);
        byte_buffer_put(b, &a, sizeof(a));
        byte_buffer_put(b, ids, n_ids * sizeof(uint64_t));
        return record_end(b, start, NULL);
}

int record_put_feature(RecordBuffer *b, unsigned feature, const void *data, size_t size) {
        size_t start = record_begin(b, PERF_RECORD_HEADER_FEATURE, 0);

        byte_buffer_put_u64(b, feature);
        byte_buffer_put(b, data, size);
        return record_end(b, start, NULL);
}

int record_put_tracing_data(RecordBuffer *b, const void *data, size_t size) {
        size_t start = record_begin(b, PERF_RECORD_HEADER_TRACING_DATA, 0), padded = PERF_ALIGN_UP(size, sizeof(uint64_t));
        int r;

        byte_buffer_put_u32(b, (uint32_t) padded);
        r = record_end(b, start, NULL);
        if (r < 0)
                return r;
        byte_buffer_put(b, data, size);
        (void) byte_buffer_extend(b, padded - size);
        if (b->error) {
                r = b->error;
                b->size = start;
                b->error = 0;
        }
        return r;
}

int record_next(const void *data, size_t size, size_t *cursor, const struct perf_event_header **ret) {
        const struct perf_event_header *h;

        if (*cursor >= size)
                return 0;
        if (size - *cursor < sizeof(*h))
                return -EBADMSG;
        h = (const struct perf_event_header *) ((const uint8_t *) data + *cursor);
        if (h->size < sizeof(*h) || h->size % sizeof(uint64_t) != 0 || h->size > size - *cursor)
                return -EBADMSG;
        *cursor += h->size;
        *ret = h;
        return 1;
}

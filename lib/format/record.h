/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "build-id.h"
#include "byte-buffer.h"
#include "record-trailer.h"

/* Records: builders for those that are synthesized, and bounded walks over those that were read. */

/* A growing block of whole records. Zero-initialise; append with perf_data_writer_append() and reset. One with a drain
 * passes on pieces of whole records. */
typedef ByteBuffer RecordBuffer;

static inline void record_buffer_done(RecordBuffer *b) {
        byte_buffer_done(b);
}

static inline void record_buffer_reset(RecordBuffer *b) {
        byte_buffer_reset(b);
}

static inline struct iovec record_buffer_iovec(const RecordBuffer *b) {
        return (struct iovec) { .iov_base = b->data, .iov_len = b->size };
}

typedef struct RecordMap {
        uint32_t pid, tid;
        uint64_t start, length, page_offset;
        uint32_t major, minor;
        uint64_t inode, inode_generation;
        const BuildId *build_id; /* instead of the four above, or NULL */
        uint32_t protection;     /* PROT_* */
        uint32_t flags;          /* MAP_* */
        uint16_t misc;           /* cpumode, PERF_RECORD_MISC_MMAP_DATA, … ; the build id's bit is added */
        const char *path;        /* cut at 4095 bytes */
} RecordMap;

/* Each appends one record, or nothing on failure: -ENOMEM; -E2BIG: it would be longer than a record can be (64 KiB); what
 * the buffer's drain answers.
 * trailer may be NULL (no trailer). */
int record_put_mmap(RecordBuffer *b, const RecordMap *m, const RecordTrailer *trailer);  /* MMAP: kernel and modules */
int record_put_mmap2(RecordBuffer *b, const RecordMap *m, const RecordTrailer *trailer);
int record_put_comm(RecordBuffer *b, uint32_t pid, uint32_t tid, const char *name, uint16_t misc, const RecordTrailer *trailer);
int record_put_fork(RecordBuffer *b, uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid, uint64_t time,
                    uint16_t misc, const RecordTrailer *trailer);
/* For tests: a recorder synthesizes no exit, and tests have to make what the kernel writes. */
int record_put_exit(RecordBuffer *b, uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid, uint64_t time,
                    const RecordTrailer *trailer);
int record_put_namespaces(RecordBuffer *b, uint32_t pid, uint32_t tid, const struct perf_ns_link_info *links, size_t n,
                          const RecordTrailer *trailer);
int record_put_cgroup(RecordBuffer *b, uint64_t id, const char *path, const RecordTrailer *trailer);
int record_put_ksymbol(RecordBuffer *b, uint64_t address, uint32_t length, uint16_t type, uint16_t flags, const char *name,
                       const RecordTrailer *trailer);
int record_put_bpf_program(RecordBuffer *b, uint32_t id, const uint8_t tag[static 8], const RecordTrailer *trailer); /* loaded */
int record_put_lost_samples(RecordBuffer *b, uint64_t lost, const RecordTrailer *trailer); /* of the event trailer->id */

/* perf's own, without a trailer. The id of an EVENT_UPDATE is the first of the event's. perf record 6.1 opens a file with
 * ID_INDEX, the kernel's and modules' MMAP, EVENT_UPDATE, THREAD_MAP, CPU_MAP, per process FORK, COMM, MMAP2, then
 * FINISHED_INIT; trailers of these have only zeros. */
typedef struct RecordThread {
        int32_t tid; /* -1: every thread of the CPUs */
        const char *comm;
} RecordThread;

typedef struct RecordIdIndexEntry {
        uint64_t id;
        uint64_t index; /* of the event's descriptor in the order of the maps */
        int64_t cpu;    /* -1: any */
        int64_t tid;
} RecordIdIndexEntry;

typedef struct RecordTimeConversion {
        uint64_t shift, mult, zero;
        uint64_t cycles, mask;
        bool cap_user_time_zero, cap_user_time_short;
} RecordTimeConversion;

int record_put_thread_map(RecordBuffer *b, const RecordThread *threads, size_t n);
int record_put_cpu_map(RecordBuffer *b, const int *cpus, size_t n); /* ascending; n = 0 or {-1}: any CPU */
int record_put_event_name(RecordBuffer *b, uint64_t id, const char *name);     /* EVENT_UPDATE */
int record_put_event_unit(RecordBuffer *b, uint64_t id, const char *unit);     /* "msec" for cpu-clock and task-clock … */
int record_put_event_scale(RecordBuffer *b, uint64_t id, double scale);        /* … and 1e-6 */
int record_put_event_cpus(RecordBuffer *b, uint64_t id, const int *cpus, size_t n); /* EVENT_UPDATE */
/* Records of counts (PerfRecordStat and its neighbours). counts: the value, and for how long it was enabled and ran, in ns. */
int record_put_stat_config(RecordBuffer *b, uint64_t placing, uint64_t interval, bool scale);
int record_put_stat(RecordBuffer *b, uint64_t id, int cpu, uint32_t thread, const uint64_t counts[static 3]);
int record_put_stat_round(RecordBuffer *b, bool final, uint64_t time);
int record_put_id_index(RecordBuffer *b, const RecordIdIndexEntry *entries, size_t n); /* several records if need be */
int record_put_time_conversion(RecordBuffer *b, const RecordTimeConversion *c);
/* The records that a stream begins with, instead of a header. A feature of 0 bytes with number _PERF_FEATURE_MAX ends
 * them. The record of tracing data (up to 4 GiB) has its length, and the data follows it. */
int record_put_attr(RecordBuffer *b, const struct perf_event_attr *attr, const uint64_t *ids, size_t n_ids);
int record_put_feature(RecordBuffer *b, unsigned feature, const void *data, size_t size);
int record_put_tracing_data(RecordBuffer *b, const void *data, size_t size);
int record_put_finished_round(RecordBuffer *b);
int record_put_finished_init(RecordBuffer *b);

/* The beginning and the end of every builder, here and elsewhere. record_begin() begins a record at the end of the buffer and
 * returns its offset; record_end() appends the trailer (may be NULL) and fills in the size. On failure the record is removed
 * again, and the error returned. */
size_t record_begin(RecordBuffer *b, uint32_t type, uint16_t misc);
int record_end(RecordBuffer *b, size_t start, const RecordTrailer *trailer);

/* The record at *cursor of size bytes, which moves on. Records in several pieces: record-cursor.h.
 * 1: *ret is the record, whole and at least a header long;
 * 0: the end; -EBADMSG: what is there is no record or does not fit. Start with *cursor = 0. */
int record_next(const void *data, size_t size, size_t *cursor, const struct perf_event_header **ret);

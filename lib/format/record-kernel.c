/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Builders of the records that the kernel writes too, for what existed before the recording began: processes, their
 * maps, kernel symbols. Layouts: the comments of enum perf_event_type in linux/perf_event.h. */

#include "record-frame.h"

#define PATH_SIZE_MAX 4095u /* PATH_MAX without its zero: the kernel's own limit for these records */

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

        record_put_text(b, m->path, PATH_SIZE_MAX);
        return record_end(b, start, trailer);
}

static void put_map_inode(RecordBuffer *b, const RecordMap *m) {
        byte_buffer_put_u32(b, m->major);
        byte_buffer_put_u32(b, m->minor);
        byte_buffer_put_u64(b, m->inode);
        byte_buffer_put_u64(b, m->inode_generation);
}

static void put_map_build_id(RecordBuffer *b, const BuildId *id) {
        byte_buffer_put_u32(b, id->size);
        byte_buffer_put(b, id->bytes, sizeof(id->bytes));
}

int record_put_mmap2(RecordBuffer *b, const RecordMap *m, const RecordTrailer *trailer) {
        uint16_t misc = m->misc | (m->build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
        size_t start = begin_map(b, PERF_RECORD_MMAP2, misc, m);

        if (m->build_id)
                put_map_build_id(b, m->build_id);
        else
                put_map_inode(b, m);
        byte_buffer_put_u32(b, m->protection);
        byte_buffer_put_u32(b, m->flags);
        record_put_text(b, m->path, PATH_SIZE_MAX);
        return record_end(b, start, trailer);
}

int record_put_comm(RecordBuffer *b, uint32_t pid, uint32_t tid, const char *name, uint16_t misc, const RecordTrailer *trailer) {
        size_t start = record_begin(b, PERF_RECORD_COMM, misc);

        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u32(b, tid);
        record_put_text(b, name, PATH_SIZE_MAX);
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
        record_put_text(b, path, PATH_SIZE_MAX);
        return record_end(b, start, trailer);
}

int record_put_ksymbol(RecordBuffer *b, uint64_t address, uint32_t length, uint16_t type, uint16_t flags, const char *name,
                       const RecordTrailer *trailer) {
        size_t start = record_begin(b, PERF_RECORD_KSYMBOL, 0);

        byte_buffer_put_u64(b, address);
        byte_buffer_put_u32(b, length);
        byte_buffer_put(b, &type, sizeof(type));
        byte_buffer_put(b, &flags, sizeof(flags));
        record_put_text(b, name, PATH_SIZE_MAX);
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* A MMAP or MMAP2 record: a range of a process or of the kernel, and the binary in it. */
typedef struct MapRecord {
        uint32_t pid;  /* MAP_RECORD_KERNEL_PID: the kernel */
        bool kernel;
        bool has_file; /* dso can have a build id */
        uint64_t start, length, page_offset;
        const char *symbol; /* of the kernel's own map: the symbol that is at page_offset, "_text", or ""; otherwise NULL */
        DsoHit dso;    /* its path is the record's */
} MapRecord;

#define MAP_RECORD_KERNEL_PID UINT32_MAX

/* True if the record maps code of the kernel or of a process, and is well-formed. build_ids: the events ask for build
 * ids, so the mark that the record has one is true. Otherwise kernels may set it by mistake (5.12 to 6.18 at
 * least). */
bool map_record_parse(const struct perf_event_header *record, bool build_ids, MapRecord *ret);

/* The same for a record that maps data. */
bool map_record_parse_data(const struct perf_event_header *record, bool build_ids, MapRecord *ret);

/* True if it is the name of a file in memory (memfd_create(2)): a program that is executed from there, or generated code,
 * of which a perf map may have the names. */
bool map_record_is_memfd(const char *path);

/* True if it is the name of a jitdump, ".../jit-PID.dump", of which a process maps a page to show which file it is. */
bool map_record_is_jit_dump(const char *path);

/* True if a map of that name can have a build id, as files and the vdso do. */
bool map_record_has_file(const char *path);

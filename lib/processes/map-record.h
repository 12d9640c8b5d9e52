/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* What a MMAP or MMAP2 record says: a range of a process or of the kernel, and the binary in it. */
typedef struct MapRecord {
        uint32_t pid;  /* MAP_RECORD_KERNEL_PID for the kernel's own */
        bool kernel;
        bool has_file; /* dso is something that can have a build id */
        uint64_t start, length, page_offset;
        DsoHit dso;    /* its path is the record's */
} MapRecord;

#define MAP_RECORD_KERNEL_PID UINT32_MAX

/* Whether the record maps code of the kernel or of a process, and is well-formed. build_ids: a mark that it carries a
 * build id is to be believed, for the events ask for them. Else kernels set it by mistake (5.12 to 6.18 at least). */
bool map_record_parse(const struct perf_event_header *record, bool build_ids, MapRecord *ret);

/* Whether what is mapped under that name can have a build id: a file, or the vdso. */
bool map_record_has_file(const char *path);

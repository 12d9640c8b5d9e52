/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A bit in the header of a MMAP2 tells whether it has the file's inode or its build id. perf names the kernel after
 * one of its symbols, "[kernel.kallsyms]_text"; modules are "[name]" or a path.
 *
 * Only mappings of code of the kernel and of its processes are taken; those of data, of guests and broken ones are
 * not. The path of the result is the record's. No file is looked at. */

#include "map-record.h"

#include "record-layout.h"

bool map_record_is_memfd(const char *path) {
        return startswith(path, "/memfd:");
}

bool map_record_is_jit_dump(const char *path) {
        const char *slash = strrchr(path, '/'), *pid = slash ? startswith(slash, "/jit-") : NULL;
        size_t n = pid ? strspn(pid, "0123456789") : 0;

        return n > 0 && streq(pid + n, ".dump");
}

/* Memory that is mapped from no file has no build id, whatever name the kernel gives it. A file in memory (memfd) may be a program,
 * which the process still holds. */
bool map_record_has_file(const char *path) {
        static const char *const without[] = { "//", "/dev/", "/SYSV", "/anon_hugepage", "/[" };

        for (size_t i = 0; i < ELEMENTSOF(without); i++)
                if (startswith(path, without[i]))
                        return false;
        return path[0] == '/' || streq(path, "[vdso]");
}

static void parse_identity(const PerfRecordMmap2 *record, bool build_ids, DsoHit *d) {
        if (!build_ids || !(record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
                d->major = record->major;
                d->minor = record->minor;
                d->inode = record->inode;
                d->generation = record->inode_generation;
                return;
        }
        d->id.size = MIN_OF(record->build_id_size, (uint8_t) PERF_BUILD_ID_SIZE);
        memcpy(d->id.bytes, record->build_id, d->id.size);
}

static bool parse_map(const struct perf_event_header *record, bool build_ids, MapRecord *ret) {
        const PerfRecordMmap *mmap = (const void *) record; /* a MMAP2 begins as a MMAP */
        const PerfRecordMmap2 *mmap2 = record->type == PERF_RECORD_MMAP2 ? (const void *) record : NULL;
        uint16_t cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
        MapRecord m;

        if (!record_is_whole(record, 0))
                return false;
        if (cpumode != PERF_RECORD_MISC_KERNEL && cpumode != PERF_RECORD_MISC_USER)
                return false;
        m = (MapRecord) {
                .pid = mmap->pid, .start = mmap->start, .length = mmap->length, .page_offset = mmap->page_offset,
                .dso = { .path = mmap2 ? mmap2->path : mmap->path, .cpumode = PERF_RECORD_MISC_USER, .pid = mmap->pid },
        };
        if (mmap2)
                parse_identity(mmap2, build_ids, &m.dso);
        if (cpumode == PERF_RECORD_MISC_KERNEL) {
                m.kernel = m.has_file = true;
                m.pid = m.dso.pid = MAP_RECORD_KERNEL_PID;
                m.dso.cpumode = PERF_RECORD_MISC_KERNEL;
                m.symbol = startswith(m.dso.path, "[kernel.kallsyms]");
                if (m.symbol)
                        m.dso.path = "[kernel.kallsyms]";
        } else
                m.has_file = map_record_has_file(m.dso.path) &&
                             (!map_record_is_memfd(m.dso.path) || m.dso.inode != 0 || m.dso.id.size > 0);
        *ret = m;
        return true;
}

bool map_record_parse(const struct perf_event_header *record, bool build_ids, MapRecord *ret) {
        return !(record->misc & PERF_RECORD_MISC_MMAP_DATA) && parse_map(record, build_ids, ret);
}

bool map_record_parse_data(const struct perf_event_header *record, bool build_ids, MapRecord *ret) {
        return record->misc & PERF_RECORD_MISC_MMAP_DATA && parse_map(record, build_ids, ret);
}

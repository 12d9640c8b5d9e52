/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* MMAP and MMAP2 in the layout of linux/perf_event.h. A MMAP2 has the file's inode or its build id, as a bit of its header
 * says. What perf calls the kernel is named after a symbol of it, "[kernel.kallsyms]_text"; modules are "[name]" or a
 * path. */

#include "map-record.h"

#include "record.h"

#define MMAP_PATH_OFFSET 40u
#define MMAP2_PATH_OFFSET 72u

/* Memory that is not a file's has no build id, whatever the kernel calls it. */
bool map_record_has_file(const char *path) {
        static const char *const without[] = { "//", "/dev/", "/memfd:", "/SYSV", "/anon_hugepage", "/[" };

        for (size_t i = 0; i < ELEMENTSOF(without); i++)
                if (startswith(path, without[i]))
                        return false;
        return path[0] == '/' || streq(path, "[vdso]");
}

static void parse_identity(const struct perf_event_header *record, bool build_ids, DsoHit *d) {
        if (!build_ids || !(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
                d->major = record_u32(record, 40);
                d->minor = record_u32(record, 44);
                d->inode = record_u64(record, 48);
                d->generation = record_u64(record, 56);
                return;
        }
        d->id.size = MIN_OF(*((const uint8_t *) record + 40), (uint8_t) PERF_BUILD_ID_SIZE);
        memcpy(d->id.bytes, (const uint8_t *) record + 44, d->id.size);
}

static void name_kernel(MapRecord *m) {
        m->kernel = m->has_file = true;
        m->pid = m->dso.pid = MAP_RECORD_KERNEL_PID;
        m->dso.cpumode = PERF_RECORD_MISC_KERNEL;
        if (startswith(m->dso.path, "[kernel.kallsyms]"))
                m->dso.path = "[kernel.kallsyms]";
}

bool map_record_parse(const struct perf_event_header *record, bool build_ids, MapRecord *ret) {
        size_t path_offset = record->type == PERF_RECORD_MMAP2 ? MMAP2_PATH_OFFSET : MMAP_PATH_OFFSET;
        uint16_t cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
        MapRecord m = {};

        if (record->misc & PERF_RECORD_MISC_MMAP_DATA || record->size <= path_offset)
                return false;
        if (cpumode != PERF_RECORD_MISC_KERNEL && cpumode != PERF_RECORD_MISC_USER)
                return false;
        m.pid = record_u32(record, 8);
        m.start = record_u64(record, 16);
        m.length = record_u64(record, 24);
        m.page_offset = record_u64(record, 32);
        m.dso = (DsoHit) {
                .path = record_string(record, path_offset), .cpumode = PERF_RECORD_MISC_USER, .pid = m.pid,
        };
        if (!m.dso.path || m.length == 0 || m.start + m.length <= m.start)
                return false;
        if (record->type == PERF_RECORD_MMAP2)
                parse_identity(record, build_ids, &m.dso);
        if (cpumode == PERF_RECORD_MISC_KERNEL)
                name_kernel(&m);
        else
                m.has_file = map_record_has_file(m.dso.path);
        *ret = m;
        return true;
}

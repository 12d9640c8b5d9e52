/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A kernel is loaded elsewhere at each boot, and its modules each time that they are loaded, so that one module may have been
 * at several places. The map of the kernel itself says where one of its symbols was: its page offset. The table of build ids has
 * the kernel by the name of its map, or by its file, where perf found one. */

#include "recorded-kernel.h"

#include "array.h"

void recorded_kernel_done(RecordedKernel *k) {
        free(k->modules);
        *k = (RecordedKernel) {};
}

static void take_kernel(RecordedKernel *k, const MapRecord *map) {
        if (k->reference != 0 || map->page_offset == 0)
                return;
        k->reference = map->page_offset;
        k->id = map->dso.id;
        if (strlen(map->symbol) < sizeof(k->symbol))
                (void) snprintf(k->symbol, sizeof(k->symbol), "%s", map->symbol);
}

static int compare_module(const RecordedModule *m, const char *path, uint64_t start) {
        int order = strcmp(m->path, path);

        return order != 0 ? order : m->start < start ? -1 : m->start > start;
}

static int take_module(RecordedKernel *k, const MapRecord *map, const char *path) {
        size_t place = LOWER_BOUND(k->n_modules, i, compare_module(k->modules + i, path, map->start) < 0);

        if (place < k->n_modules && compare_module(k->modules + place, path, map->start) == 0) {
                k->modules[place].end = MAX_OF(k->modules[place].end, map->start + map->length);
                return 0;
        }
        if (k->n_modules >= RECORDED_MODULES_MAX)
                return 0;
        if (ARRAY_RESERVE(k->modules, k->allocated, k->n_modules + 1) < 0)
                return -ENOMEM;
        memmove(k->modules + place + 1, k->modules + place, (k->n_modules - place) * sizeof(*k->modules));
        k->modules[place] = (RecordedModule) { .path = path, .start = map->start, .end = map->start + map->length };
        k->n_modules++;
        return 0;
}

int recorded_kernel_take(RecordedKernel *k, const MapRecord *map, const char *path) {
        if (map->symbol) {
                take_kernel(k, map);
                return 0;
        }
        if (map->length == 0 || map->start > UINT64_MAX - map->length)
                return 0;
        return take_module(k, map, path);
}

const RecordedModule *recorded_kernel_module(const RecordedKernel *k, const char *path, uint64_t address) {
        size_t behind = LOWER_BOUND(k->n_modules, i, compare_module(k->modules + i, path, address) <= 0);
        const RecordedModule *m = behind > 0 ? k->modules + behind - 1 : NULL;

        return m && address < m->end && streq(m->path, path) ? m : NULL;
}

static bool is_of_kernel(const BuildIdEntry *e) {
        const char *slash = strrchr(e->path, '/');

        return e->cpumode == PERF_RECORD_MISC_KERNEL &&
               (startswith(e->path, "[kernel.kallsyms]") || (slash && startswith(slash + 1, "vmlinux")));
}

bool recorded_kernel_find_id(const PerfDataReader *reader, BuildId *ret) {
        size_t cursor = 0;
        BuildId found = {};
        BuildIdEntry entry;

        while (perf_data_reader_next_build_id(reader, &cursor, &entry) == 1) {
                if (!is_of_kernel(&entry) || entry.id.size == 0)
                        continue;
                if (found.size > 0 && !build_id_equal(&found, &entry.id))
                        return false;
                found = entry.id;
        }
        if (found.size > 0)
                *ret = found;
        return found.size > 0;
}

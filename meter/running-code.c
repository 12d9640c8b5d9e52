/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Maps that /proc has become the records with which the kernel reports new ones, so that a view has one way to learn of them. */

#include "running-code.h"

#include <sys/mman.h>
#include <sys/utsname.h>

#include "kernel-map.h"
#include "process-maps.h"
#include "record.h"

struct RunningCode {
        ProcessView *view;
        Symbols *symbols;
        ProcessMaps *maps;
        bool hides_kernel;
};

RunningCode *running_code_free(RunningCode *c) {
        if (!c)
                return NULL;
        process_maps_free(c->maps);
        symbols_free(c->symbols);
        free(c);
        return NULL;
}

Symbols *running_code_symbols(const RunningCode *c) {
        return c->symbols;
}

bool running_code_hides_kernel(const RunningCode *c) {
        return c->hides_kernel;
}

static int code_take_map(RunningCode *c, const RecordMap *map) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        int r = record_put_mmap2(&b, map, NULL);

        return r < 0 ? r : process_view_take(c->view, (const void *) b.data);
}

static int code_take_kernel_map(RunningCode *c, uint64_t start, uint64_t length, uint64_t page_offset, const char *path) {
        return code_take_map(c, &(RecordMap) {
                .pid = MAP_RECORD_KERNEL_PID, .start = start, .length = length, .page_offset = page_offset,
                .protection = PROT_EXEC, .misc = PERF_RECORD_MISC_KERNEL, .path = path,
        });
}

/* Without the kernel's addresses, its code has no names. */
static int code_take_kernel(RunningCode *c) {
        KernelModules modules = {};
        char path[64];
        KernelMap map;
        int r = kernel_map_read("", NULL, &map);

        symbols_set_kernel(c->symbols, &c->view->recording.kernel);
        c->hides_kernel = r == -EPERM;
        if (r < 0)
                return 0;
        (void) snprintf(path, sizeof(path), "[kernel.kallsyms]%s", map.symbol);
        r = code_take_kernel_map(c, map.start, map.end - map.start, map.start, path);
        if (r >= 0 && kernel_modules_read("", &modules) >= 0)
                for (size_t i = 0; r >= 0 && i < modules.n_modules; i++)
                        r = code_take_kernel_map(c, modules.modules[i].start, modules.modules[i].size, 0, modules.modules[i].path);
        kernel_modules_done(&modules);
        return r;
}

int running_code_new(ProcessView *view, const SymbolSources *sources, RunningCode **ret) {
        _cleanup_(running_code_freep) RunningCode *c = calloc(1, sizeof(*c));
        const SymbolSources own = { .root = "" };
        const BuildId unknown = {};
        struct utsname u = {};
        int r;

        if (!c)
                return -ENOMEM;
        c->view = view;
        r = process_maps_new("", view->with_data, false, &c->maps);
        if (r >= 0)
                r = symbols_new(sources ?: &own, &c->symbols);
        (void) uname(&u);
        if (r >= 0)
                r = symbols_set_kernel_identity(c->symbols, &unknown, u.release);
        if (r >= 0)
                r = code_take_kernel(c);
        if (r >= 0)
                *ret = steal_ptr(c);
        return r;
}

int running_code_read_maps(RunningCode *c, uint32_t pid) {
        ProcessMap map;
        int r = process_maps_open(c->maps, (pid_t) pid);

        while (r >= 0 && (r = process_maps_next(c->maps, &map)) > 0)
                r = code_take_map(c, &(RecordMap) {
                        .pid = pid, .tid = pid, .start = map.start, .length = map.end - map.start, .page_offset = map.offset,
                        .major = map.major, .minor = map.minor, .inode = map.inode,
                        .protection = map.protection, .flags = map.flags,
                        .misc = PERF_RECORD_MISC_USER | (map.protection & PROT_EXEC ? 0 : PERF_RECORD_MISC_MMAP_DATA),
                        .path = *map.path ? map.path : "//anon",
                });
        return r == -ENOMEM ? r : 0;
}

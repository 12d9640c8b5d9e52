/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Maps are those that the kernel reports during the trace. Those of a process that was there before are read at its first fault. A
 * fault in the kernel may be one of user memory, which a call reads or writes: the address says whose memory it is. */

#include "trace-live-faults.h"

#include <sys/mman.h>
#include <sys/utsname.h>

#include "demangle.h"
#include "kernel-map.h"
#include "process-maps.h"
#include "process-view.h"
#include "record.h"
#include "symbols.h"

#define KERNEL_BEGIN (UINT64_C(1) << 63) /* the upper half of the addresses is the kernel's */

struct TraceLiveFaults {
        ProcessView view;
        Symbols *symbols;
        ProcessMaps *maps;
        TextBuffer code, memory; /* of the fault that was named last */
};

TraceLiveFaults *trace_live_faults_free(TraceLiveFaults *f) {
        if (!f)
                return NULL;
        process_maps_free(f->maps);
        symbols_free(f->symbols);
        process_view_done(&f->view);
        text_buffer_done(&f->code);
        text_buffer_done(&f->memory);
        free(f);
        return NULL;
}

static int faults_take_map(TraceLiveFaults *f, const RecordMap *map) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        int r = record_put_mmap2(&b, map, NULL);

        return r < 0 ? r : process_view_take(&f->view, (const void *) b.data);
}

/* Without the kernel's addresses, its code has no names. */
static int faults_take_kernel(TraceLiveFaults *f) {
        char path[64];
        KernelMap map;

        symbols_set_kernel(f->symbols, &f->view.recording.kernel);
        if (kernel_map_read("", NULL, &map) < 0)
                return 0;
        (void) snprintf(path, sizeof(path), "[kernel.kallsyms]%s", map.symbol);
        return faults_take_map(f, &(RecordMap) {
                .pid = MAP_RECORD_KERNEL_PID, .start = map.start, .length = map.end - map.start, .page_offset = map.start,
                .protection = PROT_EXEC, .misc = PERF_RECORD_MISC_KERNEL, .path = path,
        });
}

int trace_live_faults_new(TraceLiveFaults **ret) {
        _cleanup_(trace_live_faults_freep) TraceLiveFaults *f = calloc(1, sizeof(*f));
        const SymbolSources sources = { .root = "" };
        const BuildId unknown = {};
        struct utsname u = {};
        int r;

        if (!f)
                return -ENOMEM;
        f->view.living_only = f->view.with_data = true;
        r = process_view_begin_recording(&f->view, NULL, 0);
        if (r >= 0)
                r = process_maps_new("", true, false, &f->maps);
        if (r >= 0)
                r = symbols_new(&sources, &f->symbols);
        (void) uname(&u);
        if (r >= 0)
                r = symbols_set_kernel_identity(f->symbols, &unknown, u.release);
        if (r >= 0)
                r = faults_take_kernel(f);
        if (r >= 0)
                *ret = steal_ptr(f);
        return r;
}

int trace_live_faults_take(TraceLiveFaults *f, const struct perf_event_header *record) {
        return process_view_take(&f->view, record);
}

static int faults_read_maps(TraceLiveFaults *f, uint32_t pid) {
        ProcessMap map;
        int r = process_maps_open(f->maps, (pid_t) pid);

        while (r >= 0 && (r = process_maps_next(f->maps, &map)) > 0)
                r = faults_take_map(f, &(RecordMap) {
                        .pid = pid, .tid = pid, .start = map.start, .length = map.end - map.start, .page_offset = map.offset,
                        .major = map.major, .minor = map.minor, .inode = map.inode,
                        .protection = map.protection, .flags = map.flags,
                        .misc = PERF_RECORD_MISC_USER | (map.protection & PROT_EXEC ? 0 : PERF_RECORD_MISC_MMAP_DATA),
                        .path = *map.path ? map.path : "//anon",
                });
        return r == -ENOMEM ? r : 0;
}

/* Puts "FILE@0x1234"; code: "FUNCTION+0x12" if it is known. Returns whether the address is mapped; -ENOMEM. */
static int faults_put(TraceLiveFaults *f, TextBuffer *b, uint32_t pid, uint16_t cpumode, uint64_t address, bool code) {
        const Map *map = process_view_find_map(&f->view, pid, cpumode, address);
        const DsoHit *dso = map ? f->view.dsos.dsos + map->object : NULL;
        uint64_t place = map ? address - map->start + map->page_offset : address;
        _cleanup_free_ char *name = NULL;
        Symbol symbol;
        int r = dso && code ? symbols_resolve(f->symbols, dso, place, &symbol) : 0;

        if (r > 0)
                name = demangle_function(symbol.name);
        call_place_put(b, name, dso ? dso->path : NULL, name ? place - symbol.start : place);
        return r < 0 ? r : b->error < 0 ? b->error : dso != NULL;
}

int trace_live_faults_name(TraceLiveFaults *f, const PerfSample *s, uint16_t misc, bool major, CallFault *ret) {
        const Process *process = process_table_find(&f->view.processes, s->pid);
        bool kernel = s->address >= KERNEL_BEGIN;
        int r = process && process->maps.n > 0 ? 0 : faults_read_maps(f, s->pid), mapped;

        if (r >= 0)
                r = faults_put(f, &f->code, s->pid, misc & PERF_RECORD_MISC_CPUMODE_MASK, s->ip, true);
        if (r < 0)
                return r;
        mapped = faults_put(f, &f->memory, s->pid, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, s->address, false);
        if (mapped < 0)
                return mapped;
        *ret = (CallFault) {
                .major = major, .code = f->code.data, .memory = f->memory.data,
                .map = mapped ? 'd' : '?', .level = kernel ? 'k' : '.',
        };
        return 0;
}

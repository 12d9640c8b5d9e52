/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Maps are those that the kernel reports during the trace. Those of a process that was there before are read at its first fault. A
 * fault in the kernel may be one of user memory, which a call reads or writes: the address says whose memory it is. */

#include "trace-live-faults.h"

#include "demangle.h"
#include "running-code.h"

#define KERNEL_BEGIN (UINT64_C(1) << 63) /* the upper half of the addresses is the kernel's */

struct TraceLiveFaults {
        ProcessView view;
        RunningCode *code_now;
        TextBuffer code, memory; /* of the fault that was named last */
};

TraceLiveFaults *trace_live_faults_free(TraceLiveFaults *f) {
        if (!f)
                return NULL;
        running_code_free(f->code_now);
        process_view_done(&f->view);
        text_buffer_done(&f->code);
        text_buffer_done(&f->memory);
        free(f);
        return NULL;
}

int trace_live_faults_new(TraceLiveFaults **ret) {
        _cleanup_(trace_live_faults_freep) TraceLiveFaults *f = calloc(1, sizeof(*f));
        int r;

        if (!f)
                return -ENOMEM;
        f->view.living_only = f->view.with_data = true;
        r = process_view_begin_recording(&f->view, NULL, 0);
        if (r >= 0)
                r = running_code_new(&f->view, NULL, &f->code_now);
        if (r >= 0)
                *ret = steal_ptr(f);
        return r;
}

int trace_live_faults_take(TraceLiveFaults *f, const struct perf_event_header *record) {
        return process_view_take(&f->view, record);
}

/* Puts "FILE@0x1234"; code: "FUNCTION+0x12" if it is known. Returns whether the address is mapped; -ENOMEM. */
static int faults_put(TraceLiveFaults *f, TextBuffer *b, uint32_t pid, uint16_t cpumode, uint64_t address, bool code) {
        const Map *map = process_view_find_map(&f->view, pid, cpumode, address);
        const DsoHit *dso = map ? f->view.dsos.dsos + map->object : NULL;
        uint64_t place = map ? address - map->start + map->page_offset : address;
        _cleanup_free_ char *name = NULL;
        Symbol symbol;
        int r = dso && code ? symbols_resolve(running_code_symbols(f->code_now), dso, place, &symbol) : 0;

        if (r > 0)
                name = demangle_function(symbol.name);
        call_place_put(b, name, dso ? dso->path : NULL, name ? place - symbol.start : place);
        return r < 0 ? r : b->error < 0 ? b->error : dso != NULL;
}

int trace_live_faults_name(TraceLiveFaults *f, const PerfSample *s, uint16_t misc, bool major, CallFault *ret) {
        const Process *process = process_table_find(&f->view.processes, s->pid);
        bool kernel = s->address >= KERNEL_BEGIN;
        int r = process && process->maps.n > 0 ? 0 : running_code_read_maps(f->code_now, s->pid), mapped;

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

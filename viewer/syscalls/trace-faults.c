/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A fault in the kernel may be one of user memory, which a call reads or writes: the address says whose memory it is. An event of
 * all page faults does not say which of them read a file: these are shown as minor ones. */

#include "trace-faults.h"

#define KERNEL_BEGIN (UINT64_C(1) << 63) /* the upper half of the addresses is the kernel's */

void trace_faults_done(TraceFaults *f) {
        text_buffer_done(&f->code);
        text_buffer_done(&f->memory);
}

bool trace_faults_want(const CallOptions *o, const PerfDataEvent *e) {
        const uint64_t needed = PERF_SAMPLE_TIME | PERF_SAMPLE_TID | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;

        if (e->attr.type != PERF_TYPE_SOFTWARE || (e->attr.sample_type & needed) != needed)
                return false;
        return e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ ? o->major_faults :
               (e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN || e->attr.config == PERF_COUNT_SW_PAGE_FAULTS) && o->minor_faults;
}

/* 1: the address is mapped; 0; -ENOMEM. */
static int trace_faults_put(TextBuffer *b, RecordingRun *run, uint32_t pid, uint16_t mode, uint64_t address, bool code) {
        NamedPlace named;
        uint32_t place;
        bool mapped;
        int r = replay_find_place(run->replay, pid, mode, address, &place);

        if (r >= 0)
                r = place_lookup_name(replay_names(run->replay), place, &named);
        if (r < 0)
                return r;
        mapped = named.place->dso != DSO_NONE;
        if (code && named.symbol->name)
                call_place_put(b, named.symbol->name, NULL, named.place->address - named.symbol->start);
        else
                call_place_put(b, NULL, mapped ? named.path : NULL, mapped ? named.place->address : address);
        return b->error < 0 ? b->error : mapped;
}

int trace_faults_name(TraceFaults *f, RecordingRun *run, const Moment *m, CallFault *ret) {
        const PerfSample *s = m->sample;
        bool kernel = s->address >= KERNEL_BEGIN;
        uint16_t mode = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
        int r = trace_faults_put(&f->code, run, s->pid, moment_mode(m), s->ip, true);

        if (r >= 0)
                r = trace_faults_put(&f->memory, run, s->pid, mode, s->address, false);
        if (r < 0)
                return r;
        *ret = (CallFault) {
                .major = m->event->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ, .code = f->code.data, .memory = f->memory.data,
                .map = r > 0 ? 'd' : '?', .level = kernel ? 'k' : '.',
        };
        return 0;
}

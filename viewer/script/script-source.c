/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Nothing is opened that no field needs: formats of tracepoints have a process of their own. */

#include "script-source.h"

#include "array.h"

int script_source_init(ScriptSource *s, SampleWalk *walk, const PerfDataReader *reader, const ScriptFields *fields,
                       size_t max_stack, bool json) {
        uint64_t needed = 0;
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r;

        *s = (ScriptSource) { .walk = walk, .reader = reader, .fields = fields };
        (void) perf_data_reader_feature_string(reader, PERF_FEATURE_ARCH, &s->machine);
        for (size_t i = 0; i < n; i++)
                needed |= script_fields_of(fields, &events[i].attr);
        if (wall_clock_read(reader, &s->wall) < 0 && needed & SCRIPT_FIELD(TOD))
                return -ENODATA;
        r = frame_texts_new(walk, max_stack, json, &s->frames);
        return r >= 0 && needed & SCRIPT_FIELD(TRACE) ? trace_texts_new(walk, reader, &s->traces) : r;
}

int script_source_add_instructions(ScriptSource *s, const SymbolSources *sources) {
        bool texts = script_fields_have(s->fields, SCRIPT_DISASM);

        if (!texts && !script_fields_have(s->fields, SCRIPT_INSN) && !script_fields_have(s->fields, SCRIPT_INSNLEN))
                return 0;
        return instruction_bytes_new(sample_walk_names(s->walk), sources, texts, &s->instructions);
}

int script_source_instruction(const ScriptSource *s, const WalkedSample *sample, InstructionCode *ret) {
        const InstructionCode *code;
        uint32_t place;
        int r;

        *ret = (InstructionCode) {};
        if (!s->instructions)
                return 0;
        r = frame_texts_find(s->frames, sample, sample->misc & PERF_RECORD_MISC_CPUMODE_MASK, sample->sample->ip, &place);
        if (r >= 0)
                r = instruction_bytes_find(s->instructions, place, &code);
        if (r >= 0)
                *ret = *code;
        return r;
}

void script_source_done(ScriptSource *s) {
        s->instructions = instruction_bytes_free(s->instructions);
        s->frames = frame_texts_free(s->frames);
        s->traces = trace_texts_free(s->traces);
}

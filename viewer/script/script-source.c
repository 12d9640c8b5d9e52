/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Nothing is opened that no field needs: formats of tracepoints have a process of their own. */

#include "script-source.h"

#include "array.h"

/* Formats, clocks and instructions are looked for if a field of an event needs them. */
int script_source_init(ScriptSource *s, Replay *replay, const PerfDataReader *reader, const ScriptFields *fields,
                       const FramePlan *frames, const SymbolSources *files) {
        bool texts = script_fields_have(fields, SCRIPT_DISASM);
        uint64_t needed = 0;
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r;

        *s = (ScriptSource) { .replay = replay, .reader = reader, .fields = fields };
        (void) perf_data_reader_feature_string(reader, PERF_FEATURE_ARCH, &s->machine);
        for (size_t i = 0; i < n; i++)
                needed |= script_fields_of(fields, &events[i].attr);
        if (wall_clock_read(reader, &s->wall) < 0 && needed & SCRIPT_FIELD(TOD))
                return -ENODATA;
        r = frame_texts_new(replay, frames, &s->frames);
        if (r >= 0 && needed & SCRIPT_FIELD(TRACE))
                r = trace_texts_new(replay, reader, &s->traces);
        if (r >= 0 && (texts || script_fields_have(fields, SCRIPT_INSN) || script_fields_have(fields, SCRIPT_INSNLEN)))
                r = instruction_bytes_new(replay_names(replay), files, texts, &s->instructions);
        return r;
}

int script_source_instruction(const ScriptSource *s, const Moment *sample, InstructionCode *ret) {
        const InstructionCode *code;
        uint32_t place;
        int r;

        *ret = (InstructionCode) {};
        if (!s->instructions)
                return 0;
        r = frame_texts_find(s->frames, sample, moment_mode(sample), sample->sample->ip, &place);
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

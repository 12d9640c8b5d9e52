/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "frame-texts.h"
#include "instruction-bytes.h"
#include "script-fields.h"
#include "trace-texts.h"
#include "wall-clock.h"

/* All that showing samples needs, as lines or as JSON. */
typedef struct ScriptSource {
        Replay *replay;
        const PerfDataReader *reader;
        const char *machine; /* what uname(2) says of it; NULL: not recorded */
        const ScriptFields *fields;
        FrameTexts *frames;
        TraceTexts *traces; /* NULL: no field needs them, or the recording has none */
        InstructionBytes *instructions; /* NULL: no field needs them */
        WallClock wall;     /* if a field needs it */
} ScriptSource;

/* frames and fields (checked) are the caller's plan; files: where binaries are, if a field needs their instructions. All must
 * outlive it. Done after a failure too. 0, -ENOMEM; -ENODATA: a field needs the relation of the recording's clock to the wall
 * clock. */
int script_source_init(ScriptSource *s, Replay *replay, const PerfDataReader *reader, const ScriptFields *fields,
                       const FramePlan *frames, const SymbolSources *files);

/* Finds the instruction that a sample hit; size 0: it is not known. 0, -ENOMEM. */
int script_source_instruction(const ScriptSource *s, const Moment *sample, InstructionCode *ret);
void script_source_done(ScriptSource *s);

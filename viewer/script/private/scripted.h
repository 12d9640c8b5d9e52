/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "script-options.h"

/* The lines of all recordings have these in common. */
typedef struct ScriptContext {
        const ScriptOptions *options;
        ScriptTogether together;
        TextBuffer out;
        bool broken; /* the output cannot take more */
} ScriptContext;

/* One recording of those that are shown: a moment at a time. Zero-initialise, then set in, selection (with spans, which it frees)
 * and fields. */
typedef struct Scripted {
        const RecordingInput *in;
        SampleSelection selection;
        SampleSpan *spans;
        ScriptFields fields;    /* those that its events have */
        Symbols *symbols;
        SymbolHelpers helpers;
        SymbolSources stacks;   /* of rules for call chains */
        SymbolSources files;    /* of code and lines */
        Replay *replay;
        FrameSources *sources;
        ScriptSource source;
        ScriptLines *lines;     /* NULL: JSON */
        Moment moment;          /* is shown next, if there is one */
        int read;               /* 1: there is; others: see replay_next(), and errors of showing */
        bool off;               /* no sample is shown until one of an event comes */
} Scripted;

/* Opens what showing needs, and goes to the first moment that is shown. 0, or a negative errno, which was printed. */
int scripted_begin(Scripted *s, ScriptContext *c);

/* Shows the moment, and goes to the next one. */
void scripted_show(Scripted *s, ScriptContext *c);

/* Says on standard error what is missing in what was shown. Returns the exit status. */
int scripted_end(Scripted *s, ScriptContext *c);
void scripted_done(Scripted *s);

/* Returns whether lines of the source, or inlined functions, are looked up for these fields, which takes long. */
bool scripted_shows_sources(const ScriptOptions *o, const ScriptFields *fields);

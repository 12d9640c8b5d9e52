/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "replay.h"
#include "text-buffer.h"

/* The fields of samples of tracepoints as text, by formats that are compiled here or by libtraceevent. */
typedef struct TraceTexts TraceTexts;

/* replay and reader must outlive it. replay, with its names, names functions of the kernel; NULL: they stay addresses. *ret is NULL
 * if the recording has no formats. 0, -ENOMEM. */
int trace_texts_new(Replay *replay, const PerfDataReader *reader, TraceTexts **ret);
TraceTexts *trace_texts_free(TraceTexts *t);
DEFINE_CLEANUP(TraceTexts *, trace_texts_free);

/* Puts the fields of a sample of the event of that number, as one line of valid UTF-8; nothing if they cannot be printed. */
void trace_texts_put(TraceTexts *t, size_t number, const PerfSample *s, TextBuffer *out);

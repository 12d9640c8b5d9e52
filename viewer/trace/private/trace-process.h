/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"
#include "trace-library.h"

/* The process that prints fields of tracepoints with libtraceevent. It is forked for the first sample, has little
 * memory and time, and may crash: then the sample has no fields, and the next one gets a new process, a few times. */
typedef struct TraceProcess TraceProcess;

/* data must outlive it. resolver is called in the new process, with userdata as it was when that was forked. 0,
 * -ENOMEM. */
int trace_process_new(const void *data, size_t size, TraceResolver *resolver, void *userdata, TraceProcess **ret);
TraceProcess *trace_process_free(TraceProcess *p);
DEFINE_CLEANUP(TraceProcess *, trace_process_free);

/* Puts the fields, as one line of valid UTF-8. Returns false if they cannot be printed. */
bool trace_process_print(TraceProcess *p, uint32_t cpu, const void *raw, size_t size, TextBuffer *out);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The formats of a recording's tracepoints, and what libtraceevent makes of them. The library trusts what it parses:
 * call this only in a process that may crash (trace-process.h). */
typedef struct TraceLibrary TraceLibrary;

/* Finds the name of a function of the kernel; *address becomes that of its begin. NULL: not known. */
typedef const char *TraceResolver(void *userdata, uint64_t *address);

/* data: the feature TRACING_DATA. resolver may be NULL. 0, -EBADMSG, -ENOMEM. */
int trace_library_new(const void *data, size_t size, TraceResolver *resolver, void *userdata, TraceLibrary **ret);
TraceLibrary *trace_library_free(TraceLibrary *l);
DEFINE_CLEANUP(TraceLibrary *, trace_library_free);
#define _cleanup_trace_library_free_ _cleanup_(trace_library_freep)

/* Prints the fields of a sample's raw data, as perf script does; *ret is the library's, and valid until the next
 * call. Returns its size. */
size_t trace_library_print(TraceLibrary *l, uint32_t cpu, const void *raw, size_t size, const char **ret);

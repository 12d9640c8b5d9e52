/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "process-view.h"
#include "symbols.h"

/* The code of what runs now: where the kernel, its modules and processes that began before have it, read from /proc into a view as
 * records, and its symbols. */
typedef struct RunningCode RunningCode;

/* view: zero but for its flags, and begun; it must outlive the code. sources: where files are; NULL: this machine's own. Reads
 * where the kernel is. 0, -ENOMEM. */
int running_code_new(ProcessView *view, const SymbolSources *sources, RunningCode **ret);
RunningCode *running_code_free(RunningCode *c);
DEFINE_CLEANUP(RunningCode *, running_code_free);

Symbols *running_code_symbols(const RunningCode *c);

/* Returns whether the kernel hides its addresses (kernel.kptr_restrict), so that its functions have no names. */
bool running_code_hides_kernel(const RunningCode *c);

/* Reads the maps of a process; those of one that has gone or is another user's are not known. 0, -ENOMEM. */
int running_code_read_maps(RunningCode *c, uint32_t pid);

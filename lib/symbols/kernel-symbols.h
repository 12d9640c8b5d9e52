/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recorded-kernel.h"
#include "symbol-table.h"
#include "symbol-sources.h"

/* The functions of the kernel that was recorded. Another kernel's are never taken, nor are addresses of another boot. */
typedef struct KernelSymbols {
        SymbolTable *table; /* by the processor's addresses; NULL: there is none */
        bool has_modules;   /* the table has those that were loaded */
        KernelTrouble trouble; /* why something was not taken */
        BuildId present;    /* of the kernel that runs here; size 0: not known */
} KernelSymbols;

void kernel_symbols_done(KernelSymbols *k);

/* Returns whether a release, which others wrote, can be part of a path. */
bool kernel_release_is_plain(const char *release);

/* Opens a vmlinux of the recorded kernel that has its code; *ret_moved: how much further up the kernel was than it is linked.
 * A descriptor; -ENOENT, -ESTALE and others: there is none. */
int kernel_symbols_open_code(const SymbolSources *sources, const RecordedKernel *recorded, const BuildId *id, const char *release,
                             uint64_t *ret_moved);

/* The release and the build id (size 0: not known) are of the recording. k: zero-initialised. 0 or -ENOMEM. */
int kernel_symbols_load(KernelSymbols *k, const SymbolSources *sources, const RecordedKernel *recorded, const BuildId *id,
                        const char *release);

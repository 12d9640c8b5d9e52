/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "code-places.h"
#include "reader.h"
#include "symbol-sources.h"
#include "unwinder.h"

/* The rules of the binaries of a recording: those beside the dump, then this machine's own, if they are those that were
 * recorded, then those of binaries from elsewhere. */
typedef struct UnwindFiles UnwindFiles;

/* places, reader and what the sources refer to must outlive it. 0, -ENOMEM. */
int unwind_files_new(const CodePlaces *places, const PerfDataReader *reader, const SymbolSources *sources, UnwindFiles **ret);
UnwindFiles *unwind_files_free(UnwindFiles *f);
DEFINE_CLEANUP(UnwindFiles *, unwind_files_free);
#define _cleanup_unwind_files_free_ _cleanup_(unwind_files_freep)

/* Valid as long as f. */
UnwindSource unwind_files_source(UnwindFiles *f);

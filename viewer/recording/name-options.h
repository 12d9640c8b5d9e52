/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "debuginfod-process.h"
#include "recording-input.h"
#include "symbols.h"
#include "view-options.h"

/* Options of all verbs that name code: where names come from, and how code without one is shown. Zero-initialise. */
typedef struct NameOptions {
        bool plain_addresses;  /* not by the starts of functions */
        int vmlinux, kallsyms; /* files that were named: descriptors above 2; 0: none */
        bool fetch;            /* what is not here, by debuginfod */
        bool raw;              /* names are shown as compilers mangle them */
        bool quiet;            /* what is not used is not reported */
        DebuginfodProcess *debuginfod;
} NameOptions;

/* Opens a file. 0; -EINVAL and others, which was printed. */
int name_options_take_file(void *fd, const ViewOption *option, const char *value);
void name_options_done(NameOptions *o);

/* Begins what must be done before the sandbox. 0, or a negative errno, which was printed. */
int name_options_begin(NameOptions *o);

/* Returns what helps to find names. o must outlive its use; verbose: see name_options_symbols(). */
SymbolHelpers name_options_helpers(const NameOptions *o, bool verbose);

/* Returns where the files of a recording are looked for. in and helpers must outlive its use. */
SymbolSources name_options_sources(const RecordingInput *in, const SymbolHelpers *helpers);

/* Opens the symbols of a recording, behind its sandbox. What is not used because it is not what was recorded is reported on
 * standard error: of files the first one, or all with verbose; of the kernel why its functions have no names, once. o must outlive
 * the symbols. 0 or -ENOMEM. */
int name_options_symbols(const NameOptions *o, bool verbose, const RecordingInput *in, Symbols **ret);

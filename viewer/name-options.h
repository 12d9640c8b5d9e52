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

/* Rows of a verb's options, for the field names of a T. */
#define NAME_ROWS(T) \
        VIEW_SET(T, names.raw, "no-demangle", 0, "Show names as compilers mangle them"), \
        VIEW_CALL(T, names.vmlinux, "vmlinux", 'k', "=FILE", name_options_take_file, \
                  "The vmlinux of the kernel that was recorded"), \
        VIEW_CALL(T, names.kallsyms, "kallsyms", 0, "=FILE", name_options_take_file, "A copy of that kernel's /proc/kallsyms"), \
        VIEW_SET(T, names.fetch, "debuginfod", 0, "Fetch what is not here from the servers in DEBUGINFOD_URLS")

/* Opens a file. 0; -EINVAL and others, which was printed. */
int name_options_take_file(void *fd, const ViewOption *option, const char *value);
void name_options_done(NameOptions *o);

/* Begins what must be done before the sandbox. 0, or a negative errno, which was printed. */
int name_options_begin(NameOptions *o);

/* Returns what helps to find names. o must outlive its use; verbose: see name_options_symbols(). */
SymbolHelpers name_options_helpers(const NameOptions *o, bool verbose);

/* Opens the symbols of a recording, behind its sandbox. What is not used because it is not what was recorded is reported on
 * standard error: of files the first one, or all with verbose; of the kernel why its functions have no names, once. o must outlive
 * the symbols. 0 or -ENOMEM. */
int name_options_symbols(const NameOptions *o, bool verbose, const RecordingInput *in, Symbols **ret);

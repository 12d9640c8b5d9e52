/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "debuginfod-process.h"
#include "recording-input.h"
#include "symbols.h"

/* Options of all verbs that name code: where names come from, and how code without one is shown. Zero-initialise. */
typedef struct NameOptions {
        bool plain_addresses;  /* not by the starts of functions */
        int vmlinux, kallsyms; /* files that were named: descriptors above 2; 0: none */
        bool fetch;            /* what is not here, by debuginfod */
        bool quiet;            /* what is not used is not reported */
        DebuginfodProcess *debuginfod;
} NameOptions;

/* Numbers for getopt_long(), above those of the verbs. */
enum { NAME_PLAIN_ADDRESSES = 0x2000, NAME_KALLSYMS, NAME_DEBUGINFOD };

/* Rows of struct option, and their lines of the help. The letter k is in each verb's list of letters; --plain-addresses is a row of
 * the verbs that have it. */
#define NAME_ROWS \
        { "vmlinux", required_argument, NULL, 'k' }, \
        { "kallsyms", required_argument, NULL, NAME_KALLSYMS }, \
        { "debuginfod", no_argument, NULL, NAME_DEBUGINFOD }

#define NAME_HELP \
        "  -k --vmlinux=FILE            The vmlinux of the kernel that was recorded\n" \
        "     --kallsyms=FILE           A copy of that kernel's /proc/kallsyms\n" \
        "     --debuginfod              Fetch what is not here from the servers in DEBUGINFOD_URLS\n"

/* Takes the option if it is one of these, and opens what it names. 1; 0: it is none; -EINVAL and others, which was printed. */
int name_options_take(NameOptions *o, int option, const char *value);
void name_options_done(NameOptions *o);

/* Begins what must be done before the sandbox. 0, or a negative errno, which was printed. */
int name_options_begin(NameOptions *o);

/* Returns what helps to find names. o must outlive its use; verbose: see name_options_symbols(). */
SymbolHelpers name_options_helpers(const NameOptions *o, bool verbose);

/* Opens the symbols of a recording, behind its sandbox. What is not used because it is not what was recorded is reported on
 * standard error: of files the first one, or all with verbose; of the kernel why its functions have no names, once. o must outlive
 * the symbols. 0 or -ENOMEM. */
int name_options_symbols(const NameOptions *o, bool verbose, const RecordingInput *in, Symbols **ret);

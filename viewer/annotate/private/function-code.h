/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "debug-file.h"
#include "disassembly.h"
#include "function-hits.h"
#include "source-lines.h"

typedef struct FunctionCodeStyle {
        DisassemblySyntax syntax;
        bool lines; /* of the source are looked up */
} FunctionCodeStyle;

/* A function that samples hit: its instructions, the samples of each, and where they come from. */
typedef struct FunctionCode {
        DebugFile file;
        Disassembly code;
        uint8_t *bytes;      /* from its start on */
        uint64_t *samples, *periods; /* of each instruction */
        char **names;        /* what instructions refer to elsewhere, where the file says it; NULL: none does */
        size_t n_names;
        FunctionCodeStyle style;
        SourceLines source;
        SourcePlace *places; /* of each instruction; unknown ones have line 0 */
        uint64_t start;      /* the function's address, as linked */
        int64_t to_offset;   /* what to add to an address, as linked, for a place's: the offset in the file, or the processor's */
} FunctionCode;

/* symbols: those of the recording. The kernel's code is that of a vmlinux, and of the files of its modules. 0; -ENOENT, -ESTALE and
 * others: the binary is not at hand; -EOPNOTSUPP: code of its machine is not known; -EFBIG: the function is larger than
 * DISASSEMBLY_CODE_MAX; -ENODATA: it is not in the file; -ENOMEM. c is initialised, and done after a failure too. */
int function_code_load(FunctionCode *c, Symbols *symbols, const DsoHit *dso, const NamedSymbol *symbol,
                       const FunctionHits *hits, const FunctionHit *function, const FunctionCodeStyle *style);
void function_code_done(FunctionCode *c);

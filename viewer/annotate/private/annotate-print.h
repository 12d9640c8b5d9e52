/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "annotate-options.h"
#include "function-code.h"
#include "source-text.h"

/* Prints a function as perf annotate does, in the layout of --stdio2 or of --stdio. */
typedef struct AnnotatePrint {
        const AnnotateOptions *options;
        const FunctionCode *code;
        const FunctionHit *function;
        const NamedSymbol *symbol;
        const DsoHit *dso;
        const char *path;       /* of the binary; it and the event's name are one line of valid UTF-8 */
        Symbols *symbols;       /* for what is called; may be NULL */
        SourceFiles *sources;
        const char *event;
        uint64_t frequency;     /* of the event; 0: it is not sampled by frequency */
        uint64_t samples, period; /* of all that is shown of the event */
        uint64_t event_samples, event_period;
        FILE *f;
} AnnotatePrint;

int annotate_print(const AnnotatePrint *p); /* 0, -ENOMEM */

/* Returns 0 of nothing. */
double annotate_print_percent(uint64_t part, uint64_t all);

/* Returns the percentage of an instruction, as the options have it. */
double annotate_print_share(const AnnotatePrint *p, size_t i);

/* Writes an instruction as --stdio has it, its first word at least that wide. */
void annotate_print_instruction(const AnnotatePrint *p, const Instruction *i, int width);

/* Writes 22712 as "22K". */
void annotate_print_rounded(uint64_t n, FILE *f);

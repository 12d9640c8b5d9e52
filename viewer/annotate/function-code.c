/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A sample belongs to the instruction whose bytes its address is in: the processor may stop between, and code that is no
 * instruction has samples, too. */

#include "function-code.h"

#include <inttypes.h>

#include "array.h"
#include "fd-file.h"
#include "format-text.h"
#include "module-code.h"

void function_code_done(FunctionCode *c) {
        debug_file_done(&c->file);
        disassembly_done(&c->code);
        source_lines_done(&c->source);
        free(c->bytes);
        free(c->samples);
        free(c->periods);
        free(c->places);
        for (size_t i = 0; c->names && i < c->n_names; i++)
                free(c->names[i]);
        free(c->names);
        *c = (FunctionCode) { .file = DEBUG_FILE_EMPTY };
}

static int disassemble(FunctionCode *c, size_t size) {
        return disassembly_init(&c->code, c->file.image.header.e_machine, c->style.syntax, c->bytes, size, c->start);
}

static int code_read_code(FunctionCode *c, const NamedSymbol *symbol, uint64_t offset) {
        size_t size = symbol->end - symbol->start;
        int r;

        if (size > DISASSEMBLY_CODE_MAX)
                return -EFBIG;
        c->bytes = malloc(size);
        if (!c->bytes)
                return -ENOMEM;
        r = pread_exactly(c->file.binary, offset, c->bytes, size);
        return r < 0 ? r : disassemble(c, size);
}

static int read_from_file(FunctionCode *c, const Symbols *symbols, const DsoHit *dso, const NamedSymbol *symbol) {
        const SymbolSources sources = symbols_sources(symbols);
        int r = debug_file_open_binary(&c->file, &sources, dso);

        if (r < 0)
                return r;
        if (symbol->end <= symbol->start || !debug_file_address(&c->file, symbol->start, &c->start))
                return -ENODATA;
        c->to_offset = (int64_t) (symbol->start - c->start);
        return code_read_code(c, symbol, symbol->start);
}

/* Places of the kernel have the processor's addresses. */
static int read_from_kernel(FunctionCode *c, Symbols *symbols, const DsoHit *dso, const NamedSymbol *symbol) {
        const SymbolSources sources = symbols_sources(symbols);
        uint64_t moved = 0, offset;
        int fd = symbols_open_kernel_code(symbols, &moved), r;

        if (fd < 0)
                return fd;
        r = debug_file_take(&c->file, &sources, dso->path, fd);
        if (r < 0)
                return r;
        c->start = symbol->start - moved;
        if (symbol->end <= symbol->start || !debug_file_offset(&c->file, c->start, &offset))
                return -ENODATA;
        c->to_offset = (int64_t) moved;
        return code_read_code(c, symbol, offset);
}

/* Puts what an instruction refers to in place of the numbers that its file has. */
static int refer(FunctionCode *c, size_t n, const ModuleReference *reference, uint64_t module) {
        Instruction *i = c->code.instructions + n;
        uint64_t field = c->start + reference->offset, value = reference->value;
        bool goes = i->type == INSTRUCTION_JUMP || i->type == INSTRUCTION_CALL;
        int64_t behind;

        if (reference->relative)
                value += i->address + i->size - field;
        if (!reference->name) {
                *(goes ? &i->target : &i->reference) = module + value;
                return 0;
        }
        behind = (int64_t) value;
        i->target = i->reference = 0;
        free(steal_ptr(c->names[n]));
        c->names[n] = behind == 0 ? strdup(reference->name) :
                      behind > 0 ? format_text("%s+0x%" PRIx64, reference->name, value) :
                      format_text("%s-0x%" PRIx64, reference->name, -value);
        return c->names[n] ? 0 : -ENOMEM;
}

static int take_references(FunctionCode *c, const ModuleCode *code, uint64_t module) {
        const Disassembly *d = &c->code;
        int r = 0;

        c->names = calloc(d->n + 1, sizeof(*c->names));
        if (!c->names)
                return -ENOMEM;
        c->n_names = d->n;
        for (size_t i = 0, n = 0; r >= 0 && i < code->n; i++) {
                uint64_t field = c->start + code->references[i].offset;

                while (n < d->n && d->instructions[n].address + d->instructions[n].size <= field)
                        n++;
                if (n < d->n)
                        r = refer(c, n, code->references + i, module);
        }
        return r;
}

/* The addresses of a module are the processor's: as linked, each of its sections begins at 0. */
static int read_from_module(FunctionCode *c, Symbols *symbols, const DsoHit *dso, const NamedSymbol *symbol) {
        const SymbolSources sources = symbols_sources(symbols);
        uint64_t size = symbol->end - symbol->start;
        _cleanup_(module_code_done) ModuleCode code = {};
        RecordedModule module;
        int fd = symbols_open_module_code(symbols, dso, symbol->start, &module), r;

        if (fd < 0)
                return fd;
        r = debug_file_take(&c->file, &sources, dso->path, fd);
        if (r < 0)
                return r;
        if (symbol->end <= symbol->start)
                return -ENODATA;
        if (size > DISASSEMBLY_CODE_MAX)
                return -EFBIG;
        c->start = symbol->start;
        c->file.memory = (ModuleMemory) { .start = module.start, .size = module.end - module.start };
        r = module_code_read(&code, &c->file.image, c->file.memory.size, symbol->start - module.start, size);
        if (r < 0)
                return r;
        c->bytes = steal_ptr(code.bytes);
        r = disassemble(c, size);
        return r < 0 ? r : take_references(c, &code, module.start);
}

static int count_hits(FunctionCode *c, const FunctionHits *hits, const FunctionHit *function) {
        const Disassembly *d = &c->code;

        c->samples = calloc(d->n + 1, sizeof(*c->samples));
        c->periods = calloc(d->n + 1, sizeof(*c->periods));
        if (!c->samples || !c->periods)
                return -ENOMEM;
        for (size_t i = function->first; i < function->first + function->n; i++) {
                uint64_t address = hits->addresses[i].address - (uint64_t) c->to_offset;
                size_t behind = LOWER_BOUND(d->n, k, d->instructions[k].address <= address);

                if (behind == 0 || address - d->instructions[behind - 1].address >= d->instructions[behind - 1].size)
                        continue;
                c->samples[behind - 1] += hits->addresses[i].samples;
                c->periods[behind - 1] += hits->addresses[i].period;
        }
        return 0;
}

static int code_find_lines(FunctionCode *c) {
        _cleanup_free_ uint64_t *addresses = calloc(c->code.n + 1, sizeof(*addresses));

        if (!addresses)
                return -ENOMEM;
        for (size_t i = 0; i < c->code.n; i++)
                addresses[i] = c->code.instructions[i].address;
        return source_lines_find(&c->source, &c->file, addresses, c->code.n, true, c->places);
}

int function_code_load(FunctionCode *c, Symbols *symbols, const DsoHit *dso, const NamedSymbol *symbol,
                       const FunctionHits *hits, const FunctionHit *function, const FunctionCodeStyle *style) {
        int r;

        *c = (FunctionCode) { .file = DEBUG_FILE_EMPTY, .style = *style };
        r = dso->cpumode != PERF_RECORD_MISC_KERNEL ? read_from_file(c, symbols, dso, symbol) :
            streq(dso->path, "[kernel.kallsyms]") ? read_from_kernel(c, symbols, dso, symbol) :
                                                    read_from_module(c, symbols, dso, symbol);
        if (r >= 0)
                r = count_hits(c, hits, function);
        if (r < 0)
                return r;
        c->places = calloc(c->code.n + 1, sizeof(*c->places));
        if (!c->places)
                return -ENOMEM;
        return style->lines ? code_find_lines(c) : 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Both layouts are perf's; lines of the source come as objdump(1) interleaves them: up to five before the first one of a file, then
 * all between the highest one that was shown and the next. Their numbers are those in the file, where perf counts on
 * from the line of the instruction before. */

#include "annotate-print.h"

#include <inttypes.h>

#include "array.h"
#include "demangle.h"
#include "progress.h"
#include "share-color.h"
#include "utf8.h"

#define CONTEXT_LINES 5u
#define LEAST_SUMMARY 0.5 /* percent: instructions with less have no line with --print-line */
#define SYMBOL_MAX_BYTES 512u

static const char *short_path(const AnnotatePrint *p, const char *path) {
        const char *slash = strrchr(path, '/');

        return p->options->full_paths || !slash ? path : slash + 1;
}

void annotate_print_rounded(uint64_t n, FILE *f) {
        static const char units[] = " KMG";
        size_t unit = 0;

        for (; unit < 3 && n > 1000; unit++)
                n /= 1000;
        (void) fprintf(f, "%" PRIu64 "%c", n, units[unit]);
}

double annotate_print_percent(uint64_t part, uint64_t all) {
        return all > 0 ? 100.0 * (double) part / (double) all : 0;
}

double annotate_print_share(const AnnotatePrint *p, size_t i) {
        const AnnotateOptions *o = p->options;
        uint64_t part = o->hits ? p->code->samples[i] : p->code->periods[i];
        uint64_t of_event = o->hits ? p->event_samples : p->event_period;
        uint64_t of_function = o->hits ? p->function->samples : p->function->period, all = o->whole ? of_event : of_function;

        return annotate_print_percent(part, all);
}

/* Prints what the column of an instruction has, behind a text of the same colour. */
static void annotate_print_value(const AnnotatePrint *p, size_t i, const char *before, int width) {
        double share = annotate_print_share(p, i);

        (void) fprintf(p->f, "%s%s", share_color_begin(share, p->options->colors), before);
        if (p->options->value == ANNOTATE_PERIOD)
                (void) fprintf(p->f, "%11" PRIu64, p->code->periods[i]);
        else if (p->options->value == ANNOTATE_SAMPLES)
                (void) fprintf(p->f, "%*" PRIu64, width, p->code->samples[i]);
        else
                (void) fprintf(p->f, "%*.2f", width, share);
        (void) fputs(share_color_end(share, p->options->colors), p->f);
}

/* Periods are wider. */
static int value_width(const AnnotatePrint *p, int width) {
        return p->options->value == ANNOTATE_PERIOD ? 11 : width;
}

/* Prints the bytes of an instruction, if they are wanted. */
static void print_bytes(const AnnotatePrint *p, const Instruction *i) {
        const uint8_t *bytes = p->code->bytes + (i->address - p->code->start);

        if (!p->options->bytes)
                return;
        for (unsigned k = 0; k < i->size; k++)
                (void) fprintf(p->f, "%02x ", bytes[k]);
        (void) fprintf(p->f, "%*s", i->size < 8 ? (int) (8 - i->size) * 3 : 0, "");
}

static unsigned hex_digits(uint64_t n) {
        unsigned digits = 1;

        for (; n > 15; n >>= 4)
                digits++;
        return digits;
}

/* A function by its address: NAME, and +0xOFFSET behind it. Returns a new string; NULL: it has no name, or there is no memory. */
static char *name_address(const AnnotatePrint *p, uint64_t address, bool offset) {
        _cleanup_free_ char *readable = NULL, *line = NULL;
        uint64_t place = address + (uint64_t) p->code->to_offset, in;
        char *text = NULL;
        Symbol symbol;

        if (!p->symbols || symbols_resolve(p->symbols, p->dso, place, &symbol) <= 0)
                return NULL;
        in = place - symbol.start;
        readable = offset ? demangle(symbol.name) : demangle_function(symbol.name);
        line = readable ? utf8_line(readable, SIZE_MAX, SYMBOL_MAX_BYTES) : NULL;
        if (!line || asprintf(&text, in > 0 ? "%s+0x%" PRIx64 : "%s", line, in) < 0)
                return NULL;
        return text;
}

static bool is_inside(const AnnotatePrint *p, uint64_t address) {
        return address >= p->code->start && address - p->code->start < p->symbol->end - p->symbol->start;
}

/* --- lines of the source --- */

typedef struct Interleaving {
        const char *function; /* the one whose code came last */
        const char *file;
        unsigned line;
} Interleaving;

static void print_text_line(const AnnotatePrint *p, unsigned number, const char *text) {
        unsigned target = hex_digits(p->symbol->end - p->symbol->start);

        if (!p->options->stdio)
                (void) fprintf(p->f, "%*s%s\n", (int) target + value_width(p, 6) + 4, "", text);
        else if (number > 0)
                (void) fprintf(p->f, "%*s : %-*u %s\n", value_width(p, 7) + 1, "", (int) hex_digits(p->code->start), number, text);
        else
                (void) fprintf(p->f, "%*s : %*s %s\n", value_width(p, 7) + 1, "", (int) hex_digits(p->code->start), "", text);
}

static int print_function_name(const AnnotatePrint *p, const char *mangled) {
        _cleanup_free_ char *readable = demangle_function(mangled), *text = NULL;

        if (!readable || asprintf(&text, "%s():", readable) < 0) {
                text = NULL;
                return -ENOMEM;
        }
        print_text_line(p, 0, text);
        return 0;
}

/* Returns the path at which a file of the source is looked for; a new string. NULL: no memory. */
static char *source_path(const AnnotatePrint *p, const char *path) {
        const char *rest = path, *next;
        char *moved;

        if (!p->options->prefix || *path != '/')
                return strdup(path);
        for (unsigned i = 0; i < p->options->prefix_strip && (next = strchr(rest + 1, '/')); i++)
                rest = next;
        return asprintf(&moved, "%s%s", p->options->prefix, rest) < 0 ? NULL : moved;
}

static void print_source(const AnnotatePrint *p, SourceFile *f, unsigned line) {
        unsigned first = line > CONTEXT_LINES ? line - CONTEXT_LINES : 1;

        if (f->shown >= first)
                first = f->shown < line ? f->shown + 1 : line;
        for (unsigned i = first; i <= line; i++) {
                _cleanup_free_ char *text = source_file_line(f, i);

                if (text)
                        print_text_line(p, i, text);
        }
        f->shown = MAX_OF(f->shown, line);
        f->last = line;
}

static int print_line_of(const AnnotatePrint *p, Interleaving *at, const char *path, unsigned line) {
        _cleanup_free_ char *text = NULL, *place = source_path(p, path);
        SourceFile *f;
        int r = place ? source_files_get(p->sources, place, &f) : -ENOMEM;

        if (r < 0)
                return r;
        if (f->text) {
                if (line != f->last)
                        print_source(p, f, line);
                return 0;
        }
        if (at->file && streq(at->file, path) && at->line == line)
                return 0;
        if (asprintf(&text, "%s:%u", path, line) < 0) {
                text = NULL;
                return -ENOMEM;
        }
        print_text_line(p, 0, text);
        return 0;
}

/* Prints what precedes instruction i. */
static int interleave(const AnnotatePrint *p, Interleaving *at, size_t i) {
        const SourceLines *s = &p->code->source;
        const SourcePlace *place = p->code->places + i;
        const char *file = source_lines_text(s, place->file), *function = NULL;
        int r = 0;

        if (!file || place->line == 0)
                return 0;
        if (place->n_inlined > 0)
                function = source_lines_text(s, s->inlined[place->inlined].name);
        if (!function)
                function = p->symbol->name;
        if (!at->function || !streq(at->function, function))
                r = print_function_name(p, function);
        if (r >= 0)
                r = print_line_of(p, at, file, place->line);
        *at = (Interleaving) { .function = function, .file = file, .line = place->line };
        return r;
}

/* --- lines that are hit most --- */

typedef struct HotLine {
        uint32_t file, line;
        double share;
} HotLine;

static int compare_hot_lines(const void *a, const void *b) {
        const HotLine *x = a, *y = b;

        if (x->share != y->share)
                return x->share > y->share ? -1 : 1;
        return x->file != y->file ? (x->file < y->file ? -1 : 1) : (x->line > y->line) - (x->line < y->line);
}

static bool has_hot_line(const AnnotatePrint *p, size_t i) {
        return p->code->places[i].file > 0 && annotate_print_share(p, i) > LEAST_SUMMARY;
}

static int compare_by_line(const void *a, const void *b) {
        const HotLine *x = a, *y = b;

        return x->file != y->file ? (x->file < y->file ? -1 : 1) : (x->line > y->line) - (x->line < y->line);
}

static int print_summary(const AnnotatePrint *p) {
        _cleanup_free_ HotLine *lines = calloc(p->code->code.n + 1, sizeof(*lines));
        size_t n = 0, joined = 0;

        if (!lines)
                return -ENOMEM;
        for (size_t i = 0; i < p->code->code.n; i++)
                if (has_hot_line(p, i))
                        lines[n++] = (HotLine) { p->code->places[i].file, p->code->places[i].line, annotate_print_share(p, i) };
        if (n > 0)
                qsort(lines, n, sizeof(*lines), compare_by_line);
        for (size_t i = 0; i < n; i++)
                if (joined > 0 && compare_by_line(lines + joined - 1, lines + i) == 0)
                        lines[joined - 1].share += lines[i].share;
                else
                        lines[joined++] = lines[i];
        if (joined > 0)
                qsort(lines, joined, sizeof(*lines), compare_hot_lines);
        (void) fprintf(p->f, "\nSorted summary for file %s\n----------------------------------------------\n\n",
                       p->path);
        for (size_t i = 0; i < joined; i++)
                (void) fprintf(p->f, " %7.2f %s:%u\n", lines[i].share,
                               short_path(p, source_lines_text(&p->code->source, lines[i].file)), lines[i].line);
        return 0;
}

/* --- instructions --- */

typedef struct Layout {
        unsigned address, target, mnemonic; /* widths */
        uint64_t *targets;           /* of jumps within the function, sorted */
        size_t n_targets;
        uint32_t file, line;         /* of the last instruction that had them printed */
} Layout;

/* Returns what an instruction refers to elsewhere, as its file says it; NULL: nothing. */
static const char *name_elsewhere(const AnnotatePrint *p, const Instruction *i) {
        return p->code->names ? p->code->names[i - p->code->code.instructions] : NULL;
}

static bool goes(const Instruction *i) {
        return i->type == INSTRUCTION_JUMP || i->type == INSTRUCTION_CALL;
}

static void print_call_target(const AnnotatePrint *p, const Instruction *i) {
        _cleanup_free_ char *name = name_address(p, i->target, true);

        (void) fprintf(p->f, "%" PRIx64, i->target);
        if (name)
                (void) fprintf(p->f, " <%s>", name);
}

void annotate_print_instruction(const AnnotatePrint *p, const Instruction *i, int width) {
        _cleanup_free_ char *name = i->reference ? name_address(p, i->reference, true) : NULL;
        const char *elsewhere = name_elsewhere(p, i);

        (void) fprintf(p->f, "%-*s %s", width, i->mnemonic, i->operands);
        if (i->target)
                print_call_target(p, i);
        if (elsewhere)
                (void) fprintf(p->f, goes(i) ? "<%s>" : "        # <%s>", elsewhere);
        if (i->reference)
                (void) fprintf(p->f, "        # %" PRIx64, i->reference);
        if (name)
                (void) fprintf(p->f, " <%s>", name);
}

static void print_hot_line(const AnnotatePrint *p, Layout *l, size_t i) {
        const SourcePlace *place = p->code->places + i;

        if (!p->options->print_lines || !has_hot_line(p, i) || (place->file == l->file && place->line == l->line))
                return;
        (void) fprintf(p->f, " // %s:%u", short_path(p, source_lines_text(&p->code->source, place->file)), place->line);
        l->file = place->file;
        l->line = place->line;
}

static void print_with_address(const AnnotatePrint *p, Layout *l, size_t i) {
        const Instruction *in = p->code->code.instructions + i;

        annotate_print_value(p, i, " ", 7);
        (void) fprintf(p->f, " :   %*" PRIx64 ":   ", (int) l->address, in->address);
        print_bytes(p, in);
        annotate_print_instruction(p, in, 6);
        print_hot_line(p, l, i);
        (void) fputc('\n', p->f);
}

/* The words of an instruction: prefixes are a column of their own. */
static size_t first_word(const Instruction *i) {
        return strcspn(i->mnemonic, " ");
}

/* The name of what is referred to stands in place of the distance to it. */
static void print_operands(const AnnotatePrint *p, const Instruction *i) {
        const char *elsewhere = name_elsewhere(p, i);
        const char *end = i->reference || elsewhere ? strstr(i->operands, "(%rip)") : NULL, *begin = end;
        _cleanup_free_ char *found = end && !elsewhere ? name_address(p, i->reference, false) : NULL;
        const char *name = elsewhere && end ? elsewhere : found;

        (void) fputc(' ', p->f);
        if (!name) {
                (void) fputs(i->operands, p->f);
                if (elsewhere)
                        (void) fprintf(p->f, "        # %s", elsewhere);
                return;
        }
        while (begin > i->operands && strchr("0123456789abcdefx-", begin[-1]))
                begin--;
        (void) fprintf(p->f, "%.*s%s%s", (int) (begin - i->operands), i->operands, name, end + strlen("(%rip)"));
}

static void annotate_print_words(const AnnotatePrint *p, const Layout *l, const Instruction *i) {
        const char *rest = i->mnemonic + first_word(i);
        const char *elsewhere = name_elsewhere(p, i);
        bool alone = !*rest && !*i->operands && !i->target && !elsewhere;

        if (i->type == INSTRUCTION_NOTHING && startswith(i->mnemonic, "nop")) {
                (void) fputs("nop", p->f);
                return;
        }
        (void) fprintf(p->f, "%-*.*s", alone ? 0 : (int) l->mnemonic, (int) first_word(i), i->mnemonic);
        if (*rest)
                (void) fputs(rest, p->f);
        if (i->target && is_inside(p, i->target) && i->type == INSTRUCTION_JUMP)
                (void) fprintf(p->f, " %s%" PRIx64, i->operands, i->target - p->code->start);
        else if (i->target) {
                _cleanup_free_ char *name = name_address(p, i->target, false);

                (void) fprintf(p->f, " %s", i->operands);
                if (name)
                        (void) fputs(name, p->f);
                else
                        (void) fprintf(p->f, "%" PRIx64, i->target);
        } else if (elsewhere && goes(i) && !strstr(i->operands, "(%rip)"))
                (void) fprintf(p->f, " %s%s", i->operands, elsewhere);
        else if (*i->operands)
                print_operands(p, i);
}

static const char *arrow_of(const AnnotatePrint *p, const Instruction *i) {
        switch (i->type) {
        case INSTRUCTION_JUMP:
                if (i->target && is_inside(p, i->target))
                        return i->target > i->address ? "↓" : "↑";
                return "→";
        case INSTRUCTION_CALL:
                return "→";
        case INSTRUCTION_RETURN:
                return "←";
        default:
                return " ";
        }
}

static bool is_target(const Layout *l, uint64_t address) {
        size_t i = LOWER_BOUND(l->n_targets, k, l->targets[k] < address);

        return i < l->n_targets && l->targets[i] == address;
}

static void print_with_arrow(const AnnotatePrint *p, const Layout *l, size_t n) {
        const Instruction *i = p->code->code.instructions + n;

        if (p->code->samples[n] == 0)
                (void) fprintf(p->f, "%*s", value_width(p, 6), "");
        else
                annotate_print_value(p, n, "", 6);
        if (is_target(l, i->address))
                (void) fprintf(p->f, "  %*" PRIx64 ": ", (int) l->target, i->address - p->code->start);
        else
                (void) fprintf(p->f, "  %*s  ", (int) l->target, "");
        (void) fprintf(p->f, "%s ", arrow_of(p, i));
        print_bytes(p, i);
        annotate_print_words(p, l, i);
        (void) fputc('\n', p->f);
}

static int compare_targets(const void *a, const void *b) {
        const uint64_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

static int layout_init(Layout *l, const AnnotatePrint *p) {
        const Disassembly *d = &p->code->code;

        *l = (Layout) {
                .address = hex_digits(p->code->start + (p->symbol->end - p->symbol->start)),
                .target = hex_digits(p->symbol->end - p->symbol->start), .targets = calloc(d->n + 1, sizeof(*l->targets)),
        };
        if (!l->targets)
                return -ENOMEM;
        for (size_t i = 0; i < d->n; i++) {
                const Instruction *in = d->instructions + i;

                l->mnemonic = MAX_OF(l->mnemonic, (unsigned) first_word(in));
                if (in->type == INSTRUCTION_JUMP && in->target && is_inside(p, in->target))
                        l->targets[l->n_targets++] = in->target;
        }
        if (l->n_targets > 0)
                qsort(l->targets, l->n_targets, sizeof(*l->targets), compare_targets);
        return 0;
}

static void print_title(const AnnotatePrint *p) {
        static const char *const columns[] = {
                [ANNOTATE_PERCENT] = "Percent", [ANNOTATE_SAMPLES] = "Samples", [ANNOTATE_PERIOD] = "Period",
        };
        const char *column = columns[p->options->value], *scope = p->options->whole ? "global" : "local";
        const char *of = p->options->hits ? "hits" : "period";
        int n;

        if (!p->options->stdio) {
                (void) fputs("Samples: ", p->f);
                annotate_print_rounded(p->samples, p->f);
                (void) fprintf(p->f, " of event '%s', ", p->event);
                if (p->frequency > 0)
                        (void) fprintf(p->f, "%" PRIu64 " Hz, ", p->frequency);
                (void) fprintf(p->f, "Event count (approx.): %" PRIu64 ", [percent: %s %s]\n%s() %s\n%s\n", p->period, scope, of,
                               p->symbol->name, p->path, column);
                return;
        }
        n = fprintf(p->f, " %-*s|\tSource code & Disassembly of %s for %s (%" PRIu64 " samples, percent: %s %s)\n",
                    value_width(p, 7) + 1, column, short_path(p, p->path), p->event, p->function->samples, scope, of);
        for (int i = 0; i < n; i++)
                (void) fputc('-', p->f);
        (void) fprintf(p->f, "\n%*s : %-*u %016" PRIx64 " <%s>:\n", value_width(p, 7) + 1, "", (int) hex_digits(p->code->start),
                       5u, p->code->start, p->symbol->name); /* the fifth line of objdump(1) */
}

int annotate_print(const AnnotatePrint *p) {
        Interleaving at = {};
        Layout l;
        int r = layout_init(&l, p);

        if (r >= 0 && p->options->stdio && p->options->print_lines)
                r = print_summary(p);
        if (r >= 0)
                print_title(p);
        source_files_restart(p->sources);
        for (size_t i = 0; r >= 0 && i < p->code->code.n && !progress_is_interrupted(); i++) {
                if (!p->options->no_source)
                        r = interleave(p, &at, i);
                if (p->options->stdio)
                        print_with_address(p, &l, i);
                else
                        print_with_arrow(p, &l, i);
        }
        free(l.targets);
        return r;
}

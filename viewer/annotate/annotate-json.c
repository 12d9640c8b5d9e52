/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Addresses are texts, as in the JSON of "script" and "report". Every instruction is there, also those without samples, so that
 * readers can show the function. */

#include "annotate-json.h"

#include "utf8.h"

#define TEXT_MAX_BYTES ((size_t) 4096)

/* Returns an instruction as --stdio has it, as a new string; NULL: no memory. */
static char *instruction_text(const AnnotatePrint *p, const Instruction *i) {
        _cleanup_free_ char *text = NULL;
        AnnotatePrint into = *p;
        size_t size = 0;

        into.f = open_memstream(&text, &size);
        if (!into.f)
                return NULL;
        annotate_print_instruction(&into, i, 0);
        if (fclose(into.f) != 0)
                return NULL;
        while (size > 0 && text[size - 1] == ' ')
                size--;
        return utf8_line(text, size, TEXT_MAX_BYTES);
}

static int annotated_put_instruction(JsonWriter *w, const AnnotatePrint *p, size_t i) {
        const Instruction *in = p->code->code.instructions + i;
        const SourcePlace *place = p->code->places + i;
        const char *file = source_lines_text(&p->code->source, place->file);
        _cleanup_free_ char *text = instruction_text(p, in);

        if (!text)
                return -ENOMEM;
        json_writer_begin(w, NULL, '{');
        json_writer_address(w, "address", in->address);
        json_writer_text(w, "text", text);
        json_writer_number(w, "samples", p->code->samples[i]);
        json_writer_number(w, "period", p->code->periods[i]);
        json_writer_percent(w, "percent", annotate_print_share(p, i));
        if (file && place->line > 0) {
                json_writer_text(w, "file", file);
                json_writer_number(w, "line", place->line);
        }
        json_writer_end(w, '}');
        return 0;
}

int annotate_json_function(JsonWriter *w, const AnnotatePrint *p) {
        int r = 0;

        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "symbol", p->symbol->name);
        json_writer_text(w, "dso", p->path);
        json_writer_number(w, "samples", p->function->samples);
        json_writer_number(w, "period", p->function->period);
        json_writer_percent(w, "percent", annotate_print_percent(p->function->period, p->event_period));
        json_writer_begin(w, "instructions", '[');
        for (size_t i = 0; r >= 0 && i < p->code->code.n; i++)
                r = annotated_put_instruction(w, p, i);
        json_writer_end(w, ']');
        json_writer_end(w, '}');
        return r;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fields are shown by their types, as perf trace has them next to the arguments of calls, and not by the format that the tracepoint
 * prints with. Addresses of the kernel, which some tracepoints have as numbers, are hexadecimal. */

#include "call-event.h"

#include <inttypes.h>

#include "utf8.h"

#define KERNEL_BEGIN UINT64_C(0xff00000000000000) /* of addresses, with five levels of page tables, too */
#define TEXT_MAX     ((size_t) 4096)

void call_event_done(CallEvent *e) {
        free(e->name);
        trace_layout_done(&e->layout);
        *e = (CallEvent) {};
}

void call_place_put(TextBuffer *b, const char *function, const char *file, uint64_t place) {
        _cleanup_free_ char *line = function || file ? utf8_line(function ?: file, SIZE_MAX, TEXT_MAX) : NULL;

        b->n = 0;
        if (line)
                text_buffer_format(b, "%s%c", line, function ? '+' : '@');
        text_buffer_format(b, "0x%" PRIx64, place);
        text_buffer_putc(b, '\0');
}

/* Reads a field that is a number, with its sign if it has one. */
static bool call_field_number(const TraceLayoutField *f, const void *raw, size_t size, uint64_t *ret) {
        unsigned shift = f->size < sizeof(*ret) ? (unsigned) (sizeof(*ret) - f->size) * 8 : 0;

        if (f->array || f->size == 0 || !trace_field_number(f, raw, size, ret))
                return false;
        if (f->is_signed && shift > 0)
                *ret = (uint64_t) ((int64_t) (*ret << shift) >> shift);
        return true;
}

/* Puts a field: texts of the traced system as a line in quotes. value: of one that is a number. */
static void call_field_put(TextBuffer *b, const TraceLayoutField *f, const void *raw, size_t size, uint64_t value) {
        _cleanup_free_ char *line = NULL;
        const uint8_t *bytes;
        size_t n;

        if (f->text && trace_field_bytes(f, raw, size, &bytes, &n)) {
                line = utf8_line((const char *) bytes, n, TEXT_MAX);
                text_buffer_format(b, "\"%s\"", line ?: "");
        } else if (f->array)
                trace_field_put(f, raw, size, b);
        else if (f->pointer || (!f->is_signed && value >= KERNEL_BEGIN))
                text_buffer_format(b, "0x%" PRIx64, value);
        else
                text_buffer_format(b, f->is_signed ? "%" PRId64 : "%" PRIu64, value);
}

void call_event_put(TextBuffer *b, const CallEvent *e, const void *raw, size_t size,
                    const char *(*thread_name)(void *userdata, uint32_t tid), void *userdata) {
        const char *before = "";

        for (size_t i = 0; i < e->layout.n; i++) {
                const TraceLayoutField *f = e->layout.fields + i;
                const char *name = NULL;
                const uint8_t *bytes;
                uint64_t value = 0;
                size_t n;

                if (f->common || !raw || !trace_field_bytes(f, raw, size, &bytes, &n) ||
                    (!f->array && (!call_field_number(f, raw, size, &value) || value == 0)))
                        continue;
                text_buffer_format(b, "%s%s: ", before, f->name);
                before = ", ";
                call_field_put(b, f, raw, size, value);
                if (f->thread && thread_name)
                        name = thread_name(userdata, (uint32_t) value);
                if (name)
                        text_buffer_format(b, " (%s)", name);
        }
}

void call_event_put_json(JsonWriter *w, const CallEvent *e, const void *raw, size_t size) {
        json_writer_begin(w, "fields", '{');
        for (size_t i = 0; i < e->layout.n; i++) {
                const TraceLayoutField *f = e->layout.fields + i;
                _cleanup_free_ char *text = NULL;
                const uint8_t *bytes;
                uint64_t value;
                size_t n;

                if (f->common || !raw || !trace_field_bytes(f, raw, size, &bytes, &n))
                        continue;
                if (f->text)
                        text = utf8_line((const char *) bytes, n, TEXT_MAX);
                if (text)
                        json_writer_text(w, f->name, text);
                else if (!call_field_number(f, raw, size, &value))
                        continue;
                else if (f->is_signed)
                        json_writer_signed(w, f->name, (int64_t) value);
                else
                        json_writer_number(w, f->name, value);
        }
        json_writer_end(w, '}');
}

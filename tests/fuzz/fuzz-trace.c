/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as formats of tracepoints, and as the raw data of one of them: what is printed is a line without control
 * characters, and the columns that a word asks for are named and within their limit. A sample is a word of --sort up to
 * a line end, the number of the event, the size of the raw data, those, and the feature TRACING_DATA. */

#include <ctype.h>
#include <string.h>

#include "call-event.h"
#include "fuzz.h"
#include "record.h"
#include "trace-columns.h"
#include "trace-format.h"
#include "trace-layout.h"
#include "utf8.h"

#define WORD_MAX 64u

typedef struct Input {
        char word[WORD_MAX];
        uint8_t event, raw_size;
        const uint8_t *raw, *formats;
        size_t size; /* of formats */
} Input;

static bool split(Input *in, const uint8_t *data, size_t size) {
        const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
        size_t n = end ? (size_t) (end - data) : WORD_MAX;

        if (n >= WORD_MAX || size - n < 3)
                return false;
        memcpy(in->word, data, n);
        in->event = data[n + 1];
        in->raw_size = data[n + 2];
        in->raw = data + n + 3;
        in->size = size - n - 3;
        if (in->raw_size > in->size)
                return false;
        in->formats = in->raw + in->raw_size;
        in->size -= in->raw_size;
        return true;
}

static void check_line(const char *line) {
        for (const char *p = line; *p; p++)
                FUZZ_ASSERT((unsigned char) *p >= ' ' && *p != 0x7f);
}

/* The text of a format is any bytes, of which its caller makes a line. */
static void print_format(const Input *in, const uint8_t *raw) {
        _cleanup_(trace_format_freep) TraceFormat *format = NULL;
        _cleanup_(text_buffer_done) TextBuffer out = {};
        _cleanup_free_ char *line = NULL;

        if (trace_format_new(in->formats, in->size, in->event, &format) < 0 || !trace_format_print(format, raw, in->raw_size, &out) ||
            out.n == 0)
                return;
        line = utf8_line(out.data, out.n, 4 * out.n);
        FUZZ_ASSERT(line);
        check_line(line);
}

static void print_event(const TraceLayout *layout, const uint8_t *raw, size_t size) {
        const CallEvent event = { .name = (char *) "system:event", .layout = *layout };
        _cleanup_(text_buffer_done) TextBuffer out = {};
        JsonWriter w = { .out = &out };

        call_event_put(&out, &event, raw, size, NULL, NULL);
        json_writer_begin(&w, NULL, '{');
        call_event_put_json(&w, &event, raw, size);
        json_writer_end(&w, '}');
        text_buffer_putc(&out, '\0');
        check_line(out.data);
}

static void print_fields(const Input *in, const uint8_t *raw) {
        _cleanup_(trace_layout_done) TraceLayout layout = {};
        int r = trace_layout_init(&layout, in->formats, in->size, in->event);

        FUZZ_ASSERT(r == 0 || (r == -ENOENT && layout.n == 0));
        for (size_t i = 0; i < layout.n; i++) {
                const TraceLayoutField *f = layout.fields + i;
                _cleanup_(text_buffer_done) TextBuffer out = {};
                const uint8_t *bytes;
                size_t n;

                FUZZ_ASSERT(trace_layout_find(&layout, f->name));
                if (trace_field_bytes(f, raw, in->raw_size, &bytes, &n))
                        FUZZ_ASSERT(bytes >= raw && n <= in->raw_size && bytes + n <= raw + in->raw_size);
                trace_field_put(f, raw, in->raw_size, &out);
                text_buffer_putc(&out, '\0');
                check_line(out.data);
        }
        print_event(&layout, raw, in->raw_size);
}

/* Puts a stream of two events, whose formats are in it. */
static void put_stream(const Input *in, RecordBuffer *b) {
        const uint64_t header[] = { PERF_FILE_MAGIC, 2 * sizeof(uint64_t) };

        byte_buffer_put(b, header, sizeof(header));
        for (uint64_t id = 1; id <= 2; id++) {
                const struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = in->event + id - 1,
                                                      .sample_type = PERF_SAMPLE_RAW };

                FUZZ_ASSERT(record_put_attr(b, &attr, &id, 1) == 0);
                FUZZ_ASSERT(record_put_event_name(b, id, id == 1 ? "system:event" : "system:other") == 0);
        }
        FUZZ_ASSERT(record_put_tracing_data(b, in->formats, in->size) == 0);
}

static void find_columns(const Input *in) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordingInput input = {};
        const RecordingInputs inputs = { .inputs = &input, .n = 1 };
        TraceColumns columns = {};
        _cleanup_free_ size_t *found = NULL;
        size_t n = 0;
        int r;

        put_stream(in, &b);
        FUZZ_ASSERT(perf_data_reader_new_memory(b.data, b.size, &input.reader) == 0);
        r = trace_columns_find(&columns, in->word, &inputs, &found, &n);
        FUZZ_ASSERT(r == 0 || r == -ENOENT || r == -EINVAL || r == -ENOSPC);
        FUZZ_ASSERT(columns.n <= TRACE_COLUMNS_MAX);
        FUZZ_ASSERT(r == 0 ? n > 0 || startswith(in->word, "trace_fields") : n == 0); /* there may be events without fields */
        for (size_t i = 0; i < n; i++)
                FUZZ_ASSERT(found[i] < columns.n);
        for (size_t i = 0; i < columns.n; i++)
                FUZZ_ASSERT(columns.columns[i].event && *columns.columns[i].name);
        trace_columns_done(&columns);
        perf_data_reader_free(input.reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ uint8_t *raw = NULL;
        Input in = {};

        if (!split(&in, data, size))
                return 0;
        raw = malloc(in.raw_size > 0 ? in.raw_size : 1); /* so that a sanitizer sees what is read behind it */
        FUZZ_ASSERT(raw);
        if (in.raw_size > 0)
                memcpy(raw, in.raw, in.raw_size);
        print_format(&in, raw);
        print_fields(&in, raw);
        find_columns(&in);
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines of a format are "field:TYPE NAME[LENGTH]; offset:N; size:N; signed:N;"; those in front of the first empty line
 * are of fields that all tracepoints have. What cannot be a field is left out. */

#include "trace-layout.h"

#include <ctype.h>
#include <inttypes.h>

#include "trace-format.h"

#define FIELDS_MAX 128u
#define NAME_MAX_SIZE ((size_t) 256)
#define RAW_MAX    ((size_t) 1 << 16)

void trace_layout_done(TraceLayout *layout) {
        for (size_t i = 0; i < layout->n; i++)
                free(layout->fields[i].name);
        free(layout->fields);
        *layout = (TraceLayout) {};
}

static bool has_word(const char *line, const char *end, const char *word) {
        return memmem(line, (size_t) (end - line), word, strlen(word));
}

/* Takes the name in front of end, which may have a length in brackets. */
static char *layout_take_name(const char *line, const char *end) {
        const char *stop = end, *name;

        if (stop > line && stop[-1] == ']') {
                const char *bracket = memrchr(line, '[', (size_t) (stop - line));

                stop = bracket ?: line;
        }
        for (name = stop; name > line && (isalnum((unsigned char) name[-1]) || name[-1] == '_');)
                name--;
        return stop > name && (size_t) (stop - name) < NAME_MAX_SIZE ? strndup(name, (size_t) (stop - name)) : NULL;
}

/* Returns the number behind a word, in a line that ends at a zero byte. */
static bool layout_take_number(const char *line, const char *word, unsigned *ret) {
        const char *p = strstr(line, word);

        return p && sscanf(p + strlen(word), "%u", ret) == 1;
}

static int parse_line(TraceLayout *layout, const char *line, bool common) {
        const char *end = strchr(line, ';');
        TraceLayoutField f = { .common = common };
        unsigned is_signed = 0;

        if (!end || !layout_take_number(end, "offset:", &f.offset) || !layout_take_number(end, "size:", &f.size) ||
            f.offset > RAW_MAX || f.size > RAW_MAX || layout->n >= FIELDS_MAX)
                return 0;
        f.is_signed = layout_take_number(end, "signed:", &is_signed) && is_signed;
        f.relative = startswith(line, "__rel_loc");
        f.dynamic = f.relative || startswith(line, "__data_loc");
        f.array = f.dynamic || memchr(line, '[', (size_t) (end - line));
        f.text = f.array && (has_word(line, end, "char") || has_word(line, end, "u8") || has_word(line, end, "s8"));
        f.pointer = memchr(line, '*', (size_t) (end - line));
        f.thread = !f.array && !f.pointer && has_word(line, end, "pid_t");
        f.is_long = has_word(line, end, "long");
        f.name = layout_take_name(line, end);
        if (!f.name)
                return 0;
        if (ARRAY_RESERVE_NEXT(layout->fields, layout->n) < 0) {
                free(f.name);
                return -ENOMEM;
        }
        layout->fields[layout->n++] = f;
        return 0;
}

int trace_layout_init(TraceLayout *layout, const void *data, size_t size, uint64_t event) {
        const char *text = trace_format_find(data, size, event, &size);

        *layout = (TraceLayout) {};
        return text ? trace_layout_parse(layout, text, size) : -ENOENT;
}

int trace_layout_parse(TraceLayout *layout, const char *format, size_t size) {
        _cleanup_free_ char *copy = strndup(format, size);
        bool common = true;
        int r = 0;

        *layout = (TraceLayout) {};
        if (!copy)
                return -ENOMEM;
        for (char *line = copy, *next; r >= 0 && line && !startswith(line, "print fmt:"); line = next) {
                next = strchr(line, '\n');
                if (next)
                        *next++ = '\0';
                if (startswith(line, "\tfield:"))
                        r = parse_line(layout, line + strlen("\tfield:"), common);
                else if (!*line && layout->n > 0)
                        common = false;
        }
        return r;
}

const TraceLayoutField *trace_layout_find(const TraceLayout *layout, const char *name) {
        for (size_t i = 0; i < layout->n; i++)
                if (streq(layout->fields[i].name, name))
                        return layout->fields + i;
        return NULL;
}

bool trace_field_bytes(const TraceLayoutField *f, const void *raw, size_t size, const uint8_t **ret, size_t *ret_size) {
        size_t offset = f->offset, n = f->size;
        uint32_t location;

        if (offset > size || n > size - offset)
                return false;
        if (f->dynamic) {
                if (n != sizeof(location))
                        return false;
                memcpy(&location, (const uint8_t *) raw + offset, sizeof(location));
                offset = (location & UINT16_MAX) + (f->relative ? offset + n : 0);
                n = location >> 16;
                if (offset > size || n > size - offset)
                        return false;
        }
        *ret = (const uint8_t *) raw + offset;
        *ret_size = n;
        return true;
}

bool trace_field_number(const TraceLayoutField *f, const void *raw, size_t size, uint64_t *ret) {
        const uint8_t *bytes;
        size_t n;

        *ret = 0;
        if (!raw || !trace_field_bytes(f, raw, size, &bytes, &n) || n > sizeof(*ret))
                return false;
        memcpy(ret, bytes, n); /* the machine is little endian */
        return true;
}

static void put_array(const TraceLayoutField *f, const uint8_t *data, size_t n, TextBuffer *out) {
        size_t length = strnlen((const char *) data, n);

        if (f->text && !ANY_OF(length, i, !isprint(data[i]) && !isspace(data[i]))) {
                for (size_t i = 0; i < length; i++)
                        text_buffer_putc(out, isprint(data[i]) ? (char) data[i] : '?');
                return;
        }
        text_buffer_puts(out, "ARRAY[");
        for (size_t i = 0; i < n; i++)
                text_buffer_format(out, "%s%02x", i > 0 ? ", " : "", data[i]);
        text_buffer_putc(out, ']');
}

static int64_t extend_sign(uint64_t value, size_t bytes) {
        unsigned shift = (unsigned) (sizeof(value) - bytes) * 8;

        return (int64_t) (value << shift) >> shift;
}

static void layout_put_number(const TraceLayoutField *f, const uint8_t *data, size_t n, TextBuffer *out) {
        uint64_t value = 0;

        if (n != 1 && n != 2 && n != 4 && n != 8)
                n = 0; /* as the library has it */
        memcpy(&value, data, n); /* the machine is little endian */
        if (f->pointer)
                text_buffer_format(out, "0x%" PRIx64, value);
        else if (f->is_signed && n > 0 && !(f->is_long && n == 4))
                text_buffer_format(out, "%*" PRId64, n == 2 ? 2 : 1, extend_sign(value, n));
        else
                text_buffer_format(out, f->is_long ? "0x%" PRIx64 : "%" PRIu64, value);
}

void trace_field_put(const TraceLayoutField *f, const void *raw, size_t size, TextBuffer *out) {
        const uint8_t *data;
        size_t n;

        if (trace_field_bytes(f, raw, size, &data, &n))
                (f->array ? put_array : layout_put_number)(f, data, n, out);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The layout is that of trace.dat version 0.6 (trace-cmd.dat.v6(5)), as lib/machine/tracing-data.c writes it. Raw
 * data are copied to a place with room behind them: offsets of strings in them reach as far as 16 bits do, and the
 * library does not compare them with the size. */

#include "trace-library.h"

#include <stdio.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "trace-cursor.h"

#define RAW_MAX  ((size_t) 1 << 16)
#define RAW_ROOM (4 * RAW_MAX)

struct TraceLibrary {
        struct tep_handle *tep;
        struct trace_seq text;
        TraceResolver *resolver;
        void *userdata;
        uint8_t *raw;
};

/* Takes a text as a copy that ends in NUL. */
static char *library_take_text(TraceCursor *c, size_t width, size_t *ret_size) {
        const char *p = trace_cursor_text(c, width, ret_size);
        char *text = p ? malloc(*ret_size + 1) : NULL;

        if (!text)
                return NULL;
        memcpy(text, p, *ret_size);
        text[*ret_size] = '\0';
        return text;
}

static bool load_formats(TraceLibrary *l, TraceCursor *c, const char *system) {
        uint64_t n;

        if (!trace_cursor_number(c, sizeof(uint32_t), &n))
                return false;
        while (n-- > 0) {
                size_t size;
                _cleanup_free_ char *text = library_take_text(c, sizeof(uint64_t), &size);

                if (!text)
                        return false;
                (void) tep_parse_event(l->tep, text, size, system); /* one that it cannot parse is printed field by field */
        }
        return true;
}

static bool load_systems(TraceLibrary *l, TraceCursor *c) {
        uint64_t n;

        if (!trace_cursor_number(c, sizeof(uint32_t), &n))
                return false;
        while (n-- > 0) {
                const char *system = trace_cursor_name(c);

                if (!system || !load_formats(l, c, system))
                        return false;
        }
        return true;
}

/* "ADDRESS : "FORMAT"", a line each. */
static void load_print_formats(TraceLibrary *l, char *text) {
        char *rest, *line;

        for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                unsigned long long address;
                int n = 0;

                if (sscanf(line, "0x%llx : \"%n", &address, &n) == 1 && n > 0)
                        (void) tep_register_print_string(l->tep, line + n - 1, address);
        }
}

/* "PID NAME", a line each. */
static void load_names(TraceLibrary *l, char *text) {
        char *rest, *line;

        for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                int pid, n = 0;

                if (sscanf(line, "%d %n", &pid, &n) == 1 && n > 0)
                        (void) tep_register_comm(l->tep, line + n, pid);
        }
}

static bool load_header(TraceLibrary *l, TraceCursor *c) {
        static const char magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
        const char *begin = trace_cursor_take(c, sizeof(magic)), *name;
        uint64_t endian, long_size, page_size;
        size_t size;

        if (!begin || memcmp(begin, magic, sizeof(magic)) != 0 || !trace_cursor_name(c) || !trace_cursor_number(c, 1, &endian) ||
            !trace_cursor_number(c, 1, &long_size) || !trace_cursor_number(c, sizeof(uint32_t), &page_size))
                return false;
        tep_set_long_size(l->tep, (int) long_size);
        tep_set_page_size(l->tep, (int) page_size);
        tep_set_file_bigendian(l->tep, endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
        tep_set_local_bigendian(l->tep, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
        for (size_t i = 0; i < 2; i++) {
                _cleanup_free_ char *text = NULL;

                name = trace_cursor_name(c);
                text = name ? library_take_text(c, sizeof(uint64_t), &size) : NULL;
                if (!text)
                        return false;
                if (streq(name, "header_page"))
                        (void) tep_parse_header_page(l->tep, text, size, (int) long_size);
        }
        return true;
}

static int load(TraceLibrary *l, TraceCursor *c) {
        _cleanup_free_ char *symbols = NULL, *formats = NULL, *names = NULL;
        size_t size;

        if (!load_header(l, c) || !load_formats(l, c, "ftrace") || !load_systems(l, c))
                return -EBADMSG;
        symbols = library_take_text(c, sizeof(uint32_t), &size);
        formats = symbols ? library_take_text(c, sizeof(uint32_t), &size) : NULL;
        names = formats ? library_take_text(c, sizeof(uint64_t), &size) : NULL;
        if (formats)
                load_print_formats(l, formats);
        if (names)
                load_names(l, names);
        return 0;
}

static char *resolve(void *userdata, unsigned long long *address, char **module) {
        const TraceLibrary *l = userdata;
        uint64_t begin = *address;
        const char *name = l->resolver(l->userdata, &begin);

        *address = begin;
        *module = NULL;
        return (char *) name;
}

/* The library prints on standard error what it cannot parse. */
int tep_vprint(const char *name, enum tep_loglevel level, bool print_err, const char *format, va_list arguments);
int tep_vprint(const char *name, enum tep_loglevel level, bool print_err, const char *format, va_list arguments) {
        return 0;
}

int trace_library_new(const void *data, size_t size, TraceResolver *resolver, void *userdata, TraceLibrary **ret) {
        _cleanup_trace_library_free_ TraceLibrary *l = calloc(1, sizeof(*l));
        TraceCursor c = { .p = data, .left = size };
        int r;

        if (!l)
                return -ENOMEM;
        trace_seq_init(&l->text);
        l->resolver = resolver;
        l->userdata = userdata;
        l->raw = calloc(1, RAW_ROOM);
        l->tep = tep_alloc();
        r = l->raw && l->tep ? load(l, &c) : -ENOMEM;
        if (r < 0)
                return r;
        if (resolver && tep_set_function_resolver(l->tep, resolve, l) < 0)
                return -ENOMEM;
        *ret = steal_ptr(l);
        return 0;
}

TraceLibrary *trace_library_free(TraceLibrary *l) {
        if (!l)
                return NULL;
        if (l->tep)
                tep_free(l->tep);
        trace_seq_destroy(&l->text);
        free(l->raw);
        free(l);
        return NULL;
}

size_t trace_library_print(TraceLibrary *l, uint32_t cpu, const void *raw, size_t size, const char **ret) {
        struct tep_record record = { .cpu = (int) cpu, .size = (int) MIN_OF(size, RAW_MAX), .data = l->raw };

        memcpy(l->raw, raw, MIN_OF(size, RAW_MAX));
        if (size < RAW_MAX)
                memset(l->raw + size, 0, RAW_MAX - size);
        trace_seq_reset(&l->text);
        tep_print_event(l->tep, &l->text, &record, "%s", TEP_PRINT_INFO);
        trace_seq_terminate(&l->text);
        *ret = l->text.buffer;
        return l->text.len;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* TRACING_DATA: the text files of tracefs with the formats of a tracepoint's raw bytes, one after the other, each with
 * its size before it. The layout is that of trace.dat version 0.6 (trace-cmd.dat.v6(5)), as perf 6.1 writes it:
 * kallsyms always empty, formats of the events in use only. Systems are written in alphabetical order. */

#include "fd-file.h"
#include "format-text.h"
#include "strv.h"
#include "tracing-data.h"

#define TRACING_FILE_MAX ((size_t) 16 * 1024 * 1024)
#define TRACING_DATA_MAX ((size_t) 64 * 1024 * 1024)

static const uint8_t magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

static void put_name(ByteBuffer *b, const char *name) {
        byte_buffer_put(b, name, strlen(name) + 1);
}

/* Puts a file, and before it its size in size_width bytes. */
static int put_file(ByteBuffer *b, const char *tracefs, const char *name, size_t size_width) {
        _cleanup_free_ char *path = path_join(tracefs, name), *text = NULL;
        size_t size;
        int r = path ? read_file(path, TRACING_FILE_MAX, &text, &size) : -ENOMEM;

        if (r < 0)
                return r;
        if (b->size + size > TRACING_DATA_MAX)
                return -EFBIG;
        if (size_width == sizeof(uint32_t))
                byte_buffer_put_u32(b, (uint32_t) size);
        else
                byte_buffer_put_u64(b, size);
        byte_buffer_put(b, text, size);
        return b->error;
}

/* Does the same for a file that may be missing. */
static int put_optional_file(ByteBuffer *b, const char *tracefs, const char *name, size_t size_width) {
        static const uint64_t none = 0;
        int r = put_file(b, tracefs, name, size_width);

        if (r != -ENOENT && r != -EACCES)
                return r;
        byte_buffer_put(b, &none, size_width);
        return b->error;
}

static int put_headers(ByteBuffer *b, const char *tracefs) {
        int r;

        put_name(b, "header_page");
        r = put_file(b, tracefs, "events/header_page", sizeof(uint64_t));
        if (r < 0)
                return r;
        put_name(b, "header_event");
        return put_file(b, tracefs, "events/header_event", sizeof(uint64_t));
}

static bool same_system(const char *a, const char *b) {
        size_t n = strcspn(a, ":");

        return n == strcspn(b, ":") && memcmp(a, b, n) == 0;
}

/* The count and the formats of the events from here on that are of one system; moves *events behind them. */
static int put_system(ByteBuffer *b, const char *tracefs, char ***events) {
        char **first = *events;
        size_t count_at = b->size;
        uint32_t n = 0;

        byte_buffer_put_u32(b, 0);
        for (; **events && same_system(*first, **events); (*events)++) {
                const char *event = **events, *colon = strchr(event, ':');
                _cleanup_free_ char *name = format_text("events/%.*s/%s/format", (int) (colon - event), event, colon + 1);
                int r = name ? put_file(b, tracefs, name, sizeof(uint64_t)) : -ENOMEM;

                if (r < 0)
                        return r;
                n++;
        }
        byte_buffer_set_u32(b, count_at, n);
        return b->error;
}

/* ftrace's own events come first and without a name. */
static int put_ftrace(ByteBuffer *b, const char *tracefs, char **events) {
        for (; *events; events++)
                if (startswith(*events, "ftrace:"))
                        return put_system(b, tracefs, &events);
        byte_buffer_put_u32(b, 0);
        return b->error;
}

static int put_systems(ByteBuffer *b, const char *tracefs, char **events) {
        size_t count_at = b->size;
        uint32_t n = 0;
        int r = 0;

        byte_buffer_put_u32(b, 0);
        while (r == 0 && *events) {
                if (startswith(*events, "ftrace:")) {
                        events++;
                        continue;
                }
                byte_buffer_put(b, *events, strcspn(*events, ":"));
                put_name(b, "");
                r = put_system(b, tracefs, &events);
                n++;
        }
        byte_buffer_set_u32(b, count_at, n);
        return r < 0 ? r : b->error;
}

static bool valid_name(const char *name) {
        const char *colon = strchr(name, ':');

        return colon && colon != name && colon[1] != '\0' && !strchr(colon + 1, ':') && !strchr(name, '/') && name[0] != '.' &&
               colon[1] != '.';
}

/* By system, then by event, each once. */
static int sort_names(char *const *names, char ***ret) {
        _cleanup_strv_free_ char **sorted = NULL;
        size_t n = 0;

        STRV_FOREACH(name, names)
                if (!valid_name(*name))
                        return -EINVAL;
        sorted = strv_copy(names);
        if (!sorted)
                return strv_length(names) > 0 ? -ENOMEM : -EINVAL;
        strv_sort(sorted);
        for (size_t i = 0; sorted[i]; i++) {
                if (n > 0 && streq(sorted[n - 1], sorted[i])) {
                        free(sorted[i]);
                        continue;
                }
                sorted[n++] = sorted[i];
        }
        sorted[n] = NULL;
        *ret = steal_ptr(sorted);
        return 0;
}

int feature_table_add_tracing_data(FeatureTable *t, const char *tracefs, char *const *names) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_strv_free_ char **events = NULL;
        uint8_t sizes[2] = { __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, sizeof(long) };
        int r = sort_names(names, &events);

        if (r < 0)
                return r;
        byte_buffer_put(&b, magic, sizeof(magic));
        put_name(&b, "0.6");
        byte_buffer_put(&b, sizes, sizeof(sizes));
        byte_buffer_put_u32(&b, (uint32_t) sysconf(_SC_PAGESIZE));
        r = put_headers(&b, tracefs);
        if (r >= 0)
                r = put_ftrace(&b, tracefs, events);
        if (r >= 0)
                r = put_systems(&b, tracefs, events);
        if (r < 0)
                return r;
        byte_buffer_put_u32(&b, 0); /* kallsyms */
        r = put_optional_file(&b, tracefs, "printk_formats", sizeof(uint32_t));
        if (r >= 0)
                r = put_optional_file(&b, tracefs, "saved_cmdlines", sizeof(uint64_t));
        return r < 0 ? r : feature_table_take(t, PERF_FEATURE_TRACING_DATA, &b);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Formats that are compiled print what libtraceevent prints: those of all tracepoints of this kernel, with made-up data. */

#include <dirent.h>

#include "fd-file.h"
#include "feature.h"
#include "perfdata-test.h"
#include "skip.h"
#include "strv.h"
#include "trace-format.h"
#include "trace-layout.h"
#include "trace-library.h"
#include "tracing-data.h"
#include "utf8.h"

#define EVENTS "/sys/kernel/tracing/events"
#define RAW_SIZE ((size_t) 1024)
#define TEXT_SIZE 24u /* of each dynamic field */
#define ROUNDS 6u

const char *__lsan_default_suppressions(void);

/* The library loses a few bytes of formats that it does not understand. */
const char *__lsan_default_suppressions(void) {
        return "leak:tep_parse_event\n";
}

typedef struct Tracepoints {
        char **names;
        uint64_t ids[8192];
        size_t n;
} Tracepoints;

static void find_events(Tracepoints *t, const char *system) {
        _cleanup_free_ char *path = path_join(EVENTS, system);
        _cleanup_closedir_ DIR *dir = opendir(path);

        for (const struct dirent *d; dir && (d = readdir(dir));) {
                char id_path[512];
                _cleanup_free_ char *id = NULL;
                size_t size;

                (void) snprintf(id_path, sizeof(id_path), "%s/%s/id", path, d->d_name);
                if (d->d_name[0] == '.' || read_file(id_path, 32, &id, &size) < 0 || t->n == ELEMENTSOF(t->ids))
                        continue;
                t->ids[t->n++] = strtoull(id, NULL, 10);
                ck_assert_ok(strv_extendf(&t->names, "%s:%s", system, d->d_name));
        }
}

static void find_all(Tracepoints *t) {
        _cleanup_closedir_ DIR *dir = opendir(EVENTS);

        for (const struct dirent *d; dir && (d = readdir(dir));)
                if (d->d_name[0] != '.' && !streq(d->d_name, "ftrace"))
                        find_events(t, d->d_name);
}

static uint32_t next_number(uint32_t *seed) {
        return *seed = *seed * 1664525u + 1013904223u;
}

/* Fills raw data: numbers of all sizes, and texts where fields of characters are, or refer to. */
static size_t fill(uint8_t *raw, const TraceLayout *layout, uint64_t id, unsigned round, uint32_t *seed) {
        size_t end = 8, dynamic;

        for (size_t i = 0; i < layout->n; i++)
                end = MAX_OF(end, (size_t) layout->fields[i].offset + (layout->fields[i].dynamic ? 4 : layout->fields[i].size));
        end = (end + 7) & ~(size_t) 7;
        if (end + layout->n * TEXT_SIZE > RAW_SIZE)
                return 0;
        for (size_t i = 0; i < end; i++) /* small numbers in the first rounds */
                raw[i] = round < 2 && i % 4 != 0 ? 0 : (uint8_t) (next_number(seed) >> 24);
        memcpy(raw, &id, 2);
        dynamic = end;
        for (size_t i = 0; i < layout->n; i++) {
                const TraceLayoutField *f = layout->fields + i;
                uint8_t *text = f->dynamic ? raw + dynamic : raw + f->offset;
                size_t n = f->dynamic ? 8 + round * 2 : f->size;
                uint32_t place = (uint32_t) (n << 16 | (f->relative ? dynamic - f->offset - 4 : dynamic));

                if (f->dynamic) {
                        memcpy(raw + f->offset, &place, sizeof(place));
                        dynamic += TEXT_SIZE;
                }
                if (!f->dynamic && !f->text)
                        continue;
                for (size_t k = 0; k < n; k++)
                        text[k] = f->text ? (uint8_t) ('a' + next_number(seed) % 26) : (uint8_t) (next_number(seed) >> 24);
                if (f->text && n > 0)
                        text[n - 1] = 0;
        }
        return dynamic;
}

/* Returns the number of texts that were compared. */
static size_t compare(TraceLibrary *library, const void *data, size_t size, uint64_t id, const char *name) {
        _cleanup_(trace_format_freep) TraceFormat *format = NULL;
        _cleanup_(trace_layout_done) TraceLayout layout = {};
        uint32_t seed = (uint32_t) id;
        size_t n = 0;

        if (trace_format_new(data, size, id, &format) < 0)
                return 0;
        ck_assert_ok(trace_layout_init(&layout, data, size, id));
        for (unsigned round = 0; round < ROUNDS; round++) {
                _cleanup_(text_buffer_done) TextBuffer ours = {};
                _cleanup_free_ uint8_t *raw = calloc(1, RAW_SIZE);
                size_t raw_size = fill(raw, &layout, id, round, &seed), n_theirs;
                const char *theirs;

                if (raw_size == 0 || !trace_format_print(format, raw, raw_size, &ours))
                        continue;
                n_theirs = trace_library_print(library, 0, raw, raw_size, &theirs);
                text_buffer_putc(&ours, '\0');
                ck_assert_msg(ours.n == n_theirs + 1 && memcmp(ours.data, theirs, n_theirs) == 0, "%s:\n%s\n%.*s", name, ours.data,
                              (int) n_theirs, theirs);
                n++;
        }
        return n;
}

START_TEST(formats_of_this_kernel) {
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_trace_library_free_ TraceLibrary *library = NULL;
        static Tracepoints t;
        const void *data;
        size_t size, n = 0;

        find_all(&t);
        if (t.n == 0)
                SKIP("tracefs cannot be read");
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_add_tracing_data(features, "/sys/kernel/tracing", t.names));
        ck_assert(feature_table_get(features, PERF_FEATURE_TRACING_DATA, &data, &size));
        ck_assert_ok(trace_library_new(data, size, NULL, NULL, &library));
        for (size_t i = 0; i < t.n; i++)
                n += compare(library, data, size, t.ids[i], t.names[i]) > 0;
        ck_assert_uint_gt(n, 100);
        strv_free(t.names);
}
END_TEST

TEST_RUN("trace-agreement", formats_of_this_kernel);

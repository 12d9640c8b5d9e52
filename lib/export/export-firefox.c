/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The processed profile format of the Firefox Profiler, version 70 (docs-developer of github.com/firefox-devtools/profiler): tables
 * of stacks, frames and functions that all threads share, then each thread with its samples in the order of time. The format has
 * no events: a thread is there once for each event of which it has samples. What happened to the recording as a whole is on a
 * track of its own. */

#include "export-formats.h"

#include "array.h"
#include "format-text.h"
#include "json-writer.h"
#include "parse-time.h"
#include "timed-tables.h"

#define VERSION 70u

enum { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_GENERATED };

/* The table of texts begins with these. */
enum { TEXT_LOST, TEXT_THROTTLED, TEXT_UNTHROTTLED, TEXT_EXEC, TEXT_OFF_CPU, TEXT_DUMP, TEXT_FIRST_FUNCTION };

static const char *const mark_texts[TEXT_FIRST_FUNCTION] = { "Lost", "Throttled", "Unthrottled", "exec", "Off CPU", "Dump" };

/* A column of one value. */
static void put_constant(JsonWriter *w, const char *name, const char *value, size_t n) {
        json_writer_begin(w, name, '[');
        for (size_t i = 0; i < n; i++)
                json_writer_word(w, NULL, value);
        json_writer_end(w, ']');
}

#define PUT_COLUMN(w, name, i, n, put)                                                               \
        do {                                                                                         \
                json_writer_begin((w), (name), '[');                                                 \
                for (size_t i = 0, _n = (n); i < _n; i++)                                            \
                        put;                                                                         \
                json_writer_end((w), ']');                                                           \
        } while (false)

static void put_stack_table(const TimedTables *x, JsonWriter *w) {
        json_writer_begin(w, "stackTable", '{');
        PUT_COLUMN(w, "frame", i, x->n_nodes, json_writer_number(w, NULL, x->nodes[i].frame - 1));
        PUT_COLUMN(w, "prefixOffset", i, x->n_nodes,
                   json_writer_number(w, NULL, x->nodes[i].prefix > 0 ? i + 1 - x->nodes[i].prefix : 0));
        json_writer_number(w, "length", x->n_nodes);
        json_writer_end(w, '}');
}

static void put_frame_table(const TimedTables *x, JsonWriter *w) {
        static const unsigned categories[_FRAME_KIND_MAX] = {
                CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_USER, CATEGORY_GENERATED, CATEGORY_OTHER,
        };
        size_t n = x->frames.n;

        json_writer_begin(w, "frameTable", '{');
        put_constant(w, "address", "-1", n);
        put_constant(w, "lib", "-1", n);
        put_constant(w, "inlineDepth", "0", n);
        PUT_COLUMN(w, "category", i, n, json_writer_number(w, NULL, categories[x->frames.frames[i].kind]));
        put_constant(w, "subcategory", "0", n);
        PUT_COLUMN(w, "func", i, n, json_writer_number(w, NULL, i));
        put_constant(w, "nativeSymbol", "null", n);
        put_constant(w, "innerWindowID", "0", n);
        put_constant(w, "line", "null", n);
        put_constant(w, "column", "null", n);
        put_constant(w, "originalLocation", "null", n);
        json_writer_number(w, "length", n);
        json_writer_end(w, '}');
}

static void put_function_table(const TimedTables *x, JsonWriter *w) {
        size_t n = x->frames.n;

        json_writer_begin(w, "funcTable", '{');
        PUT_COLUMN(w, "name", i, n, json_writer_number(w, NULL, TEXT_FIRST_FUNCTION + i));
        put_constant(w, "isJS", "false", n);
        put_constant(w, "relevantForJS", "false", n);
        PUT_COLUMN(w, "resource", i, n,
                   json_writer_number(w, NULL, LOWER_BOUND(x->n_binaries, k, x->binaries[k] < x->frames.frames[i].binary)));
        put_constant(w, "source", "null", n);
        put_constant(w, "lineNumber", "null", n);
        put_constant(w, "columnNumber", "null", n);
        put_constant(w, "originalLocation", "null", n);
        json_writer_number(w, "length", n);
        json_writer_end(w, '}');
}

static void put_resource_table(const TimedTables *x, JsonWriter *w) {
        size_t n = x->n_binaries;

        json_writer_begin(w, "resourceTable", '{');
        PUT_COLUMN(w, "name", i, n, json_writer_number(w, NULL, TEXT_FIRST_FUNCTION + x->frames.n + i));
        put_constant(w, "host", "null", n);
        put_constant(w, "type", "1", n); /* a library */
        json_writer_number(w, "length", n);
        json_writer_end(w, '}');
}

static void firefox_put_texts(const TimedTables *x, JsonWriter *w) {
        json_writer_begin(w, "stringArray", '[');
        for (size_t i = 0; i < TEXT_FIRST_FUNCTION; i++)
                json_writer_text(w, NULL, mark_texts[i]);
        for (size_t i = 0; i < x->frames.n; i++)
                json_writer_text(w, NULL, frame_names_text(&x->frames, x->frames.frames[i].name));
        for (size_t i = 0; i < x->n_binaries; i++)
                json_writer_text(w, NULL, x->binaries[i] > 0 ? frame_names_text(&x->frames, x->binaries[i]) : "");
        json_writer_end(w, ']');
}

static void put_shared(const TimedTables *x, JsonWriter *w) {
        static const char *const symbols[] = { "libIndex", "address", "name", "functionSize" };

        json_writer_begin(w, "shared", '{');
        firefox_put_texts(x, w);
        put_stack_table(x, w);
        put_frame_table(x, w);
        put_function_table(x, w);
        put_resource_table(x, w);
        json_writer_begin(w, "nativeSymbols", '{');
        for (size_t i = 0; i < ELEMENTSOF(symbols); i++)
                put_constant(w, symbols[i], NULL, 0);
        json_writer_number(w, "length", 0);
        json_writer_end(w, '}');
        json_writer_end(w, '}');
}

/* Marks as they are shown: of two that a thread leaves a CPU by and comes to one by, one is made. */
typedef struct ShownMark {
        unsigned text;
        uint64_t begin, end; /* end 0: it is a moment */
        const TimelineMark *mark; /* with more to tell; NULL: it has nothing */
} ShownMark;

static unsigned text_of_mark(TimelineMarkKind kind) {
        switch (kind) {
        case TIMELINE_LOST:
                return TEXT_LOST;
        case TIMELINE_THROTTLED:
                return TEXT_THROTTLED;
        case TIMELINE_UNTHROTTLED:
                return TEXT_UNTHROTTLED;
        case TIMELINE_EXEC:
                return TEXT_EXEC;
        default:
                return TEXT_OFF_CPU;
        }
}

/* Appends to *shown, which has room for n more. */
static size_t show_marks(const TimelineMark *marks, size_t n, ShownMark *shown) {
        size_t n_shown = 0;

        for (size_t i = 0; i < n; i++) {
                const TimelineMark *m = marks + i;
                bool back = i + 1 < n && m->kind == TIMELINE_SWITCHED_OUT && m[1].kind == TIMELINE_SWITCHED_IN;

                if (m->kind == TIMELINE_SWITCHED_IN || (m->kind == TIMELINE_SWITCHED_OUT && !back))
                        continue;
                shown[n_shown++] = (ShownMark) {
                        .text = text_of_mark(m->kind), .begin = m->time, .end = back ? m[1].time : 0,
                        .mark = m->kind == TIMELINE_LOST || m->kind == TIMELINE_EXEC ? m : NULL,
                };
        }
        return n_shown;
}

static void put_mark_data(const TimedTables *x, JsonWriter *w, const ShownMark *m) {
        if (!m->mark) {
                json_writer_word(w, NULL, "null");
                return;
        }
        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "type", mark_texts[m->text]);
        if (m->text == TEXT_LOST)
                json_writer_number(w, "count", m->mark->value);
        else
                json_writer_text(w, "program", timeline_name(x->t, m->mark));
        json_writer_end(w, '}');
}

static void put_marks(const TimedTables *x, JsonWriter *w, const ShownMark *marks, size_t n) {
        json_writer_begin(w, "markers", '{');
        PUT_COLUMN(w, "data", i, n, put_mark_data(x, w, marks + i));
        PUT_COLUMN(w, "name", i, n, json_writer_number(w, NULL, marks[i].text));
        PUT_COLUMN(w, "startTime", i, n, json_writer_milliseconds(w, NULL, marks[i].begin - x->begin));
        json_writer_begin(w, "endTime", '[');
        for (size_t i = 0; i < n; i++)
                if (marks[i].end > 0)
                        json_writer_milliseconds(w, NULL, marks[i].end - x->begin);
                else
                        json_writer_word(w, NULL, "null");
        json_writer_end(w, ']');
        PUT_COLUMN(w, "phase", i, n, json_writer_number(w, NULL, marks[i].end > 0));
        put_constant(w, "category", "0", n);
        json_writer_number(w, "length", n);
        json_writer_end(w, '}');
}

static void begin_thread(JsonWriter *w, const char *name, const char *process, bool main, const char *pid, uint32_t tid) {
        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "processType", "default");
        json_writer_number(w, "processStartupTime", 0);
        json_writer_word(w, "processShutdownTime", "null");
        json_writer_number(w, "registerTime", 0);
        json_writer_word(w, "unregisterTime", "null");
        put_constant(w, "pausedRanges", NULL, 0);
        json_writer_text(w, "name", name);
        json_writer_boolean(w, "isMainThread", main);
        json_writer_text(w, "processName", process);
        json_writer_text(w, "pid", pid);
        json_writer_number(w, "tid", tid);
}

/* An event that counts time tells how much of it the processor spent. */
static void firefox_put_samples(const TimedTables *x, JsonWriter *w, const TimedThread *t, bool time) {
        const TimelineSample *s = x->t->samples;
        const uint32_t *o = x->order + t->first;

        json_writer_begin(w, "samples", '{');
        PUT_COLUMN(w, "stack", i, t->n, json_writer_number(w, NULL, x->stack_of[s[o[i]].row]));
        PUT_COLUMN(w, "time", i, t->n, json_writer_milliseconds(w, NULL, s[o[i]].time - x->begin));
        if (time)
                PUT_COLUMN(w, "threadCPUDelta", i, t->n, json_writer_number(w, NULL, s[o[i]].period / NSEC_PER_USEC));
        json_writer_word(w, "weight", "null");
        json_writer_text(w, "weightType", "samples");
        json_writer_number(w, "length", t->n);
        json_writer_end(w, '}');
}

static size_t firefox_count_events(const SampleEvent *events, size_t n) {
        size_t selected = 0;

        for (size_t i = 0; i < n; i++)
                selected += events[i].selected > 0;
        return selected;
}

static int firefox_put_thread(const TimedTables *x, JsonWriter *w, const TimedThread *t, const char *process) {
        const ProcessView *view = sample_table_view(x->c->table);
        const SampleRow *row = x->rows + t->row;
        const NamedThread *thread = view->threads + row->thread;
        const char *name = process_view_name(view, row->name);
        size_t n_events, n_marks = 0;
        const SampleEvent *events = sample_table_events(x->c->table, &n_events), *e = events + row->event;
        const TimelineMark *marks = timeline_marks(x->t, thread->pid, thread->tid, &n_marks);
        _cleanup_free_ ShownMark *shown = calloc(n_marks + 1, sizeof(*shown));
        _cleanup_free_ char *full = NULL, *pid = NULL;

        full = firefox_count_events(events, n_events) > 1 ? format_text("%s (%s)", name, e->name) : strdup(name);
        pid = x->hosts ? format_text("%s/%u", sample_table_host(x->c->table, row->host), thread->pid) :
                         format_text("%u", thread->pid);
        if (!shown || !full || !pid)
                return -ENOMEM;
        n_marks = t->is_first && !x->hosts ? show_marks(marks, n_marks, shown) : 0;
        begin_thread(w, full, process, thread->pid == thread->tid, pid, thread->tid);
        firefox_put_samples(x, w, t, startswith(e->name, "cpu-clock") || startswith(e->name, "task-clock"));
        put_marks(x, w, shown, n_marks);
        json_writer_end(w, '}');
        return 0;
}

static int put_threads(const TimedTables *x, JsonWriter *w) {
        const ProcessView *view = sample_table_view(x->c->table);
        const char *process = "";
        int r = 0;

        for (size_t i = 0; r >= 0 && i < x->n_threads; i++) {
                uint32_t row = x->threads[i].row;

                if (i == 0 || timed_tables_thread(x, row)->pid != timed_tables_thread(x, x->threads[i - 1].row)->pid ||
                    x->rows[row].host != x->rows[x->threads[i - 1].row].host)
                        process = process_view_name(view, x->rows[row].name);
                r = firefox_put_thread(x, w, x->threads + i, process);
        }
        return r;
}

/* The track of the recording itself. */
static int put_recording(const TimedTables *x, JsonWriter *w) {
        const TimedThread none = {};
        size_t n, n_shown;
        const TimelineMark *marks = timeline_marks(x->t, TIMELINE_NO_THREAD, TIMELINE_NO_THREAD, &n);
        _cleanup_free_ ShownMark *shown = calloc(n + x->c->n_triggers + 1, sizeof(*shown));

        if (!shown)
                return -ENOMEM;
        n_shown = show_marks(marks, n, shown);
        for (size_t i = 0; x->t->axis.wall && i < x->c->n_triggers; i++) {
                uint64_t time = x->c->triggers[i] * NSEC_PER_USEC;

                if (time >= x->begin && time > 0)
                        shown[n_shown++] = (ShownMark) { .text = TEXT_DUMP, .begin = time };
        }
        if (n_shown == 0)
                return 0;
        begin_thread(w, "Recording", "Recording", true, "recording", 0);
        firefox_put_samples(x, w, &none, false);
        put_marks(x, w, shown, n_shown);
        json_writer_end(w, '}');
        return 0;
}

static void put_category(JsonWriter *w, const char *name, const char *color) {
        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "name", name);
        json_writer_text(w, "color", color);
        json_writer_begin(w, "subcategories", '[');
        json_writer_text(w, NULL, "Other");
        json_writer_end(w, ']');
        json_writer_end(w, '}');
}

static void put_schema(JsonWriter *w, const char *name, const char *label, const char *key, const char *field, const char *format) {
        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "name", name);
        json_writer_text(w, "tooltipLabel", label);
        json_writer_text(w, "tableLabel", label);
        json_writer_begin(w, "display", '[');
        json_writer_text(w, NULL, "marker-chart");
        json_writer_text(w, NULL, "marker-table");
        json_writer_text(w, NULL, "timeline-overview");
        json_writer_end(w, ']');
        json_writer_begin(w, "fields", '[');
        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "key", key);
        json_writer_text(w, "label", field);
        json_writer_text(w, "format", format);
        json_writer_end(w, '}');
        json_writer_end(w, ']');
        json_writer_end(w, '}');
}

static void put_more(const TimedTables *x, JsonWriter *w) {
        json_writer_begin(w, "extra", '[');
        if (x->c->loss) {
                json_writer_begin(w, NULL, '{');
                json_writer_text(w, "label", "Recording");
                json_writer_begin(w, "entries", '[');
                json_writer_begin(w, NULL, '{');
                json_writer_text(w, "label", "Loss");
                json_writer_text(w, "format", "string");
                json_writer_text(w, "value", x->c->loss);
                json_writer_end(w, '}');
                json_writer_end(w, ']');
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}

static void put_meta(const TimedTables *x, JsonWriter *w) {
        json_writer_begin(w, "meta", '{');
        json_writer_number(w, "version", 24);
        json_writer_number(w, "preprocessedProfileVersion", VERSION);
        json_writer_text(w, "product", x->c->title);
        json_writer_text(w, "importedFrom", "perf-recorder");
        json_writer_milliseconds(w, "interval", x->c->interval);
        json_writer_milliseconds(w, "startTime", x->t->axis.wall ? x->begin : 0);
        json_writer_number(w, "stackwalk", 1);
        json_writer_number(w, "processType", 0);
        json_writer_boolean(w, "symbolicated", true);
        json_writer_boolean(w, "symbolicationNotSupported", true);
        json_writer_boolean(w, "usesOnlyOneStackType", true);
        json_writer_boolean(w, "sourceCodeIsNotOnSearchfox", true);
        json_writer_begin(w, "sampleUnits", '{');
        json_writer_text(w, "time", "ms");
        json_writer_text(w, "eventDelay", "ms");
        json_writer_text(w, "threadCPUDelta", "µs");
        json_writer_end(w, '}');
        json_writer_begin(w, "categories", '[');
        put_category(w, "Other", "grey");
        put_category(w, "User", "yellow");
        put_category(w, "Kernel", "orange");
        put_category(w, "JIT", "green");
        json_writer_end(w, ']');
        json_writer_begin(w, "markerSchema", '[');
        put_schema(w, mark_texts[TEXT_LOST], "{marker.data.count} records lost", "count", "Records", "integer");
        put_schema(w, mark_texts[TEXT_EXEC], "exec of {marker.data.program}", "program", "Program", "string");
        json_writer_end(w, ']');
        put_more(x, w);
        json_writer_end(w, '}');
}

void export_put_firefox(const ExportedSamples *c, TextBuffer *out) {
        JsonWriter writer = { .out = out }, *w = &writer;
        TimedTables tables, *x = &tables;
        int r = timed_tables_init(x, c);

        if (r >= 0) {
                json_writer_begin(w, NULL, '{');
                put_meta(x, w);
                put_constant(w, "libs", NULL, 0);
                put_shared(x, w);
                json_writer_begin(w, "threads", '[');
                r = put_recording(x, w);
                if (r >= 0)
                        r = put_threads(x, w);
                json_writer_end(w, ']');
                json_writer_end(w, '}');
        }
        if (r < 0)
                out->error = r;
        timed_tables_done(x);
}

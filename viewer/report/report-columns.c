/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf measures its columns by all entries, those that are not shown too, and by the last name of an entry's thread: a name that
 * is longer is cut. */

#include "report-columns.h"

#include <inttypes.h>
#include <limits.h>

#include "array.h"
#include "facet-columns.h"
#include "parse-time.h"
#include "share-color.h"
#include "share-interval.h"
#include "strv.h"
#include "trace-labels.h"
#include "utf8.h"

#define ADDRESS_WIDTH 16u /* digits of an address, and the least width of the binary's column if there is one */
#define NO_SYMBOL "(no symbol)"
#define LEVEL_WIDTH 4u    /* "[k] " */
#define PID_WIDTH 8u      /* "   1234:" */
#define INTERVAL_WIDTH 16u /* " [11.20-13.50%]" and one more digit */

static const char *const titles[_REPORT_FIELD_MAX] = {
        [REPORT_FIELD_CHILDREN] = "Children",
        [REPORT_FIELD_OVERHEAD] = "Overhead",
        [REPORT_FIELD_SYSTEM] = "sys",
        [REPORT_FIELD_USER] = "usr",
        [REPORT_FIELD_LATENCY] = "Latency",
        [REPORT_FIELD_SAMPLES] = "Samples",
        [REPORT_FIELD_PERIOD] = "Period",
        [REPORT_FIELD_KEYS + REPORT_COMM] = "Command",
        [REPORT_FIELD_KEYS + REPORT_PID] = "    Pid:Command",
        [REPORT_FIELD_KEYS + REPORT_DSO] = "Shared Object",
        [REPORT_FIELD_KEYS + REPORT_SYMBOL] = "Symbol",
        [REPORT_FIELD_KEYS + REPORT_CPU] = "CPU",
        [REPORT_FIELD_KEYS + REPORT_TIME] = "Time",
        [REPORT_FIELD_KEYS + REPORT_CGROUP] = "Cgroup",
        [REPORT_FIELD_KEYS + REPORT_UNIT] = "Unit",
        [REPORT_FIELD_KEYS + REPORT_CONTAINER] = "Container",
        [REPORT_FIELD_KEYS + REPORT_HOST] = "Host",
        [REPORT_FIELD_KEYS + REPORT_PARALLELISM] = "Parallelism",
        [REPORT_FIELD_KEYS + REPORT_SOURCE_LINE] = "Source:Line",
        [REPORT_FIELD_KEYS + REPORT_SOURCE_FILE] = "Source File",
        [REPORT_FIELD_KEYS + REPORT_TRACE] = "Trace output",
        [REPORT_FIELD_KEYS + REPORT_PARENT] = "Parent symbol",
};

/* NULL: it is no column of facets. */
static const FacetColumn *facet_of_field(ReportField field) {
        return field >= REPORT_FIELD_KEYS && field < _REPORT_FIELD_MAX ? facet_column((ReportKey) (field - REPORT_FIELD_KEYS)) :
                NULL;
}

static const char *title_of(ReportField field) {
        const FacetColumn *facet = facet_of_field(field);

        return facet ? facet->title : titles[field];
}

static void columns_add(ReportField *fields, size_t *n, ReportField field) {
        for (size_t i = 0; i < *n; i++)
                if (fields[i] == field)
                        return;
        fields[(*n)++] = field;
}

/* Returns the values of a key that are wanted; NULL: all. */
static char *const *wanted_values(const ReportOptions *options, ReportField field) {
        switch ((int) field) {
        case REPORT_FIELD_KEYS + REPORT_COMM:
                return options->select.comms;
        case REPORT_FIELD_KEYS + REPORT_DSO:
                return options->select.dsos;
        case REPORT_FIELD_KEYS + REPORT_SYMBOL:
                return options->select.symbols;
        default:
                return NULL;
        }
}

static const TraceColumn *trace_column(const ReportColumns *c, ReportField field) {
        return c->traces->columns + (field - REPORT_FIELD_TRACES);
}

void report_columns_choose_event(ReportColumns *c, const char *event) {
        size_t n = 0;

        for (size_t i = 0; i < c->n_shown; i++)
                if (!report_field_is_trace(c->shown[i]) || streq(trace_column(c, c->shown[i])->event, event))
                        c->shown[n++] = c->shown[i];
        c->n_shown = n;
}

/* named: latency is among the keys, and then stands for all shares. */
static void columns_add_numbers(ReportColumns *c, const ReportOptions *options, bool children, bool named) {
        if (!named && options->look.latency_first)
                columns_add(c->sorted, &c->n_sorted, REPORT_FIELD_LATENCY);
        if (!named && children)
                columns_add(c->sorted, &c->n_sorted, REPORT_FIELD_CHILDREN);
        if (!named)
                columns_add(c->sorted, &c->n_sorted, REPORT_FIELD_OVERHEAD);
        if (!named && options->look.latency)
                columns_add(c->sorted, &c->n_sorted, REPORT_FIELD_LATENCY);
        memcpy(c->shown, c->sorted, sizeof(c->shown));
        c->n_shown = c->n_sorted;
        if (options->look.modes) {
                columns_add(c->shown, &c->n_shown, REPORT_FIELD_SYSTEM);
                columns_add(c->shown, &c->n_shown, REPORT_FIELD_USER);
        }
        if (options->look.samples)
                columns_add(c->shown, &c->n_shown, REPORT_FIELD_SAMPLES);
        if (options->look.period)
                columns_add(c->shown, &c->n_shown, REPORT_FIELD_PERIOD);
}

/* Every column sorts, and every key that sorts is a column. */
uint64_t report_columns_choose(ReportColumns *c, const ReportOptions *options, bool children) {
        static const ReportField keys[] = {
                REPORT_FIELD_KEYS + REPORT_COMM, REPORT_FIELD_KEYS + REPORT_DSO, REPORT_FIELD_KEYS + REPORT_SYMBOL,
        };
        const ReportWords *words = &options->words;
        bool added = words->n_fields == 0 || words->fields_added, by_default = words->n_keys == 0 && added && !words->sort;
        const ReportField *sorted = by_default ? keys : options->words.keys;
        size_t n = by_default ? ELEMENTSOF(keys) : options->words.n_keys;
        uint64_t bits = 0;

        *c = (ReportColumns) { .separator = options->look.separator, .colors = options->look.colors && !options->look.separator,
                               .nanoseconds = options->look.nanoseconds, .sort_member = options->group_sort, .chosen = !added,
                               .clock = options->look.columns > 0 && options->found.has_clock ? &options->found.clock : NULL,
                               .whole_seconds = options->counting.slice % NSEC_PER_SEC == 0,
                               .traces = &options->words.traces };
        if (added)
                columns_add_numbers(c, options, children, ANY_OF(n, i, sorted[i] == REPORT_FIELD_LATENCY));
        for (size_t i = 0; i < n; i++)
                columns_add(c->sorted, &c->n_sorted, sorted[i]);
        for (size_t i = 0; i < options->words.n_fields; i++) {
                columns_add(c->shown, &c->n_shown, options->words.fields[i]);
                columns_add(c->sorted, &c->n_sorted, options->words.fields[i]);
        }
        for (size_t i = 0; i < n; i++)
                columns_add(c->shown, &c->n_shown, sorted[i]);
        for (size_t i = 0; i < c->n_shown; i++)
                if (c->shown[i] >= REPORT_FIELD_KEYS)
                        bits |= REPORT_KEY(report_field_is_trace(c->shown[i]) ? REPORT_TRACE : c->shown[i] - REPORT_FIELD_KEYS);
        return bits;
}

/* Samples are selected by the code that they hit, so their callers have other values. */
static bool has_one_value(const ReportOptions *options, bool callers, ReportField field) {
        return strv_length(wanted_values(options, field)) == 1 && (!callers || field == REPORT_FIELD_KEYS + REPORT_COMM);
}

void report_columns_leave_out(ReportColumns *c, const ReportOptions *options, bool callers) {
        size_t n = 0;

        if (!ANY_OF(c->n_shown, i, c->shown[i] >= REPORT_FIELD_KEYS && !has_one_value(options, callers, c->shown[i])))
                return;
        for (size_t i = 0; i < c->n_shown; i++)
                if (!has_one_value(options, callers, c->shown[i]))
                        c->shown[n++] = c->shown[i];
        c->n_shown = n;
}

void report_columns_print_left_out(const ReportOptions *options, bool callers, FILE *f) {
        static const char *const words[_REPORT_KEY_MAX] = {
                [REPORT_COMM] = "comm", [REPORT_DSO] = "dso", [REPORT_SYMBOL] = "symbol",
        };
        ReportColumns c;

        (void) report_columns_choose(&c, options, true);
        for (size_t i = 0; i < c.n_shown; i++)
                if (has_one_value(options, callers, c.shown[i]))
                        (void) fprintf(f, "# %s: %s\n", words[c.shown[i] - REPORT_FIELD_KEYS],
                                       wanted_values(options, c.shown[i])[0]);
}

static const NamedThread *entry_thread(const ReportColumns *c, const ReportEntry *e) {
        return sample_table_view(c->report->table)->threads + e->thread;
}

static const char *thread_text(const ReportColumns *c, uint32_t name) {
        return name > 0 ? process_view_name(sample_table_view(c->report->table), name) : "";
}

static const char *entry_symbol(const ReportColumns *c, const ReportEntry *e) {
        return c->report->names->symbols[e->symbol].name; /* NULL: none */
}

/* A group that was not recorded is "N/A", one whose name was not is "unknown", as in perf; "" is in no container. */
static const char *group_text(const ReportColumns *c, ReportKey key, const ReportEntry *e) {
        const CgroupNames *cgroups = sample_table_cgroups(c->report->table);

        switch ((int) key) {
        case REPORT_CGROUP:
                return e->row.cgroup == 0 ? "N/A" :
                        cgroup_names_text(cgroups, cgroups->groups[e->row.cgroup - 1].path) ?: "unknown";
        case REPORT_UNIT:
                return cgroup_names_text(cgroups, e->row.unit) ?: "N/A";
        case REPORT_CONTAINER:
                return cgroup_names_text(cgroups, e->row.container) ?: "";
        case REPORT_HOST:
                return e->row.host > 0 ? sample_table_host(c->report->table, e->row.host) : "";
        default:
                return NULL;
        }
}

static const char *trace_text(const ReportColumns *c, const ReportEntry *e) {
        return sample_table_label(c->report->table, e->row.label, 0) ?: "N/A";
}

const char *report_columns_trace(const ReportColumns *c, ReportField field, const ReportEntry *e) {
        return sample_table_label(c->report->table, e->row.label, trace_label_shown(field - REPORT_FIELD_TRACES)) ?: "";
}

static const char *source_text(const ReportColumns *c, uint32_t text) {
        return text > 0 ? place_names_text(c->report->names, text) : "";
}

const char *report_columns_text(const ReportColumns *c, ReportKey key, const ReportEntry *e) {
        switch (key) {
        case REPORT_COMM:
                return thread_text(c, e->row.name);
        case REPORT_DSO:
                return place_names_text(c->report->names, e->dso);
        case REPORT_SYMBOL:
                return entry_symbol(c, e);
        case REPORT_SOURCE_LINE:
                return source_text(c, e->line);
        case REPORT_SOURCE_FILE:
                return source_text(c, e->file);
        case REPORT_TRACE:
                return trace_text(c, e);
        case REPORT_PARENT:
                return c->report->names->symbols[e->row.parent].name ?: "[other]"; /* NULL: it has none */
        default:
                return group_text(c, key, e);
        }
}

static void widen(ReportColumns *c, ReportKey key, size_t width) {
        c->widths[REPORT_FIELD_KEYS + key] = MAX_OF(c->widths[REPORT_FIELD_KEYS + key], width);
}

/* The end of a string counts, too. */
static void widen_trace_field(ReportColumns *c, ReportField field, const ReportEntry *e) {
        size_t n = strlen(report_columns_trace(c, field, e)) + trace_column(c, field)->dynamic;

        c->widths[field] = MAX_OF(c->widths[field], n);
}

static void measure_entry(ReportColumns *c, const ReportEntry *e) {
        const char *symbol = entry_symbol(c, e);
        size_t comm = strlen(thread_text(c, entry_thread(c, e)->name));

        widen(c, REPORT_COMM, comm);
        widen(c, REPORT_PID, comm + PID_WIDTH);
        if (e->mapped && e->dso > 0)
                widen(c, REPORT_DSO, strlen(place_names_text(c->report->names, e->dso)));
        widen(c, REPORT_SYMBOL, symbol ? strlen(symbol) + LEVEL_WIDTH : ADDRESS_WIDTH + 2 + LEVEL_WIDTH);
        widen(c, REPORT_SOURCE_LINE, strlen(source_text(c, e->line)));
        widen(c, REPORT_SOURCE_FILE, strlen(source_text(c, e->file)));
        widen(c, REPORT_TRACE, strlen(trace_text(c, e)));
        widen(c, REPORT_PARENT, strlen(report_columns_text(c, REPORT_PARENT, e)));
        if (!e->named && !c->separator)
                widen(c, REPORT_DSO, ADDRESS_WIDTH);
        for (ReportKey key = REPORT_CGROUP; key <= REPORT_HOST; key++)
                if (c->report->plan.keys & REPORT_KEY(key))
                        widen(c, key, strlen(group_text(c, key, e)));
        for (size_t i = 0; i < c->n_shown; i++)
                if (report_field_is_trace(c->shown[i]))
                        widen_trace_field(c, c->shown[i], e);
                else if (facet_of_field(c->shown[i]))
                        widen(c, (ReportKey) (c->shown[i] - REPORT_FIELD_KEYS),
                              facet_column_width(c->report, (ReportKey) (c->shown[i] - REPORT_FIELD_KEYS), e, !c->separator));
}

static bool is_share(ReportField field) {
        return field < REPORT_FIELD_SAMPLES;
}

static void measure_numbers(ReportColumns *c) {
        for (size_t i = 0; i < REPORT_FIELD_KEYS; i++) {
                c->cells[i] = !is_share((ReportField) i) ? 12 : 8 + (c->samples > 0 ? INTERVAL_WIDTH : 0);
                c->widths[i] = c->n_members * c->cells[i];
        }
}

void report_columns_measure(ReportColumns *c, const Report *report, const ReportMember *members) {
        c->report = report;
        c->members = members;
        c->n_members = report->n_others + 1;
        c->total = members->total;
        c->samples = members->samples;
        for (int i = 0; i < _REPORT_FIELD_MAX; i++)
                c->widths[i] = MAX_OF(strlen(title_of((ReportField) i)), facet_of_field((ReportField) i) ?
                                      facet_of_field((ReportField) i)->least : 0u);
        for (size_t i = 0; i < c->traces->n; i++)
                c->widths[REPORT_FIELD_TRACES + i] = MAX_OF(c->traces->columns[i].width, strlen(c->traces->columns[i].name));
        measure_numbers(c);
        c->widths[REPORT_FIELD_KEYS + REPORT_TIME] = c->nanoseconds ? 16 : 12;
        for (size_t i = 0; i < report->n; i++)
                if (report_entry_is_wanted(report, report->entries + i))
                        measure_entry(c, report->entries + i);
}

void report_columns_set_widths(ReportColumns *c, const unsigned *widths, size_t n) {
        for (size_t i = 0; i < n && i < c->n_shown; i++) {
                ReportField field = c->shown[i];

                if (widths[i] == 0)
                        continue;
                c->widths[field] = c->n_members > 1 && field < REPORT_FIELD_KEYS ? MAX_OF(widths[i], c->widths[field]) : widths[i];
                if (field < REPORT_FIELD_KEYS)
                        c->cells[field] = widths[i];
        }
}

uint64_t report_columns_number(const ReportColumns *c, ReportField field, const ReportEntry *e, size_t member) {
        ReportWeight w = report_entry_weight(c->report, e, member);

        switch (field) {
        case REPORT_FIELD_CHILDREN:
                return w.children_period;
        case REPORT_FIELD_SYSTEM:
                return w.kernel_period;
        case REPORT_FIELD_USER:
                return w.user_period;
        case REPORT_FIELD_LATENCY:
                return w.latency;
        case REPORT_FIELD_SAMPLES:
                return w.count;
        default:
                return w.period;
        }
}

static void columns_print_separator(const ReportColumns *c, FILE *f) {
        if (c->separator)
                (void) fputc(c->separator, f);
        else
                (void) fputs("  ", f);
}

static const char *column_title(const ReportColumns *c, ReportField field) {
        if (report_field_is_trace(field))
                return trace_column(c, field)->name;
        return field == REPORT_FIELD_OVERHEAD && c->report->plan.children && !c->chosen ? "Self" : title_of(field);
}

void report_columns_print_header(const ReportColumns *c, FILE *f) {
        (void) fputs("# ", f);
        for (size_t i = 0; i < c->n_shown; i++) {
                int width = (int) c->widths[c->shown[i]];

                if (i > 0)
                        columns_print_separator(c, f);
                (void) fprintf(f, "%*.*s", c->shown[i] < REPORT_FIELD_KEYS || report_field_is_trace(c->shown[i]) ? width : -width,
                               c->shown[i] < REPORT_FIELD_KEYS ? -1 : width, column_title(c, c->shown[i]));
        }
        (void) fputc('\n', f);
        if (c->separator)
                return;
        (void) fputs("# ", f);
        for (size_t i = 0; i < c->n_shown; i++) {
                (void) fputs(i > 0 ? "  " : "", f);
                for (size_t k = 0; k < c->widths[c->shown[i]]; k++)
                        (void) fputc('.', f);
        }
        (void) fputs("\n#\n", f);
}

/* Writes a text, of at most max bytes and without a part of a character, with another character where it has the
 * separator. Returns the bytes. */
static size_t columns_print_text(const ReportColumns *c, const char *text, size_t max, FILE *f) {
        size_t n = (size_t) utf8_prefix(text, (int) MIN_OF(max, (size_t) INT_MAX));

        if (!c->separator)
                return fwrite(text, 1, n, f);
        for (size_t i = 0; i < n; i++)
                (void) fputc(text[i] == c->separator ? '.' : text[i], f);
        return n;
}

static size_t printed(int n) {
        return n > 0 ? (size_t) n : 0;
}

/* Returns what is left of a width. */
static int width_but(size_t width, size_t other) {
        return width > other ? (int) (width - other) : 1;
}

static size_t print_share(const ReportColumns *c, const ReportMember *m, ReportField field, uint64_t period, FILE *f) {
        uint64_t total = field == REPORT_FIELD_LATENCY ? m->latency : m->total;
        double share = total > 0 ? 100.0 * (double) period / (double) total : 0.0;
        size_t other = 2 + (c->samples > 0 ? INTERVAL_WIDTH : 0), n;
        ShareInterval interval;
        char text[64];

        n = share_print(share, c->colors, f, " ", c->separator ? 1 : width_but(c->cells[field], other));
        if (c->samples <= 0)
                return n;
        interval = share_interval(share / 100, m->samples);
        (void) snprintf(text, sizeof(text), "[%.2f-%.2f%%]", 100 * interval.from, 100 * interval.to);
        return n + printed(fprintf(f, " %*s", c->separator ? 1 : (int) INTERVAL_WIDTH - 1, text));
}

static size_t print_symbol(const ReportColumns *c, const ReportEntry *e, size_t width, FILE *f) {
        const char *symbol = entry_symbol(c, e);
        size_t n = printed(fprintf(f, "[%c] ", e->level));

        if (symbol || c->report->plan.unnamed_as_one)
                return n + columns_print_text(c, symbol ?: NO_SYMBOL, width > n ? width - n : 0, f);
        return n + printed(fprintf(f, "%#.16" PRIx64, e->ip));
}

static size_t print_thread(const ReportColumns *c, const ReportEntry *e, size_t width, FILE *f) {
        size_t n = printed(fprintf(f, "%7d:", (int) e->row.tid));

        return n + columns_print_text(c, thread_text(c, entry_thread(c, e)->name), width > PID_WIDTH ? width - PID_WIDTH : 0, f);
}

/* "10:53:18.100" */
static size_t print_time_of_day(const ReportColumns *c, uint64_t wall, FILE *f) {
        time_t seconds = (time_t) (wall / NSEC_PER_SEC);
        char text[16] = "";
        struct tm tm;

        if (localtime_r(&seconds, &tm))
                (void) strftime(text, sizeof(text), "%H:%M:%S", &tm);
        if (c->nanoseconds)
                return printed(fprintf(f, "%s.%09" PRIu64, text, wall % NSEC_PER_SEC));
        return printed(c->whole_seconds ? fputs(text, f) : fprintf(f, "%s.%03" PRIu64, text, wall % NSEC_PER_SEC / NSEC_PER_MSEC));
}

static size_t columns_print_time(const ReportColumns *c, const ReportEntry *e, FILE *f) {
        uint64_t time = e->row.time;

        if (c->clock)
                return print_time_of_day(c, wall_clock_from_time(c->clock, time), f);
        if (c->nanoseconds)
                return printed(fprintf(f, "%" PRIu64 ".%09" PRIu64, time / NSEC_PER_SEC, time % NSEC_PER_SEC));
        return printed(fprintf(f, "%" PRIu64 ".%06" PRIu64, time / NSEC_PER_SEC, time % NSEC_PER_SEC / NSEC_PER_USEC));
}

static size_t print_facet(const ReportColumns *c, ReportKey key, const ReportEntry *e, size_t width, FILE *f) {
        _cleanup_(text_buffer_done) TextBuffer text = {};
        size_t n = 0;

        facet_column_put(c->report, key, e, width, &text);
        text_buffer_putc(&text, '\0');
        if (text.error < 0)
                return 0;
        if (facet_column(key)->right && text.n <= width)
                n = printed(fprintf(f, "%*s", (int) (width - text.n + 1), ""));
        return n + columns_print_text(c, text.data, SIZE_MAX, f);
}

static size_t print_key(const ReportColumns *c, ReportKey key, const ReportEntry *e, size_t width, FILE *f) {
        switch (key) {
        case REPORT_PID:
                return print_thread(c, e, width, f);
        case REPORT_SYMBOL:
                return print_symbol(c, e, width, f);
        case REPORT_CPU:
                return printed(fprintf(f, "%*.*d", (int) width, (int) width, (int) e->row.cpu));
        case REPORT_TIME:
                return columns_print_time(c, e, f);
        case REPORT_PARALLELISM:
                return printed(fprintf(f, "%*" PRIu32, (int) width, e->row.parallelism));
        default:
                return facet_column(key) ? print_facet(c, key, e, width, f) :
                        columns_print_text(c, report_columns_text(c, key, e) ?: "", width, f);
        }
}

/* In all of a field, as in perf. */
static size_t print_replaced(const ReportColumns *c, ReportKey key, const ReportEntry *e, size_t width, FILE *f) {
        _cleanup_free_ char *text = NULL;
        size_t size, n = 0;
        FILE *all = open_memstream(&text, &size);

        if (!all)
                return 0;
        (void) print_key(c, key, e, width, all);
        if (fclose(all) == 0)
                n = columns_print_text(c, text, SIZE_MAX, f);
        return n;
}

static size_t print_trace_field(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f) {
        const char *text = report_columns_trace(c, field, e);
        size_t width = c->widths[field], n = MIN_OF(strlen(text), width);

        return printed(fprintf(f, "%*s", (int) (width - n), "")) + columns_print_text(c, text, n, f);
}

static size_t print_field(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f) {
        size_t width = c->widths[field], n = 0;

        if (report_field_is_trace(field))
                return print_trace_field(c, field, e, f);
        if (field >= REPORT_FIELD_KEYS)
                return (c->separator ? print_replaced : print_key)(c, (ReportKey) (field - REPORT_FIELD_KEYS), e, width, f);
        for (size_t i = 0; i < c->n_members; i++) {
                uint64_t number = report_columns_number(c, field, e, i);

                n += is_share(field) ? print_share(c, c->members + i, field, number, f) :
                                       printed(fprintf(f, " %*" PRIu64, c->separator ? 1 : width_but(c->cells[field], 1), number));
        }
        return n;
}

const char *report_columns_title(const ReportColumns *c, ReportField field) {
        const char *title = column_title(c, field);

        return title + strspn(title, " ");
}

void report_columns_print_field(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f) {
        (void) print_field(c, field, e, f);
}

/* Returns a field as print_field() prints it, and how many characters that are. NULL without memory. */
static char *field_text(const ReportColumns *c, ReportField field, const ReportEntry *e, size_t *ret_printed) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        *ret_printed = print_field(c, field, e, f);
        if (fclose(f) == 0)
                return text;
        free(text);
        return NULL;
}

char *report_columns_field(const ReportColumns *c, ReportField field, const ReportEntry *e) {
        size_t shown, n, blanks;
        _cleanup_free_ char *text = field_text(c, field, e, &shown);

        if (!text)
                return NULL;
        for (n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
                ;
        blanks = strspn(text, " ");
        return strndup(text + blanks, n > blanks ? n - blanks : 0);
}

bool report_columns_reaches(const ReportColumns *c, uint64_t weight, double percentage) {
        return c->total == 0 || (float) (100.0 * (double) weight / (double) c->total) >= (float) percentage;
}

/* The last column is padded if it is a name, but for a symbol's and a source file's. */
static bool is_padded(ReportField field) {
        static const uint64_t unpadded = REPORT_KEY(REPORT_SYMBOL) | REPORT_KEY(REPORT_TIME) | REPORT_KEY(REPORT_CGROUP) |
                                         REPORT_KEY(REPORT_TRACE) | REPORT_KEY(REPORT_SOURCE_LINE) |
                                         REPORT_KEY(REPORT_SOURCE_FILE);
        const FacetColumn *facet = facet_of_field(field);

        return field >= REPORT_FIELD_KEYS && !report_field_is_trace(field) &&
               !(facet ? facet->unpadded : unpadded & REPORT_KEY(field - REPORT_FIELD_KEYS));
}

int report_columns_print_alone(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f) {
        size_t n, width = c->widths[field];
        _cleanup_free_ char *text = field_text(c, field, e, &n);

        if (!text)
                return -ENOMEM;
        (void) fputs(text + strspn(text, " "), f);
        if (!c->separator && n < width && is_padded(field))
                (void) fprintf(f, "%*s", (int) (width - n), "");
        return 0;
}

void report_columns_print(const ReportColumns *c, const ReportEntry *e, FILE *f) {
        for (size_t i = 0; i < c->n_shown; i++) {
                size_t n, width = c->widths[c->shown[i]];

                if (i > 0 || !c->separator)
                        columns_print_separator(c, f);
                n = print_field(c, c->shown[i], e, f);
                if (n < width && (i + 1 < c->n_shown || is_padded(c->shown[i])))
                        (void) fprintf(f, "%*s", (int) (width - n), "");
        }
        (void) fputc('\n', f);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An entry has fields of its own for the keys that it was counted by; others are those of its first sample. */

#include "entry-fields.h"

#include <inttypes.h>

#include "parse-time.h"
#include "report-columns.h"

#define NO_SYMBOL "(no symbol)"

static const char *thread_name(const ReportCell *cell, uint32_t name) {
        return name > 0 ? process_view_name(sample_table_view(cell->report->table), name) : "";
}

/* Returns the last name of the thread. perf measures columns by it, so that a name that was longer is cut. */
static const char *last_name(const ReportCell *cell) {
        return thread_name(cell, sample_table_view(cell->report->table)->threads[cell->entry->thread].name);
}

static const NamedSymbol *entry_symbol(const ReportCell *cell) {
        return cell->report->names->symbols + cell->entry->symbol;
}

const char *entry_text_comm(const ReportCell *cell) {
        return thread_name(cell, cell->entry->row.name);
}

const char *entry_text_dso(const ReportCell *cell) {
        return cell->entry->mapped ? place_names_text(cell->report->names, cell->entry->dso) : NULL;
}

/* A group that was not recorded is not known, one whose name was not is "unknown", as in perf. */
const char *entry_text_cgroup(const ReportCell *cell) {
        const CgroupNames *cgroups = sample_table_cgroups(cell->report->table);
        uint32_t group = cell->entry->row.cgroup;

        return group > 0 ? cgroup_names_text(cgroups, cgroups->groups[group - 1].path) ?: "unknown" : NULL;
}

/* The unit, or the container. */
const char *entry_text_cgroup_part(const ReportCell *cell) {
        return cgroup_names_text(sample_table_cgroups(cell->report->table), (uint32_t) report_cell_number(cell));
}

const char *entry_text_host(const ReportCell *cell) {
        return cell->entry->row.host > 0 ? sample_table_host(cell->report->table, cell->entry->row.host) : NULL;
}

const char *entry_text_source(const ReportCell *cell) {
        uint32_t text = (uint32_t) report_cell_number(cell);

        return text > 0 ? place_names_text(cell->report->names, text) : NULL;
}

const char *entry_text_trace(const ReportCell *cell) {
        return sample_table_label(cell->report->table, cell->entry->row.label, 0);
}

const char *entry_text_trace_field(const ReportCell *cell) {
        return sample_table_label(cell->report->table, cell->entry->row.label, trace_label_shown(cell->trace));
}

const char *entry_text_parent(const ReportCell *cell) {
        return cell->report->names->symbols[cell->entry->row.parent].name;
}

ReportValue entry_value_cpu(const ReportCell *cell) {
        return (ReportValue) { cell->entry->row.cpu == UINT32_MAX, cell->entry->row.cpu };
}

void entry_put_thread(const ReportCell *cell, size_t width, TextBuffer *out) {
        text_buffer_format(out, "%7d:", (int) cell->entry->row.tid);
        report_put_cut(out, last_name(cell), width > cell->type->room ? width - cell->type->room : 0);
}

void entry_put_symbol(const ReportCell *cell, size_t width, TextBuffer *out) {
        const char *name = entry_symbol(cell)->name ?: cell->report->plan.unnamed_as_one ? NO_SYMBOL : NULL;

        report_put_named(out, cell->entry->level, name, cell->entry->ip, width);
}

void entry_put_cpu(const ReportCell *cell, size_t width, TextBuffer *out) {
        text_buffer_format(out, "%*.*d", (int) width, (int) width, (int) cell->entry->row.cpu);
}

/* "10:53:18" */
static void put_clock(TextBuffer *out, uint64_t wall) {
        time_t seconds = (time_t) (wall / NSEC_PER_SEC);
        char text[16] = "";
        struct tm tm;

        if (localtime_r(&seconds, &tm))
                (void) strftime(text, sizeof(text), "%H:%M:%S", &tm);
        text_buffer_puts(out, text);
}

void entry_put_time(const ReportCell *cell, size_t width, TextBuffer *out) {
        const ReportColumns *c = cell->columns;
        uint64_t time = c->clock ? wall_clock_from_time(c->clock, cell->entry->row.time) : cell->entry->row.time;
        uint64_t part = time % NSEC_PER_SEC;

        if (c->clock)
                put_clock(out, time);
        else
                text_buffer_decimal(out, time / NSEC_PER_SEC, 0);
        if (c->nanoseconds)
                text_buffer_format(out, ".%09" PRIu64, part);
        else if (!c->clock)
                text_buffer_format(out, ".%06" PRIu64, part / NSEC_PER_USEC);
        else if (!c->whole_seconds)
                text_buffer_format(out, ".%03" PRIu64, part / NSEC_PER_MSEC);
}

size_t entry_width_comm(const ReportCell *cell) {
        return strlen(last_name(cell)) + cell->type->room;
}

/* Binaries of what has no symbol make a column as wide as an address is, unless columns are separated by a character. */
size_t entry_width_dso(const ReportCell *cell) {
        return MAX_OF(strlen(report_cell_text(cell)), cell->entry->named || cell->columns->separator ? 0 : FIELD_ADDRESS_WIDTH);
}

/* The end of a string counts, too. */
size_t entry_width_trace_field(const ReportCell *cell) {
        return strlen(report_cell_text(cell)) + cell->columns->traces->columns[cell->trace].dynamic;
}

/* The first event of a group that has different numbers decides, after the one that was asked for. */
int entry_order_weights(const ReportCell *a, const ReportCell *b) {
        const ReportColumns *c = a->columns;
        size_t first = c->sort_member < c->n_members ? c->sort_member : 0;
        int order = report_numbers_order(report_cell_weight(b, first), report_cell_weight(a, first));

        for (size_t i = 1; order == 0 && i < c->n_members; i++)
                order = report_numbers_order(report_cell_weight(b, i), report_cell_weight(a, i));
        return order;
}

int entry_order_children(const ReportCell *a, const ReportCell *b) {
        int order = entry_order_weights(a, b);

        if (order != 0 || !a->report->plan.chains)
                return order;
        order = report_numbers_order(a->entry->depth, b->entry->depth);
        return a->report->plan.caller ? -order : order; /* with callers first, the caller has the deeper chains */
}

/* Entries without a name come last. */
static int order_of_names(const char *a, const char *b) {
        return a && b ? strcmp(a, b) : !a - !b;
}

int entry_order_symbols(const ReportCell *a, const ReportCell *b) {
        return order_of_names(entry_symbol(a)->name, entry_symbol(b)->name);
}

int entry_order_parents(const ReportCell *a, const ReportCell *b) {
        return order_of_names(entry_text_parent(a), entry_text_parent(b));
}

/* perf has them by their numbers, the greatest first. */
int entry_order_cgroups(const ReportCell *a, const ReportCell *b) {
        const CgroupNames *cgroups = sample_table_cgroups(a->report->table);
        uint32_t x = a->entry->row.cgroup, y = b->entry->row.cgroup;
        int order = report_numbers_order(y > 0 ? cgroups->groups[y - 1].id : 0, x > 0 ? cgroups->groups[x - 1].id : 0);

        return order != 0 ? order : report_numbers_order(x, y);
}

static const char *trace_order_text(const ReportCell *cell) {
        return sample_table_label(cell->report->table, cell->entry->row.label, trace_label_order(cell->trace)) ?: "";
}

int entry_order_trace_fields(const ReportCell *a, const ReportCell *b) {
        return strcmp(trace_order_text(a), trace_order_text(b));
}

void entry_write_symbol(const ReportCell *cell, JsonWriter *w) {
        const char *symbol = entry_symbol(cell)->name, level[] = { cell->entry->level, '\0' };

        if (symbol)
                json_writer_text(w, "symbol", symbol);
        else
                json_writer_address(w, "address", cell->entry->ip);
        json_writer_text(w, "level", level);
}

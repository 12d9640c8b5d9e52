/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows are the entries of a report on the table of samples. Shares are parts of all that is in the table, of each event, or of what
 * is chosen of that. */

#include "top-print.h"

#include <inttypes.h>

#include "array.h"
#include "json-writer.h"
#include "text-width.h"

#define LINE "-------------------------------------------------------------------------------"

typedef struct TopPart {
        const TopRefresh *refresh;
        const TopOptions *options;
        const char *event;         /* its name */
        ReportWeight sum;          /* of its rows */
        Report report;
        uint64_t rows;     /* that are shown at most */
        uint64_t total;    /* of which shares are parts */
        const ReportEntry **shown; /* with most weight first */
        size_t n;
        size_t widths[TOP_KEYS_MAX];
} TopPart;

static uint64_t entry_weight(const TopPart *p, const ReportEntry *e) {
        return p->report.plan.children ? e->weight.children_period : e->weight.period;
}

static double part_percent(const TopPart *p, uint64_t weight) {
        return p->total > 0 ? 100.0 * (double) weight / (double) p->total : 0.0;
}

/* Puts what an entry has of a key. */
static void entry_put(const TopPart *p, const ReportEntry *e, ReportKey key, TextBuffer *b) {
        const SampleTable *table = p->report.table;
        const NamedSymbol *symbol = p->report.names->symbols + e->symbol;
        const ProcessView *view = sample_table_view(table);
        const CgroupNames *groups = sample_table_cgroups(table);
        const NamedThread *thread = view->threads + e->thread;
        const char *text = NULL;

        switch (key) {
        case REPORT_COMM:
                text = process_view_name(view, e->row.name);
                break;
        case REPORT_PID:
                text_buffer_format(b, "%" PRIu32 ":", thread->tid);
                text = thread->name > 0 ? process_view_name(view, thread->name) : "";
                break;
        case REPORT_DSO:
                text = place_names_text(p->report.names, e->dso);
                text = streq(text, "[kernel.kallsyms]") ? "[kernel]" : text; /* as perf top has it */
                break;
        case REPORT_CPU:
                text_buffer_format(b, e->row.cpu == UINT32_MAX ? "-" : "%03" PRIu32, e->row.cpu);
                return;
        case REPORT_CGROUP:
                text = e->row.cgroup > 0 ? cgroup_names_text(groups, groups->groups[e->row.cgroup - 1].path) : NULL;
                break;
        case REPORT_UNIT:
                text = cgroup_names_text(groups, e->row.unit);
                break;
        case REPORT_CONTAINER:
                text = cgroup_names_text(groups, e->row.container);
                break;
        default:
                if (!symbol->name)
                        text_buffer_format(b, "0x%016" PRIx64, e->ip);
                text = symbol->name ?: "";
        }
        text_buffer_puts(b, text ?: "-");
}

static int part_compare(const void *a, const void *b, void *userdata) {
        const TopPart *p = userdata;
        const ReportEntry *x = *(const ReportEntry *const *) a, *y = *(const ReportEntry *const *) b;
        uint64_t of_x = entry_weight(p, x), of_y = entry_weight(p, y);

        if (of_x != of_y)
                return of_x > of_y ? -1 : 1;
        if (x->weight.period != y->weight.period)
                return x->weight.period > y->weight.period ? -1 : 1;
        return (x > y) - (x < y); /* those that were hit first */
}

/* Puts what an entry has of a key into an empty buffer, as a string. */
static int entry_text(const TopPart *p, const ReportEntry *e, ReportKey key, TextBuffer *b) {
        b->n = 0;
        entry_put(p, e, key, b);
        text_buffer_putc(b, '\0');
        return b->error;
}

/* Chooses the entries that are shown, and measures the columns of keys by these. */
static int part_choose(TopPart *p) {
        _cleanup_(text_buffer_done) TextBuffer b = {};
        const TopOptions *o = p->options;
        int r = 0;

        p->shown = calloc(p->report.n + 1, sizeof(const ReportEntry *));
        if (!p->shown)
                return -ENOMEM;
        for (size_t i = 0; i < p->report.n; i++) {
                const ReportEntry *e = p->report.entries + i;

                if (part_percent(p, entry_weight(p, e)) >= o->look.percent_limit && e->weight.children_count >= o->look.least)
                        p->shown[p->n++] = e;
        }
        qsort_r(p->shown, p->n, sizeof(const ReportEntry *), part_compare, p);
        p->n = MIN_OF(p->n, p->rows);
        for (size_t k = 0; r >= 0 && k + 1 < o->keys.n; k++) {
                for (size_t i = 0; r >= 0 && i < p->n; i++) {
                        r = entry_text(p, p->shown[i], o->keys.all[k]->key, &b);
                        if (r >= 0)
                                p->widths[k] = MAX_OF(p->widths[k], text_width(b.data));
                }
                if (k < o->look.widths.n && o->look.widths.all[k] > 0)
                        p->widths[k] = o->look.widths.all[k];
        }
        return r;
}

/* Puts the keys of an entry as columns; the last one is as long as it is, unless a width was given. */
static int part_put_keys(const TopPart *p, const ReportEntry *e, TextBuffer *out) {
        _cleanup_(text_buffer_done) TextBuffer b = {};
        const TopOptions *o = p->options;
        int r = 0;

        for (size_t k = 0; r >= 0 && k < o->keys.n; k++) {
                bool symbol = o->keys.all[k]->key == REPORT_SYMBOL, last = k + 1 == o->keys.n;
                size_t given = k < o->look.widths.n ? o->look.widths.all[k] : 0, width, shown;
                _cleanup_free_ char *cut = NULL;

                r = entry_text(p, e, o->keys.all[k]->key, &b);
                if (r < 0)
                        break;
                cut = given > 0 ? text_ellipsize(b.data, given, false, false) : NULL;
                width = last ? given : p->widths[k];
                shown = text_width(cut ?: b.data);
                text_buffer_puts(out, "  ");
                if (symbol)
                        text_buffer_format(out, "[%c] ", e->level);
                if (symbol && o->look.verbose)
                        text_buffer_format(out, "%#" PRIx64 " ", p->report.places->places[e->place].ip);
                text_buffer_puts(out, cut ?: b.data);
                if (!last && shown < width)
                        text_buffer_format(out, "%*s", (int) (width - shown), "");
        }
        return r;
}

static int part_put_text(const TopPart *p, TextBuffer *out) {
        _cleanup_(text_buffer_done) TextBuffer line = {};
        unsigned columns = p->refresh->columns;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < p->n; i++, line.n = 0) {
                const ReportEntry *e = p->shown[i];
                _cleanup_free_ char *cut = NULL;

                if (p->report.plan.children)
                        text_buffer_format(&line, "%7.2f%%", part_percent(p, e->weight.children_period));
                text_buffer_format(&line, "%7.2f%%", part_percent(p, e->weight.period));
                if (p->options->look.samples)
                        text_buffer_format(&line, "  %10" PRIu64, e->weight.count);
                if (p->options->look.period)
                        text_buffer_format(&line, "  %13" PRIu64, e->weight.period);
                r = part_put_keys(p, e, &line);
                text_buffer_putc(&line, '\0');
                if (line.error < 0)
                        return line.error;
                cut = columns > 0 ? text_ellipsize(line.data, columns, false, false) : NULL;
                text_buffer_puts(out, cut ?: line.data);
                text_buffer_putc(out, '\n');
        }
        return r;
}

static int part_put_json(const TopPart *p, JsonWriter *w) {
        _cleanup_(text_buffer_done) TextBuffer b = {};
        int r = 0;

        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "event", p->event);
        json_writer_number(w, "samples", p->sum.count);
        json_writer_number(w, "period", p->sum.period);
        json_writer_begin(w, "rows", '[');
        for (size_t i = 0; r >= 0 && i < p->n; i++) {
                const ReportEntry *e = p->shown[i];

                json_writer_begin(w, NULL, '{');
                if (p->report.plan.children)
                        json_writer_percent(w, "children_percent", part_percent(p, e->weight.children_period));
                json_writer_percent(w, "percent", part_percent(p, e->weight.period));
                json_writer_number(w, "samples", e->weight.count);
                json_writer_number(w, "period", e->weight.period);
                for (size_t k = 0; r >= 0 && k < p->options->keys.n; k++) {
                        const TopKey *key = p->options->keys.all[k];

                        r = entry_text(p, e, key->key, &b);
                        if (r >= 0)
                                json_writer_text(w, key->key == REPORT_SYMBOL ? "symbol" : key->word, b.data);
                }
                if (top_options_have_key(p->options, REPORT_SYMBOL))
                        json_writer_text(w, "level", (const char[]) { e->level, '\0' });
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
        json_writer_end(w, '}');
        return r;
}

/* Leaves the rows of chosen threads. Returns how many there are. */
static size_t refresh_choose_threads(const TopRefresh *t, uint32_t *rows, size_t n) {
        const ProcessView *view = sample_table_view(t->samples->table);
        char *const *comms = t->samples->options->only.comms;
        const SampleRow *all = sample_table_rows(t->samples->table, &(size_t) { 0 });
        size_t kept = 0;

        for (size_t i = 0; i < n; i++)
                if (strv_contains(comms, process_view_name(view, all[rows[i]].name)))
                        rows[kept++] = rows[i];
        return kept;
}

/* rows: of the event, those of chosen threads; json: NULL for text. */
static int refresh_put_event(TopPart *p, uint32_t event, const uint32_t *rows, size_t n_rows, JsonWriter *json, TextBuffer *out) {
        TopSamples *s = p->refresh->samples;
        size_t n_events;
        ReportPlan plan = {
                .rows = rows, .n_rows = n_rows, .event = event, .children = s->options->call_graph && !s->options->no_children,
                .max_stack = SIZE_MAX, .dsos = s->options->only.dsos, .symbols = s->options->only.symbols,
        };
        int r;

        for (size_t i = 0; i < s->options->keys.n; i++)
                plan.keys |= REPORT_KEY(s->options->keys.all[i]->key);
        r = report_init(&p->report, s->table, &s->names, &plan);
        p->total = s->options->only.relative ? 0 : p->sum.period;
        for (size_t i = 0; s->options->only.relative && i < p->report.n; i++)
                p->total += p->report.entries[i].weight.period;
        if (r >= 0)
                r = part_choose(p);
        (void) sample_table_events(s->table, &n_events);
        if (r >= 0 && n_events > 1 && !json)
                text_buffer_format(out, "%sSamples of %s:\n", event > 0 ? "\n" : "", p->event);
        if (r >= 0)
                r = json ? part_put_json(p, json) : part_put_text(p, out);
        report_done(&p->report);
        free((void *) p->shown);
        return r;
}

static int refresh_put_events(const TopRefresh *t, uint64_t shown, JsonWriter *json, TextBuffer *out) {
        _cleanup_free_ uint32_t *order = sample_table_order(t->samples->table);
        size_t n, n_all, n_rows = 0, from = 0, to = 0, chosen;
        const SampleRow *rows = sample_table_rows(t->samples->table, &n_all);
        const SampleEvent *events = sample_table_events(t->samples->table, &n);
        const TopSamples *s = t->samples;
        int r = order ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n_all; i++) /* only of the slices that are shown */
                if (rows[order[i]].slice >= s->from && (s->to == 0 || rows[order[i]].slice < s->to))
                        order[n_rows++] = order[i];
        for (uint32_t i = 0; r >= 0 && i < n; i++, from = to) {
                TopPart part = { .refresh = t, .rows = shown, .options = s->options, .event = events[i].name };

                for (; to < n_rows && rows[order[to]].event == i; to++) {
                        part.sum.count += rows[order[to]].count;
                        part.sum.period += rows[order[to]].period;
                }
                chosen = s->options->only.comms ? refresh_choose_threads(t, order + from, to - from) : to - from;
                r = refresh_put_event(&part, i, order + from, chosen, json, out);
        }
        return r;
}

static void put_ids(const char *title, const pid_t *ids, size_t n, TextBuffer *out) {
        for (size_t i = 0; i < n; i++)
                text_buffer_format(out, "%s%d", i > 0 ? "," : title, ids[i]);
}

/* Puts whose samples there are, and on which CPUs. */
static void refresh_put_target(const TopRefresh *t, TextBuffer *out) {
        const Target *target = t->target;

        if (t->samples->options->session)
                text_buffer_format(out, " (session: %s", t->samples->options->session);
        else if (target->n_pids > 0)
                put_ids(" (target_pid: ", target->pids, target->n_pids, out);
        else if (target->n_tids > 0)
                put_ids(" (target_tid: ", target->tids, target->n_tids, out);
        else if (target->uid != TARGET_UID_INVALID)
                text_buffer_format(out, " (uid: %u", target->uid);
        else if (t->samples->options->groups)
                STRV_FOREACH(group, t->samples->options->groups)
                        text_buffer_format(out, "%s%s", group == t->samples->options->groups ? " (cgroup: " : ",", *group);
        else
                text_buffer_puts(out, " (all");
        if (t->samples->options->session && target_has_task(target))
                put_ids(target->n_pids > 0 ? ", target_pid: " : ", target_tid: ", target->n_pids > 0 ? target->pids : target->tids,
                        MAX_OF(target->n_pids, target->n_tids), out);
        for (size_t i = 0; i < target->n_cpus; i++)
                text_buffer_format(out, "%s%d", i > 0 ? "," : target->n_cpus > 1 ? ", CPUs: " : ", CPU: ", target->cpus[i]);
        if (target->n_cpus == 0 && !target_has_task(target) && !t->samples->options->session)
                text_buffer_format(out, ", %zu CPU%s", t->n_cpus, t->n_cpus == 1 ? "" : "s");
        text_buffer_puts(out, ")\n");
}

static void refresh_put_head(const TopRefresh *t, TextBuffer *out) {
        const TopSamples *s = t->samples;
        const TopWindow *w = &s->window;
        double all = w->samples > 0 ? (double) w->samples / 100.0 : 1.0;

        text_buffer_format(out, "\n   PerfTop:%8.0f irqs/sec  kernel:%4.1f%%  exact: %4.1f%% lost: %" PRIu64 "/%" PRIu64,
                           t->seconds > 0 ? (double) w->samples / t->seconds : 0.0, (double) w->kernel / all,
                           (double) w->exact / all, w->lost, s->lost);
        if (s->missed > 0) /* overwritten before they were looked at */
                text_buffer_format(out, " missed: %.1fs/%.1fs", (double) w->missed / 1e9, (double) s->missed / 1e9);
        text_buffer_puts(out, " [");
        if (s->n_events == 1)
                text_buffer_format(out, "%" PRIu64 "%s ", (uint64_t) s->events->attr.sample_period,
                                   s->events->attr.freq ? "Hz" : "");
        for (size_t i = 0; i < s->n_events; i++)
                text_buffer_format(out, "%s%s", i > 0 ? "," : "", s->events[i].name);
        text_buffer_puts(out, "], ");
        refresh_put_target(t, out);
        text_buffer_puts(out, LINE "\n\n");
}

static int refresh_put_json(const TopRefresh *t, TextBuffer *out) {
        const TopWindow *w = &t->samples->window;
        JsonWriter json = { .out = out };
        int r;

        json_writer_begin(&json, NULL, '{');
        json_writer_number(&json, "time_nsec", t->time_nsec);
        json_writer_number(&json, "duration_nsec", (uint64_t) (t->seconds * 1e9));
        json_writer_number(&json, "samples", w->samples);
        json_writer_number(&json, "kernel_samples", w->kernel);
        json_writer_number(&json, "lost", w->lost);
        if (t->samples->options->session)
                json_writer_number(&json, "missed_nsec", w->missed);
        json_writer_begin(&json, "events", '[');
        r = refresh_put_events(t, t->rows, &json, out);
        json_writer_end(&json, ']');
        json_writer_end(&json, '}');
        text_buffer_putc(out, '\n');
        return r;
}

/* Puts the head, and returns how many rows of each event the screen has room for behind it; the cursor has the last line, and
 * several events have two lines more. */
static uint64_t refresh_begin_text(const TopRefresh *t, TextBuffer *out) {
        _cleanup_(text_buffer_done) TextBuffer head = {};
        uint64_t n = t->samples->n_events, used = 1, room;
        char *rest, *line;

        refresh_put_head(t, &head);
        text_buffer_putc(&head, '\0');
        rest = head.error < 0 ? NULL : head.data;
        if (rest)
                text_buffer_puts(out, rest);
        while ((line = strsep(&rest, "\n")))
                if (rest) /* there is none behind the last end of a line */
                        used += t->columns > 0 ? MAX_OF((text_width(line) + t->columns - 1) / t->columns, (size_t) 1) : 1;
        if (t->lines == 0)
                return t->rows;
        room = t->lines > used ? (t->lines - used) / n : 0;
        return MIN_OF(t->rows, n > 1 ? MAX_OF(room, UINT64_C(3)) - 2 : MAX_OF(room, UINT64_C(1)));
}

int top_print(const TopRefresh *t, TextBuffer *out) {
        int r = t->samples->options->look.json ? refresh_put_json(t, out) :
                refresh_put_events(t, refresh_begin_text(t, out), NULL, out);

        return r < 0 ? r : text_buffer_flush(out);
}

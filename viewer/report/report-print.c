/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Call trees are made for one entry at a time, from the chains that the entry is in, and only for those that have the weight to
 * show one. */

#include "report-print.h"

#include <inttypes.h>

#include "call-graph-print.h"
#include "chain-cuts.h"
#include "counted-json.h"
#include "report-choice.h"
#include "report-group.h"
#include "report-hierarchy.h"
#include "report-json.h"
#include "report-order.h"
#include "report-parents.h"
#include "report-screen.h"
#include "share-interval.h"

#define MEMORY_KEYS "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,local_p_stage_cyc"
#define CHAINS_MAX (UINT32_C(1) << 20) /* call chains at a time for call graphs: 40 MiB */

/* Chains take most of the time of reading, be they unwound or recorded. */
static bool report_needs_chains(const ReportOptions *options) {
        const ReportCounting *c = &options->counting;

        return !c->no_children || options->graph.type != CALL_GRAPH_NONE || c->inlined || c->with_parent || c->ignored_callees;
}

ReportNeeds report_needs(const ReportOptions *options) {
        ReportNeeds needs = {
                .dimensions = (options->counting.branches ? SAMPLE_EACH_BRANCH : 0) |
                              (options->counting.memory ? SAMPLE_PERIOD_IS_WEIGHT : 0) |
                              (options->counting.n_parallelisms > 0 ? SAMPLE_BY_PARALLELISM : 0) |
                              (options->look.columns > 0 ? SAMPLE_BY_THREAD | SAMPLE_BY_CGROUP : 0),
                .flags = options->graph.key != CALL_KEY_FUNCTION && options->graph.type != CALL_GRAPH_NONE ? FIELD_NEEDS_LINES : 0,
        };
        ReportColumns c;

        report_columns_choose(&c, options, true);
        for (size_t i = 0; i < c.n_shown; i++) {
                const ReportFieldType *t = report_field_type(c.shown[i]);

                needs.dimensions |= t->dimensions;
                needs.facets |= t->facets;
                needs.flags |= t->flags;
        }
        if (!report_needs_chains(options) && !(needs.flags & FIELD_NEEDS_CHAINS))
                needs.dimensions |= SAMPLE_WITHOUT_CHAIN;
        return needs;
}

/* 22712 is "22K". */
static void print_rounded(uint64_t n, FILE *f) {
        static const char units[] = " KMG";
        size_t unit = 0;

        for (; unit < 3 && n > 1000; unit++)
                n /= 1000;
        (void) fprintf(f, "%" PRIu64 "%c", n, units[unit]);
}

static void report_print_event(const ReportGroup *g, const ReportOptions *options, uint64_t samples, uint64_t period, FILE *f) {
        (void) fputs("# Samples: ", f);
        print_rounded(samples, f);
        (void) fputs(" of ", f);
        report_group_print(g, f);
        if (options->select.time_words)
                (void) fprintf(f, " (time slices: %s)", options->select.time_words);
        (void) fprintf(f, options->counting.memory ? "\n# Total weight : %" PRIu64 : "\n# Event count (approx.): %" PRIu64, period);
        if (options->counting.memory)
                (void) fprintf(f, "\n# Sort order   : %s", options->words.sort ?: MEMORY_KEYS);
        (void) fputs("\n#\n", f);
}

static uint64_t entry_weight(const Report *report, const ReportEntry *e) {
        return report->plan.children ? e->weight.children_period : e->weight.period;
}

/* Returns the weight of which shares of an event are parts: that of all samples, or of those that are shown. */
static ReportWeight report_total(const Report *report, const ReportOptions *options, const SampleEvent *e, size_t member) {
        ReportWeight total = {}, unresolved = report_unresolved(report, member);

        if (!options->look.relative)
                return (ReportWeight) { .period = e->period - unresolved.period, .latency = e->latency - unresolved.latency };
        for (size_t i = 0; i < report->n; i++)
                if (report_entry_is_wanted(report, report->entries + i)) {
                        const ReportWeight *w = report_entry_weight(report, report->entries + i, member);

                        total.period += w->period;
                        total.latency += w->latency;
                }
        return total;
}

/* The report on one event, or on those of a group. */
typedef struct ReportPart {
        ReportGroup group;
        ReportMember members[SAMPLE_GROUP_MAX];
        Report report;
        ReportColumns columns;
        ReportScreen screen;     /* if there is a terminal to fit */
        ReportHierarchy hierarchy; /* if keys are levels */
        const ReportOptions *options;
        const uint32_t *parents; /* see report-parents.h */
        bool callers;            /* any event of the report counts for them */
        FILE *f;
        JsonWriter *json; /* NULL: text */
} ReportPart;

static int print_call_graph(const ReportPart *p, const ReportEntry *e, const CallTree *tree) {
        CallGraphPrint print = {
                .options = &p->options->graph, .tree = tree, .separator = p->options->look.separator, .total = p->columns.total,
                .entry = entry_weight(&p->report, e), .colors = p->options->look.colors,
        };

        if (p->options->words.fields.n == 0 && p->options->words.keys.n > 0)
                print.skip_first = p->options->words.keys.all[0] == REPORT_FIELD_SYMBOL;
        return call_graph_print(&print, p->f);
}

/* before: the entry in front of it. Returns 1 if it is shown; 0; negative: an error. */
static int print_row(const ReportPart *p, const ReportEntry *e, const ReportEntry *before) {
        if (p->options->look.hierarchy)
                return report_hierarchy_print(&p->hierarchy, e, before, p->options->counting.percent_limit, p->f);
        if (p->options->look.columns > 0) {
                int r = report_screen_print_row(&p->screen, e, p->f);

                return r < 0 ? r : 1;
        }
        report_columns_print(&p->columns, e, p->f);
        return 1;
}

/* chains: NULL if none are shown of this entry. */
static int print_entry(const ReportPart *p, const ReportEntry *e, const ReportEntry *before, const ReportChain *chains, size_t n) {
        _cleanup_(call_tree_done) CallTree tree = {};
        int r = chains ? call_tree_init(&tree, p->report.places, p->report.names, p->options->graph.key) : 0;

        for (size_t i = 0; chains && r >= 0 && i < n; i++)
                r = call_tree_add(&tree, chains + i);
        if (r < 0)
                return r;
        if (p->json)
                return report_json_entry(p->json, &p->columns, &p->options->graph, e, chains ? &tree : NULL);
        r = print_row(p, e, before);
        return chains && r > 0 ? print_call_graph(p, e, &tree) : MIN_OF(r, 0);
}

/* Marks the entries from order[from] on whose call graphs are printed, until they have so many call chains that these fill the
 * memory that is meant for them. Returns where the next ones begin. */
static size_t mark_with_graph(const ReportPart *p, const size_t *order, size_t from, bool *wanted) {
        const ReportOptions *options = p->options;
        const Report *report = &p->report;
        uint64_t total = p->columns.total;
        double part = options->graph.type == CALL_GRAPH_FRACTAL ? 0 : options->graph.least / 100.0;
        uint64_t least = (uint64_t) ((double) total * part); /* no call below an entry can weigh more than the entry */
        size_t n = 0, i = from;

        memset(wanted, 0, report->n * sizeof(*wanted));
        for (; i < report->n; i++) {
                const ReportEntry *e = report->entries + order[i];
                uint64_t weight = entry_weight(report, e);

                if (!report->plan.chains || weight < least ||
                    !report_columns_reaches(&p->columns, weight, options->counting.percent_limit) ||
                    !report_entry_is_wanted(report, e))
                        continue;
                if (n > 0 && n + e->n_chains > CHAINS_MAX)
                        break;
                wanted[order[i]] = true;
                n += e->n_chains;
        }
        return i;
}

/* In a hierarchy nodes are shown that have only entries which are too small. */
static bool entry_is_shown(const ReportPart *p, const ReportEntry *e) {
        return p->options->look.hierarchy ? report_entry_is_wanted(&p->report, e) :
               report_columns_reaches(&p->columns, entry_weight(&p->report, e), p->options->counting.percent_limit) &&
               report_entry_is_wanted(&p->report, e);
}

static int print_entries(ReportPart *p) {
        _cleanup_free_ size_t *order = report_order(&p->columns);
        _cleanup_free_ bool *wanted = calloc(p->report.n + 1, sizeof(*wanted));
        const ReportEntry *before = NULL;
        int r = 0;

        if (!order || !wanted)
                return -ENOMEM;
        if (p->options->look.hierarchy)
                r = report_hierarchy_init(&p->hierarchy, &p->columns, order);
        for (size_t from = 0, to; r >= 0 && from < p->report.n; from = to) {
                _cleanup_free_ ReportChain *chains = NULL;
                _cleanup_free_ size_t *first = NULL;

                to = mark_with_graph(p, order, from, wanted);
                r = report_collect_chains(&p->report, wanted, &chains, &first);
                for (size_t i = from; r >= 0 && i < to; i++) {
                        const ReportEntry *e = p->report.entries + order[i];
                        size_t next = first[order[i]], end = first[order[i] + 1];

                        if (!entry_is_shown(p, e))
                                continue;
                        r = print_entry(p, e, before, wanted[order[i]] ? chains + next : NULL, end - next);
                        before = e;
                }
        }
        return r;
}

static uint64_t count_samples(const ReportPart *p) {
        uint64_t n = 0;

        if (p->options->look.relative)
                return p->report.samples;
        for (size_t i = 0; i < p->group.n; i++)
                n += p->group.events[i].samples - report_unresolved(&p->report, i).count;
        return n;
}

/* Prints what stands above and below the entries on a terminal, and these. */
static int print_on_screen(ReportPart *p, const SampleTable *table, const uint32_t *rows, size_t n_rows) {
        ReportScreen *s = &p->screen;
        int r = 0;

        report_fit_init(&s->fit, &p->columns, p->options->look.columns);
        for (size_t i = 0; r >= 0 && i < p->report.n; i++)
                if (entry_is_shown(p, p->report.entries + i))
                        r = report_fit_measure(&s->fit, p->report.entries + i);
                else if (report_entry_is_wanted(&p->report, p->report.entries + i))
                        report_screen_leave_out(s, p->report.entries + i);
        report_fit_finish(&s->fit);
        if (r >= 0 && !p->options->quiet)
                r = report_screen_print_users(s, table, &p->group, p->options, rows, n_rows, p->f);
        if (r >= 0 && !p->options->quiet)
                report_screen_print_header(s, p->f);
        if (r >= 0)
                r = print_entries(p);
        if (r >= 0)
                report_screen_print_rest(s, p->options->counting.percent_limit, p->f);
        (void) fputc('\n', p->f);
        return r;
}

static void print_part_header(const ReportPart *p) {
        uint64_t period = 0;

        for (size_t i = 0; i < p->group.n; i++)
                period += p->members[i].total;
        if (p->json)
                counted_json_begin_event(p->json, p->group.events->name, count_samples(p), period, "rows");
        else if (!p->options->quiet) {
                report_print_event(&p->group, p->options, count_samples(p), period, p->f);
                if (p->options->look.hierarchy)
                        report_hierarchy_print_header(&p->columns, p->f);
                else
                        report_columns_print_header(&p->columns, p->f);
        }
}

static void report_part_done(ReportPart *p) {
        report_hierarchy_done(&p->hierarchy);
        report_done(&p->report);
}

static void measure_part(ReportPart *p) {
        for (size_t i = 0; i < p->group.n; i++) {
                const SampleEvent *e = p->group.events + i;
                ReportWeight total = report_total(&p->report, p->options, e, i);
                double part = (double) total.period / (double) MAX_OF(e->period, 1u);

                p->members[i].total = total.period;
                p->members[i].latency = total.latency;
                if (p->options->look.confidence) /* if shares are parts of some samples only, so many fewer count */
                        p->members[i].samples = share_samples((double) e->period, e->squares) * part;
        }
        report_columns_measure(&p->columns, &p->report, p->members);
        report_columns_set_widths(&p->columns, p->options->look.widths, p->options->look.n_widths);
}

/* part has the options, the events, and where it is printed. */
static int print_part(ReportPart *part, SampleTable *table, const PlaceNames *names, const uint32_t *rows, size_t n_rows) {
        const ReportOptions *options = part->options;
        const SampleEvent *e = part->group.events;
        bool chains = e->callchain && options->graph.type != CALL_GRAPH_NONE;
        bool children = e->callchain && !options->counting.no_children;
        ReportPlan plan = {
                .rows = rows, .n_rows = n_rows, .event = part->group.first, .n_members = part->group.n, .chains = chains,
                .children = children, .max_stack = options->counting.max_stack,
                .caller = options->graph.order_set ? options->graph.caller : children,
                .dsos = options->select.dsos, .symbols = options->select.symbols, .symbol_part = options->counting.symbol_part,
                .parents = part->parents, .with_parent = options->counting.with_parent, .resolved = options->counting.resolved,
                .parallelisms = options->counting.parallelisms, .n_parallelisms = options->counting.n_parallelisms,
                .unnamed_as_one = options->look.columns > 0 && !options->names.plain_addresses,
        };
        int r;

        report_columns_choose(&part->columns, options, children);
        report_columns_plan(&part->columns, &plan);
        report_columns_leave_out(&part->columns, options, part->callers);
        report_columns_choose_event(&part->columns, e->name);
        r = report_init(&part->report, table, names, &plan);
        if (r < 0 || (options->counting.resolved && count_samples(part) == 0))
                return r;
        measure_part(part);
        if (options->look.columns > 0)
                return print_on_screen(part, table, rows, n_rows);
        print_part_header(part);
        r = print_entries(part);
        if (part->json)
                counted_json_end_event(part->json);
        else
                (void) fputs("\n\n", part->f);
        return r;
}

static bool counts_callers(const SampleTable *table, const ReportOptions *options) {
        size_t n;
        const SampleEvent *events = sample_table_events(table, &n);

        return !options->counting.no_children && ANY_OF(n, i, events[i].callchain);
}

static int print_parts(SampleTable *table, const PlaceNames *names, const ReportOptions *options, JsonWriter *json, FILE *f) {
        _cleanup_free_ uint32_t *order = sample_table_order(table), *parents = NULL;
        size_t n, n_rows, from = 0, to = 0;
        const SampleRow *rows = sample_table_rows(table, &n_rows);
        int r = order ? report_parents_find(names, options->counting.parent, &parents) : -ENOMEM;

        (void) sample_table_events(table, &n);
        for (uint32_t i = 0, next; r >= 0 && i < n; i = next, from = to) {
                _cleanup_(report_part_done) ReportPart part = {
                        .options = options, .parents = parents, .callers = counts_callers(table, options), .json = json, .f = f,
                        .group = report_group_at(table, options, i),
                };

                next = i + part.group.n;
                while (to < n_rows && rows[order[to]].event < next)
                        to++;
                if (report_group_has_samples(&part.group))
                        r = print_part(&part, table, names, order + from, to - from);
        }
        return r;
}

static int report_print_json(SampleTable *table, const PlaceNames *names, const ReportOptions *options, FILE *f) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = f };
        JsonWriter json = { .out = &out, .pretty = options->parts.json == REPORT_JSON_PRETTY };
        int r;

        counted_json_begin(&json, sample_table_totals(table), options->found.lent);
        r = print_parts(table, names, options, &json, f);
        counted_json_end(&json);
        return r < 0 ? r : text_buffer_flush(&out);
}

bool report_is_as_perf(const ReportOptions *options) {
        return options->parts.json == REPORT_JSON_OFF && options->look.columns == 0;
}

int report_print(SampleTable *table, const PlaceNames *names, const ReportOptions *options, FILE *f) {
        uint64_t samples, selected = sample_table_selected(table, &samples);
        int r = options->counting.ignored_callees ? chain_cuts_callees(table, names, options->counting.ignored_callees) : 0;

        if (r >= 0 && options->counting.resolved)
                r = chain_cuts_unresolved(table, names);
        if (r < 0)
                return r;
        if (options->parts.json != REPORT_JSON_OFF)
                return report_print_json(table, names, options, f);
        if (options->look.columns > 0)
                return print_parts(table, names, options, NULL, f);
        if (!options->quiet && !options->parts.header)
                (void) fputs("# To display the perf.data header info, please use --header/--header-only options.\n#\n", f);
        report_columns_print_left_out(options, counts_callers(table, options), f);
        if (samples == 0)
                return 0;
        if (!options->quiet) {
                (void) fprintf(f, "#\n# Total Lost Samples: %" PRIu64 "\n#\n", sample_table_totals(table)->lost_samples);
                for (size_t i = 0; options->found.lent && i < options->found.lent->n; i++) {
                        _cleanup_free_ char *phrase = lending_describe(&options->found.lent->all[i]);

                        (void) fprintf(f, "# Lent: %s\n%s", phrase ?: "", i + 1 == options->found.lent->n ? "#\n" : "");
                }
                if (selected == 0)
                        (void) fprintf(f, "# None of %" PRIu64 " samples matches the selection\n#\n", samples);
        }
        return print_parts(table, names, options, NULL, f);
}

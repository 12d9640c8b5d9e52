/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps: rows of the table are chosen, counted, the entries measured and sorted, the call chains of open entries collected, and
 * lines listed. A change goes back to the step that it concerns. */

#include "browse-table.h"

#include "array.h"
#include "open-set.h"
#include "report-order.h"

#define ROWS_A_STEP ((size_t) 8192)
#define CHOSEN_A_STEP ((size_t) 65536)
#define OPEN_AT_ONCE ((size_t) 200) /* entries that "open all" opens */

typedef enum BrowseStage {
        STAGE_CHOOSE, STAGE_COUNT, STAGE_ORDER, STAGE_COLLECT, STAGE_LIST, STAGE_COMPLETE,
} BrowseStage;

struct BrowseTable {
        SampleTable *table;
        const PlaceNames *names;
        BrowseChoice choice;
        BrowseStage stage;
        size_t n_seen;         /* rows of the table */
        uint32_t *rows;        /* those that count */
        size_t n_rows, rows_allocated;
        struct {
                uint64_t samples, period; /* of these */
                uint64_t all;             /* the weight of all of the event at that time */
        } sums;
        Report report;
        ReportColumns columns;
        ReportMember member;
        size_t *order;         /* of entries */
        CallTree **trees;      /* for each entry; NULL: not made */
        bool *wanted;          /* for each entry: its tree is being made */
        ReportCollection collection;
        bool opening;          /* the calls of trees that are made are open, too */
        OpenSet open;
        BrowseLine *lines;
        size_t n_lines, lines_allocated, n_entries;
};

void browse_choice_done(BrowseChoice *c) {
        for (size_t i = 0; i < c->n_zooms; i++)
                sample_zoom_done(c->zooms + i);
        free(c->filter);
        *c = (BrowseChoice) {};
}

int browse_choice_copy(BrowseChoice *ret, const BrowseChoice *choice) {
        int r = 0;

        *ret = *choice;
        ret->n_zooms = 0;
        ret->filter = choice->filter ? strdup(choice->filter) : NULL;
        if (choice->filter && !ret->filter)
                return -ENOMEM;
        for (; r >= 0 && ret->n_zooms < choice->n_zooms; ret->n_zooms++)
                r = sample_zoom_copy(ret->zooms + ret->n_zooms, choice->zooms + ret->n_zooms);
        return r;
}

static void table_forget_trees(BrowseTable *t) {
        for (size_t i = 0; t->trees && i < t->report.n; i++)
                if (t->trees[i]) {
                        call_tree_done(t->trees[i]);
                        free(t->trees[i]);
                }
        free(t->trees);
        t->trees = NULL;
}

BrowseTable *browse_table_free(BrowseTable *t) {
        if (!t)
                return NULL;
        table_forget_trees(t);
        report_collection_done(&t->collection);
        report_done(&t->report);
        browse_choice_done(&t->choice);
        free(t->rows);
        free(t->order);
        free(t->wanted);
        open_set_done(&t->open);
        free(t->lines);
        free(t);
        return NULL;
}

int browse_table_new(SampleTable *table, const PlaceNames *names, const BrowseChoice *choice, const BrowseTable *before,
                     BrowseTable **ret) {
        _cleanup_(browse_table_freep) BrowseTable *t = calloc(1, sizeof(*t));
        int r;

        if (!t)
                return -ENOMEM;
        t->table = table;
        t->names = names;
        r = browse_choice_copy(&t->choice, choice);
        if (r < 0)
                return r;
        for (size_t i = 0; i < t->choice.n_zooms; i++)
                sample_zoom_bind(t->choice.zooms + i, table, names);
        if (before && open_set_copy(&t->open, &before->open) < 0)
                return -ENOMEM;
        *ret = steal_ptr(t);
        return 0;
}

static bool table_has_key(const BrowseTable *t, ReportField field) {
        return ANY_OF(t->choice.n_keys, i, t->choice.keys[i] == field);
}

static bool choice_has_moment(const BrowseChoice *c, const SampleRow *row) {
        return row->event == c->event && row->slice >= c->since && (c->until == 0 || row->slice < c->until);
}

bool browse_choice_has_row(const BrowseChoice *c, SampleTable *table, const PlaceNames *names, const SampleRow *row) {
        bool kernel = sample_table_places(table)->places[row->leaf].level == 'k';

        if (!choice_has_moment(c, row) || (kernel ? c->hide_kernel : c->hide_user))
                return false;
        for (size_t i = 0; i < c->n_zooms; i++)
                if (!sample_zoom_has(c->zooms + i, table, names, row))
                        return false;
        return true;
}

static int table_choose_rows(BrowseTable *t) {
        const BrowseChoice *c = &t->choice;
        size_t all;
        const SampleRow *rows = sample_table_rows(t->table, &all);
        size_t end = MIN_OF(all, t->n_seen + (t->choice.n_zooms > 0 ? ROWS_A_STEP : CHOSEN_A_STEP));

        if (ARRAY_RESERVE(t->rows, t->rows_allocated, t->n_rows + (end - t->n_seen)) < 0)
                return -ENOMEM;
        for (; t->n_seen < end; t->n_seen++) {
                const SampleRow *row = rows + t->n_seen;

                if (!choice_has_moment(c, row))
                        continue;
                t->sums.all += row->period;
                if (!browse_choice_has_row(c, t->table, t->names, row))
                        continue;
                t->rows[t->n_rows++] = (uint32_t) t->n_seen;
                t->sums.samples += row->count;
                t->sums.period += row->period;
        }
        if (t->n_seen == all)
                t->stage = STAGE_COUNT;
        return 0;
}

static int table_begin_report(BrowseTable *t) {
        const BrowseChoice *c = &t->choice;
        ReportColumns *columns = &t->columns;
        ReportPlan plan = {
                .rows = t->rows, .n_rows = t->n_rows, .event = c->event, .children = c->children, .caller = c->caller,
                .chains = true, .from_entry = true, .max_stack = SIZE_MAX, .unnamed_as_one = true,
        };

        if (c->children)
                report_columns_show(columns, REPORT_FIELD_CHILDREN);
        report_columns_show(columns, REPORT_FIELD_OVERHEAD);
        for (size_t i = 0; i < columns->n_shown; i++)
                report_columns_sort(columns, columns->shown[i]);
        if (c->samples)
                report_columns_show(columns, REPORT_FIELD_SAMPLES);
        if (c->period)
                report_columns_show(columns, REPORT_FIELD_PERIOD);
        for (size_t i = 0; i < c->n_keys; i++) {
                report_columns_show(columns, c->keys[i]);
                report_columns_sort(columns, c->keys[i]);
        }
        report_columns_plan(columns, &plan);
        return report_begin(&t->report, t->table, t->names, &plan);
}

static int table_count(BrowseTable *t) {
        size_t n_events;
        int r = t->report.table ? 0 : table_begin_report(t);

        if (r >= 0)
                r = report_count(&t->report, ROWS_A_STEP);
        if (r != 0)
                return MIN_OF(r, 0);
        /* what a selection of the recording leaves out counts for shares, as in perf */
        if (t->choice.since == 0 && t->choice.until == 0)
                t->sums.all = sample_table_events(t->table, &n_events)[t->choice.event].period;
        t->member.total = t->choice.relative ? t->sums.period : t->sums.all;
        report_columns_measure(&t->columns, &t->report, &t->member);
        t->stage = STAGE_ORDER;
        return 0;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
        for (; text && *text; text++)
                hash = hash_mix(hash, (unsigned char) *text);
        return hash_mix(hash, 0);
}

static uint64_t table_place_hash(const BrowseTable *t, uint64_t hash, uint32_t place) {
        uint32_t symbol = t->names->symbol_of[place];

        if (symbol > 0)
                return hash_text(hash, t->names->symbols[symbol].name);
        return hash_text(hash, place_names_text(t->names, place_names_dso(t->names, t->report.places->places + place)));
}

static uint64_t table_entry_hash(const BrowseTable *t, const ReportEntry *e) {
        uint64_t hash = 1;

        for (size_t i = 0; i < t->choice.n_keys; i++) {
                ReportCell cell = report_cell(&t->columns, t->choice.keys[i], e);

                if (t->choice.keys[i] == REPORT_FIELD_SYMBOL)
                        hash = table_place_hash(t, hash, e->place);
                else if (cell.type->text)
                        hash = hash_text(hash, report_cell_text(&cell));
                else
                        hash = hash_mix(hash, report_cell_value(&cell).second);
        }
        return hash;
}

static uint64_t table_node_hash(const BrowseTable *t, size_t entry, uint32_t node) {
        const CallTree *tree = t->trees[entry];
        uint64_t hash = table_entry_hash(t, t->report.entries + entry);

        for (; node > 0; node = tree->nodes[node].parent)
                hash = table_place_hash(t, hash, tree->nodes[node].place);
        return hash;
}

/* Marks the open entries whose trees are missing. */
static bool table_mark_wanted(BrowseTable *t) {
        bool any = false;

        for (size_t i = 0; i < t->report.n; i++) {
                t->wanted[i] = t->open.n > 0 && !t->trees[i] && t->report.entries[i].n_chains > 0 &&
                               open_set_has(&t->open, table_entry_hash(t, t->report.entries + i));
                any |= t->wanted[i];
        }
        return any;
}

static uint64_t entry_weight(const BrowseTable *t, const ReportEntry *e) {
        return t->choice.children ? e->weight.children_period : e->weight.period;
}

/* Returns the weight from which on a call of an entry is shown: a part of all, or of the entry if that is less. */
static uint64_t table_least(const BrowseTable *t, size_t entry) {
        uint64_t all = MIN_OF(t->columns.total, entry_weight(t, t->report.entries + entry));

        return MAX_OF((uint64_t) ((double) all * t->choice.least_call / 100.0), UINT64_C(1));
}

/* Opens all forks of a tree that are large enough to be shown. */
static int table_open_calls(BrowseTable *t, size_t entry) {
        const CallTree *tree = t->trees[entry];
        int r = 0;

        for (uint32_t i = 1; r >= 0 && i < tree->n; i++)
                if (tree->nodes[i].n_children > 0 && call_node_weight(tree->nodes + i) >= table_least(t, entry) &&
                    call_tree_next(tree, i) == 0)
                        r = open_set_put(&t->open, table_node_hash(t, entry, i), true);
        return r;
}

static int table_make_trees(BrowseTable *t) {
        const ReportCollection *c = &t->collection;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < t->report.n; i++) {
                if (!t->wanted[i])
                        continue;
                t->trees[i] = calloc(1, sizeof(CallTree));
                r = t->trees[i] ? call_tree_init(t->trees[i], t->report.places, t->names, CALL_KEY_FUNCTION) : -ENOMEM;
                for (size_t k = c->first[i]; r >= 0 && k < c->next[i]; k++)
                        r = call_tree_add(t->trees[i], c->chains + k);
                if (r >= 0 && t->opening)
                        r = table_open_calls(t, i);
        }
        return r;
}

static int table_collect(BrowseTable *t) {
        int r = 0;

        if (!t->collection.report) {
                if (!table_mark_wanted(t)) {
                        t->stage = STAGE_LIST;
                        return 0;
                }
                r = report_collect_begin(&t->collection, &t->report, t->wanted);
        }
        if (r >= 0)
                r = report_collect_rows(&t->collection, ROWS_A_STEP);
        if (r > 0)
                return 0;
        if (r == 0)
                r = table_make_trees(t);
        report_collection_done(&t->collection);
        t->stage = STAGE_LIST;
        return r;
}

static int table_add_line(BrowseTable *t, const BrowseLine *line) {
        if (ARRAY_RESERVE(t->lines, t->lines_allocated, t->n_lines + 1) < 0)
                return -ENOMEM;
        t->lines[t->n_lines++] = *line;
        return 0;
}

/* Adds the calls below a node. One that is a node's only call stands below it; several ones are shown if the node is open, a
 * further level to the right. */
static int table_list_calls(BrowseTable *t, uint32_t entry, uint32_t node, uint32_t depth, bool open) {
        const CallTree *tree = t->trees[entry];
        _cleanup_free_ uint32_t *children = NULL;
        size_t n = 0;
        int r = open ? call_tree_children(tree, node, table_least(t, entry), true, &children, &n) : 0;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                BrowseLine line = { .entry = entry, .node = children[i], .depth = depth };
                uint32_t last = children[i];

                for (uint32_t next; r >= 0 && (next = call_tree_next(tree, last)) > 0; last = next) {
                        r = table_add_line(t, &line);
                        line.node = next;
                }
                line.can_open = tree->nodes[last].n_children > 0;
                line.is_open = line.can_open && open_set_has(&t->open, table_node_hash(t, entry, last));
                if (r >= 0)
                        r = table_add_line(t, &line);
                if (r >= 0)
                        r = table_list_calls(t, entry, last, depth + 1, line.is_open);
        }
        return r;
}

static bool entry_has_text(const BrowseTable *t, const ReportEntry *e) {
        const char *filter = t->choice.filter;

        if (!filter || !*filter)
                return true;
        for (size_t i = 0; i < t->choice.n_keys; i++) {
                ReportField key = t->choice.keys[i];
                ReportCell cell = report_cell(&t->columns, key, e);
                bool named = key == REPORT_FIELD_SYMBOL && e->symbol > 0;
                _cleanup_free_ char *made = named || cell.type->text ? NULL : report_columns_field(&t->columns, key, e);
                const char *text = named ? t->names->symbols[e->symbol].name : cell.type->text ? report_cell_text(&cell) : made;

                if (text && strcasestr(text, filter))
                        return true;
        }
        return false;
}

static int table_list(BrowseTable *t) {
        bool functions = table_has_key(t, REPORT_FIELD_SYMBOL);
        int r = 0;

        t->n_lines = t->n_entries = 0;
        for (size_t i = 0; r >= 0 && i < t->report.n; i++) {
                const ReportEntry *e = t->report.entries + t->order[i];
                BrowseLine line = { .entry = (uint32_t) t->order[i], .can_open = e->n_chains > 0 };

                if (!report_columns_reaches(&t->columns, entry_weight(t, e), t->choice.least) || !entry_has_text(t, e))
                        continue;
                line.is_open = t->trees[line.entry] && open_set_has(&t->open, table_entry_hash(t, e));
                r = table_add_line(t, &line);
                t->n_entries++;
                if (r >= 0 && line.is_open) { /* the first call of a chain is the entry itself, if entries are functions */
                        const CallNode *root = t->trees[line.entry]->nodes;

                        r = table_list_calls(t, line.entry, functions && root->n_children == 1 ? root->child : 0, 0, true);
                }
        }
        t->stage = STAGE_COMPLETE;
        return r;
}

int browse_table_step(BrowseTable *t, double *ret_done) {
        double rows = (double) MAX_OF(t->n_rows, 1u);
        int r;

        switch (t->stage) {
        case STAGE_CHOOSE:
                r = table_choose_rows(t);
                *ret_done = 0;
                break;
        case STAGE_COUNT:
                r = table_count(t);
                *ret_done = (double) t->report.n_counted / rows;
                break;
        case STAGE_ORDER:
                t->order = report_order(&t->columns);
                t->trees = calloc(t->report.n + 1, sizeof(CallTree *));
                t->wanted = calloc(t->report.n + 1, sizeof(*t->wanted));
                t->stage = STAGE_COLLECT;
                r = t->order && t->trees && t->wanted ? 0 : -ENOMEM;
                *ret_done = 1;
                break;
        case STAGE_COLLECT:
                r = table_collect(t);
                *ret_done = (double) t->collection.n_rows / rows;
                break;
        case STAGE_LIST:
                r = table_list(t);
                *ret_done = 1;
                break;
        default:
                return 0;
        }
        return r < 0 ? r : t->stage != STAGE_COMPLETE;
}

const BrowseLine *browse_table_lines(const BrowseTable *t, size_t *ret_n) {
        *ret_n = t->n_lines;
        return t->lines;
}

const ReportColumns *browse_table_columns(const BrowseTable *t) {
        return &t->columns;
}

const BrowseChoice *browse_table_choice(const BrowseTable *t) {
        return &t->choice;
}

const ReportEntry *browse_table_entry(const BrowseTable *t, const BrowseLine *line) {
        return t->report.entries + line->entry;
}

size_t browse_table_n_entries(const BrowseTable *t) {
        return t->n_entries;
}

uint64_t browse_table_weight(const BrowseTable *t, const BrowseLine *line) {
        if (line->node == 0)
                return entry_weight(t, t->report.entries + line->entry);
        return call_node_weight(t->trees[line->entry]->nodes + line->node);
}

uint32_t browse_table_place(const BrowseTable *t, const BrowseLine *line) {
        return line->node > 0 ? t->trees[line->entry]->nodes[line->node].place : t->report.entries[line->entry].place;
}

int browse_table_zoom(const BrowseTable *t, const BrowseLine *line, ZoomKind kind, SampleZoom *ret) {
        const ReportEntry *e = t->report.entries + line->entry;
        uint32_t place = browse_table_place(t, line), number = 0;
        bool code = line->node > 0 || table_has_key(t, REPORT_FIELD_SYMBOL);
        bool threads = table_has_key(t, REPORT_FIELD_PID), has = true;

        switch (kind) {
        case ZOOM_COMMAND:
                has = threads || table_has_key(t, REPORT_FIELD_COMM);
                number = table_has_key(t, REPORT_FIELD_COMM) ? e->row.name : sample_table_view(t->table)->threads[e->thread].name;
                break;
        case ZOOM_THREAD:
                has = threads;
                number = e->row.tid;
                break;
        case ZOOM_UNIT:
                number = e->row.unit;
                break;
        case ZOOM_LIBRARY:
                has = code || table_has_key(t, REPORT_FIELD_DSO);
                number = place_names_dso(t->names, t->report.places->places + place);
                break;
        case ZOOM_FUNCTION:
                has = code;
                number = t->names->symbol_of[place];
                break;
        case ZOOM_CPU:
                has = table_has_key(t, REPORT_FIELD_CPU);
                number = e->row.cpu;
                break;
        default:
                break;
        }
        return has ? sample_zoom_init(ret, kind, number, e->thread, t->table, t->names) : -ENODATA;
}

uint64_t browse_table_selected(const BrowseTable *t, uint64_t *ret_period, uint64_t *ret_all) {
        *ret_period = t->sums.period;
        *ret_all = t->sums.all;
        return t->sums.samples;
}

uint64_t browse_table_identity(const BrowseTable *t, size_t line) {
        const BrowseLine *l = t->lines + line;

        return line >= t->n_lines ? 0 : l->node > 0 ? table_node_hash(t, l->entry, l->node) :
               table_entry_hash(t, t->report.entries + l->entry);
}

size_t browse_table_find(const BrowseTable *t, uint64_t identity) {
        for (size_t i = 0; identity != 0 && i < t->n_lines; i++)
                if (browse_table_identity(t, i) == identity)
                        return i;
        return SIZE_MAX;
}

int browse_table_toggle(BrowseTable *t, size_t line) {
        const BrowseLine *l = t->lines + line;
        int r;

        if (t->stage != STAGE_COMPLETE || line >= t->n_lines || !l->can_open)
                return 0;
        r = open_set_put(&t->open, browse_table_identity(t, line), !l->is_open);
        t->stage = STAGE_COLLECT;
        return r < 0 ? r : 1;
}

int browse_table_open_all(BrowseTable *t, bool open) {
        size_t n = 0;
        int r = 0;

        if (t->stage != STAGE_COMPLETE)
                return 1;
        t->opening = open;
        if (!open)
                t->open.n = 0;
        for (size_t i = 0; r >= 0 && open && i < t->n_lines && n < OPEN_AT_ONCE; i++) {
                size_t entry = t->lines[i].entry;

                if (t->lines[i].node > 0 || !t->lines[i].can_open)
                        continue;
                n++;
                r = open_set_put(&t->open, browse_table_identity(t, i), true);
                if (r >= 0 && t->trees[entry])
                        r = table_open_calls(t, entry);
        }
        t->stage = STAGE_COLLECT;
        return r < 0 ? r : 1;
}

int browse_table_filter(BrowseTable *t, const char *filter) {
        char *copy = filter ? strdup(filter) : NULL;

        if (filter && !copy)
                return -ENOMEM;
        free(t->choice.filter);
        t->choice.filter = copy;
        if (t->stage == STAGE_COMPLETE)
                t->stage = STAGE_LIST;
        return 1;
}

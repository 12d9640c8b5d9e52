/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl events: lists the events that can be recorded on this machine, in perf list's groups. A word that is an event is
 * opened, and the verb fails with the reason if that does not work; any other word selects from the list. The list depends on
 * the caller's privileges; no daemon takes part. */

#include "event-list.h"

#include <inttypes.h>

#include "array.h"
#include "format-table.h"
#include "format-text.h"
#include "near-name.h"
#include "pager.h"
#include "strv.h"
#include "verbs.h"

typedef struct EventsRequest {
        EventList list;
        char **patterns, **otherwise;
        Diagnosis left_out; /* why tracepoints are missing */
        EventListOptions here; /* this machine */
        int status;
} EventsRequest;

static void events_request_done(EventsRequest *q) {
        event_list_done(&q->list);
        strv_free(q->patterns);
        strv_free(q->otherwise);
        diagnosis_done(&q->left_out);
}

/* The reason for a cell of the table, where row->reason would be too long. */
static const char *short_reason(const EventRow *row) {
        switch (row->error) {
        case -ENOENT:
        case -ENXIO:
        case -ENODEV:
                return row->group == EVENT_GROUP_PROBE ? "not in this kernel" : "no counter";
        case -EACCES:
        case -EPERM:
                return "no permission";
        case -EOPNOTSUPP:
                return "can't be sampled";
        default:
                return "can't be opened";
        }
}

static void events_add_note(Table *t, const EventRow *row, bool described) {
        _cleanup_free_ char *note = NULL;
        const char *description = described ? row->description : NULL;

        if (row->error < 0)
                note = format_text("%s (%s)", short_reason(row), strerrorname_np(-row->error) ?: "?");
        else if (row->unit && description)
                note = format_text("%s (%s)", description, row->unit);
        table_add_text(t, note ?: description ?: "", json_new_string(""));
}

static int events_make_table(const EventList *l, bool described, Table **ret) {
        Table *t = table_new("EVENT", "TYPE", "~NOTE", NULL);

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < l->n_rows; i++) {
                const EventRow *row = &l->rows[i];
                _cleanup_free_ char *both = row->alias ? format_text("%s OR %s", row->name, row->alias) : NULL;
                Colour colour = row->error < 0 ? COLOUR_GREY : COLOUR_NONE;

                table_add_string(t, both ?: row->name);
                table_colour(t, colour);
                table_add_string(t, event_group_title(row->group));
                table_colour(t, colour);
                events_add_note(t, row, described);
                table_colour(t, colour);
        }
        *ret = t;
        return 0;
}

typedef struct AttrNumber {
        const char *name;
        uint64_t value; /* 0: not shown, except the first two */
} AttrNumber;

#define ATTR_NUMBERS 5

/* The numbers that the event's name and terms come to. */
static void events_list_numbers(const struct perf_event_attr *a, AttrNumber ret[static ATTR_NUMBERS]) {
        bool watches = a->type == PERF_TYPE_BREAKPOINT;

        ret[0] = (AttrNumber) { "type", a->type };
        ret[1] = (AttrNumber) { "config", a->config };
        ret[2] = (AttrNumber) { "bp_type", watches ? a->bp_type : 0 };
        ret[3] = (AttrNumber) { watches ? "bp_addr" : "config1", a->config1 };
        ret[4] = (AttrNumber) { watches ? "bp_len" : "config2", a->config2 };
}

static void events_print_attr(const struct perf_event_attr *a) {
        AttrNumber numbers[ATTR_NUMBERS];

        events_list_numbers(a, numbers);
        (void) printf("        type %" PRIu64, numbers[0].value);
        for (size_t i = 1; i < ATTR_NUMBERS; i++)
                if (i < 2 || numbers[i].value != 0)
                        (void) printf(", %s %#" PRIx64, numbers[i].name, numbers[i].value);
        (void) putchar('\n');
}

/* Everything that is known of an event has a line below its name. */
static void events_print_block(const TableOptions *o, const EventRow *row) {
        (void) printf("%s%s%s  [%s]\n", row->name, row->alias ? " OR " : "", row->alias ?: "", event_group_title(row->group));
        if (row->description && !o->no_desc)
                (void) printf("        %s\n", row->description);
        if (o->details && row->attr.size > 0)
                events_print_attr(&row->attr);
        if (row->error < 0)
                (void) printf("        %s\n", o->long_desc && row->reason ? row->reason : short_reason(row));
        if (!o->long_desc)
                return;
        if (row->unit)
                (void) printf("        a count is %g %s\n", row->scale, row->unit);
        STRV_FOREACH(field, row->fields)
                (void) printf("        %s\n", *field);
}

static int events_set_string(json_object *object, const char *key, const char *s) {
        return s ? json_set(object, key, json_new_string(s)) : 0;
}

static int events_attr_to_json(const struct perf_event_attr *a, json_object *row) {
        _cleanup_(json_object_putp) json_object *v = json_object_new_object();
        AttrNumber numbers[ATTR_NUMBERS];
        int r = v ? 0 : -ENOMEM;

        events_list_numbers(a, numbers);
        for (size_t i = 0; i < ATTR_NUMBERS && r >= 0; i++)
                if (i < 2 || numbers[i].value != 0)
                        r = json_set(v, numbers[i].name, json_object_new_uint64(numbers[i].value));
        return r < 0 ? r : json_set(row, "attr", steal_ptr(v));
}

static int events_fields_to_json(char *const *fields, json_object *row) {
        _cleanup_(json_object_putp) json_object *v = json_object_new_array();
        int r = v ? 0 : -ENOMEM;

        STRV_FOREACH(field, fields)
                if (r >= 0)
                        r = json_append(v, json_new_string(*field));
        return r < 0 ? r : json_set(row, "fields", steal_ptr(v));
}

static int events_row_to_json(const EventRow *row, const TableOptions *o, json_object **ret) {
        _cleanup_(json_object_putp) json_object *v = json_object_new_object();
        const struct {
                const char *key, *value;
        } strings[] = {
                { "name", row->name },     { "alias", row->alias }, { "type", event_group_title(row->group) },
                { "group", event_group_to_string(row->group) }, { "pmu", row->pmu }, { "unit", row->unit },
                { "description", o->no_desc ? NULL : row->description },
        };
        int r = v ? 0 : -ENOMEM;

        for (size_t i = 0; i < ELEMENTSOF(strings) && r >= 0; i++)
                r = events_set_string(v, strings[i].key, strings[i].value);
        if (r >= 0 && row->scale > 0)
                r = json_set(v, "scale", json_object_new_double(row->scale));
        if (r >= 0 && row->is_form)
                r = json_set(v, "form", json_object_new_boolean(true));
        if (r >= 0)
                r = json_set(v, "recordable", json_object_new_boolean(row->error >= 0));
        if (r >= 0 && row->error < 0)
                r = events_set_string(v, "reason", row->reason ?: short_reason(row));
        if (r >= 0 && row->fields)
                r = events_fields_to_json(row->fields, v);
        if (r >= 0 && o->details && row->attr.size > 0)
                r = events_attr_to_json(&row->attr, v);
        if (r < 0)
                return r;
        *ret = steal_ptr(v);
        return 0;
}

static int events_print_json(const ClientOptions *o, const EventList *l) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; i < l->n_rows && r >= 0; i++) {
                json_object *row = NULL;

                r = events_row_to_json(&l->rows[i], &o->table, &row);
                if (r >= 0)
                        r = json_append(rows, row);
        }
        return r < 0 ? r : json_print(rows, o->json);
}

static int events_print(const ClientOptions *o, const EventList *l) {
        bool blocks = o->table.long_desc || o->table.details;
        _cleanup_(table_freep) Table *t = NULL;
        size_t recordable = 0;
        int r;

        if (o->json != JSON_OFF)
                return events_print_json(o, l);
        r = events_make_table(l, !o->table.no_desc, &t);
        if (r < 0)
                return r;
        if (!blocks && l->n_rows > 0)
                r = table_print(t, !o->table.no_legend, o->table.full ? 0 : terminal_get()->columns);
        for (size_t i = 0; blocks && i < l->n_rows; i++)
                events_print_block(&o->table, &l->rows[i]);
        for (size_t i = 0; i < l->n_rows; i++)
                recordable += l->rows[i].error >= 0;
        if (!o->table.no_legend)
                (void) printf("%s%zu event%s listed, %zu can be recorded here.\n", l->n_rows > 0 ? "\n" : "", l->n_rows,
                              l->n_rows == 1 ? "" : "s", recordable);
        return r;
}

/* Rows from first on belong to this name. */
static void events_explain(EventsRequest *q, const char *name, size_t first) {
        for (size_t i = first; i < q->list.n_rows; i++) {
                const EventRow *row = &q->list.rows[i];

                if (row->error >= 0)
                        continue;
                q->status = STATUS_FAILED;
                (void) fprintf(stderr, "%s: %s\n", name, row->reason ?: short_reason(row));
                return;
        }
}


/* Adds a pattern, with the message if it matches nothing. */
static int events_add_pattern(EventsRequest *q, const char *word, const char *otherwise) {
        int r = strv_extend(&q->patterns, word);

        return r < 0 ? r : strv_extend(&q->otherwise, otherwise);
}

/* A word is an event, a group, or otherwise part of a name. */
static int events_add_word(EventsRequest *q, const char *word) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        size_t first = q->list.n_rows;
        int r;

        if (streq(word, "metric") || streq(word, "metricgroup")) /* words of perf list */
                return events_add_pattern(q, word, "perf's metrics are formulas of its own; perfctl stat prints what follows from "
                                                   "the events that it counts");
        if (event_group_from_string(word) >= 0 || event_list_is_pattern(word))
                return events_add_pattern(q, word, "No event matches");
        r = event_list_add_named(&q->list, word, &q->here, &d);
        if (r >= 0)
                events_explain(q, word, first);
        if (r >= 0 || r == -ENOMEM)
                return r;
        return events_add_pattern(q, word, d.sentence ?: "There is no such event");
}

/* The end of a sentence with the most similar names, or NULL. The part of a tracepoint's name behind the colon counts as a name,
 * too. */
static char *events_near_hint(const char *word) {
        _cleanup_(diagnosis_done) Diagnosis left_out = {};
        NearNames near = { .wanted = word };
        EventList all = {};
        char *hint = NULL;

        if (!event_list_is_pattern(word) && event_list_add_matching(&all, NULL, &(EventListOptions) {}, &left_out) >= 0) {
                for (size_t i = 0; i < all.n_rows; i++) {
                        const char *name = all.rows[i].name, *colon = strchr(word, ':') ? NULL : strchr(name, ':');

                        near_names_offer(&near, colon ? colon + 1 : name);
                }
                hint = near_names_hint(&near);
        }
        near_names_done(&near);
        event_list_done(&all);
        return hint;
}

/* If not even a clock can be opened, no event can, and the list does not open all of them: says why, once. */
static int events_refuse_all(EventsRequest *q, bool quiet) {
        EventList clock = {};
        int r = event_list_add_named(&clock, "cpu-clock", &(EventListOptions) {}, NULL), error;

        error = r >= 0 && clock.n_rows > 0 ? clock.rows[0].error : 0;
        if (error < 0 && !quiet)
                (void) fprintf(stderr, "No event can be recorded here: %s\n", clock.rows[0].reason ?: strerror(-error));
        for (size_t i = 0; error < 0 && i < q->list.n_rows; i++)
                if (q->list.rows[i].error >= 0)
                        q->list.rows[i].error = error;
        event_list_done(&clock);
        return r == -ENOMEM ? r : 0;
}

static int events_fill(EventsRequest *q, char *const *words) {
        size_t first;
        int r = 0;

        STRV_FOREACH(w, words) {
                r = events_add_word(q, *w);
                if (r < 0)
                        return r;
        }
        if (words && *words && !q->patterns)
                return 0;
        first = q->list.n_rows;
        r = event_list_add_matching(&q->list, q->patterns, &q->here, &q->left_out);
        for (size_t i = 0; q->patterns && q->patterns[i]; i++)
                if (!ANY_OF(q->list.n_rows - first, k, event_row_matches(q->list.rows + first + k, q->patterns[i]))) {
                        bool hinted = strstr(q->otherwise[i], "did you mean");
                        _cleanup_free_ char *hint = hinted ? NULL : events_near_hint(q->patterns[i]);

                        (void) fprintf(stderr, "%s: %s%s\n", q->patterns[i], q->otherwise[i], hint ?: "");
                        q->status = STATUS_FAILED;
                }
        return q->left_out.sentence ? 0 : r;
}

int verb_events(const ClientOptions *o, char **arguments) {
        _cleanup_(events_request_done) EventsRequest q = { .here.fields = o->table.long_desc, .status = STATUS_OK };
        int r = events_fill(&q, arguments);

        if (r < 0)
                return verb_fail("list events", r);
        if (q.left_out.sentence && !o->quiet)
                (void) fprintf(stderr, "%s\n", q.left_out.sentence);
        if (q.list.n_rows == 0 && q.status != STATUS_OK && o->json == JSON_OFF)
                return q.status;
        r = q.patterns || !*arguments ? events_refuse_all(&q, o->quiet) : 0;
        pager_open(!o->no_pager);
        if (r >= 0)
                r = events_print(o, &q.list);
        return r < 0 ? verb_fail("print the list", r) : q.status;
}

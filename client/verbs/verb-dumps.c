/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl dumps: lists the service's dumps as a table or as JSON, the newest last, as coredumpctl list does for core dumps. As
 * there, the exit status is 1 if there are none. Ids are never cut, since other verbs take them: they are last, and other
 * columns give way. */

#include <inttypes.h>
#include <limits.h>

#include "dump-list.h"
#include "format-table.h"
#include "pager.h"
#include "parse-size.h"
#include "verbs.h"

#define WIDE 130 /* columns; a terminal of this width or more has full timestamps */

/* Adds a timestamp, on a narrow terminal as in journalctl: "Nov 21 10:53:18". */
static void dumps_add_time(Table *t, usec_t timestamp, bool wide) {
        time_t second = (time_t) (timestamp / USEC_PER_SEC);
        char text[64] = "";
        struct tm tm;

        if (wide)
                (void) format_timestamp(text, sizeof(text), timestamp);
        else if (localtime_r(&second, &tm))
                (void) strftime(text, sizeof(text), "%b %d %H:%M:%S", &tm);
        table_add_text(t, text, json_object_new_uint64(timestamp));
}

static void dumps_add_count(Table *t, const json_object *dump, const char *property) {
        if (dump_knows(dump, property))
                table_add_unsigned(t, json_get_unsigned(dump, property));
        else
                table_add_nothing(t);
}

static void dumps_add_row(Table *t, const json_object *dump, bool wide) {
        uint64_t lost = json_get_unsigned(dump, "Lost"), size = json_get_unsigned(dump, "Size");
        _cleanup_free_ char *triggers = dump_describe_triggers(dump);
        const char *detail = triggers ? startswith(triggers, dump_main_trigger(dump)) : NULL; /* that word has its column */
        bool lent = dump_knows(dump, "Lost") && json_length(json_get(dump, "Lent")) > 0;
        usec_t span = dump_span(dump);
        char text[64];

        (void) snprintf(text, sizeof(text), "-%" PRIu64, json_get_unsigned(dump, "Back"));
        table_add_string(t, text);
        dumps_add_time(t, json_get_unsigned(dump, "Timestamp"), wide);
        table_add_string(t, json_get_string(dump, "Session"));
        table_add_string(t, dump_main_trigger(dump));
        if (span > 0)
                table_add_text(t, dump_format_span(text, sizeof(text), span), json_object_new_uint64(span));
        else
                table_add_nothing(t);
        dumps_add_count(t, dump, "Samples");
        if (lent) { /* other samples are missing, too */
                (void) snprintf(text, sizeof(text), "%" PRIu64 ", lent", lost);
                table_add_text(t, text, json_object_new_uint64(lost));
        } else
                dumps_add_count(t, dump, "Lost");
        table_colour(t, dump_knows(dump, "Lost") && (lost > 0 || lent) ? COLOUR_YELLOW : COLOUR_NONE);
        table_add_text(t, format_size(text, sizeof(text), size), json_object_new_uint64(size));
        detail = detail ? startswith(detail, ": ") ?: startswith(detail, "; ") : NULL;
        table_add_string(t, detail ?: "");
        table_add_string(t, json_get_string(dump, "Id"));
}

static int dumps_print_table(const ClientOptions *o, const DumpList *l) {
        unsigned columns = o->table.full ? 0 : terminal_get()->columns;
        _cleanup_(table_freep) Table *t =
                table_new(">#", "TIME", "?SESSION", "~TRIGGER", ">SPAN", ">SAMPLES", "?>LOST", "?>SIZE", "?DETAIL", "ID", NULL);

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < l->n; i++)
                dumps_add_row(t, l->dumps[i], columns == 0 || columns >= WIDE);
        return table_print(t, !o->table.no_legend, columns);
}

static int dumps_print_json(const ClientOptions *o, const DumpList *l) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < l->n; i++) {
                json_object *row = NULL;

                r = dump_to_json(l->dumps[i], &row);
                if (r >= 0)
                        r = json_append(rows, row);
        }
        return r < 0 ? r : json_print(rows, o->json);
}

int verb_dumps(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(dump_list_done) DumpList l = {};
        int r;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (dump_list_load(c, &l) < 0)
                return bus_client_fail(c, "list dumps");
        r = dump_list_filter(&l, arguments, o);
        if (r < 0)
                return verb_fail("list dumps", r);
        if (o->journal.lines != UINT_MAX)
                dump_list_keep_newest(&l, o->journal.lines);
        if (o->dump.reverse)
                dump_list_reverse(&l);
        if (l.n == 0 && o->json == JSON_OFF) {
                if (!o->quiet)
                        (void) fprintf(stderr, "No dumps found.\n");
                return STATUS_FAILED;
        }
        pager_open_at(!o->no_pager, o->dump.reverse || o->json != JSON_OFF ? PAGER_BEGIN : PAGER_END);
        r = o->json != JSON_OFF ? dumps_print_json(o, &l) : dumps_print_table(o, &l);
        if (r < 0)
                return verb_fail("print the list", r);
        return l.n == 0 ? STATUS_FAILED : STATUS_OK;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The events of a recording, a line each, in the forms of perf evlist. */

#include "verb-evlist.h"

#include <inttypes.h>

#include "attr-describe.h"
#include "event-groups.h"
#include "event-json.h"
#include "event-name.h"
#include "evlist-rows.h"
#include "recording-input.h"
#include "trace-layout.h"
#include "utf8.h"
#include "view-options.h"

typedef struct EvlistOptions {
        const char *path, *name;
        bool attributes, frequency, groups, fields, json;
} EvlistOptions;

static const ViewOption rows[] = { EVLIST_ROWS };

static const ViewVerb verb = {
        .synopsis = "evlist [OPTION...]", .purpose = "List the events of a recording, as perf evlist does.",
        .options = rows, .n = ELEMENTSOF(rows),
};

static int evlist_print_name(const char *before, const PerfDataEvent *e) {
        _cleanup_free_ char *made = e->name || e->attr.type == PERF_TYPE_TRACEPOINT ? NULL : event_name_of(&e->attr);
        _cleanup_free_ char *line = utf8_line(e->name ?: made ?: "unknown tracepoint", SIZE_MAX, SIZE_MAX);

        (void) printf("%s%s", before, line ?: "");
        return line ? 0 : -ENOMEM;
}

/* Prints the fields that are the tracepoint's own. before: what comes in front of them. */
static int print_fields(const RecordingInput *in, const PerfDataEvent *e, const char *before) {
        _cleanup_(trace_layout_done) TraceLayout layout = {};
        const char *separator = " trace_fields: ";
        const void *data;
        size_t size;
        int r = -ENOENT;

        (void) fputs(before, stdout);
        if (e->attr.type != PERF_TYPE_TRACEPOINT) {
                (void) fputs(" (not a tracepoint)", stdout);
                return 0;
        }
        if (perf_data_reader_feature(in->reader, PERF_FEATURE_TRACING_DATA, &data, &size) >= 0)
                r = trace_layout_init(&layout, data, size, e->attr.config);
        for (size_t i = 0; i < layout.n; i++)
                if (!layout.fields[i].common) {
                        (void) printf("%s%s", separator, layout.fields[i].name);
                        separator = ",";
                }
        if (*separator == ' ')
                (void) fputs(" (no trace field)", stdout);
        return r == -ENOMEM ? r : 0;
}

static int evlist_print_event(const EvlistOptions *o, const RecordingInput *in, const PerfDataEvent *e) {
        int r = evlist_print_name("", e);

        if (r >= 0 && o->attributes) {
                _cleanup_free_ char *attr = attr_describe(&e->attr, ATTR_FORM_LIST);

                if (!attr)
                        return -ENOMEM;
                (void) printf(": %s", attr);
        } else if (o->frequency)
                (void) printf(": sample_%s=%" PRIu64, e->attr.freq ? "freq" : "period", (uint64_t) e->attr.sample_freq);
        if (r >= 0 && o->fields)
                r = print_fields(in, e, o->attributes || o->frequency ? "," : ":");
        (void) fputc('\n', stdout);
        return r;
}

/* Returns the number of events. */
static size_t evlist_print_group(const EventGroup *group, const PerfDataEvent *events, int *r) {
        _cleanup_free_ char *name = group->name ? utf8_line(group->name, SIZE_MAX, SIZE_MAX) : NULL;

        (void) printf("%s%s", name ?: "", group->n > 1 ? "{" : "");
        for (size_t i = 0; i < group->n && *r >= 0; i++)
                *r = evlist_print_name(i > 0 ? "," : "", events + group->leader + i);
        (void) fputs(group->n > 1 ? "}\n" : "\n", stdout);
        return group->n;
}

static int evlist_print_groups(const RecordingInput *in, const PerfDataEvent *events, size_t n) {
        static const EvlistOptions only_names = {};
        _cleanup_free_ EventGroup *groups = NULL;
        size_t n_groups, group = 0;
        int r = event_groups_read(in->reader, &groups, &n_groups);

        for (size_t i = 0; r >= 0 && i < n;)
                if (group < n_groups && groups[group].leader == i)
                        i += evlist_print_group(groups + group++, events, &r);
                else
                        r = evlist_print_event(&only_names, in, events + i++);
        return r;
}

static int evlist_print_json(const RecordingInput *in) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        JsonWriter w = { .out = &out };
        int r;

        json_writer_begin(&w, NULL, '{');
        r = event_json_put(&w, in);
        json_writer_end(&w, '}');
        text_buffer_putc(&out, '\n');
        return r < 0 ? r : text_buffer_flush(&out);
}

static int evlist_print_events(const EvlistOptions *o, const RecordingInput *in) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(in->reader, &events);
        int r = 0;

        if (o->json)
                r = evlist_print_json(in);
        else if (o->groups)
                r = evlist_print_groups(in, events, n);
        else
                for (size_t i = 0; r >= 0 && i < n; i++)
                        r = evlist_print_event(o, in, events + i);
        return r >= 0 && (fflush(stdout) != 0 || ferror(stdout)) ? -EIO : r;
}

static int evlist(const EvlistOptions *o) {
        _cleanup_(recording_input_done) RecordingInput in = RECORDING_INPUT_EMPTY;
        int r = recording_input_open(&in, o->path, o->name, NULL);

        if (r >= 0)
                r = recording_input_restrict(&in);
        if (r >= 0)
                r = recording_input_read(&in);
        if (r < 0)
                return EXIT_FAILURE;
        r = evlist_print_events(o, &in);
        if (r < 0)
                (void) recording_input_fail(&in, "list the events of", r);
        return r < 0 || recording_input_report_damage(&in, 0) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* 0; 1: help was printed; -EINVAL: an error was printed. */
static int evlist_parse_options(EvlistOptions *o, int argc, char **argv) {
        int r = view_options_parse(&verb, o, argc, argv);

        if (r == 0 && o->groups && (o->attributes || o->frequency || o->fields)) {
                (void) fprintf(stderr, "--group cannot be combined with --verbose, --freq and --trace-fields\n");
                r = -EINVAL;
        }
        if (r == 0 && o->json && (o->attributes || o->frequency || o->groups || o->fields)) {
                (void) fprintf(stderr, "--json has all of it, and cannot be combined with --verbose, --freq, --group and "
                               "--trace-fields\n");
                r = -EINVAL;
        }
        return r;
}

int verb_evlist(int argc, char **argv) {
        EvlistOptions o = {};
        int r = evlist_parse_options(&o, argc, argv);

        return r == 0 ? evlist(&o) : r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each event has its attributes as one text, too, in the words of perf evlist -v. */

#include "event-json.h"

#include "attr-describe.h"
#include "event-groups.h"
#include "event-name.h"
#include "trace-layout.h"
#include "utf8.h"

static int event_put_line(JsonWriter *w, const char *key, const char *text) {
        _cleanup_free_ char *line = utf8_line(text, SIZE_MAX, SIZE_MAX);

        if (!line)
                return -ENOMEM;
        json_writer_text(w, key, line);
        return 0;
}

static int event_put_name(JsonWriter *w, const PerfDataEvent *e) {
        _cleanup_free_ char *made = e->name || e->attr.type == PERF_TYPE_TRACEPOINT ? NULL : event_name_of(&e->attr);

        return event_put_line(w, "event", e->name ?: made ?: "unknown tracepoint");
}

static int put_attributes(JsonWriter *w, const struct perf_event_attr *attr) {
        _cleanup_free_ char *text = attr_describe(attr, ATTR_FORM_LIST);

        if (!text)
                return -ENOMEM;
        json_writer_number(w, "type", attr->type);
        json_writer_address(w, "config", attr->config);
        json_writer_number(w, attr->freq ? "frequency" : "period", attr->sample_freq);
        return event_put_line(w, "attributes", text);
}

/* A tracepoint whose format the recording does not have has no fields. */
static int put_fields(JsonWriter *w, const RecordingInput *in, const PerfDataEvent *e) {
        _cleanup_(trace_layout_done) TraceLayout layout = {};
        const void *data;
        size_t size;
        int r = -ENOENT;

        if (e->attr.type != PERF_TYPE_TRACEPOINT)
                return 0;
        if (perf_data_reader_feature(in->reader, PERF_FEATURE_TRACING_DATA, &data, &size) >= 0)
                r = trace_layout_init(&layout, data, size, e->attr.config);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        json_writer_begin(w, "trace_fields", '[');
        for (size_t i = 0; r >= 0 && i < layout.n; i++)
                if (!layout.fields[i].common)
                        r = event_put_line(w, NULL, layout.fields[i].name);
        json_writer_end(w, ']');
        return r;
}

/* Returns the group that an event is in; NULL: none. They are in the order of their events. */
static const EventGroup *event_group_of(const EventGroup *groups, size_t n, size_t event) {
        for (size_t i = 0; i < n; i++)
                if (event >= groups[i].leader && event - groups[i].leader < groups[i].n)
                        return groups + i;
        return NULL;
}

int event_json_put(JsonWriter *w, const RecordingInput *in) {
        _cleanup_free_ EventGroup *groups = NULL;
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(in->reader, &events), n_groups;
        int r = event_groups_read(in->reader, &groups, &n_groups);

        json_writer_begin(w, "events", '[');
        for (size_t i = 0; r >= 0 && i < n; i++) {
                const EventGroup *group = event_group_of(groups, n_groups, i);

                json_writer_begin(w, NULL, '{');
                r = event_put_name(w, events + i);
                if (r >= 0)
                        r = put_attributes(w, &events[i].attr);
                if (r >= 0 && group && group->n > 1) {
                        json_writer_number(w, "leader", group->leader);
                        r = group->name ? event_put_line(w, "group", group->name) : 0;
                }
                if (r >= 0)
                        r = put_fields(w, in, events + i);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
        return r;
}

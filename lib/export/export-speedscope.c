/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The format is that of https://www.speedscope.app/file-format-schema.json: frames that all profiles share, then sampled profiles,
 * each of one event. It has all of the event's call chains. The outermost frame is the name of the thread, which keeps processes
 * apart as in a flame graph. */

#include "export-formats.h"

#include "format-text.h"
#include "frame-names.h"
#include "json-writer.h"

typedef struct Speedscope {
        const ExportedSamples *c;
        FrameNames frames;
        const SampleRow *rows;
        size_t n_rows;
        JsonWriter w;
} Speedscope;

static int speedscope_put_stack(Speedscope *s, const SampleRow *row) {
        SampleStack stack = sample_table_stack(s->c->table, row);
        uint32_t number = 0;
        int r = frame_names_group(&s->frames, process_view_name(sample_table_view(s->c->table), row->name),
                                  FRAME_GROUP, &number);

        json_writer_begin(&s->w, NULL, '[');
        json_writer_number(&s->w, NULL, number - 1);
        for (size_t i = stack.n; r >= 0 && i-- > 0;) {
                r = frame_names_place(&s->frames, sample_stack_place(&stack, i), &number);
                if (r >= 0)
                        json_writer_number(&s->w, NULL, number - 1);
        }
        json_writer_end(&s->w, ']');
        return r;
}

static int speedscope_put_profile(Speedscope *s, uint32_t event, const SampleEvent *e, const uint32_t *order) {
        bool time = startswith(e->name, "cpu-clock") || startswith(e->name, "task-clock");
        _cleanup_free_ char *name = format_text("%s, %s", s->c->title, e->name);
        int r = name ? 0 : -ENOMEM;

        json_writer_begin(&s->w, NULL, '{');
        json_writer_text(&s->w, "type", "sampled");
        json_writer_text(&s->w, "name", name ?: "");
        json_writer_text(&s->w, "unit", time ? "nanoseconds" : "none");
        json_writer_number(&s->w, "startValue", 0);
        json_writer_number(&s->w, "endValue", e->selected_period);
        json_writer_begin(&s->w, "samples", '[');
        for (size_t i = 0; r >= 0 && i < s->n_rows; i++)
                if (s->rows[order[i]].event == event)
                        r = speedscope_put_stack(s, s->rows + order[i]);
        json_writer_end(&s->w, ']');
        json_writer_begin(&s->w, "weights", '[');
        for (size_t i = 0; i < s->n_rows; i++)
                if (s->rows[order[i]].event == event)
                        json_writer_number(&s->w, NULL, s->rows[order[i]].period);
        json_writer_end(&s->w, ']');
        json_writer_end(&s->w, '}');
        return r;
}

static void speedscope_put_frames(Speedscope *s) {
        json_writer_begin(&s->w, "shared", '{');
        json_writer_begin(&s->w, "frames", '[');
        for (uint32_t i = 1; i <= s->frames.n; i++) {
                const Frame *f = frame_names_frame(&s->frames, i);

                json_writer_begin(&s->w, NULL, '{');
                json_writer_text(&s->w, "name", frame_names_text(&s->frames, f->name));
                if (f->binary > 0)
                        json_writer_text(&s->w, "file", frame_names_text(&s->frames, f->binary));
                json_writer_end(&s->w, '}');
        }
        json_writer_end(&s->w, ']');
        json_writer_end(&s->w, '}');
}

void export_put_speedscope(const ExportedSamples *c, TextBuffer *out) {
        _cleanup_free_ uint32_t *order = sample_table_order(c->table);
        Speedscope s = { .c = c, .w = { .out = out } };
        size_t n;
        const SampleEvent *events = sample_table_events(c->table, &n);
        int r = order ? frame_names_init(&s.frames, c->table, c->names) : -ENOMEM;

        s.rows = sample_table_rows(c->table, &s.n_rows);
        json_writer_begin(&s.w, NULL, '{');
        json_writer_text(&s.w, "$schema", "https://www.speedscope.app/file-format-schema.json");
        json_writer_text(&s.w, "exporter", "perf-recorder");
        json_writer_text(&s.w, "name", c->title);
        json_writer_begin(&s.w, "profiles", '[');
        for (uint32_t i = 0; r >= 0 && i < n; i++)
                if (events[i].selected > 0)
                        r = speedscope_put_profile(&s, i, events + i, order);
        json_writer_end(&s.w, ']');
        if (r >= 0)
                speedscope_put_frames(&s);
        json_writer_end(&s.w, '}');
        if (r < 0)
                out->error = r;
        frame_names_done(&s.frames);
}

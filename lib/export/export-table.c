/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Values are quoted as in RFC 4180; ends of lines are those of other tools here. A spreadsheet takes what begins like a formula for
 * one, and names come from whoever was recorded: such a text gets a quote in front. */

#include "export-formats.h"

#include "frame-names.h"

static void put_field(TextBuffer *b, const char *text) {
        if (!strpbrk(text, ",\"") && (*text == '\0' || !strchr("=+-@", *text))) {
                text_buffer_puts(b, text);
                return;
        }
        text_buffer_putc(b, '"');
        if (*text && strchr("=+-@", *text))
                text_buffer_putc(b, '\'');
        for (const char *p = text; *p; p++) {
                if (*p == '"')
                        text_buffer_putc(b, '"');
                text_buffer_putc(b, *p);
        }
        text_buffer_putc(b, '"');
}

static int table_put_stack(FrameNames *frames, const SampleStack *stack, TextBuffer *text, TextBuffer *out) {
        uint32_t number = 0;
        int r = 0;

        for (size_t i = stack->n; r >= 0 && i-- > 0;) {
                r = frame_names_place(frames, sample_stack_place(stack, i), &number);
                if (r < 0)
                        break;
                for (const char *p = frame_names_text(frames, frame_names_frame(frames, number)->name); *p; p++)
                        text_buffer_putc(text, *p == ';' ? ':' : *p);
                text_buffer_putc(text, i > 0 ? ';' : '\0');
        }
        if (r < 0 || text->error < 0 || !text->data)
                return r < 0 ? r : text->error ?: -ENODATA;
        put_field(out, frame_names_text(frames, frame_names_frame(frames, number)->binary));
        text_buffer_putc(out, ',');
        put_field(out, frame_names_text(frames, frame_names_frame(frames, number)->name));
        text_buffer_putc(out, ',');
        put_field(out, text->data);
        text->n = 0;
        return 0;
}

static void table_put_row(const ExportedSamples *c, const SampleRow *row, const char *event, TextBuffer *b) {
        const ProcessView *view = sample_table_view(c->table);
        const CgroupNames *groups = sample_table_cgroups(c->table);
        const NamedThread *thread = view->threads + row->thread;

        put_field(b, event);
        text_buffer_putc(b, ',');
        put_field(b, sample_table_host(c->table, row->host));
        text_buffer_putc(b, ',');
        put_field(b, row->cgroup > 0 ? cgroup_names_text(groups, groups->groups[row->cgroup - 1].unit) ?: "" : "");
        text_buffer_putc(b, ',');
        put_field(b, process_view_name(view, row->name));
        text_buffer_format(b, ",%u,%u,", thread->pid, thread->tid);
        if (row->cpu != UINT32_MAX)
                text_buffer_decimal(b, row->cpu, 0);
        text_buffer_putc(b, ',');
        text_buffer_decimal(b, row->count, 0);
        text_buffer_putc(b, ',');
        text_buffer_decimal(b, row->period, 0);
        text_buffer_putc(b, ',');
}

void export_put_csv(const ExportedSamples *c, TextBuffer *out) {
        size_t n, n_events;
        const SampleRow *rows = sample_table_rows(c->table, &n);
        const SampleEvent *events = sample_table_events(c->table, &n_events);
        TextBuffer text = {};
        FrameNames frames;
        int r = frame_names_init(&frames, c->table, c->names);

        text_buffer_puts(out, "event,host,unit,comm,pid,tid,cpu,samples,period,binary,function,stack\n");
        for (size_t i = 0; r >= 0 && out->error == 0 && i < n; i++) {
                SampleStack stack = sample_table_stack(c->table, rows + i);

                table_put_row(c, rows + i, events[rows[i].event].name, out);
                r = table_put_stack(&frames, &stack, &text, out);
                text_buffer_puts(out, "\n");
        }
        if (r < 0)
                out->error = r;
        frame_names_done(&frames);
        text_buffer_done(&text);
}

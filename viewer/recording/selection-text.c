/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words of the command line stand here as they were given; times as the parser understood them. */

#include "selection-text.h"

#include "strv.h"
#include "text-buffer.h"

static void begin_item(TextBuffer *b, const char *what) {
        text_buffer_puts(b, b->n > 0 ? ", " : "");
        text_buffer_puts(b, what);
}

static void put_names(TextBuffer *b, const char *what, char *const *names) {
        if (!names || !*names)
                return;
        begin_item(b, what);
        for (size_t i = 0; names[i]; i++)
                text_buffer_format(b, "%s%s", i > 0 ? " or " : " ", names[i]);
}

static void selection_text_put_numbers(TextBuffer *b, const char *what, const uint32_t *numbers, size_t n) {
        if (n > 0)
                begin_item(b, what);
        for (size_t i = 0; i < n; i++)
                text_buffer_format(b, "%s%u", i > 0 ? " or " : " ", numbers[i]);
}

static void put_span(TextBuffer *b, const char *before, usec_t span, const char *behind) {
        char text[64];

        if (span == 0)
                return;
        begin_item(b, before);
        text_buffer_puts(b, format_timespan(text, sizeof(text), span));
        text_buffer_puts(b, behind);
}

static void put_point(TextBuffer *b, const char *before, usec_t point) {
        char text[64];

        if (point == 0)
                return;
        begin_item(b, before);
        text_buffer_puts(b, format_timestamp(text, sizeof(text), point));
}

static void selection_text_put_times(const SelectionOptions *s, TextBuffer *b) {
        if (s->n_times > 0)
                begin_item(b, "the time ");
        text_buffer_puts(b, s->n_times > 0 ? s->time_words : "");
        put_point(b, "from ", s->window.since);
        put_point(b, "up to ", s->window.until);
        put_span(b, "the last ", s->window.last, "");
        put_span(b, "", s->window.before_trigger, " before the trigger");
        put_span(b, "more than ", s->window.earlier, " before the trigger");
        put_span(b, "", s->window.around_trigger, " before and behind the trigger");
}

int selection_text(const SelectionOptions *s, char **ret) {
        TextBuffer b = {};

        put_names(&b, "threads named", s->comms);
        selection_text_put_numbers(&b, "PID", s->pids, s->n_pids);
        selection_text_put_numbers(&b, "TID", s->tids, s->n_tids);
        selection_text_put_numbers(&b, "CPU", (const uint32_t *) s->cpus, s->n_cpus);
        put_names(&b, "unit", s->units);
        if (s->other_times)
                begin_item(&b, "the rest");
        else
                selection_text_put_times(s, &b);
        text_buffer_putc(&b, '\0');
        if (b.error < 0) {
                text_buffer_done(&b);
                return b.error;
        }
        *ret = b.data;
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The frame of the JSON of counted samples. */

#include "counted-json.h"

#include "recording-lendings.h"

void counted_json_begin(JsonWriter *w, const SampleTotals *totals, const Lendings *lent) {
        json_writer_begin(w, NULL, '{');
        json_writer_number(w, "lost_samples", totals->lost_samples);
        json_writer_number(w, "lost_records", totals->lost_records);
        json_writer_number(w, "throttled", totals->throttled);
        json_writer_number(w, "throttled_nsec", totals->throttled_time);
        json_writer_number(w, "unreadable", totals->unreadable);
        if (lent)
                recording_lendings_put_json(w, lent);
        json_writer_begin(w, "events", '[');
}

void counted_json_end(JsonWriter *w) {
        json_writer_end(w, ']');
        json_writer_end(w, '}');
        text_buffer_putc(w->out, '\n');
}

void counted_json_begin_event(JsonWriter *w, const char *event, uint64_t samples, uint64_t period, const char *array) {
        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "event", event);
        json_writer_number(w, "samples", samples);
        json_writer_number(w, "period", period);
        json_writer_begin(w, array, '[');
}

void counted_json_end_event(JsonWriter *w) {
        json_writer_end(w, ']');
        json_writer_end(w, '}');
}

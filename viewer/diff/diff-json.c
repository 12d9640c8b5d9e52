/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Losses are members only if there are any. Numbers of a row are those of samples, the sums of their weights, and these as
 * percentages. */

#include "diff-print.h"
#include "recording-lendings.h"
#include "significance.h"

static const char *const range_words[_DIFF_RANGES] = { [DIFF_BASELINE] = "baseline", [DIFF_COMPARED] = "compared" };

static void diff_json_range(const DiffRange *range, const char *key, JsonWriter *w) {
        const SampleTotals *totals = sample_table_totals(range->samples.table);
        const struct {
                const char *key;
                uint64_t n;
        } losses[] = {
                { "lost_samples", totals->lost_samples }, { "lost_records", totals->lost_records },
                { "throttled", totals->throttled }, { "unreadable", totals->unreadable },
        };

        json_writer_begin(w, key, '{');
        json_writer_text(w, "recording", counted_samples_title(&range->samples));
        if (*range->part)
                json_writer_text(w, "part", range->part);
        json_writer_number(w, "samples", sample_table_selected(range->samples.table, &(uint64_t) { 0 }));
        if (range->seconds > 0)
                json_writer_percent(w, "seconds", range->seconds);
        for (size_t i = 0; i < ELEMENTSOF(losses); i++)
                if (losses[i].n > 0)
                        json_writer_number(w, losses[i].key, losses[i].n);
        recording_lendings_put_json(w, &range->samples.lent);
        json_writer_end(w, '}');
}

void diff_json_head(const DiffOptions *o, const DiffRange *ranges, JsonWriter *w) {
        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                diff_json_range(ranges + i, range_words[i], w);
        json_writer_text(w, "normalize", diff_normalize_word(o->normalize));
        json_writer_percent(w, "level_percent", 100 * SIGNIFICANCE_LEVEL);
}

static void diff_json_key(DiffKey key, const char *text, JsonWriter *w) {
        const char level[] = { text[0] ? text[1] : '\0', '\0' };

        if (key == DIFF_KEY_PID) {
                json_writer_signed(w, "tid", strtol(text, NULL, 10));
                json_writer_text(w, "thread", text + strcspn(text, ":") + 1);
        } else if (key == DIFF_KEY_SYMBOL) {
                json_writer_text(w, "symbol", text + strlen("[.] "));
                json_writer_text(w, "level", level);
        } else if (*text && key == DIFF_KEY_CPU)
                json_writer_word(w, "cpu", text);
        else if (*text && !((key == DIFF_KEY_UNIT || key == DIFF_KEY_CGROUP) && streq(text, DIFF_NO_UNIT)))
                json_writer_text(w, diff_key_word(key), text);
}

void diff_json_table(const DiffTable *t, JsonWriter *w) {
        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "event", t->event);
        for (unsigned i = 0; i < _DIFF_RANGES; i++) {
                json_writer_begin(w, range_words[i], '{');
                json_writer_number(w, "samples", t->samples[i]);
                json_writer_number(w, "weight", t->weight[i]);
                json_writer_end(w, '}');
        }
        json_writer_begin(w, "rows", '[');
        for (size_t k = 0; k < t->n; k++) {
                const DiffRow *row = t->rows + k;
                const char *text = diff_table_texts(t, row);
                char chance[32];

                if (!diff_table_shows(t, row))
                        continue;
                json_writer_begin(w, NULL, '{');
                for (size_t i = 0; i < t->options->n_keys; i++, text += strlen(text) + 1)
                        diff_json_key(t->options->keys[i], text, w);
                for (unsigned i = 0; i < _DIFF_RANGES; i++) {
                        json_writer_begin(w, range_words[i], '{');
                        json_writer_number(w, "samples", row->samples[i]);
                        json_writer_number(w, "weight", row->weight[i]);
                        json_writer_percent(w, "percent", row->percent[i]);
                        json_writer_end(w, '}');
                }
                json_writer_percent(w, "delta_percent", diff_row_delta(row));
                (void) snprintf(chance, sizeof(chance), "%.6g", row->chance);
                json_writer_word(w, "chance", chance);
                json_writer_boolean(w, "changed", row->changed);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
        json_writer_end(w, '}');
}

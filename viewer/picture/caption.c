/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Facts come from the recordings and from the options that selected samples. Whatever a recording says is anybody's text: it
 * becomes one line. */

#include "caption.h"

#include <inttypes.h>

#include <perf-recorder/dump-facts.h>

#include "array.h"
#include "file-facts.h"
#include "format-text.h"
#include "sample-times.h"
#include "selection-text.h"
#include "strv.h"
#include "text-buffer.h"
#include "utf8.h"
#include "wall-clock.h"

#define ITEM_MAX 300 /* bytes */

void caption_done(Caption *c) {
        for (size_t i = 0; i < _CAPTION_MAX; i++)
                free(c->items[i]);
        *c = (Caption) {};
}

int caption_add(Caption *c, CaptionItem item, const char *text) {
        const char *before = c->items[item];
        _cleanup_free_ char *both = format_text("%s%s%s", before ?: "", before ? ", " : "", text);
        char *line = both ? utf8_line(both, SIZE_MAX, ITEM_MAX) : NULL;

        if (!line)
                return -ENOMEM;
        free(c->items[item]);
        c->items[item] = line;
        return 0;
}

/* Adds a text unless the item has it already, as hosts of several recordings. */
static int add_once(Caption *c, CaptionItem item, const char *text) {
        return c->items[item] && strstr(c->items[item], text) ? 0 : caption_add(c, item, text);
}

/* "2026-11-28 10:01:12 to 10:01:42 UTC (30.2 s)"; without the time of day, "30.2 s". since, until: nanoseconds. */
static int describe_time(Caption *c, bool wall, uint64_t since, uint64_t until) {
        _cleanup_(text_buffer_done) TextBuffer b = {};
        time_t first = (time_t) (since / NSEC_PER_SEC), last = (time_t) (until / NSEC_PER_SEC);
        struct tm from, to;
        char text[64];

        wall = wall && localtime_r(&first, &from) && localtime_r(&last, &to);
        if (wall && strftime(text, sizeof(text), "%F %T to ", &from) > 0)
                text_buffer_puts(&b, text);
        if (wall && strftime(text, sizeof(text), from.tm_yday == to.tm_yday ? "%T %Z (" : "%F %T %Z (", &to) > 0)
                text_buffer_puts(&b, text);
        text_buffer_span(&b, until - since);
        text_buffer_puts(&b, wall ? ")" : "");
        text_buffer_putc(&b, '\0');
        return b.error < 0 ? b.error : caption_add(c, CAPTION_TIME, b.data);
}

/* Finds when the selected samples of a recording begin and end, by its clock. */
static int find_times(const CountedSamples *all, const RecordingInput *in, uint64_t *first, uint64_t *last) {
        _cleanup_free_ SampleSpan *spans = NULL;
        SampleSelection selection = {};
        uint64_t since = UINT64_MAX, until = 0;
        int r = sample_times_find(in->reader, first, last);

        if (r >= 0)
                r = selection_options_find(all->plan.select, in, &spans, &selection);
        for (size_t i = 0; r >= 0 && i < selection.n_spans; i++) {
                since = MIN_OF(since, spans[i].since);
                until = MAX_OF(until, spans[i].until > 0 ? spans[i].until : UINT64_MAX);
        }
        if (r < 0 || selection.n_spans == 0)
                return r;
        *first = MAX_OF(*first, since);
        *last = MIN_OF(*last, until);
        return *first <= *last ? 0 : -ENODATA;
}

/* Recordings that do not relate their clocks to the time of day have no time in common. */
static int add_time(Caption *c, const CountedSamples *all) {
        uint64_t since = UINT64_MAX, until = 0, first, last;
        bool wall = true;

        for (size_t i = 0; i < all->inputs.n; i++) {
                const RecordingInput *in = all->inputs.inputs + i;
                int r = find_times(all, in, &first, &last);
                WallClock clock;

                if (r == -ENOMEM)
                        return r;
                if (r < 0)
                        continue;
                if (wall_clock_read(in->reader, &clock) >= 0) {
                        first = wall_clock_from_time(&clock, first);
                        last = wall_clock_from_time(&clock, last);
                } else
                        wall = false;
                since = MIN_OF(since, first);
                until = MAX_OF(until, last);
        }
        return since > until || (!wall && all->inputs.n > 1) ? 0 : describe_time(c, wall, since, until);
}

/* "cpu-pressure at 10:01:42: some avg10=41" */
static int add_trigger(Caption *c, const RecordingInput *in) {
        char word[64], detail[PR_DUMP_DETAIL_MAX + 1], at[64] = "";
        _cleanup_free_ char *text = NULL;
        time_t seconds = (time_t) (in->triggered / USEC_PER_SEC);
        ssize_t n = file_fact_get(in->fd, PR_DUMP_XATTR_TRIGGER, word, sizeof(word) - 1);
        struct tm tm;

        if (n <= 0)
                return 0;
        word[n] = '\0';
        n = file_fact_get(in->fd, PR_DUMP_XATTR_DETAIL, detail, sizeof(detail) - 1);
        detail[MAX_OF(n, 0)] = '\0';
        if (seconds > 0 && localtime_r(&seconds, &tm))
                (void) strftime(at, sizeof(at), " at %T", &tm);
        text = format_text("%s%s%s%s", word, at, *detail ? ": " : "", detail);
        return text ? add_once(c, CAPTION_TRIGGER, text) : -ENOMEM;
}

static int add_samples(Caption *c, const CountedSamples *all, const SampleEvent *e) {
        _cleanup_(text_buffer_done) TextBuffer b = {};
        size_t n, n_events, event = (size_t) (e - sample_table_events(all->table, &n_events));
        const SampleRow *rows = sample_table_rows(all->table, &n);
        uint64_t idle = 0;
        char share[32];
        int r;

        for (size_t i = 0; i < n; i++)
                idle += rows[i].event == event && sample_row_is_idle(all->table, rows + i) ? rows[i].count : 0;
        text_buffer_grouped(&b, e->selected);
        text_buffer_format(&b, " %s of %s", e->selected == 1 ? "sample" : "samples", e->name);
        text_buffer_putc(&b, '\0');
        r = b.error < 0 ? b.error : caption_add(c, CAPTION_SAMPLES, b.data);
        if (r < 0 || idle == 0)
                return r;
        (void) snprintf(share, sizeof(share), "%.1f %% idle", 100.0 * (double) idle / (double) e->selected);
        return caption_add(c, CAPTION_IDLE, share);
}

static int caption_add_recording(Caption *c, const RecordingInput *in) {
        const char *host;
        int r = caption_add(c, CAPTION_RECORDING, in->name);

        if (r >= 0 && perf_data_reader_feature_string(in->reader, PERF_FEATURE_HOSTNAME, &host) >= 0) {
                _cleanup_free_ char *line = utf8_line(host, SIZE_MAX, ITEM_MAX);

                r = !line ? -ENOMEM : *line ? add_once(c, CAPTION_HOST, line) : 0;
        }
        return r < 0 ? r : add_trigger(c, in);
}

int caption_init(Caption *c, const CountedSamples *samples, const SampleEvent *event) {
        _cleanup_free_ char *selection = NULL;
        char loss[ITEM_MAX];
        int r = 0;

        *c = (Caption) {};
        for (size_t i = 0; r >= 0 && i < samples->inputs.n; i++)
                r = caption_add_recording(c, samples->inputs.inputs + i);
        if (r >= 0)
                r = add_time(c, samples);
        if (r >= 0 && event)
                r = add_samples(c, samples, event);
        if (r >= 0)
                r = selection_text(samples->plan.select, &selection);
        if (r >= 0 && *selection)
                r = caption_add(c, CAPTION_SELECTION, selection);
        if (r >= 0 && counted_samples_loss(samples, loss, sizeof(loss)))
                r = caption_add(c, CAPTION_LOSS, loss);
        if (r >= 0 && progress_was_interrupted())
                r = caption_add(c, CAPTION_LOSS, "interrupted: only a part was read");
        return r;
}

char **caption_phrases(const Caption *c) {
        static const char *const labels[_CAPTION_MAX] = {
                [CAPTION_HOST] = "host ", [CAPTION_TRIGGER] = "trigger ", [CAPTION_SELECTION] = "only ",
        };
        _cleanup_strv_free_ char **phrases = calloc(1, sizeof(*phrases));
        int r = phrases ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < _CAPTION_MAX; i++)
                if (c->items[i])
                        r = strv_extendf(&phrases, "%s%s", labels[i] ?: "", c->items[i]);
        return r < 0 ? NULL : steal_ptr(phrases);
}

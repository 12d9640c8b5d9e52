/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The texts of labels are names of tasks, or of what --by says: a unit that is not known has an empty one. */

#include "blame-print.h"

#include <inttypes.h>

#include "saturate.h"
#include "timehist-sums.h"

#define DASHES "------------------------------"

/* The texts of a table of pairs: its title, or key, and those of its columns. */
typedef struct BlameTitle {
        const char *text, *a, *b;
} BlameTitle;

static const char *blame_text(const Blame *b, uint32_t label) {
        return (const char *) byte_pool_get(&b->labels, label)->data;
}

static void blame_put_delay(const Blame *b, const BlameDelay *d, TextBuffer *out) {
        text_buffer_decimal(out, d->came / NSEC_PER_SEC, 8);
        text_buffer_putc(out, '.');
        text_buffer_digits(out, d->came % NSEC_PER_SEC / NSEC_PER_USEC, 6);
        text_buffer_format(out, " [%04" PRIu32 "] ", d->cpu);
        timehist_put_msec(out, d->came - d->ready, 6);
        text_buffer_format(out, " %-30s  %-30s  ", blame_text(b, d->thread),
                           d->waker > 0 ? blame_text(b, d->waker) : "(preempted)");
        for (size_t i = 0; i < BLAME_NAMED_MAX && d->ran[i].nsec > 0; i++) {
                text_buffer_format(out, "%s%s ", i > 0 ? ", " : "", blame_text(b, d->ran[i].thread));
                text_buffer_span(out, d->ran[i].nsec);
        }
        if (d->others > 0) {
                text_buffer_puts(out, ", others ");
                text_buffer_span(out, d->others);
        }
        text_buffer_putc(out, '\n');
}

static const char *blame_label_text(const Blame *b, uint32_t label) {
        const char *text = blame_text(b, label);

        return *text ? text : "(unit not known)";
}

static void blame_put_pairs(const Blame *b, const BlamePairs *p, const BlameTitle *title, TextBuffer *out) {
        size_t n = MIN_OF(p->n, (size_t) b->options->blame.limit);

        if (n == 0)
                return;
        text_buffer_format(out, "\n%s\n%12s %10s %10s  %-30s  %s\n%12s %10s %10s\n", title->text, "in all", "count", "longest",
                           title->a, title->b, "(msec)", "", "(msec)");
        text_buffer_format(out, "------------ ---------- ----------  " DASHES "  " DASHES "\n");
        for (size_t i = 0; i < n; i++) {
                const BlamePair *x = p->pairs + i;

                timehist_put_msec(out, x->nsec, 8);
                text_buffer_format(out, "%10" PRIu64 " ", x->count);
                timehist_put_msec(out, x->longest, 6);
                text_buffer_format(out, " %-30s  %s\n", blame_label_text(b, x->a), blame_label_text(b, x->b));
        }
        if (n < p->n)
                text_buffer_format(out, "... and %zu more\n", p->n - n);
}

static void blame_put_delays(const Blame *b, TextBuffer *out) {
        if (b->n_delays > 0)
                text_buffer_format(out, "\n%15s %6s %10s  %-30s  %-30s  %s\n%15s %6s %10s  %-30s  %s\n", "time", "cpu", "wait",
                                   "task that waited", "woken by", "ran instead", "", "", "(msec)", "[tid/pid]", "[tid/pid]");
        if (b->n_delays > 0)
                text_buffer_format(out, "--------------- ------ ----------  " DASHES "  " DASHES "  --------------------\n");
        for (size_t i = 0; i < b->n_delays; i++)
                blame_put_delay(b, b->delays + i, out);
        if (b->n_delays < b->long_ones)
                text_buffer_format(out, "... and %" PRIu64 " shorter ones\n", b->long_ones - b->n_delays);
}

void blame_print(const Blame *b, TextBuffer *out) {
        static const BlameTitle instead = { "Tasks that ran while others waited that long", "task that waited", "task that ran" };
        static const BlameTitle wakers = {
                "Tasks that woke others, and how long these then waited for a CPU", "task that woke", "task that waited",
        };
        char least[32], all[32];

        text_buffer_format(out, "Waits for a CPU of %s and more: %" PRIu64 " of %" PRIu64 ", %s in all\n",
                           format_nsec(least, sizeof(least), saturate_product(b->options->blame.longer, NSEC_PER_USEC)),
                           b->long_ones, b->n, format_nsec(all, sizeof(all), b->nsec));
        if (b->unknown > 0)
                text_buffer_format(out, "Waits whose length is not known, since they began before the first record or records were "
                                   "lost: %" PRIu64 "\n", b->unknown);
        blame_put_delays(b, out);
        blame_put_pairs(b, &b->all_instead, &instead, out);
        blame_put_pairs(b, &b->all_wakers, &wakers, out);
}

static void blame_put_json_pairs(const Blame *b, const BlamePairs *p, const BlameTitle *keys, JsonWriter *w) {
        json_writer_begin(w, keys->text, '[');
        for (size_t i = 0; i < MIN_OF(p->n, (size_t) b->options->blame.limit); i++) {
                const BlamePair *x = p->pairs + i;

                json_writer_begin(w, NULL, '{');
                json_writer_text(w, keys->a, blame_text(b, x->a));
                json_writer_text(w, keys->b, blame_text(b, x->b));
                json_writer_number(w, "count", x->count);
                json_writer_number(w, "nsec", x->nsec);
                json_writer_number(w, "max_nsec", x->longest);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}

static void blame_put_json_delay(const Blame *b, const BlameDelay *d, JsonWriter *w) {
        json_writer_begin(w, NULL, '{');
        json_writer_number(w, "timestamp", d->came);
        json_writer_number(w, "cpu", d->cpu);
        json_writer_number(w, "wait_nsec", d->came - d->ready);
        json_writer_text(w, "waited", blame_text(b, d->thread));
        if (d->waker > 0)
                json_writer_text(w, "woken_by", blame_text(b, d->waker));
        json_writer_begin(w, "ran", '[');
        for (size_t i = 0; i < BLAME_NAMED_MAX && d->ran[i].nsec > 0; i++) {
                json_writer_begin(w, NULL, '{');
                json_writer_text(w, "task", blame_text(b, d->ran[i].thread));
                json_writer_number(w, "nsec", d->ran[i].nsec);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
        json_writer_number(w, "others_nsec", d->others);
        json_writer_end(w, '}');
}

void blame_print_json(const Blame *b, TextBuffer *out) {
        JsonWriter w = { .out = out };

        json_writer_begin(&w, NULL, '{');
        json_writer_number(&w, "longer_than_nsec", saturate_product(b->options->blame.longer, NSEC_PER_USEC));
        json_writer_number(&w, "count", b->n);
        json_writer_number(&w, "long", b->long_ones);
        json_writer_number(&w, "long_nsec", b->nsec);
        json_writer_number(&w, "unknown", b->unknown);
        json_writer_begin(&w, "waits", '[');
        for (size_t i = 0; i < b->n_delays; i++)
                blame_put_json_delay(b, b->delays + i, &w);
        json_writer_end(&w, ']');
        blame_put_json_pairs(b, &b->all_instead, &(BlameTitle) { "instead", "waited", "ran" }, &w);
        blame_put_json_pairs(b, &b->all_wakers, &(BlameTitle) { "wakers", "waker", "waited" }, &w);
        json_writer_end(&w, '}');
        text_buffer_putc(out, '\n');
}

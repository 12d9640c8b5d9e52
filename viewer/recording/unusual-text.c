/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A sentence names the group that changed, its figures, and which part of it has most of the change. Names are those of a
 * recording, one line of valid UTF-8 each. */

#include "unusual-text.h"

#include <inttypes.h>
#include <math.h>

#define NEARLY_ALL 0.9 /* of a change */
#define LITTLE 0.01    /* of what is usual: no percentage says it better */

/* "deflate (libz.so.1)", "do_idle [kernel]", "ext4_readdir [ext4]" */
static void unusual_put_function(const UnusualFinding *f, TextBuffer *out) {
        bool kernel = strcmp(f->dso, "[kernel.kallsyms]") == 0;

        if (*f->symbol && *f->dso == '[')
                text_buffer_format(out, "%s %s", f->symbol, kernel ? "[kernel]" : f->dso);
        else if (*f->symbol)
                text_buffer_format(out, "%s (%s)", f->symbol, f->dso);
        else
                text_buffer_format(out, "code of %s", kernel ? "the kernel" : f->dso);
}

/* A service and its process often have one name, which is said once. */
static void unusual_put_parts(const UnusualFinding *f, TextBuffer *out) {
        size_t n = strlen(f->comm);
        bool is_unit = n > 0 && strncmp(f->unit, f->comm, n) == 0 && f->unit[n] == '.';
        const char *comm = f->kind == UNUSUAL_COMM || is_unit ? "" : f->comm;
        bool function = f->kind != UNUSUAL_FUNCTION && *f->dso;
        const char *unit = f->kind == UNUSUAL_UNIT ? "" : f->unit;

        if (f->part == 0 || !(*comm || function || *unit))
                return;
        text_buffer_puts(out, f->part >= NEARLY_ALL ? "; nearly all of it " : "; mostly ");
        if (*comm)
                text_buffer_format(out, "%s%s", f->kind == UNUSUAL_FUNCTION ? "by " : "", comm);
        if (*unit)
                text_buffer_format(out, "%s%s", *comm ? " of " : "in ", unit);
        if (function) {
                text_buffer_puts(out, *comm ? " in " : *unit ? ", in " : "in ");
                unusual_put_function(f, out);
        }
}

static void unusual_put_share(const UnusualFinding *f, unsigned range, TextBuffer *out) {
        if (f->samples[range] == 0)
                text_buffer_puts(out, "none");
        else
                text_buffer_format(out, f->percent[range] < 0.095 ? "%.2f %%" : "%.1f %%", f->percent[range]);
}

/* The whole that shares are of. */
static const char *unusual_whole(const UnusualTable *t) {
        return t->measure == UNUSUAL_CPU_TIME ? "the CPU time" : t->measure == UNUSUAL_LOAD ? "the busy CPU time" : t->event;
}

/* "took 37 % less CPU time than usually", "had 3.0 times as many page-faults as usually" */
static void unusual_put_multiple(const UnusualTable *t, const UnusualFinding *f, TextBuffer *out) {
        bool time = t->measure != UNUSUAL_EVENTS;
        const char *verb = time ? "took" : "had", *what = time ? "CPU time" : t->event, *where = f->elsewhere ? " elsewhere" : "";

        if (f->times < LITTLE)
                text_buffer_format(out, " %s %s %s%s, usually %.3g samples a second", verb,
                                   f->samples[UNUSUAL_COMPARED] > 0 ? "nearly no" : "no", what, where,
                                   (double) f->samples[UNUSUAL_BASELINE] / t->seconds[UNUSUAL_BASELINE]);
        else if (f->times < 2)
                text_buffer_format(out, " %s %.0f %% %s %s than usually%s", verb, 100 * fabs(f->times - 1),
                                   f->times > 1 ? "more" : time ? "less" : "fewer", what, where);
        else
                text_buffer_format(out, " %s %.1f times as %s %s as usually%s", verb, f->times, time ? "much" : "many", what,
                                   where);
        if (f->kind != UNUSUAL_ALL && f->samples[UNUSUAL_COMPARED] > 0)
                text_buffer_format(out, ", which is %.1f %% of %s%s as usual", f->percent[UNUSUAL_COMPARED], time ? "" : "all ",
                                   unusual_whole(t));
}

/* Shares are figures unless they do not show the change: if all together have more, a group's share may stay the same. */
static void unusual_put_figures(const UnusualTable *t, const UnusualFinding *f, TextBuffer *out) {
        bool time = t->measure != UNUSUAL_EVENTS, none = f->samples[UNUSUAL_COMPARED] == 0;
        double ratio = f->percent[UNUSUAL_COMPARED] / f->percent[UNUSUAL_BASELINE];

        if ((f->kind == UNUSUAL_ALL && none) || !(f->times > 1 ? ratio > 1.1 : ratio < 0.9)) {
                unusual_put_multiple(t, f, out);
                return;
        }
        text_buffer_format(out, " %s%s ", time ? "took" : "had", f->times < 1 && !none ? " only" : "");
        unusual_put_share(f, UNUSUAL_COMPARED, out);
        text_buffer_format(out, " of %s%s%s, usually ", time ? "" : "all ", unusual_whole(t), f->elsewhere ? " elsewhere" : "");
        unusual_put_share(f, UNUSUAL_BASELINE, out);
}

void unusual_text_put(const UnusualTable *t, const UnusualFinding *f, TextBuffer *out) {
        if (f->kind == UNUSUAL_FUNCTION)
                unusual_put_function(f, out);
        else
                text_buffer_puts(out, f->kind == UNUSUAL_UNIT ? f->unit : f->kind == UNUSUAL_COMM ? f->comm :
                                      t->measure == UNUSUAL_EVENTS ? "all together" : "all that ran");
        unusual_put_figures(t, f, out);
        unusual_put_parts(f, out);
}

void unusual_text_put_nothing(const UnusualTable *t, TextBuffer *out) {
        double seconds = t->seconds[UNUSUAL_COMPARED] + t->seconds[UNUSUAL_BASELINE];
        uint64_t samples = t->samples[UNUSUAL_COMPARED] + t->samples[UNUSUAL_BASELINE];

        if (unusual_table_has_little(t))
                text_buffer_format(out, "too little before the trigger to compare (%.1f s, %" PRIu64 " samples)", seconds, samples);
        else
                text_buffer_format(out, "nothing took more or less than it usually does: %" PRIu64 " samples in %.1f s, compared "
                                   "with %" PRIu64 " in %.1f s", t->samples[UNUSUAL_COMPARED], t->seconds[UNUSUAL_COMPARED],
                                   t->samples[UNUSUAL_BASELINE], t->seconds[UNUSUAL_BASELINE]);
}

bool unusual_text_put_loss(const UnusualTable *t, TextBuffer *out) {
        if (t->lost > 0)
                text_buffer_format(out, "%" PRIu64 " samples or records of that time were lost", t->lost);
        if (t->throttled > 0)
                text_buffer_format(out, "%sthe kernel throttled events %" PRIu64 " times then", t->lost > 0 ? "; " : "",
                                   t->throttled);
        return t->lost > 0 || t->throttled > 0;
}

static void unusual_json_put_finding(const UnusualTable *t, const UnusualFinding *f, JsonWriter *w) {
        static const char *const ranges[_UNUSUAL_RANGES] = { [UNUSUAL_BASELINE] = "baseline", [UNUSUAL_COMPARED] = "compared" };
        static const char *const kinds[_UNUSUAL_KIND_MAX] = {
                [UNUSUAL_UNIT] = "unit", [UNUSUAL_COMM] = "comm", [UNUSUAL_FUNCTION] = "function", [UNUSUAL_ALL] = "all",
        };
        _cleanup_(text_buffer_done) TextBuffer text = {};
        char chance[32];

        unusual_text_put(t, f, &text);
        text_buffer_putc(&text, '\0');
        json_writer_begin(w, NULL, '{');
        json_writer_text(w, "text", text.error < 0 ? "" : text.data);
        json_writer_text(w, "changed", kinds[f->kind]);
        if (*f->unit)
                json_writer_text(w, "unit", f->unit);
        if (*f->comm)
                json_writer_text(w, "comm", f->comm);
        if (*f->dso)
                json_writer_text(w, "dso", f->dso);
        if (*f->symbol)
                json_writer_text(w, "symbol", f->symbol);
        for (unsigned i = 0; i < _UNUSUAL_RANGES; i++) {
                json_writer_begin(w, ranges[i], '{');
                json_writer_number(w, "samples", f->samples[i]);
                json_writer_percent(w, "percent", f->percent[i]);
                json_writer_end(w, '}');
        }
        if (isfinite(f->times))
                json_writer_percent(w, "times", f->times);
        (void) snprintf(chance, sizeof(chance), "%.6g", f->chance);
        json_writer_word(w, "chance", chance);
        json_writer_end(w, '}');
}

void unusual_json_put(const UnusualTable *t, JsonWriter *w) {
        _cleanup_(text_buffer_done) TextBuffer little = {};

        json_writer_begin(w, "unusual", '[');
        for (size_t i = 0; i < t->n; i++)
                unusual_json_put_finding(t, t->findings + i, w);
        json_writer_end(w, ']');
        if (!unusual_table_has_little(t))
                return;
        unusual_text_put_nothing(t, &little);
        text_buffer_putc(&little, '\0');
        json_writer_text(w, "unusual_too_little", little.error < 0 ? "" : little.data);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The page of a flame graph with pictures/heat.html above it, whose script is pictures/heat.js. It has each sample: when it was,
 * and the node in which its call chain ends; squares and flame graphs of any part are made of these.
 *
 * Times are whole ticks, and samples of the same tick and node are one entry: how many ticks it is behind the one before, the
 * number of the node among those that have samples, the most frequent first, doubled, plus 1 if the number of samples follows, as
 * it does where it is not 1; of latencies, then a code of it: seven bits behind the highest one, with how many bits are behind
 * those, so that they are known to less than a percent, as HdrHistogram has them with two digits; below 256, the code is the
 * latency.
 *
 * Numbers are of any length: seven bits in each byte, the lowest first, and the eighth of all but the last. The bytes are in Base
 * 64 (RFC 4648). */

#include "heat-picture.h"

#include <inttypes.h>

#include "array.h"
#include "flame-page.h"
#include "flame-scale.h"
#include "parse-time.h"
#include "picture-scripts.h"

#define FEW 16u /* entries that are sorted by themselves, which is faster */
#define TICKS_MAX UINT64_C(1000000) /* of an hour: a millisecond each */

typedef struct HeatHtml {
        const HeatPicture *p;
        const HeatMap *m;
        TextBuffer *out;
        const uint32_t *places; /* see FlamePageAddition */
        uint64_t first, tick;   /* time of the first tick; nanoseconds */
        uint64_t *weights;      /* of each node of the page: samples that end in it */
        uint32_t *numbers;      /* of each, see above */
        uint32_t n_places;      /* nodes of the page that may have samples, at most */
        uint64_t n_entries;
        uint32_t pending;       /* bits that are not written yet, below a 1 */
} HeatHtml;

/* An entry: samples of one tick that end in one node and have one code. */
typedef struct HeatEntry {
        uint64_t tick;
        uint32_t number, code;
} HeatEntry;

static void heat_put_byte(HeatHtml *h, uint8_t byte) {
        static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

        h->pending = h->pending << 8 | byte;
        if (!(h->pending & UINT32_C(1) << 24))
                return;
        text_buffer_put(h->out, (const char[]) { digits[h->pending >> 18 & 63], digits[h->pending >> 12 & 63],
                                                 digits[h->pending >> 6 & 63], digits[h->pending & 63] }, 4);
        h->pending = 1;
}

static void heat_put_number(HeatHtml *h, uint64_t number) {
        for (; number >= 128; number >>= 7)
                heat_put_byte(h, (uint8_t) (number | 128));
        heat_put_byte(h, (uint8_t) number);
}

static int heat_compare_entries(const void *a, const void *b) {
        const HeatEntry *x = a, *y = b;

        return x->number != y->number ? (x->number < y->number ? -1 : 1) : x->code < y->code ? -1 : x->code > y->code;
}

/* Puts the entries of a tick, in the order of nodes. *last: the tick of those before. */
static void heat_put_tick(HeatHtml *h, HeatEntry *entries, size_t n, uint64_t *last) {
        for (size_t i = 1; i < n && n <= FEW; i++)
                for (size_t k = i; k > 0 && heat_compare_entries(entries + k - 1, entries + k) > 0; k--) {
                        HeatEntry other = entries[k];

                        entries[k] = entries[k - 1];
                        entries[k - 1] = other;
                }
        if (n > FEW)
                qsort(entries, n, sizeof(*entries), heat_compare_entries);
        for (size_t i = 0, count; i < n; i += count) {
                for (count = 1; i + count < n && heat_compare_entries(entries + i, entries + i + count) == 0;)
                        count++;
                heat_put_number(h, entries[i].tick - *last);
                heat_put_number(h, (uint64_t) entries[i].number << 1 | (count > 1));
                if (count > 1)
                        heat_put_number(h, count);
                if (h->m->latencies)
                        heat_put_number(h, entries[i].code);
                h->n_entries++;
                *last = entries[i].tick;
        }
}

static void heat_put_samples(HeatHtml *h) {
        _cleanup_free_ HeatEntry *entries = NULL;
        size_t n = 0, allocated = 0;
        uint64_t last = 0;

        text_buffer_puts(h->out, "samples:\"");
        h->pending = 1;
        for (MomentWalk w = {}; h->out->error == 0 && sample_moments_next(h->m->moments, &w);) {
                uint64_t tick = (w.time - h->first) / h->tick, latency = h->m->latencies ? h->m->latencies[w.number] : 0;
                unsigned shift = latency < 256 ? 0 : 56u - (unsigned) __builtin_clzll(latency);

                if (!heat_map_counts(h->m, &w))
                        continue;
                if (n > 0 && entries->tick != tick) {
                        heat_put_tick(h, entries, n, &last);
                        n = 0;
                }
                if (ARRAY_RESERVE(entries, allocated, n + 1) < 0) {
                        h->out->error = -ENOMEM;
                        return;
                }
                entries[n++] = (HeatEntry) {
                        .tick = tick, .number = h->numbers[h->places[h->m->ends[w.row]]],
                        .code = (shift << 7) + (uint32_t) (latency >> shift),
                };
        }
        heat_put_tick(h, entries, n, &last);
        while (h->pending != 1) /* zeros fill the last group of digits */
                heat_put_byte(h, 0);
        text_buffer_format(h->out, "\",\nentries:%" PRIu64 ",\n", h->n_entries);
}

static int heat_compare_places(const void *a, const void *b, void *userdata) {
        const uint64_t *weights = userdata;
        uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;

        return weights[i] != weights[j] ? (weights[i] > weights[j] ? -1 : 1) : i < j ? -1 : i > j;
}

/* Numbers the nodes of the page that have samples, and puts them in that order. */
static int heat_put_leaves(HeatHtml *h) {
        _cleanup_free_ uint32_t *order = NULL;
        uint32_t n = 0;

        for (size_t i = 0; i < h->m->tree->n; i++)
                h->n_places = MAX_OF(h->n_places, h->places[i] + 1);
        h->weights = calloc(h->n_places, sizeof(*h->weights));
        h->numbers = calloc(h->n_places, sizeof(*h->numbers));
        order = calloc(h->n_places, sizeof(*order));
        if (!h->weights || !h->numbers || !order)
                return -ENOMEM;
        for (MomentWalk w = {}; sample_moments_next(h->m->moments, &w);)
                if (heat_map_counts(h->m, &w))
                        h->weights[h->places[h->m->ends[w.row]]]++;
        for (uint32_t i = 0; i < h->n_places; i++)
                if (h->weights[i] > 0)
                        order[n++] = i;
        qsort_r(order, n, sizeof(*order), heat_compare_places, h->weights);
        text_buffer_puts(h->out, "leaves:[");
        for (uint32_t i = 0; i < n; i++) {
                h->numbers[order[i]] = i;
                text_buffer_format(h->out, "%u,", order[i]);
        }
        text_buffer_puts(h->out, "],\n");
        return 0;
}

/* Puts of each gap its kind, its begin and its end in ticks, and how many records were lost. */
static void heat_put_gap_list(HeatHtml *h) {
        text_buffer_puts(h->out, "gapKinds:[");
        for (HeatGapKind kind = 0; kind < _HEAT_GAP_KIND_MAX; kind++)
                text_buffer_format(h->out, "\"%s\",", heat_gap_kind_to_string(kind));
        text_buffer_puts(h->out, "],\ngaps:[");
        for (size_t i = 0; i < h->m->n_gaps; i++) {
                const HeatGap *gap = h->m->gaps + i;

                text_buffer_format(h->out, "[%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "],", (int) gap->kind,
                                   (gap->since - h->first) / h->tick, (gap->until - h->first) / h->tick, gap->lost);
        }
        text_buffer_puts(h->out, "],\n");
}

static void heat_put_data(void *userdata, const uint32_t *places, TextBuffer *out) {
        static const char *const rows[_HEAT_ROW_KIND_MAX] = {
                [HEAT_OFFSETS] = "offset", [HEAT_GROUPS] = "group", [HEAT_LATENCIES] = "latency",
        };
        static const char *const groups[_FRAME_GROUPING_MAX] = {
                [FRAME_BY_COMM] = "Names", [FRAME_BY_PID] = "Processes", [FRAME_BY_TID] = "Threads", [FRAME_BY_CPU] = "CPUs",
                [FRAME_BY_UNIT] = "Units", [FRAME_BY_HOST] = "Hosts",
        };
        HeatHtml *h = userdata;
        const HeatMap *m = h->m;
        const HeatGridPlan *grid = &h->p->grid;

        h->places = places;
        h->out = out;
        h->first = m->first - m->first % NSEC_PER_SEC;
        for (h->tick = NSEC_PER_USEC; h->tick < NSEC_PER_MSEC && (m->last - h->first) / h->tick > TICKS_MAX;)
                h->tick *= 10; /* so that whole seconds are whole ticks */
        text_buffer_format(out, "heat:{day:%d,begin:%" PRIu64 ",tick:%" PRIu64 ",first:%" PRIu64 ",last:%" PRIu64 ",",
                           m->wall ? flame_scale_seconds(h->first) : -1, m->wall ? 0 : (m->first - h->first) / h->tick, h->tick,
                           (m->first - h->first) / h->tick, (m->last - h->first) / h->tick);
        text_buffer_format(out, "rowsOf:\"%s\",groupsOf:\"%s\",latencies:%d,\n", rows[grid->rows_of], groups[m->tree->plan.by],
                           m->latencies != NULL);
        text_buffer_format(out, "rows:%u,step:%" PRIu64 ",columns:%u,box:%u,lines:%d,linear:%d,", grid->rows, grid->step,
                           grid->columns, h->p->box, h->p->lines, grid->linear);
        text_buffer_format(out, "least:%" PRIu64 ",most:%" PRIu64 ",rowStep:%" PRIu64 ",triggers:[", grid->least, grid->most,
                           grid->row_step);
        for (size_t i = 0; i < m->n_triggers; i++)
                if (m->triggers[i] >= m->first && m->triggers[i] <= m->last + NSEC_PER_SEC)
                        text_buffer_format(out, "%" PRIu64 ",", (m->triggers[i] - h->first) / h->tick);
        text_buffer_puts(out, "],\n");
        heat_put_gap_list(h);
        out->error = out->error ?: heat_put_leaves(h);
        if (out->error == 0)
                heat_put_samples(h);
        text_buffer_puts(out, "},\n");
}

void heat_put_html(const HeatPicture *p, const HeatMap *m, TextBuffer *out) {
        FlamePicture flame = *p->flame;
        HeatHtml h = { .p = p, .m = m };
        const FlamePageAddition addition = {
                .section = picture_heat_html, .section_size = picture_heat_html_size,
                .script = picture_heat_js, .script_size = picture_heat_js_size,
                .put = heat_put_data, .userdata = &h,
        };

        flame.busy = m->busy;
        flame_page_put(&flame, m->tree, &addition, out);
        free(h.weights);
        free(h.numbers);
}

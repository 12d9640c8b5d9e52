/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts the samples of recordings and keeps their times, and draws those of one event over time, with what they lack; or the times
 * from one sample to another, each when it ended. The call chain of such a pair is that of the sample that began it. */

#include "verb-heatmap.h"

#include <inttypes.h>

#include "array.h"
#include "caption.h"
#include "format-text.h"
#include "heat-options.h"
#include "picture-event.h"
#include "picture-run.h"
#include "sample-times.h"
#include "saturate.h"
#include "strv.h"

/* Lendings are times of day. */
static int heat_add_lendings(const CountedSamples *c, HeatMap *m) {
        int r = 0;

        for (size_t i = 0; r >= 0 && m->wall && i < c->lent.n; i++) {
                const Lending *l = c->lent.all + i;

                r = heat_map_add_gap(m, (HeatGap) {
                        HEAT_LENT, saturate_product(l->first, NSEC_PER_USEC),
                        l->last > 0 ? saturate_product(l->last, NSEC_PER_USEC) : UINT64_MAX, 0,
                });
        }
        return r;
}

typedef struct HeatSpan {
        uint64_t first, last;
} HeatSpan;

static int heat_compare_spans(const void *a, const void *b) {
        const HeatSpan *x = a, *y = b;

        return x->first < y->first ? -1 : x->first > y->first;
}

/* Adds the times that lie between recordings, which may overlap. Only those that know the time of day are shown together. */
static int heat_add_times_between(const CountedSamples *c, HeatMap *m) {
        _cleanup_free_ HeatSpan *spans = calloc(c->inputs.n + 1, sizeof(*spans));
        uint64_t end = 0;
        size_t n = 0;
        int r = spans ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && m->wall && i < c->inputs.n; i++) {
                PerfDataReader *reader = c->inputs.inputs[i].reader;
                WallClock clock;

                r = sample_times_find(reader, &spans[n].first, &spans[n].last);
                if (r < 0 || wall_clock_read(reader, &clock) < 0) {
                        r = r == -ENOMEM ? r : 0;
                        continue;
                }
                spans[n].first = wall_clock_from_time(&clock, spans[n].first);
                spans[n].last = wall_clock_from_time(&clock, spans[n].last);
                n++;
        }
        if (n > 0)
                qsort(spans, n, sizeof(*spans), heat_compare_spans);
        for (size_t i = 0; r >= 0 && i < n; i++) {
                if (end > 0 && spans[i].first > end)
                        r = heat_map_add_gap(m, (HeatGap) { HEAT_BETWEEN, end, spans[i].first, 0 });
                end = MAX_OF(end, spans[i].last);
        }
        return r;
}

static int heat_add_gaps(const CountedSamples *c, Timeline *t, HeatMap *m) {
        int r = heat_map_add_losses(m, t);

        if (r >= 0)
                r = heat_add_lendings(c, m);
        if (r >= 0)
                r = heat_add_times_between(c, m);
        return r < 0 ? r : heat_map_finish(m);
}

/* Puts the map with a caption, below the document's name, which is short: what it is, of what. */
static int heat_put(const CountedSamples *c, const HeatOptions *o, const HeatMap *m, const SampleEvent *e, TextBuffer *out) {
        _cleanup_(caption_done) Caption caption = {};
        _cleanup_strv_free_ char **phrases = NULL;
        _cleanup_free_ char *name = NULL;
        FlamePicture flame = o->flame;
        HeatPicture picture = o->picture;
        _cleanup_(text_buffer_done) TextBuffer pairs = {};
        int r = caption_init(&caption, c, e);

        text_buffer_grouped(&pairs, m->moments->n);
        text_buffer_format(&pairs, " %s%c", flame.count_name, '\0');
        if (r >= 0)
                r = chain_patterns_describe(&o->chains, &caption);
        if (r >= 0 && !e)
                r = pairs.error < 0 ? pairs.error : caption_add(&caption, CAPTION_SAMPLES, pairs.data);
        if (r >= 0 && caption.items[CAPTION_IDLE])
                r = caption_add(&caption, CAPTION_IDLE, m->busy ? "left out of the squares" : "nothing else");
        phrases = r >= 0 ? caption_phrases(&caption) : NULL;
        name = format_text("%s: %s", caption.items[CAPTION_RECORDING] ?: "", flame.title);
        if (!phrases || !name)
                return -ENOMEM;
        flame.caption = phrases;
        flame.name = name;
        picture.flame = &flame;
        if (o->format == HEAT_HTML)
                heat_put_html(&picture, m, out);
        else
                heat_put_svg(&picture, m, out);
        return 0;
}

/* The content of a map: the samples of an event, or latencies. Zero-initialise. */
typedef struct HeatContent {
        Timeline timeline;        /* what they lack */
        SampleMoments moments;    /* by time */
        uint64_t *latencies;      /* of each, by its number; NULL: of samples */
        uint32_t *order;          /* of rows */
        const uint32_t *rows;     /* those that are drawn */
        size_t n_rows;
        uint64_t *weights;        /* of all rows; NULL: numbers of samples */
        const SampleEvent *event; /* of the samples */
        uint64_t *triggers;       /* of the recordings */
} HeatContent;

static void heat_content_done(HeatContent *x) {
        timeline_done(&x->timeline);
        sample_moments_done(&x->moments);
        free(x->latencies);
        free(x->order);
        free(x->weights);
        free(x->triggers);
}

/* 0; 1: there is nothing to draw; -ENODATA: an error was printed; other errors. */
static int heat_draw(const CountedSamples *c, const HeatOptions *o, HeatContent *x, PictureOutput *output) {
        _cleanup_free_ uint32_t *ends = NULL;
        _cleanup_(frame_tree_done) FrameTree tree = {};
        _cleanup_(text_buffer_done) TextBuffer out = {};
        _cleanup_(heat_map_done) HeatMap map = {};
        FrameTreePlan plan = { .by = o->by, .max_stack = o->max_stack, .weights = x->weights };
        const HeatGridPlan *grid = &o->picture.grid;
        uint64_t most = grid->most > 0 ? grid->most : UINT64_MAX;
        size_t n;
        int r;

        chain_patterns_apply(&o->chains, &plan);
        (void) sample_table_rows(c->table, &n);
        plan.ends = ends = calloc(n + 1, sizeof(*ends));
        x->triggers = calloc(c->inputs.n + 1, sizeof(*x->triggers));
        if (!ends || !x->triggers)
                return -ENOMEM;
        r = frame_tree_init(&tree, c->table, &c->names, &plan, x->rows, x->n_rows);
        map = (HeatMap) {
                .tree = &tree, .ends = ends, .moments = &x->moments, .latencies = x->latencies, .wall = x->timeline.axis.wall,
                .triggers = x->triggers,
        };
        free(steal_ptr(x->order)); /* a page needs the memory */
        for (size_t i = 0; map.wall && i < c->inputs.n; i++)
                if (c->inputs.inputs[i].triggered > 0)
                        x->triggers[map.n_triggers++] = saturate_product(c->inputs.inputs[i].triggered, NSEC_PER_USEC);
        if (r >= 0)
                r = heat_add_gaps(c, &x->timeline, &map);
        if (r >= 0 && map.last == 0 && tree.nodes->weight > 0)
                (void) fprintf(stderr, "The samples of %s have no times\n", counted_samples_title(c));
        if (r < 0 || map.last == 0 ||
            (x->latencies && !ANY_OF(x->moments.n, i, x->latencies[i] >= grid->least && x->latencies[i] <= most)))
                return r < 0 ? r : 1;
        r = heat_put(c, o, &map, x->event, &out);
        r = r < 0 ? r : out.error;
        return r < 0 ? r : picture_output_write(output, &out) < 0 ? -ENODATA : 0;
}

static int heat_draw_samples(CountedSamples *c, const HeatOptions *o, PictureOutput *output) {
        _cleanup_(heat_content_done) HeatContent x = { .timeline = { .records = TIMELINE_LOSSES, .moments = &x.moments } };
        const CountingPlan plan = {
                .select = &o->select, .names = &o->names, .inlined = o->inlined, .verbose = o->verbose,
                .dimensions = frame_grouping_dimensions(o->by), .timeline = &x.timeline,
        };
        uint32_t event;

        if (counted_samples_count(c, &plan) < 0 || counted_samples_name(c) < 0 || picture_event_find(c, o->event, &event) < 0)
                return -ENODATA;
        x.order = sample_table_order(c->table);
        if (!x.order || sample_moments_sort(&x.moments) < 0)
                return -ENOMEM;
        x.rows = picture_event_rows(c->table, x.order, event, &x.n_rows);
        x.event = sample_table_events(c->table, &(size_t) { 0 }) + event;
        return heat_draw(c, o, &x, output);
}

/* Says on standard error which pairs are not drawn. */
static void heat_remark_pairs(const CountedSamples *c, const PairRule *rule, const PairTotals *t) {
        const struct {
                uint64_t n;
                const char *what;
        } remarks[] = {
                { t->doubtful, "that are left out, since records of that time are missing" },
                { t->open + t->crowded, "that had not ended with the recording" },
                { t->replaced, "that began again before they ended" },
                { rule->lone_ends ? 0 : t->lone_ends, "that ended, and had not begun in the recording" },
                { t->unreadable, "whose key can't be read" },
        };

        for (size_t i = 0; i < ELEMENTSOF(remarks); i++)
                if (remarks[i].n > 0)
                        (void) fprintf(stderr, "%s: pairs %s: %" PRIu64 "\n", counted_samples_title(c), remarks[i].what,
                                       remarks[i].n);
}

static int heat_check_pairs(const CountedSamples *c, const PairRule *rule) {
        for (size_t i = 0; i < c->inputs.n; i++) {
                _cleanup_free_ char *why = NULL;
                int r = event_pairs_check(rule, c->inputs.inputs[i].reader, &why);

                if (r == -ENODATA)
                        (void) fprintf(stderr, "%s: %s\n", c->inputs.inputs[i].name, why);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int heat_compare_pairs(const void *a, const void *b) {
        const EventPair *x = a, *y = b;

        return x->end != y->end ? (x->end < y->end ? -1 : 1) : x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Makes moments of pairs, each at its end, and counts those of each row. */
static int heat_take_pairs(HeatContent *x, EventPairs *pairs) {
        int r = 0;

        x->latencies = calloc(pairs->n + 1, sizeof(*x->latencies));
        x->weights = calloc(x->n_rows + 1, sizeof(*x->weights));
        if (!x->latencies || !x->weights)
                return -ENOMEM;
        if (pairs->n > 0)
                qsort(pairs->pairs, pairs->n, sizeof(*pairs->pairs), heat_compare_pairs);
        for (size_t i = 0; r >= 0 && i < pairs->n; i++) {
                const EventPair *p = pairs->pairs + i;

                x->latencies[i] = p->end - p->begin;
                x->weights[p->row]++;
                r = sample_moments_add(&x->moments, p->end, p->row);
        }
        return r;
}

static int heat_draw_pairs(CountedSamples *c, const HeatOptions *o, PictureOutput *output) {
        _cleanup_(heat_content_done) HeatContent x = { .timeline = { .records = TIMELINE_LOSSES, .without_samples = true } };
        _cleanup_(event_pairs_done) EventPairs pairs = { .rule = o->rule };
        const CountingPlan plan = {
                .select = &o->select, .names = &o->names, .inlined = o->inlined, .verbose = o->verbose,
                .dimensions = frame_grouping_dimensions(o->by), .timeline = &x.timeline, .pairs = &pairs,
        };
        int r = heat_check_pairs(c, o->rule);

        if (r < 0)
                return r;
        if (counted_samples_count(c, &plan) < 0 || counted_samples_name(c) < 0)
                return -ENODATA;
        (void) sample_table_rows(c->table, &x.n_rows);
        x.rows = x.order = sample_table_order(c->table);
        if (!x.order || event_pairs_finish(&pairs) < 0 || heat_take_pairs(&x, &pairs) < 0)
                return -ENOMEM;
        r = heat_draw(c, o, &x, output);
        if (r >= 0)
                heat_remark_pairs(c, o->rule, &pairs.totals);
        return r;
}

static int heatmap(CountedSamples *c, const void *options, PictureOutput *output) {
        const HeatOptions *o = options;
        int r = o->rule ? heat_draw_pairs(c, o, output) : heat_draw_samples(c, o, output);

        return r < 0 && r != -ENODATA ? recording_input_fail(c->inputs.inputs, "draw", r) : r;
}

int verb_heatmap(int argc, char **argv) {
        _cleanup_(heat_options_done) HeatOptions o = {};
        int r = heat_options_parse(&o, argc, argv);

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        return picture_run(&(PictureRun) {
                .inputs = &o.inputs, .names = &o.names, .output = o.output, .draw = heatmap, .options = &o,
        });
}

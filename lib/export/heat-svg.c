/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Squares have their numbers as titles, which browsers show at the pointer, so that it needs no script. Hatching lies over the
 * squares where samples were lost, throttled or lent, whether there are some or not. */

#include "heat-picture.h"

#include <inttypes.h>
#include <math.h>

#include "flame-scale.h"
#include "parse-time.h"
#include "svg-text.h"

#define LEVELS 9          /* of colour */
#define ROW_LABEL 76u     /* pixels: the place for labels of rows at the left */
#define GROUP_LABEL 190u
#define RIGHT 46u         /* that for the names of lines at the right */
#define TIME_LABEL 96u    /* between two times */
#define GROUP_HEIGHT 16u  /* pixels: the least height of a row with a name */
#define WIDTH_MIN 480u    /* pixels: for the caption and the legend */
#define ROOM_MIN 100u     /* pixels: for all columns */

typedef struct HeatSvg {
        const HeatPicture *p;
        const HeatMap *m;
        HeatGrid grid;
        TextBuffer *out;
        unsigned width, left, top, box, row; /* pixels; row: the height of a row */
        unsigned line;                       /* the height of a line of text */
} HeatSvg;

static unsigned heat_height(const HeatSvg *s) {
        return s->row * (unsigned) s->grid.rows;
}

/* Returns where a row begins, at its upper edge. */
static unsigned heat_row_y(const HeatSvg *s, size_t row) {
        return s->row * (unsigned) (s->grid.plan.rows_of == HEAT_GROUPS ? row : s->grid.rows - 1 - row);
}

/* Colours of squares: hotter ones are darker on a light ground, and lighter on a dark one. */
static void heat_put_style(HeatSvg *s) {
        const FlamePicture *p = s->p->flame;

        text_buffer_format(s->out, "<style>\nsvg{max-width:%upx}", s->width);
        svg_put_style(s->out, p->background, p->font, p->font_size);
        text_buffer_puts(s->out, ".end{text-anchor:end}\n"
                         ".axis{stroke:#888;fill:none}.trigger{stroke:#06c;stroke-width:2}#map{fill:#f3f3f5}\n"
                         "pattern path{stroke:#555;stroke-width:1.4;fill:none}\n"
                         ".line{fill:none;stroke:#06c;stroke-width:1.3}.p90{stroke-dasharray:5 2}.p99{stroke-dasharray:1.5 2}\n");
        for (unsigned i = 1; i <= LEVELS; i++)
                text_buffer_format(s->out, ".h%u{fill:hsl(%.0f,90%%,%.0f%%)}", i, 55 - 6.5 * (i - 1), 84 - 6.8 * (i - 1));
        text_buffer_puts(s->out, s->p->lines ? "\n#squares rect{stroke:#8886;stroke-width:.5}\n" : "\n");
        if (!p->background) {
                svg_put_dark_style(s->out);
                text_buffer_puts(s->out, "#map{fill:#2a2a2d}pattern path{stroke:#bbb}.line,.trigger{stroke:#6bf}\n");
                for (unsigned i = 1; i <= LEVELS; i++)
                        text_buffer_format(s->out, ".h%u{fill:hsl(%.0f,90%%,%.0f%%)}", i, 6.5 * (i - 1), 24 + 7.0 * (i - 1));
                text_buffer_puts(s->out, "}\n");
        }
        text_buffer_puts(s->out, "</style>\n");
}

static void heat_put_patterns(HeatSvg *s) {
        static const char *const paths[_HEAT_GAP_KIND_MAX] = {
                [HEAT_LOST] = "M0 0L6 6", [HEAT_THROTTLED] = "M0 6L6 0", [HEAT_LENT] = "M0 0L6 6M0 6L6 0",
                [HEAT_BETWEEN] = "M0 3h6",
        };

        text_buffer_puts(s->out, "<defs>");
        for (HeatGapKind kind = 0; kind < _HEAT_GAP_KIND_MAX; kind++)
                text_buffer_format(s->out, "<pattern id=\"gap%d\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
                                   "<path d=\"%s\"/></pattern>", (int) kind, paths[kind]);
        text_buffer_puts(s->out, "</defs>\n");
}

/* Returns how many decimals tell times apart that are so far from each other. */
static unsigned decimals_of(uint64_t step) {
        return step >= NSEC_PER_SEC ? 0 : step >= NSEC_PER_MSEC ? 3 : 6;
}

/* Writes a time with enough decimals for a step. */
static void heat_time(const HeatSvg *s, uint64_t time, uint64_t step, char buf[static FLAME_SCALE_LABEL_SIZE]) {
        if (s->m->wall)
                flame_scale_time(time, decimals_of(step), buf);
        else
                (void) snprintf(buf, FLAME_SCALE_LABEL_SIZE, "%.*f s", (int) decimals_of(step),
                                time > s->m->first ? (double) (time - s->m->first) / NSEC_PER_SEC : 0);
}

static const char *heat_group_name(const HeatSvg *s, size_t row) {
        return s->grid.groups[row] > 0 ? frame_tree_name(s->m->tree, s->grid.groups[row]) : "all others";
}

/* Says which part of the time or which latencies a square has. */
static void heat_put_square_title(HeatSvg *s, size_t column, size_t row, uint32_t count) {
        uint64_t step = s->grid.plan.step, part = step / s->grid.rows, begin = s->grid.first + column * step;
        char time[FLAME_SCALE_LABEL_SIZE];

        if (s->grid.plan.rows_of == HEAT_OFFSETS)
                begin += row * step / s->grid.rows;
        heat_time(s, begin, s->grid.plan.rows_of == HEAT_OFFSETS ? part : step, time);
        text_buffer_puts(s->out, "<title>");
        text_buffer_grouped(s->out, count);
        text_buffer_putc(s->out, ' ');
        svg_put_escaped(s->out, s->p->flame->count_name);
        text_buffer_format(s->out, ", %s", time);
        if (s->grid.plan.rows_of == HEAT_GROUPS) {
                text_buffer_puts(s->out, ", ");
                svg_put_escaped(s->out, heat_group_name(s, row));
        } else if (s->grid.plan.rows_of == HEAT_LATENCIES) {
                text_buffer_puts(s->out, ", ");
                text_buffer_span(s->out, heat_grid_row_latency(&s->grid, row));
                text_buffer_puts(s->out, " to ");
                text_buffer_span(s->out, heat_grid_row_latency(&s->grid, row + 1));
        }
        text_buffer_puts(s->out, "</title>");
}

static void heat_put_squares(HeatSvg *s) {
        text_buffer_puts(s->out, "<g id=\"squares\">");
        for (size_t column = 0; column < s->grid.columns && s->out->error == 0; column++) {
                text_buffer_format(s->out, "<g\ntransform=\"translate(%u)\">", (unsigned) column * s->box);
                for (size_t row = 0; row < s->grid.rows; row++) {
                        uint32_t count = s->grid.counts[column * s->grid.rows + row];
                        double level;

                        if (count == 0)
                                continue;
                        level = ceil(LEVELS * sqrt((double) count / (double) s->grid.most));
                        text_buffer_format(s->out, "<rect class=\"h%.0f\" y=\"%u\" width=\"%u\" height=\"%u\">",
                                           fmin(level, LEVELS), heat_row_y(s, row), s->box, s->row);
                        heat_put_square_title(s, column, row, count);
                        text_buffer_puts(s->out, "</rect>");
                }
                text_buffer_puts(s->out, "</g>");
        }
        text_buffer_puts(s->out, "</g>\n");
}

/* A part of a column, or all of it where rows are no times. It is a row high at least. */
static void heat_put_gap_part(HeatSvg *s, const HeatGap *gap, size_t column) {
        uint64_t step = s->grid.plan.step, begin = s->grid.first + column * step;
        size_t rows = s->grid.rows, low = 0, high = rows - 1;

        if (s->grid.plan.rows_of == HEAT_OFFSETS) {
                low = gap->since > begin ? (size_t) ((gap->since - begin) * rows / step) : 0;
                high = gap->until < begin + step ? (size_t) ((gap->until - begin) * rows / step) : rows - 1;
        }
        text_buffer_format(s->out, "<rect x=\"%u\" y=\"%zu\" width=\"%u\" height=\"%zu\"/>", (unsigned) column * s->box,
                           (rows - 1 - high) * s->row, s->box, (high - low + 1) * s->row);
}

static void heat_put_gaps(HeatSvg *s) {
        char since[FLAME_SCALE_LABEL_SIZE], until[FLAME_SCALE_LABEL_SIZE];

        text_buffer_puts(s->out, "<g id=\"gaps\">");
        for (const HeatGap *gap = s->m->gaps; gap < s->m->gaps + s->m->n_gaps; gap++) {
                size_t last = MIN_OF(heat_grid_column(&s->grid, gap->until), s->grid.columns - 1);

                heat_time(s, gap->since, NSEC_PER_MSEC, since);
                heat_time(s, gap->until, NSEC_PER_MSEC, until);
                text_buffer_format(s->out, "<g\nfill=\"url(#gap%d)\"><title>%s", (int) gap->kind,
                                   heat_gap_kind_to_string(gap->kind));
                if (gap->lost > 0)
                        text_buffer_format(s->out, " %" PRIu64 " records before %s</title>", gap->lost, until);
                else
                        text_buffer_format(s->out, ", %s to %s</title>", since, until);
                for (size_t column = heat_grid_column(&s->grid, gap->since); column <= last; column++)
                        heat_put_gap_part(s, gap, column);
                text_buffer_puts(s->out, "</g>");
        }
        text_buffer_puts(s->out, "</g>\n");
}

static void heat_put_triggers(HeatSvg *s) {
        char time[FLAME_SCALE_LABEL_SIZE];

        for (size_t i = 0; i < s->m->n_triggers; i++) {
                uint64_t trigger = s->m->triggers[i];
                double x = (double) (trigger - s->grid.first) / (double) s->grid.plan.step * s->box;

                if (trigger < s->grid.first || heat_grid_column(&s->grid, trigger) >= s->grid.columns)
                        continue;
                heat_time(s, trigger, NSEC_PER_MSEC, time);
                text_buffer_format(s->out, "<path class=\"trigger\" d=\"M%.1f -4V%u\"><title>trigger, %s</title></path>\n", x,
                                   heat_height(s) + 4, time);
                text_buffer_format(s->out, "<text x=\"%.1f\" y=\"-6\" class=\"end\">trigger</text>\n", x + 20);
        }
}

/* The times below, at whole multiples of a step that leaves room for them. */
static void heat_put_times(HeatSvg *s) {
        uint64_t step = s->grid.plan.step, each = heat_grid_steps_of(step, MAX_OF(TIME_LABEL / s->box, 1u));
        size_t column = (size_t) ((each - (s->grid.first - s->grid.origin) / step % each) % each);
        size_t room = s->width - s->left - TIME_LABEL;
        char time[FLAME_SCALE_LABEL_SIZE], x[32];

        for (; column < s->grid.columns && column * s->box < room; column += each) {
                heat_time(s, s->grid.first + column * step, step * each, time);
                (void) snprintf(x, sizeof(x), "%zu", column * s->box + 3);
                text_buffer_format(s->out, "<path class=\"axis\" d=\"M%zu.5 %uv8\"/>", column * s->box, heat_height(s));
                svg_put_text(s->out, "", x, heat_height(s) + s->p->flame->font_size + 2, time);
        }
}

static void heat_put_row_label(HeatSvg *s, double y, const char *text) {
        svg_put_text(s->out, " class=\"end\"", "-6", y, text);
}

/* Names of groups, as far as there is room. */
static void heat_put_group_labels(HeatSvg *s) {
        size_t room = (size_t) (GROUP_LABEL / (SVG_GLYPH * s->p->flame->font_size));
        char label[256];

        for (size_t row = 0; row < s->grid.rows; row++) {
                const char *name = heat_group_name(s, row);
                size_t length = strlen(name);

                while (length > 0 && (length > MIN_OF(room, sizeof(label) - 4) || ((unsigned char) name[length] & 0xc0) == 0x80))
                        length--;
                (void) snprintf(label, sizeof(label), "%.*s%s", (int) length, name, name[length] ? ".." : "");
                heat_put_row_label(s, heat_row_y(s, row) + s->row / 2.0 + s->p->flame->font_size * 0.35, label);
        }
}

static void heat_put_span_label(HeatSvg *s, double row, uint64_t nsec) {
        _cleanup_(text_buffer_done) TextBuffer text = {};

        text_buffer_span(&text, nsec);
        text_buffer_putc(&text, '\0');
        if (text.error == 0)
                heat_put_row_label(s, ((double) s->grid.rows - row) * s->row + s->p->flame->font_size * 0.35, text.data);
}

/* Powers of ten stand beside rows that are ratios, and if there is room, twice and five times that. */
static void heat_put_ratio_labels(HeatSvg *s) {
        static const uint64_t parts[] = { 1, 2, 5 };
        const HeatGridPlan *p = &s->grid.plan;
        bool roomy = log10((double) p->most / (double) p->least) * s->line * 4 < heat_height(s);

        for (uint64_t unit = 1; unit <= p->most && unit < UINT64_MAX / 10; unit *= 10)
                for (size_t i = 0; i < (roomy ? ELEMENTSOF(parts) : 1); i++)
                        if (unit * parts[i] >= p->least && unit * parts[i] <= p->most)
                                heat_put_span_label(s, heat_grid_latency_row(&s->grid, unit * parts[i]), unit * parts[i]);
}

/* Whole multiples of a step stand beside rows that are equal times, about five of them. */
static void heat_put_row_labels(HeatSvg *s) {
        const HeatGridPlan *p = &s->grid.plan;
        uint64_t least = p->rows_of == HEAT_OFFSETS ? 0 : p->least, most = p->rows_of == HEAT_OFFSETS ? p->step : p->most, step = 1;

        while (step < (most - least) / 6 && step < UINT64_MAX / 10)
                step *= 10;
        step = step >= 10 && step / 2 >= (most - least) / 6 ? step / 2 : step;
        for (uint64_t time = (least + step - 1) / step * step; time <= most; time += step)
                heat_put_span_label(s, (double) (time - least) / (double) (most - least) * (double) s->grid.rows, time);
}

/* A line for each percentile, which is interrupted where a column has no latencies. */
static void heat_put_percentiles(HeatSvg *s) {
        static const char *const names[_HEAT_PERCENTILE_MAX] = { "p50", "p90", "p99" };
        double y = 0, label = heat_height(s) + s->line;

        for (unsigned k = 0; s->grid.percentiles && k < _HEAT_PERCENTILE_MAX; k++) {
                bool drawn = false;
                char x[32];

                text_buffer_format(s->out, "<path class=\"line %s\" d=\"", names[k]);
                for (size_t column = 0; column < s->grid.columns; column++) {
                        uint64_t latency = s->grid.percentiles[column][k];

                        if (latency > 0) {
                                y = (double) heat_height(s) - MAX_OF(heat_grid_latency_row(&s->grid, latency), 0.0) * s->row;
                                text_buffer_format(s->out, "%s%zu %.1fh%u", drawn ? "L" : "M", column * s->box, MAX_OF(y, 0.0),
                                                   s->box);
                        }
                        drawn = latency > 0;
                }
                text_buffer_format(s->out, "\"><title>%s</title></path>\n", names[k]);
                (void) snprintf(x, sizeof(x), "%zu", s->grid.columns * s->box + 4);
                label = fmin(fmax(y, 0) + s->p->flame->font_size * 0.35, label - s->line);
                svg_put_text(s->out, "", x, label, names[k]);
        }
}

/* Explains colours and hatching, from the left to the right. */
static void heat_put_legend(HeatSvg *s, unsigned y) {
        unsigned x = s->left, step = s->p->flame->font_size;
        char at[16];
        double text_y = y + step * 0.9;

        for (unsigned i = 1; i <= LEVELS; i++, x += step)
                text_buffer_format(s->out, "<rect class=\"h%u\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>", i, x, y, step,
                                   step);
        text_buffer_format(s->out, "<text x=\"%u\" y=\"%.1f\">%s", x + 4, text_y, s->grid.most > 1 ? "1 to " : "");
        text_buffer_grouped(s->out, s->grid.most);
        text_buffer_putc(s->out, ' ');
        svg_put_escaped(s->out, s->p->flame->count_name);
        if (s->grid.outside > 0)
                text_buffer_format(s->out, " (%" PRIu64 " more are outside)", s->grid.outside);
        text_buffer_puts(s->out, "</text>\n");
        x += (unsigned) (step * SVG_GLYPH * (s->grid.outside > 0 ? 54 : 28));
        for (HeatGapKind kind = 0; kind < _HEAT_GAP_KIND_MAX; kind++) {
                if (!ANY_OF(s->m->n_gaps, i, s->m->gaps[i].kind == kind))
                        continue;
                text_buffer_format(s->out, "<rect class=\"axis\" style=\"fill:url(#gap%d)\" x=\"%u\" y=\"%u\" width=\"%u\" "
                                   "height=\"%u\"/>",
                                   (int) kind, x, y, 2 * step, step);
                (void) snprintf(at, sizeof(at), "%u", x + 2 * step + 4);
                svg_put_text(s->out, "", at, text_y, heat_gap_kind_to_string(kind));
                x += (unsigned) (step * (3 + SVG_GLYPH * strlen(heat_gap_kind_to_string(kind))));
        }
}

static void heat_put_map(HeatSvg *s) {
        text_buffer_format(s->out, "<g transform=\"translate(%u %u)\">\n<rect id=\"map\" width=\"%zu\" height=\"%u\"/>\n",
                           s->left, s->top, s->grid.columns * s->box, heat_height(s));
        heat_put_squares(s);
        heat_put_gaps(s);
        heat_put_percentiles(s);
        heat_put_triggers(s);
        heat_put_times(s);
        if (s->grid.plan.rows_of == HEAT_GROUPS)
                heat_put_group_labels(s);
        else if (s->grid.plan.rows_of == HEAT_LATENCIES && !s->grid.plan.linear)
                heat_put_ratio_labels(s);
        else
                heat_put_row_labels(s);
        text_buffer_puts(s->out, "</g>\n");
}

static void heat_put_heading(HeatSvg *s) {
        const FlamePicture *p = s->p->flame;
        unsigned y = p->font_size * 2;

        svg_put_text(s->out, " id=\"title\"", "50%", y, p->title);
        if (p->subtitle)
                svg_put_text(s->out, " id=\"subtitle\"", "50%", y += s->line, p->subtitle);
        y = svg_put_phrases(s->out, p->caption, (size_t) ((s->width - 20) / (SVG_GLYPH * p->font_size)), y + s->line, s->line);
        s->top = y + 10;
}

/* Finds the squares and how large they are: as wide as there is room for. */
static int heat_svg_init(HeatSvg *s) {
        HeatGridPlan plan = s->p->grid;
        bool groups = plan.rows_of == HEAT_GROUPS;
        unsigned room;
        int r;

        s->line = s->p->flame->font_size + 5;
        s->left = groups ? GROUP_LABEL : ROW_LABEL;
        room = MAX_OF(s->p->flame->width, s->left + RIGHT + ROOM_MIN) - s->left - RIGHT;
        plan.columns = plan.columns > 0 ? plan.columns : MAX_OF(room / s->p->box, 1u);
        r = heat_grid_init(&s->grid, s->m, &plan);
        if (r < 0)
                return r;
        s->box = MAX_OF(s->p->box, MIN_OF(room / (unsigned) s->grid.columns, 4 * s->p->box));
        s->row = groups ? MAX_OF(s->p->box, GROUP_HEIGHT) : s->p->box;
        s->width = MAX_OF(s->left + s->box * (unsigned) s->grid.columns + RIGHT, WIDTH_MIN);
        return 0;
}

void heat_put_svg(const HeatPicture *p, const HeatMap *m, TextBuffer *out) {
        _cleanup_(text_buffer_done) TextBuffer heading = {};
        HeatSvg s = { .p = p, .m = m, .out = &heading };
        unsigned height;

        out->error = out->error ?: heat_svg_init(&s);
        if (out->error == 0) {
                heat_put_heading(&s);
                s.out = out;
                height = s.top + heat_height(&s) + 4 * s.line;
                text_buffer_format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                                   "width=\"100%%\" viewBox=\"0 0 %u %u\" role=\"img\">\n<title>", s.width, height);
                svg_put_escaped(out, p->flame->name ?: p->flame->title);
                text_buffer_puts(out, "</title>\n");
                heat_put_style(&s);
                heat_put_patterns(&s);
                text_buffer_puts(out, "<rect id=\"background\" width=\"100%\" height=\"100%\"/>\n");
                text_buffer_put(out, heading.data, heading.n);
                heat_put_map(&s);
                heat_put_legend(&s, s.top + heat_height(&s) + 2 * s.line);
                text_buffer_puts(out, "</svg>\n");
        }
        heat_grid_done(&s.grid);
        out->error = out->error ?: heading.error;
}

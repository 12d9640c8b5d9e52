/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables as systemctl prints them: columns one blank apart, headers underlined on a terminal, an ellipsis in cells that do
 * not fit. Control characters are replaced when text is added, so that widths are those of the printed text. Only marked
 * columns shrink, the widest first; a table that is still too wide does without columns that are marked so, the last first,
 * those that shrink before others, and otherwise runs over the edge. */

#include "format-table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>

#include "array.h"
#include "text-width.h"

#define COLUMNS_MAX 16
#define SHRINK_MIN 8 /* columns; a cell does not shrink below this */
#define LEFT_OUT SIZE_MAX

typedef struct Cell {
        char *text;
        json_object *value; /* NULL: not in JSON */
        Colour colour;
} Cell;

typedef struct Column {
        char header[32];
        char key[32]; /* in JSON */
        bool right, shrinks, optional;
} Column;

struct Table {
        Column columns[COLUMNS_MAX];
        size_t n_columns;
        Cell *cells;
        size_t n_cells;
        bool failed; /* there was no memory for a cell */
};

Table *table_new(const char *header, ...) {
        Table *t = calloc(1, sizeof(*t));
        va_list ap;

        if (!t)
                return NULL;
        va_start(ap, header);
        for (; header && t->n_columns < COLUMNS_MAX; header = va_arg(ap, const char *)) {
                Column *c = &t->columns[t->n_columns++];
                const char *key;
                size_t n;

                c->optional = *header == '?';
                header += c->optional;
                c->right = *header == '>';
                c->shrinks = *header == '~' || (c->optional && !c->right);
                header += c->right || *header == '~';
                n = strcspn(header, "|");
                key = header[n] ? header + n + 1 : c->header;
                (void) snprintf(c->header, sizeof(c->header), "%.*s", (int) n, header);
                for (size_t i = 0; key[i] && i + 1 < sizeof(c->key); i++)
                        c->key[i] = (char) tolower((unsigned char) key[i]);
        }
        va_end(ap);
        return t;
}

Table *table_free(Table *t) {
        if (!t)
                return NULL;
        for (size_t i = 0; i < t->n_cells; i++) {
                free(t->cells[i].text);
                json_object_put(t->cells[i].value);
        }
        free(t->cells);
        free(t);
        return NULL;
}

static int table_add_cell(Table *t, const char *text, json_object **value) {
        _cleanup_free_ char *clean = text_sanitize(text);

        if (!clean || ARRAY_RESERVE_NEXT(t->cells, t->n_cells) < 0)
                return -ENOMEM;
        t->cells[t->n_cells++] = (Cell){ .text = steal_ptr(clean), .value = steal_ptr(*value) };
        return 0;
}

void table_add_text(Table *t, const char *text, json_object *value) {
        _cleanup_(json_object_putp) json_object *owned = value;

        if (!value || table_add_cell(t, text, &owned) < 0)
                t->failed = true;
}

void table_add_string(Table *t, const char *s) {
        table_add_text(t, *s ? s : "-", json_new_string(s));
}

void table_add_unsigned(Table *t, uint64_t n) {
        char text[32];

        (void) snprintf(text, sizeof(text), "%" PRIu64, n);
        table_add_text(t, text, json_object_new_uint64(n));
}

void table_add_nothing(Table *t) {
        if (table_add_cell(t, "-", &(json_object *){ NULL }) < 0)
                t->failed = true;
}

void table_colour(Table *t, Colour colour) {
        if (t->n_cells > 0)
                t->cells[t->n_cells - 1].colour = colour;
}

static size_t table_rows(const Table *t) {
        return t->n_columns > 0 ? t->n_cells / t->n_columns : 0;
}

static const Cell *table_cell(const Table *t, size_t row, size_t column) {
        return &t->cells[row * t->n_columns + column];
}

static void table_measure(const Table *t, bool legend, size_t *widths) {
        for (size_t c = 0; c < t->n_columns; c++) {
                widths[c] = legend ? text_width(t->columns[c].header) : 0;
                for (size_t r = 0; r < table_rows(t); r++)
                        widths[c] = MAX_OF(widths[c], text_width(table_cell(t, r, c)->text));
        }
}

/* Narrows the widest of the columns that may shrink until the line fits. False: it does not. */
static bool table_shrink(const Table *t, size_t *widths, size_t limit) {
        for (;;) {
                size_t total = 0, widest = SIZE_MAX;

                for (size_t c = 0; c < t->n_columns; c++) {
                        if (widths[c] == LEFT_OUT)
                                continue;
                        total += widths[c] + (total > 0);
                        if (t->columns[c].shrinks && widths[c] > SHRINK_MIN &&
                            (widest == SIZE_MAX || widths[c] > widths[widest]))
                                widest = c;
                }
                if (total <= limit)
                        return true;
                if (widest == SIZE_MAX)
                        return false;
                widths[widest]--;
        }
}

/* Sets the widths; columns for which there is no room have LEFT_OUT. */
static void table_fit(const Table *t, bool legend, size_t limit, size_t *widths) {
        bool out[COLUMNS_MAX] = {};

        table_measure(t, legend, widths);
        if (limit == 0 || table_shrink(t, widths, limit))
                return;
        for (int shrinks = 1; shrinks >= 0; shrinks--)
                for (size_t c = t->n_columns; c-- > 0;) {
                        if (!t->columns[c].optional || t->columns[c].shrinks != shrinks)
                                continue;
                        out[c] = true;
                        table_measure(t, legend, widths);
                        for (size_t i = 0; i < t->n_columns; i++)
                                widths[i] = out[i] ? LEFT_OUT : widths[i];
                        if (table_shrink(t, widths, limit))
                                return;
                }
}

static size_t table_last_shown(const Table *t, const size_t *widths) {
        size_t last = 0;

        for (size_t c = 0; c < t->n_columns; c++)
                last = widths[c] == LEFT_OUT ? last : c;
        return last;
}

/* Prints a cell, padded to its width if fill is set. */
static int table_print_cell(const char *text, size_t width, bool right, bool fill, Colour colour) {
        _cleanup_free_ char *cut = text_ellipsize(text, MAX_OF(width, (size_t) 1), false, terminal_get()->utf8);
        const char *begin = colour == COLOUR_NONE ? "" : colour_sequence(colour);
        const char *end = *begin ? colour_sequence(COLOUR_NONE) : "";
        size_t used = cut ? text_width(cut) : 0;
        int blanks = width > used ? (int) (width - used) : 0;

        if (!cut)
                return -ENOMEM;
        (void) printf("%*s%s%s%s%*s", right ? blanks : 0, "", begin, cut, end, right || !fill ? 0 : blanks, "");
        return 0;
}

/* Pads all headers, so that the underline is continuous. */
static int table_print_legend(const Table *t, const size_t *widths) {
        const char *begin = colour_sequence(COLOUR_UNDERLINE), *gap = "";
        size_t last = table_last_shown(t, widths);

        (void) fputs(begin, stdout);
        for (size_t c = 0; c <= last; c++) {
                const Column *column = &t->columns[c];
                int r;

                if (widths[c] == LEFT_OUT)
                        continue;
                (void) fputs(gap, stdout);
                gap = " ";
                r = table_print_cell(column->header, widths[c], column->right, *begin || c < last, COLOUR_NONE);
                if (r < 0)
                        return r;
        }
        (void) printf("%s\n", *begin ? colour_sequence(COLOUR_NONE) : "");
        return 0;
}

static int table_print_row(const Table *t, size_t row, const size_t *widths) {
        size_t last = table_last_shown(t, widths);
        const char *gap = "";

        for (size_t c = 0; c <= last; c++) {
                const Cell *cell = table_cell(t, row, c);
                int r;

                if (widths[c] == LEFT_OUT)
                        continue;
                (void) fputs(gap, stdout);
                gap = " ";
                r = table_print_cell(cell->text, widths[c], t->columns[c].right, c < last, cell->colour);
                if (r < 0)
                        return r;
        }
        (void) putchar('\n');
        return 0;
}

int table_print(const Table *t, bool legend, unsigned columns) {
        size_t widths[COLUMNS_MAX];
        int r = 0;

        if (t->failed)
                return -ENOMEM;
        table_fit(t, legend, columns, widths);
        if (legend)
                r = table_print_legend(t, widths);
        for (size_t row = 0; r >= 0 && row < table_rows(t); row++)
                r = table_print_row(t, row, widths);
        return r;
}

int table_to_json(const Table *t, json_object **ret) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();

        if (t->failed || !rows)
                return -ENOMEM;
        for (size_t row = 0; row < table_rows(t); row++) {
                json_object *object = json_object_new_object();
                int r = json_append(rows, object);

                for (size_t c = 0; r >= 0 && c < t->n_columns; c++) {
                        const Cell *cell = table_cell(t, row, c);

                        if (cell->value)
                                r = json_set(object, t->columns[c].key, json_ref(cell->value));
                }
                if (r < 0)
                        return r;
        }
        *ret = steal_ptr(rows);
        return 0;
}

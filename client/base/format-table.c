/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables as systemctl prints them: columns one blank apart, headers underlined on a terminal, an ellipsis in cells that do
 * not fit. Control characters are replaced when text is added, so that widths are those of the printed text. Only marked
 * columns shrink, the widest first; a table that is still too wide does without its last column, if that is marked so, and
 * otherwise runs over the edge. */

#include "format-table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>

#include "array.h"
#include "text-width.h"

#define COLUMNS_MAX 16
#define SHRINK_MIN 8 /* columns; a cell does not shrink below this */

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

                c->right = *header == '>';
                c->optional = *header == '?';
                c->shrinks = *header == '~' || c->optional;
                header += c->right || c->shrinks;
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

/* Narrows the widest of the first n columns that may shrink until the line fits. False: it does not. */
static bool table_shrink(const Table *t, size_t n, size_t *widths, size_t limit) {
        for (;;) {
                size_t total = n - 1, widest = SIZE_MAX;

                for (size_t c = 0; c < n; c++) {
                        total += widths[c];
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

/* Sets the widths, and returns the number of columns that are printed. */
static size_t table_fit(const Table *t, bool legend, size_t limit, size_t *widths) {
        size_t n = t->n_columns;

        table_measure(t, legend, widths);
        if (limit == 0 || table_shrink(t, n, widths, limit) || n < 2 || !t->columns[n - 1].optional)
                return n;
        table_measure(t, legend, widths);
        (void) table_shrink(t, n - 1, widths, limit);
        return n - 1;
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
static int table_print_legend(const Table *t, size_t n, const size_t *widths) {
        const char *begin = colour_sequence(COLOUR_UNDERLINE);

        (void) fputs(begin, stdout);
        for (size_t c = 0; c < n; c++) {
                const Column *column = &t->columns[c];
                int r;

                if (c > 0)
                        (void) putchar(' ');
                r = table_print_cell(column->header, widths[c], column->right, *begin || c + 1 < n, COLOUR_NONE);
                if (r < 0)
                        return r;
        }
        (void) printf("%s\n", *begin ? colour_sequence(COLOUR_NONE) : "");
        return 0;
}

static int table_print_row(const Table *t, size_t row, size_t n, const size_t *widths) {
        for (size_t c = 0; c < n; c++) {
                const Cell *cell = table_cell(t, row, c);
                int r;

                if (c > 0)
                        (void) putchar(' ');
                r = table_print_cell(cell->text, widths[c], t->columns[c].right, c + 1 < n, cell->colour);
                if (r < 0)
                        return r;
        }
        (void) putchar('\n');
        return 0;
}

int table_print(const Table *t, bool legend, unsigned columns) {
        size_t widths[COLUMNS_MAX], n;
        int r = 0;

        if (t->failed)
                return -ENOMEM;
        n = table_fit(t, legend, columns, widths);
        if (legend)
                r = table_print_legend(t, n, widths);
        for (size_t row = 0; r >= 0 && row < table_rows(t); row++)
                r = table_print_row(t, row, n, widths);
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

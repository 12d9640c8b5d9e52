/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Commands, units, libraries and functions are compared by their numbers in the table, which are one for equal texts; a table that
 * replaces another one has other numbers. */

#include "sample-zoom.h"

#include <inttypes.h>

#include "format-text.h"
#include "string-table.h"

#define NO_NUMBER UINT32_MAX

static const char *const zoom_kind_table[_ZOOM_KIND_MAX] = {
        [ZOOM_COMMAND] = "command", [ZOOM_THREAD] = "thread", [ZOOM_UNIT] = "unit", [ZOOM_LIBRARY] = "library",
        [ZOOM_FUNCTION] = "function", [ZOOM_CPU] = "CPU", [ZOOM_KERNEL] = "kernel", [ZOOM_USER] = "user space",
};
DEFINE_TO_STRING(zoom_kind, ZoomKind);

void sample_zoom_done(SampleZoom *z) {
        free(z->text);
        *z = (SampleZoom) {};
}

/* Returns what a row has of a kind; 0 may be a CPU, otherwise it is nothing. */
static uint32_t zoom_number_of(ZoomKind kind, SampleTable *t, const PlaceNames *names, const SampleRow *row) {
        const CgroupNames *groups = sample_table_cgroups(t);

        switch (kind) {
        case ZOOM_COMMAND:
                return row->name;
        case ZOOM_THREAD:
                return sample_table_view(t)->threads[row->thread].tid;
        case ZOOM_UNIT:
                return row->cgroup > 0 ? groups->groups[row->cgroup - 1].unit : 0;
        case ZOOM_LIBRARY:
                return place_names_dso(names, sample_table_places(t)->places + row->leaf);
        case ZOOM_FUNCTION:
                return names->symbol_of[row->leaf];
        case ZOOM_CPU:
                return row->cpu;
        default:
                return 0;
        }
}

static const char *zoom_text_of(ZoomKind kind, SampleTable *t, const PlaceNames *names, uint32_t number) {
        switch (kind) {
        case ZOOM_COMMAND:
                return process_view_name(sample_table_view(t), number);
        case ZOOM_UNIT:
                return cgroup_names_text(sample_table_cgroups(t), number);
        case ZOOM_LIBRARY:
                return place_names_text(names, number);
        case ZOOM_FUNCTION:
                return names->symbols[number].name;
        default:
                return NULL;
        }
}

int sample_zoom_init(SampleZoom *ret, ZoomKind kind, uint32_t number, uint32_t thread, SampleTable *table,
                     const PlaceNames *names) {
        const ProcessView *view = sample_table_view(table);
        const char *text;

        *ret = (SampleZoom) { .kind = kind, .number = number };
        if (kind == ZOOM_KERNEL || kind == ZOOM_USER)
                return 0;
        if (kind == ZOOM_THREAD)
                ret->text = format_text("%s/%" PRIu32, process_view_name(view, view->threads[thread].name), number);
        else if (kind == ZOOM_CPU)
                ret->text = format_text("%" PRIu32, number);
        else {
                text = number > 0 ? zoom_text_of(kind, table, names, number) : NULL;
                if (!text)
                        return -ENODATA;
                ret->text = strdup(text);
        }
        return ret->text ? 0 : -ENOMEM;
}

int sample_zoom_copy(SampleZoom *ret, const SampleZoom *z) {
        *ret = *z;
        ret->text = z->text ? strdup(z->text) : NULL;
        return z->text && !ret->text ? -ENOMEM : 0;
}

void sample_zoom_bind(SampleZoom *z, SampleTable *table, const PlaceNames *names) {
        uint32_t seen = 0;
        size_t n;
        const SampleRow *rows = sample_table_rows(table, &n);

        if (z->kind != ZOOM_COMMAND && z->kind != ZOOM_UNIT && z->kind != ZOOM_LIBRARY && z->kind != ZOOM_FUNCTION)
                return;
        z->number = NO_NUMBER;
        for (uint32_t i = 1; z->kind == ZOOM_FUNCTION && i < names->n_symbols; i++)
                if (streq(names->symbols[i].name, z->text)) {
                        z->number = i;
                        return;
                }
        for (size_t i = 0; z->kind != ZOOM_FUNCTION && i < n; i++) {
                uint32_t number = zoom_number_of(z->kind, table, names, rows + i);
                const char *text = number > 0 && number != seen ? zoom_text_of(z->kind, table, names, number) : NULL;

                seen = number;
                if (text && streq(text, z->text)) {
                        z->number = number;
                        return;
                }
        }
}

bool sample_zoom_has(const SampleZoom *z, SampleTable *table, const PlaceNames *names, const SampleRow *row) {
        char level = sample_table_places(table)->places[row->leaf].level;

        if (z->kind == ZOOM_KERNEL || z->kind == ZOOM_USER)
                return (level == 'k') == (z->kind == ZOOM_KERNEL);
        if (z->kind == ZOOM_FUNCTION) {
                SampleStack stack = sample_table_stack(table, row);

                for (size_t i = 0; i < stack.n; i++) {
                        uint32_t symbol = names->symbol_of[sample_stack_place(&stack, i)];

                        /* symbols of one name are several ones, where it is in several binaries */
                        if (symbol == z->number ||
                            (symbol > 0 && z->number != NO_NUMBER && streq(names->symbols[symbol].name, z->text)))
                                return true;
                }
                return false;
        }
        return zoom_number_of(z->kind, table, names, row) == z->number;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One walk of a unit for all addresses: entries that have code, but none of the addresses, are left out with all that is below
 * them, and most of a unit is. */

#include "debug-inlined.h"

#include <dwarf.h>

#include "array.h"

#define DEPTH_MAX 128u

typedef struct Walk {
        DebugCalls *calls;
        Dwarf_Files *files;
        size_t n_files;
        const uint64_t *addresses;
        size_t n;
} Walk;

void debug_calls_done(DebugCalls *calls) {
        free(calls->calls);
        *calls = (DebugCalls) {};
}

const char *debug_function_name(Dwarf_Die *function) {
        Dwarf_Attribute attribute;
        const char *name = NULL;

        if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) ||
            dwarf_attr_integrate(function, DW_AT_MIPS_linkage_name, &attribute))
                name = dwarf_formstring(&attribute);
        if (!name && dwarf_attr_integrate(function, DW_AT_name, &attribute))
                name = dwarf_formstring(&attribute);
        return name;
}

static uint64_t number_of(Dwarf_Die *die, unsigned name) {
        Dwarf_Attribute attribute;
        Dwarf_Word value;

        return dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, &value) == 0 ? value : 0;
}

static int add_call(Walk *w, Dwarf_Die *die, size_t address) {
        DebugCalls *c = w->calls;
        uint64_t file = number_of(die, DW_AT_call_file);

        if (c->n >= DEBUG_CALLS_MAX)
                return -EFBIG;
        if (ARRAY_RESERVE(c->calls, c->allocated, c->n + 1) < 0)
                return -ENOMEM;
        c->calls[c->n++] = (DebugCall) {
                .address = address, .function = *die, .line = (unsigned) number_of(die, DW_AT_call_line),
                .file = file < w->n_files ? dwarf_filesrc(w->files, (size_t) file, NULL, NULL) : NULL,
        };
        return 0;
}

/* 1: the entry has code, and at one of the addresses; 0: it has none of them; -ENODATA: it says nothing of addresses. */
static int take_addresses(Walk *w, Dwarf_Die *die, bool inlined) {
        Dwarf_Addr base, start, end;
        ptrdiff_t next = 0;
        bool any = false;
        int r = -ENODATA;

        while (r != -ENOMEM && r != -EFBIG && (next = dwarf_ranges(die, next, &base, &start, &end)) > 0) {
                r = MAX_OF(r, 0);
                for (size_t i = LOWER_BOUND(w->n, k, w->addresses[k] < start); r >= 0 && i < w->n && w->addresses[i] < end; i++) {
                        any = true;
                        if (!inlined)
                                break;
                        r = add_call(w, die, i);
                }
        }
        return r < 0 ? r : any;
}

static int walk_children(Walk *w, Dwarf_Die *parent, unsigned depth);

static int walk_entry(Walk *w, Dwarf_Die *die, unsigned depth) {
        int r;

        switch (dwarf_tag(die)) {
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
                return walk_children(w, die, depth);
        case DW_TAG_subprogram:
        case DW_TAG_entry_point:
                r = take_addresses(w, die, false);
                return r > 0 ? walk_children(w, die, depth) : r == -ENODATA ? 0 : r;
        case DW_TAG_inlined_subroutine:
                r = take_addresses(w, die, true);
                return r > 0 ? walk_children(w, die, depth) : r == -ENODATA ? 0 : r;
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
        case DW_TAG_with_stmt:
                r = take_addresses(w, die, false);
                return r > 0 || r == -ENODATA ? walk_children(w, die, depth) : r;
        default:
                return 0;
        }
}

static int walk_children(Walk *w, Dwarf_Die *parent, unsigned depth) {
        Dwarf_Die die;
        int r = 0, next;

        if (depth >= DEPTH_MAX || dwarf_child(parent, &die) != 0)
                return 0;
        do {
                Dwarf_Die sibling;

                r = walk_entry(w, &die, depth + 1);
                next = r < 0 ? -1 : dwarf_siblingof(&die, &sibling);
                if (next == 0 && sibling.addr <= die.addr) /* it would never end */
                        next = -1;
                die = sibling;
        } while (next == 0);
        return r;
}

int debug_calls_find(DebugCalls *calls, Dwarf_Die *part, const uint64_t *addresses, size_t n) {
        Walk w = { .calls = calls, .addresses = addresses, .n = n };
        Dwarf_Die unit;

        if (!dwarf_diecu(part, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &w.files, &w.n_files) < 0)
                w.n_files = 0;
        return walk_children(&w, part, 0);
}

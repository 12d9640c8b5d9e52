/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* DWARF has no way from an entry to the one that it is in. But all entries lie in the order of their tree, so one walk of a unit,
 * into those entries only that hold a wanted one, finds the scopes of all. */

#include "debug-scopes.h"

#include <dwarf.h>

#include "array.h"
#include "cleanup.h"

#define DEPTH_MAX 128u
#define REFERENCES_MAX 16u

void debug_scopes_done(DebugScopes *s) {
        free(s->scopes);
        byte_pool_done(&s->names);
        *s = (DebugScopes) {};
}

/* The entry of a call refers to the function, and that of a function to its declaration in a class or namespace. */
static Dwarf_Die declaration_of(const Dwarf_Die *function) {
        Dwarf_Die die = *function, next;

        for (unsigned i = 0; i < REFERENCES_MAX; i++) {
                Dwarf_Attribute a;

                if ((!dwarf_attr(&die, DW_AT_abstract_origin, &a) && !dwarf_attr(&die, DW_AT_specification, &a)) ||
                    !dwarf_formref_die(&a, &next))
                        break;
                die = next;
        }
        return die;
}

static bool has_linkage_name(Dwarf_Die *function) {
        Dwarf_Attribute a;

        return dwarf_attr_integrate(function, DW_AT_linkage_name, &a) ||
               dwarf_attr_integrate(function, DW_AT_MIPS_linkage_name, &a);
}

int debug_scopes_add(DebugScopes *s, Dwarf_Die *function) {
        if (has_linkage_name(function))
                return 0;
        if (ARRAY_RESERVE(s->scopes, s->allocated, s->n + 1) < 0)
                return -ENOMEM;
        s->scopes[s->n++] = (DebugScope) { .declaration = declaration_of(function) };
        return 0;
}

static uintptr_t scopes_place_of(const Dwarf_Die *die) {
        return (uintptr_t) die->addr;
}

static int compare_scopes(const void *a, const void *b) {
        uintptr_t x = scopes_place_of(&((const DebugScope *) a)->declaration);
        uintptr_t y = scopes_place_of(&((const DebugScope *) b)->declaration);

        return x < y ? -1 : x > y;
}

typedef struct ScopeWalk {
        DebugScopes *scopes;
        size_t next; /* the first one that is not found */
        size_t size; /* of the name of the entry at hand */
        char name[DEBUG_SCOPE_MAX];
} ScopeWalk;

static uintptr_t wanted(const ScopeWalk *w) {
        return w->next < w->scopes->n ? scopes_place_of(&w->scopes->scopes[w->next].declaration) : UINTPTR_MAX;
}

/* Appends what an entry adds to the names in it, or begins again in a function. */
static void scopes_enter(ScopeWalk *w, Dwarf_Die *die) {
        const char *name = dwarf_diename(die);
        size_t n;

        switch (dwarf_tag(die)) {
        case DW_TAG_namespace:
        case DW_TAG_module:
                name = name ?: "(anonymous namespace)";
                break;
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_interface_type:
                name = name ?: "(anonymous)";
                break;
        default:
                w->size = 0;
                return;
        }
        n = strnlen(name, sizeof(w->name));
        if (n + sizeof("::") > sizeof(w->name) - w->size) {
                w->size = 0;
                return;
        }
        memcpy(w->name + w->size, name, n);
        memcpy(w->name + w->size + n, "::", sizeof("::"));
        w->size += n + 2;
}

static int scopes_take_scope(ScopeWalk *w, uintptr_t place) {
        uint32_t name = 0;
        int r = 0;

        while (wanted(w) < place) /* no entry begins there */
                w->next++;
        if (wanted(w) == place && w->size > 0)
                r = byte_pool_intern(&w->scopes->names, w->name, w->size + 1, &name);
        for (; r >= 0 && wanted(w) == place; w->next++)
                w->scopes->scopes[w->next].name = name;
        return r;
}

/* Walks what is in an entry, up to end. */
static int walk_scope(ScopeWalk *w, Dwarf_Die *parent, uintptr_t end, unsigned depth) {
        size_t size = w->size;
        Dwarf_Die die, sibling;
        int r = 0, next = dwarf_child(parent, &die);

        scopes_enter(w, parent);
        while (r >= 0 && next == 0 && depth < DEPTH_MAX && wanted(w) < end) {
                uintptr_t behind = end;

                next = dwarf_siblingof(&die, &sibling);
                if (next == 0 && scopes_place_of(&sibling) > scopes_place_of(&die) && scopes_place_of(&sibling) < end)
                        behind = scopes_place_of(&sibling);
                else
                        next = 1;
                if (wanted(w) <= scopes_place_of(&die))
                        r = scopes_take_scope(w, scopes_place_of(&die));
                if (r >= 0 && wanted(w) < behind)
                        r = walk_scope(w, &die, behind, depth + 1);
                die = sibling;
        }
        w->size = size;
        return r;
}

int debug_scopes_find(DebugScopes *s) {
        ScopeWalk *w = calloc(1, sizeof(*w));
        int r = w ? 0 : -ENOMEM;

        if (s->n > 0)
                qsort(s->scopes, s->n, sizeof(*s->scopes), compare_scopes);
        for (size_t i = 0, end; r >= 0 && i < s->n; i = end) {
                Dwarf_Die unit;

                for (end = i + 1; end < s->n && s->scopes[end].declaration.cu == s->scopes[i].declaration.cu; end++)
                        ;
                *w = (ScopeWalk) { .scopes = s, .next = i };
                if (dwarf_diecu(&s->scopes[i].declaration, &unit, NULL, NULL))
                        r = walk_scope(w, &unit, scopes_place_of(&s->scopes[end - 1].declaration) + 1, 0);
        }
        free(w);
        return r;
}

const char *debug_scopes_get(const DebugScopes *s, Dwarf_Die *function) {
        Dwarf_Die declaration = declaration_of(function);
        uintptr_t place = scopes_place_of(&declaration);
        size_t i = LOWER_BOUND(s->n, k, scopes_place_of(&s->scopes[k].declaration) < place);

        if (has_linkage_name(function) || i == s->n || scopes_place_of(&s->scopes[i].declaration) != place ||
            s->scopes[i].name == 0)
                return "";
        return (const char *) byte_pool_get(&s->names, s->scopes[i].name)->data;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A line of calls between two forks is printed without percentages, as one node. The columns of '|' are those of the forks that
 * have further children. */

#include "call-graph-print.h"

#include <inttypes.h>

#include "array.h"
#include "share-color.h"
#include "strv.h"

#define MARGIN "            "

static const char *place_name(const CallTree *t, uint32_t place, char buf[static 32]) {
        uint32_t symbol = t->names->symbol_of[place];

        if (symbol > 0)
                return t->names->symbols[symbol].name;
        (void) snprintf(buf, 32, "%#" PRIx64, t->places->places[place].ip);
        return buf;
}

/* Prints the line of the source behind a function, or if there is none and addresses are told apart, how far behind its start. */
static void graph_print_line(const CallTree *t, uint32_t place, FILE *f) {
        const char *function = t->names->symbols[t->names->symbol_of[place]].name, *line, *rest;

        if (!function || t->key == CALL_KEY_FUNCTION)
                return;
        line = place_names_text(t->names, t->names->line_of[place]);
        rest = t->names->file_of[place] > 0 ? line : startswith(line, function);
        if (rest && (t->names->file_of[place] > 0 || t->key == CALL_KEY_ADDRESS))
                (void) fprintf(f, " %s", rest);
}

static void graph_print_name(const CallGraphPrint *p, uint32_t node, FILE *f) {
        uint32_t place = p->tree->nodes[node].place;
        char buf[32];

        (void) fputs(place_name(p->tree, place, buf), f);
        graph_print_line(p->tree, place, f);
}

static void graph_print_value(const CallGraphPrint *p, uint64_t weight, uint64_t count, uint64_t total, FILE *f) {
        if (p->options->value == CALL_GRAPH_PERIOD)
                (void) fprintf(f, "%" PRIu64, weight);
        else if (p->options->value == CALL_GRAPH_COUNT)
                (void) fprintf(f, "%" PRIu64, count);
        else
                (void) share_print(total > 0 ? (double) weight * 100.0 / (double) total : 0.0, p->colors, f, "", 0);
}

static void print_margin(unsigned margin, FILE *f) {
        (void) fprintf(f, MARGIN "%*s", (int) margin, "");
}

static bool has_bar(uint64_t bars, unsigned depth) {
        return depth < 64 && bars >> depth & 1;
}

static uint64_t without_bar(uint64_t bars, unsigned depth) {
        return depth < 64 ? bars & ~(UINT64_C(1) << depth) : bars;
}

static uint64_t with_bar(uint64_t bars, unsigned depth) {
        return depth < 64 ? bars | UINT64_C(1) << depth : bars;
}

static void graph_print_separator(unsigned depth, uint64_t bars, unsigned margin, FILE *f) {
        print_margin(margin, f);
        for (unsigned i = 0; i < depth; i++)
                (void) fputs(has_bar(bars, i) ? "|          " : "           ", f);
        (void) fputc('\n', f);
}

/* Prints what precedes the name of a call; the first of a node has its value. */
static void print_branch(const CallGraphPrint *p, const CallNode *value, uint64_t total, unsigned depth, uint64_t bars,
                         unsigned margin, FILE *f) {
        print_margin(margin, f);
        for (unsigned i = 0; i < depth; i++) {
                (void) fputc(has_bar(bars, i) ? '|' : ' ', f);
                if (!value || i < depth - 1) {
                        (void) fputs("          ", f);
                        continue;
                }
                (void) fputs("--", f);
                graph_print_value(p, call_node_weight(value), value->count + value->children_count, total, f);
                (void) fputs("--", f);
        }
}

/* The weight that children of a node need to be shown. */
static uint64_t least_weight(const CallGraphPrint *p, uint32_t node) {
        bool fractal = p->options->type == CALL_GRAPH_FRACTAL;
        double least = (double) (fractal ? p->tree->nodes[node].children_hit : p->total) * (p->options->least / 100.0);
        uint64_t whole = (uint64_t) least;

        return fractal && (double) whole < least ? whole + 1 : whole;
}

static int shown_children(const CallGraphPrint *p, uint32_t node, uint32_t **ret, size_t *ret_n) {
        return call_tree_children(p->tree, node, least_weight(p, node), true, ret, ret_n);
}

static uint32_t graph_run_end(const CallGraphPrint *p, uint32_t node) {
        for (uint32_t next; (next = call_tree_next(p->tree, node)) > 0; node = next)
                ;
        return node;
}

static void print_run(const CallGraphPrint *p, uint32_t node, uint64_t total, unsigned depth, uint64_t bars, unsigned margin,
                      FILE *f) {
        const CallNode *value = p->tree->nodes + node;

        for (; node > 0; node = call_tree_next(p->tree, node)) {
                print_branch(p, value, total, depth, bars, margin, f);
                graph_print_name(p, node, f);
                (void) fputc('\n', f);
                value = NULL;
        }
}

/* With shares of the caller, what is left out is a line of its own. */
static void print_rest(const CallGraphPrint *p, uint64_t rest, uint64_t rest_count, uint64_t total, unsigned depth, uint64_t bars,
                       unsigned margin, FILE *f) {
        const CallNode value = { .hit = rest, .count = rest_count };

        if (p->options->value == CALL_GRAPH_COUNT && rest_count == 0)
                return;
        print_branch(p, &value, total, depth, without_bar(bars, depth - 1), margin, f);
        (void) fputs("[...]\n", f);
}

/* Prints the children of a node, and theirs; *ret_printed: there was one. A tree is as deep as a call chain may be long. */
static int print_children(const CallGraphPrint *p, uint32_t node, uint64_t total, unsigned depth, uint64_t bars, unsigned margin,
                          FILE *f, bool *ret_printed) {
        bool fractal = p->options->type == CALL_GRAPH_FRACTAL;
        uint64_t rest = total, rest_count = p->tree->nodes[node].children_count, own = bars;
        _cleanup_free_ uint32_t *children = NULL;
        size_t n;
        int r = shown_children(p, node, &children, &n);

        for (size_t i = 0; r >= 0 && i < n; i++) {
                const CallNode *child = p->tree->nodes + children[i];
                uint32_t end = graph_run_end(p, children[i]);

                rest -= call_node_weight(child);
                rest_count -= child->count + child->children_count;
                if (i + 1 == n && (!fractal || rest == 0))
                        own = without_bar(own, depth - 1);
                graph_print_separator(depth, bars, margin, f);
                print_run(p, children[i], total, depth, own, margin, f);
                *ret_printed = true;
                r = print_children(p, end, fractal ? p->tree->nodes[end].children_hit : total, depth + 1, with_bar(own, depth),
                                   margin, f, &(bool) { false });
                if (p->options->limit > 0 && i + 1 >= p->options->limit)
                        break;
        }
        if (r >= 0 && fractal && rest > 0 && rest != total)
                print_rest(p, rest, rest_count, total, depth, own, margin, f);
        return r;
}

/* A single outermost call that has all of the entry's weight is printed without a value. */
static int print_graph(const CallGraphPrint *p, FILE *f) {
        _cleanup_free_ uint32_t *children = NULL;
        uint32_t node = 0;
        unsigned margin = 0, n_printed = 0;
        bool printed = false, first = true;
        size_t n;
        int r = shown_children(p, 0, &children, &n);

        if (r < 0)
                return r;
        if (n == 1 && call_node_weight(p->tree->nodes + children[0]) == p->entry) {
                for (uint32_t call = children[0]; call > 0; call = call_tree_next(p->tree, call), first = false) {
                        node = call;
                        if (first && p->skip_first)
                                continue;
                        if (!printed) {
                                print_margin(margin, f);
                                (void) fputs("|\n", f);
                                print_margin(margin, f);
                                (void) fputs("---", f);
                                margin += 3;
                                printed = true;
                        } else
                                print_margin(margin, f);
                        graph_print_name(p, call, f);
                        (void) fputc('\n', f);
                        if (++n_printed == p->options->limit)
                                break;
                }
                node = graph_run_end(p, node);
        }
        r = print_children(p, node, p->options->type == CALL_GRAPH_FRACTAL ? p->entry : p->total, 1, 1, margin, f, &printed);
        if (printed)
                (void) fputc('\n', f);
        return r;
}

typedef struct FlatChain {
        uint32_t node;
        uint64_t hit;
        size_t number;
} FlatChain;

static int compare_flat(const void *a, const void *b) {
        const FlatChain *x = a, *y = b;

        if (x->hit != y->hit)
                return x->hit > y->hit ? -1 : 1;
        return x->number < y->number ? -1 : x->number > y->number;
}

/* Adds the nodes below that chains end at, those of children before their parent's. */
static int collect_ends(const CallGraphPrint *p, uint32_t node, uint64_t least, FlatChain **ends, size_t *n) {
        _cleanup_free_ uint32_t *children = NULL;
        uint64_t hit = p->tree->nodes[node].hit;
        size_t n_children;
        int r = call_tree_children(p->tree, node, 0, false, &children, &n_children);

        for (size_t i = 0; r >= 0 && i < n_children; i++)
                r = collect_ends(p, graph_run_end(p, children[i]), least, ends, n);
        if (r < 0 || node == 0 || hit == 0 || hit < least)
                return r;
        if (ARRAY_RESERVE_NEXT(*ends, *n) < 0)
                return -ENOMEM;
        (*ends)[*n] = (FlatChain) { .node = node, .hit = hit, .number = *n };
        (*n)++;
        return 0;
}

/* Prints the calls from the outermost shown one to the node. */
static void print_path(const CallGraphPrint *p, uint32_t node, FILE *f) {
        bool folded = p->options->type == CALL_GRAPH_FOLDED;
        uint32_t parent = p->tree->nodes[node].parent;

        if (parent > 0)
                print_path(p, parent, f);
        if (!folded)
                (void) fputs("                ", f);
        else if (parent > 0)
                (void) fputc(p->separator ?: ';', f);
        graph_print_name(p, node, f);
        if (!folded)
                (void) fputc('\n', f);
}

static int print_flat(const CallGraphPrint *p, FILE *f) {
        bool folded = p->options->type == CALL_GRAPH_FOLDED;
        _cleanup_free_ FlatChain *ends = NULL;
        size_t n = 0;
        int r = collect_ends(p, 0, least_weight(p, 0), &ends, &n);

        if (r < 0)
                return r;
        if (n > 0)
                qsort(ends, n, sizeof(*ends), compare_flat);
        for (size_t i = 0; i < n && (p->options->limit == 0 || i < p->options->limit); i++) {
                const CallNode *node = p->tree->nodes + ends[i].node;

                (void) fputs(folded ? "" : "           ", f);
                graph_print_value(p, folded ? node->hit : call_node_weight(node),
                                  folded ? node->count : node->count + node->children_count, p->total, f);
                (void) fputs(folded ? " " : "\n", f);
                print_path(p, ends[i].node, f);
                (void) fputc('\n', f);
        }
        return 0;
}

int call_graph_print(const CallGraphPrint *p, FILE *f) {
        switch (p->options->type) {
        case CALL_GRAPH_GRAPH:
        case CALL_GRAPH_FRACTAL:
                return print_graph(p, f);
        case CALL_GRAPH_FLAT:
        case CALL_GRAPH_FOLDED:
                return print_flat(p, f);
        default:
                return 0;
        }
}

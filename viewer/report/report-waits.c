/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A span of a wait becomes a piece. Pieces are sorted twice: by thread, for the sums of a group and the number of its threads, and
 * by waker, for the one that ended most of the group's time. Both orders have the groups one after the other in the same way. */

#include "report-waits.h"

#include <inttypes.h>

#include "format-text.h"
#include "parse-time.h"
#include "terminal.h"
#include "text-width.h"

#define SCREEN_ROWS 8u   /* of each state */
#define NAME_WIDTH 20u
#define INTERRUPT UINT32_MAX /* as the name of a waker: one of an idle CPU */

typedef struct WaitPiece {
        unsigned rank; /* of its state */
        uint32_t name, tid, waker; /* name, waker: of threads; 0: not known */
        char state;
        bool open;
        uint64_t nsec;
} WaitPiece;

typedef struct WaitGroup {
        const WaitPiece *first; /* has the state and the name */
        uint64_t threads, waits, nsec, longest;
        bool open;              /* the longest had not ended */
        uint32_t waker;
        uint64_t woken, by_waker; /* time that a known waker ended, and of these that one */
} WaitGroup;

static const struct {
        char state;
        const char *title;
} states[] = {
        { 'R', "Ready, without a CPU" },
        { 'D', "In uninterruptible sleep, for a device or a lock of the kernel" },
        { 'S', "Asleep" },
        { 'T', "Stopped" },
        { 't', "Stopped by a debugger" },
        { 'P', "Parked" },
        { 'I', "Kernel threads without work" },
};

static unsigned rank_of(char state) {
        unsigned i = 0;

        while (i < ELEMENTSOF(states) && states[i].state != state)
                i++;
        return i;
}

static int waits_compare_groups(const WaitPiece *x, const WaitPiece *y) {
        if (x->rank != y->rank)
                return x->rank < y->rank ? -1 : 1;
        return x->name < y->name ? -1 : x->name > y->name;
}

static int compare_by_thread(const void *a, const void *b) {
        const WaitPiece *x = a, *y = b;

        return waits_compare_groups(x, y) ?: (x->tid < y->tid ? -1 : x->tid > y->tid);
}

static int compare_by_waker(const void *a, const void *b) {
        const WaitPiece *x = a, *y = b;

        return waits_compare_groups(x, y) ?: (x->waker < y->waker ? -1 : x->waker > y->waker);
}

static int compare_sums(const void *a, const void *b) {
        const WaitGroup *x = a, *y = b;

        if (x->first->rank != y->first->rank)
                return x->first->rank < y->first->rank ? -1 : 1;
        if (x->nsec != y->nsec)
                return x->nsec > y->nsec ? -1 : 1;
        return x->first->name < y->first->name ? -1 : 1;
}

static WaitPiece *make_pieces(const SampleTable *t, const ThreadWaits *w) {
        const ProcessView *view = sample_table_view(t);
        WaitPiece *pieces = calloc(w->n_spans + 1, sizeof(*pieces));
        size_t n;
        const SampleRow *rows = sample_table_rows(t, &n);

        for (size_t i = 0; pieces && i < w->n_spans; i++) {
                const WaitSpan *s = w->spans + i;

                pieces[i] = (WaitPiece) {
                        .rank = rank_of(s->state), .state = s->state, .open = s->open, .nsec = s->nsec,
                        .name = rows[s->row].name, .tid = view->threads[rows[s->row].thread].tid,
                        .waker = s->waker == 0 ? INTERRUPT : s->waker == WAKER_UNKNOWN ? 0 :
                                  process_view_name_of_tid(view, s->waker),
                };
        }
        return pieces;
}

/* Returns the number of groups. */
static size_t sum_threads(WaitPiece *pieces, size_t n, WaitGroup *groups) {
        size_t n_groups = 0;

        qsort(pieces, n, sizeof(*pieces), compare_by_thread);
        for (size_t i = 0; i < n; i++) {
                const WaitPiece *p = pieces + i;
                WaitGroup *g;

                n_groups += i == 0 || waits_compare_groups(pieces + i - 1, p) != 0;
                g = groups + n_groups - 1;
                g->threads += i == 0 || compare_by_thread(pieces + i - 1, p) != 0;
                g->waits++;
                g->nsec += p->nsec;
                if (p->nsec >= g->longest)
                        g->open = p->open;
                g->longest = MAX_OF(g->longest, p->nsec);
        }
        return n_groups;
}

static void sum_wakers(WaitPiece *pieces, size_t n, WaitGroup *groups) {
        WaitGroup *g = groups - 1;
        uint64_t one = 0;

        qsort(pieces, n, sizeof(*pieces), compare_by_waker);
        for (size_t i = 0; i < n; i++) {
                const WaitPiece *p = pieces + i;

                if (i == 0 || waits_compare_groups(pieces + i - 1, p) != 0)
                        (++g)->first = p;
                one = (i == 0 || compare_by_waker(pieces + i - 1, p) != 0 ? 0 : one) + p->nsec;
                if (p->waker == 0)
                        continue;
                g->woken += p->nsec;
                if (one > g->by_waker) {
                        g->by_waker = one;
                        g->waker = p->waker;
                }
        }
}

/* "nginx 60%" */
static char *waker_text(const SampleTable *t, const WaitGroup *g) {
        const char *name;

        if (g->woken == 0)
                return strdup("");
        name = g->waker == INTERRUPT ? "an interrupt" : process_view_name(sample_table_view(t), g->waker);
        return format_text("%s %.0f%%", name, 100.0 * (double) g->by_waker / (double) g->nsec);
}

/* Prints a line as far as it fits. */
static int waits_print_line(const char *line, unsigned columns, FILE *f) {
        size_t width = columns > 0 ? columns : SIZE_MAX;
        _cleanup_free_ char *cut = line ? text_ellipsize(line, width, false, terminal_get()->utf8) : NULL;

        if (!cut)
                return -ENOMEM;
        (void) fprintf(f, "%s\n", cut);
        return 0;
}

static int waits_print_group(const SampleTable *t, const WaitGroup *g, unsigned columns, FILE *f) {
        char time[64], longest[64], average[64], number[32] = "";
        _cleanup_free_ char *waker = waker_text(t, g), *name = NULL, *line = NULL;

        if (g->threads > 1)
                (void) snprintf(number, sizeof(number), " (%" PRIu64 ")", g->threads);
        name = format_text("%s%s", process_view_name(sample_table_view(t), g->first->name), number);
        if (!name || !waker)
                return -ENOMEM;
        line = format_text("%9s %9" PRIu64 " %9s%c %9s  %s%*s%s", format_nsec(time, sizeof(time), g->nsec), g->waits,
                           format_nsec(longest, sizeof(longest), g->longest), g->open ? '+' : ' ',
                           format_nsec(average, sizeof(average), g->nsec / g->waits), name,
                           *waker ? (int) (MAX_OF(text_width(name), NAME_WIDTH) - text_width(name)) + 2 : 0, "", waker);
        return waits_print_line(line, columns, f);
}

/* Prints the n groups of one state. */
static int print_state(const SampleTable *t, const WaitGroup *groups, size_t n, unsigned columns, FILE *f) {
        size_t shown = columns > 0 && n > SCREEN_ROWS + 1 ? SCREEN_ROWS : n;
        uint64_t all = 0, rest = 0, waits = 0;
        const WaitPiece *p = groups->first;
        _cleanup_free_ char *heading = NULL;
        bool woken = false;
        char time[64];
        int r;

        for (size_t i = 0; i < n; i++) {
                all += groups[i].nsec;
                waits += groups[i].waits;
                rest += i >= shown ? groups[i].nsec : 0;
                woken = woken || groups[i].woken > 0;
        }
        (void) fprintf(f, "%s (%c): %s in %" PRIu64 " %s\n", p->rank < ELEMENTSOF(states) ? states[p->rank].title : "Exiting",
                       p->state, format_nsec(time, sizeof(time), all), waits, waits == 1 ? "wait" : "waits");
        heading = format_text("%9s %9s %9s  %9s  %-*s%s", "Time", "Waits", "Longest", "Average", woken ? (int) NAME_WIDTH + 2 : 0,
                              "Threads", woken ? "Woken by" : "");
        r = waits_print_line(heading, columns, f);
        for (size_t i = 0; r >= 0 && i < shown; i++)
                r = waits_print_group(t, groups + i, columns, f);
        if (n > shown)
                (void) fprintf(f, "%9s  of threads with %zu other names\n", format_nsec(time, sizeof(time), rest), n - shown);
        (void) fputc('\n', f);
        return r;
}

int report_waits_print(const SampleTable *t, const ThreadWaits *waits, unsigned columns, FILE *f) {
        _cleanup_free_ WaitPiece *pieces = make_pieces(t, waits);
        _cleanup_free_ WaitGroup *groups = calloc(waits->n_spans + 1, sizeof(*groups));
        size_t n, end;
        int r = 0;

        if (!pieces || !groups)
                return -ENOMEM;
        n = sum_threads(pieces, waits->n_spans, groups);
        sum_wakers(pieces, waits->n_spans, groups);
        qsort(groups, n, sizeof(*groups), compare_sums);
        for (size_t i = 0; r >= 0 && i < n; i = end) {
                for (end = i; end < n && groups[end].first->rank == groups[i].first->rank; end++)
                        ;
                r = print_state(t, groups + i, end - i, columns, f);
        }
        return r;
}

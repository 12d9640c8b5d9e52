/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A gather counts those that have joined and not left yet, and one more until it is sealed. When the count reaches 0,
 * done is called and the gather is freed: only then, unless the caller withdraws. It keeps the first failure, and the
 * sentence of each part that failed; without memory for a sentence it uses that of failure_sentence().
 *
 * It knows nothing of sessions, which join and leave it. */

#include "gather.h"

#include "array.h"
#include "strv.h"

struct Gather {
        GatherDone done;
        void *userdata;
        size_t n_pending;
        Failure failure;
        char *sentence;
        char **lines; /* of the parts that failed */
        char **texts;
};

typedef struct Part {
        Gather *whole;
        char *name;
} Part;

int gather_new(GatherDone done, void *userdata, Gather **ret) {
        Gather *g = calloc(1, sizeof(Gather));

        if (!g)
                return -ENOMEM;
        *g = (Gather) { .done = done, .userdata = userdata, .n_pending = 1 };
        *ret = g;
        return 0;
}

Gather *gather_free(Gather *g) {
        if (!g)
                return NULL;
        free(g->sentence);
        strv_free(g->lines);
        strv_free(g->texts);
        free(g);
        return NULL;
}

static void gather_drop(Gather *g) {
        _cleanup_free_ char *lines = NULL;

        if (--g->n_pending > 0)
                return;
        lines = g->lines ? strv_join(g->lines, "\n") : NULL;
        g->done(g->failure, g->failure ? lines ?: g->sentence ?: failure_sentence(g->failure) : NULL, g->userdata);
        gather_free(g);
}

void gather_join(Gather *g) {
        g->n_pending++;
}

void gather_leave(Gather *g, Failure failure, const char *sentence) {
        if (failure && !g->failure) {
                g->failure = failure;
                g->sentence = sentence ? strdup(sentence) : NULL;
        }
        gather_drop(g);
}

static void on_part_through(Failure failure, const char *sentence, void *userdata) {
        Part *part = userdata;

        if (failure)
                (void) strv_extendf(&part->whole->lines, "%s%s%s", part->name ?: "", part->name ? ": " : "", sentence);
        gather_leave(part->whole, failure, sentence);
        free(part->name);
        free(part);
}

Gather *gather_part(Gather *whole, const char *name) {
        Part *part = calloc(1, sizeof(Part));
        Gather *g;

        gather_join(whole);
        if (part && (!name || (part->name = strdup(name))) && gather_new(on_part_through, part, &g) >= 0) {
                part->whole = whole;
                return g;
        }
        if (part)
                free(part->name);
        free(part);
        gather_leave(whole, FAILURE_NO_MEMORY, NULL);
        return NULL;
}

void gather_seal(Gather *g) {
        gather_drop(g);
}

const char *gather_keep(Gather *g, const char *text) {
        return strv_extend(&g->texts, text) < 0 ? NULL : g->texts[strv_length(g->texts) - 1];
}

void gather_list_join(GatherList *l, Gather *g) {
        if (!g)
                return;
        gather_join(g);
        if (ARRAY_RESERVE_NEXT(l->gathers, l->n) < 0)
                gather_leave(g, FAILURE_NO_MEMORY, NULL);
        else
                l->gathers[l->n++] = g;
}

/* The list is emptied first: a callback may join it again, for the next event. */
void gather_list_leave(GatherList *l, Failure failure, const char *sentence) {
        _cleanup_free_ Gather **gathers = steal_ptr(l->gathers);
        size_t n = l->n;

        l->n = 0;
        for (size_t i = 0; i < n; i++)
                gather_leave(gathers[i], failure, sentence);
}

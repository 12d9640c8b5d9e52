/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A gather counts those that have joined and not left yet, and one more for whoever has not sealed it. When the count reaches 0,
 * done is called and the gather is freed: nobody else does that, unless the caller withdraws. The first failure is kept; without
 * memory for its sentence it has that of its kind.
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
        char **texts;
};

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
        strv_free(g->texts);
        free(g);
        return NULL;
}

static void gather_drop(Gather *g) {
        if (--g->n_pending > 0)
                return;
        g->done(g->failure, g->failure ? g->sentence ?: failure_sentence(g->failure) : NULL, g->userdata);
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

/* A callback may ask for the next thing at once, and then waits for that. */
void gather_list_leave(GatherList *l, Failure failure, const char *sentence) {
        _cleanup_free_ Gather **gathers = steal_ptr(l->gathers);
        size_t n = l->n;

        l->n = 0;
        for (size_t i = 0; i < n; i++)
                gather_leave(gathers[i], failure, sentence);
}

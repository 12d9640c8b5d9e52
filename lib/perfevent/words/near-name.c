/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds names that a user may have meant by one that does not exist: names that are a few typing errors away
 * (Levenshtein's distance), then those that contain it. Tables of symbols have a million names, so lengths are
 * compared before letters, and a row of the distance's matrix is the only memory. */

#include "near-name.h"

#include <strings.h>

#include "format-text.h"

#define LENGTH_MAX 128 /* bytes; longer names are mangled ones, which users do not type */
#define FAR UINT32_MAX

static unsigned edit_distance(const char *a, size_t n_a, const char *b, size_t n_b) {
        unsigned row[LENGTH_MAX + 1];

        for (size_t j = 0; j <= n_b; j++)
                row[j] = (unsigned) j;
        for (size_t i = 0; i < n_a; i++) {
                unsigned diagonal = row[0];

                row[0] = (unsigned) i + 1;
                for (size_t j = 0; j < n_b; j++) {
                        unsigned change = diagonal + (a[i] != b[j]), add_or_drop = MIN_OF(row[j + 1], row[j]) + 1;

                        diagonal = row[j + 1];
                        row[j + 1] = MIN_OF(change, add_or_drop);
                }
        }
        return row[n_b];
}

/* Each typing error counts one, at most one in three letters; a name that contains the wanted one has a greater
 * distance than any with errors. */
static unsigned name_distance(const char *wanted, const char *name) {
        size_t n = strlen(wanted), m = strlen(name), longer = MAX_OF(n, m), errors = n / 3;

        if (n == 0 || longer > LENGTH_MAX)
                return FAR;
        if (longer - MIN_OF(n, m) <= errors) {
                unsigned d = edit_distance(wanted, n, name, m);

                if (d <= errors)
                        return d;
        }
        return n >= 3 && strcasestr(name, wanted) ? (unsigned) (LENGTH_MAX + m - n) : FAR;
}

void near_names_offer(NearNames *n, const char *name) {
        unsigned distance = name_distance(n->wanted, name);
        size_t at = n->n;
        char *copy;

        if (distance == FAR || (n->n == NEAR_NAMES_MAX && distance >= n->best[n->n - 1].distance))
                return;
        for (size_t i = 0; i < n->n; i++)
                if (streq(n->best[i].name, name))
                        return;
        copy = strdup(name);
        if (!copy)
                return;
        if (n->n == NEAR_NAMES_MAX)
                free(n->best[--at].name);
        else
                n->n++;
        for (; at > 0 && n->best[at - 1].distance > distance; at--)
                n->best[at] = n->best[at - 1];
        n->best[at].name = copy;
        n->best[at].distance = distance;
}

char *near_names_join(const NearNames *n) {
        size_t length = 0;
        char *text, *end;

        for (size_t i = 0; i < n->n; i++)
                length += strlen(n->best[i].name) + 2;
        text = n->n > 0 ? malloc(length + 1) : NULL;
        if (!text)
                return NULL;
        end = text;
        for (size_t i = 0; i < n->n; i++)
                end = stpcpy(stpcpy(end, i > 0 ? ", " : ""), n->best[i].name);
        return text;
}

char *near_names_hint(const NearNames *n) {
        _cleanup_free_ char *names = near_names_join(n);

        return names ? format_text("; did you mean %s?", names) : NULL;
}

void near_names_done(NearNames *n) {
        for (size_t i = 0; i < n->n; i++)
                free(n->best[i].name);
        n->n = 0;
}

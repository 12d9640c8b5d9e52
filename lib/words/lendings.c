/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A short list in the order of time. Texts come from files of unknown origin: each is checked, and who is a line that can't control
 * a terminal. */

#include "lendings.h"

#include <inttypes.h>
#include "array.h"
#include "format-text.h"
#include "parse-number.h"
#include "parse-time.h"
#include "strv.h"
#include "utf8.h"

void lendings_done(Lendings *l) {
        while (l->n > 0)
                free(l->all[--l->n].who);
        free(l->all);
        *l = (Lendings) {};
}

static Lending *lendings_find_current(const Lendings *l, CounterKind kind) {
        for (size_t i = l->n; i > 0; i--)
                if (l->all[i - 1].kind == kind && l->all[i - 1].last == 0)
                        return &l->all[i - 1];
        return NULL;
}

const Lending *lendings_current(const Lendings *l, CounterKind kind) {
        return lendings_find_current(l, kind);
}

static int lendings_add(Lendings *l, const Lending *lending, const char *who) {
        char *line;

        if (l->n == LENDINGS_MAX) {
                free(l->all[0].who);
                memmove(l->all, l->all + 1, --l->n * sizeof(Lending));
        } else if (!l->all && ARRAY_RESIZE(l->all, LENDINGS_MAX) < 0)
                return -ENOMEM;
        line = utf8_line(who, SIZE_MAX, LENDING_WHO_MAX);
        if (!line)
                return -ENOMEM;
        for (char *c = line; *c; c++)
                *c = *c == ';' ? ',' : *c;
        l->all[l->n] = *lending;
        l->all[l->n++].who = line;
        return 0;
}

int lendings_begin(Lendings *l, CounterKind kind, const char *who, uint64_t now) {
        const Lending lending = { .first = now, .kind = kind };

        return lendings_find_current(l, kind) ? 0 : lendings_add(l, &lending, who);
}

void lendings_end(Lendings *l, CounterKind kind, uint64_t now) {
        Lending *current = lendings_find_current(l, kind);

        if (current)
                current->last = MAX_OF(now, current->first);
}

int lendings_merge(Lendings *l, const Lendings *other) {
        for (size_t i = 0; i < other->n; i++) {
                const Lending *x = &other->all[i];
                size_t same = 0;

                while (same < l->n &&
                       (l->all[same].kind != x->kind || l->all[same].first != x->first || !streq(l->all[same].who, x->who)))
                        same++;
                if (same < l->n) {
                        l->all[same].last = l->all[same].last ?: x->last;
                        continue;
                }
                if (lendings_add(l, x, x->who) < 0)
                        return -ENOMEM;
                for (size_t k = l->n - 1; k > 0 && l->all[k - 1].first > l->all[k].first; k--) {
                        const Lending later = l->all[k - 1];

                        l->all[k - 1] = l->all[k];
                        l->all[k] = later;
                }
        }
        return 0;
}

char *lending_describe(const Lending *l) {
        time_t first = (time_t) (l->first / USEC_PER_SEC), last = (time_t) (l->last / USEC_PER_SEC);
        char since[32] = "", until[32] = "";
        struct tm from = {}, to = {};
        bool same_day;

        (void) localtime_r(&first, &from);
        (void) localtime_r(&last, &to);
        same_day = l->last == 0 || (from.tm_yday == to.tm_yday && from.tm_year == to.tm_year);
        (void) strftime(since, sizeof(since), same_day ? "%T" : "%F %T", &from);
        (void) strftime(until, sizeof(until), same_day ? "%T" : "%F %T", &to);
        return format_text("%s to %s, %s%s%s%s", counter_kind_to_string(l->kind), l->who, l->last == 0 ? "since " : "", since,
                           l->last == 0 ? "" : " to ", l->last == 0 ? "" : until);
}

char *lendings_format(const Lendings *l, uint64_t first, uint64_t last) {
        _cleanup_free_ char *text = strdup("");

        for (size_t i = 0; i < l->n && text; i++) {
                const Lending *x = &l->all[i];
                char *longer;

                if (x->first > last || (x->last != 0 && x->last < first))
                        continue;
                longer = format_text("%s%s%" PRIu64 " %" PRIu64 " %s %s", text, *text ? "; " : "", x->first, x->last,
                                     counter_kind_to_string(x->kind), x->who);
                free(text);
                text = longer;
        }
        return steal_ptr(text);
}

/* "FIRST LAST WHAT WHO" */
static int lendings_parse_one(Lendings *l, char *text) {
        char *rest = text, *words[3];
        Lending lending = {};

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                words[i] = strsep(&rest, " ");
                if (!rest)
                        return -EBADMSG;
        }
        lending.kind = counter_kind_from_string(words[2]);
        if (lending.kind < 0 || parse_uint64(words[0], &lending.first) < 0 || parse_uint64(words[1], &lending.last) < 0)
                return -EBADMSG;
        return lendings_add(l, &lending, rest);
}

int lendings_parse(const char *text, Lendings *ret) {
        _cleanup_(lendings_done) Lendings l = {};
        _cleanup_free_ char *copy = strdup(text);
        char *rest = copy, *one;
        int r = copy ? 0 : -ENOMEM;

        while (r >= 0 && *text && (one = strsep(&rest, ";")))
                r = lendings_parse_one(&l, one + (*one == ' '));
        if (r < 0)
                return r;
        *ret = l;
        l = (Lendings) {};
        return 0;
}

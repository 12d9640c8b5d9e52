/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The one place that knows how the sessions are held: an array sorted by name.
 *
 * Invariant: it changes only by sessions_add() and sessions_sweep(). Sessions go in the middle of their own callbacks, so they
 * only mark themselves as gone, and the sweep, which runs in no session's callback, frees them. */

#include "sessions.h"

#include "session-internal.h"

/* The place of name: that of the session, or where it would be. */
static size_t find_place(const Sessions *l, const char *name) {
        size_t low = 0, high = l->n;

        while (low < high) {
                size_t middle = (low + high) / 2;

                if (strcmp(l->all[middle]->name, name) < 0)
                        low = middle + 1;
                else
                        high = middle;
        }
        return low;
}

Session *sessions_find(const Sessions *l, const char *name) {
        size_t i = find_place(l, name);

        return i < l->n && streq(l->all[i]->name, name) ? l->all[i] : NULL;
}

Session *sessions_find_process(const Sessions *l, pid_t pid) {
        for (size_t i = 0; i < l->n; i++)
                if (l->all[i]->recorder.pid == pid)
                        return l->all[i];
        return NULL;
}

Session *sessions_find_scope(const Sessions *l, const char *unit) {
        for (size_t i = 0; i < l->n; i++)
                if (streq(l->all[i]->scope_name, unit))
                        return l->all[i];
        return NULL;
}

int sessions_add(Sessions *l, SessionHost *host, const char *name, Session **ret) {
        size_t i = find_place(l, name);
        Session **all, *s;
        int r;

        if (sessions_find(l, name))
                return -EEXIST;
        r = session_new(host, name, &s);
        if (r < 0)
                return r;
        all = reallocarray(l->all, l->n + 1, sizeof(Session *));
        if (!all) {
                session_free(s);
                return -ENOMEM;
        }
        l->all = all;
        memmove(all + i + 1, all + i, (l->n - i) * sizeof(Session *));
        all[i] = s;
        l->n++;
        *ret = s;
        return 0;
}

void sessions_sweep(Sessions *l, void (*removed)(Session *s, void *userdata), void *userdata) {
        for (size_t i = l->n; i-- > 0;) {
                Session *s = l->all[i];

                if (!s->gone || session_is_active(s))
                        continue;
                removed(s, userdata);
                l->n--;
                memmove(l->all + i, l->all + i + 1, (l->n - i) * sizeof(Session *));
                session_free(s);
        }
}

uint64_t sessions_sum(const Sessions *l, SessionFigure figure, const Session *but) {
        uint64_t sum = 0;

        for (size_t i = 0; i < l->n; i++)
                if (l->all[i] != but)
                        sum += figure(l->all[i]);
        return sum;
}

void sessions_done(Sessions *l) {
        for (size_t i = 0; i < l->n; i++)
                session_free(l->all[i]);
        free(l->all);
        *l = (Sessions) {};
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A row becomes a piece: a name and a process. Sorted, equal ones are side by side. A process has the name of its main thread; one
 * that was its own main thread has the name that it had when it was hit. */

#include "sample-users.h"

typedef struct UserPiece {
        uint32_t name, pid, instance; /* name: a text of control groups, or of threads */
        uint64_t count, period;
} UserPiece;

static int compare_pieces(const void *a, const void *b) {
        const UserPiece *x = a, *y = b;

        if (x->name != y->name)
                return x->name < y->name ? -1 : 1;
        if (x->pid != y->pid)
                return x->pid < y->pid ? -1 : 1;
        return x->instance < y->instance ? -1 : x->instance > y->instance;
}

static int users_compare_users(const void *a, const void *b) {
        const SampleUser *x = a, *y = b;

        if (x->period != y->period)
                return x->period > y->period ? -1 : 1;
        return strcmp(x->name, y->name);
}

/* Returns the name that a row counts for; 0: none. */
typedef uint32_t (*UserName)(const SampleTable *t, const SampleRow *row);

static uint32_t users_unit_of(const SampleTable *t, const SampleRow *row) {
        return row->cgroup > 0 ? sample_table_cgroups(t)->groups[row->cgroup - 1].unit : 0;
}

static uint32_t process_of(const SampleTable *t, const SampleRow *row) {
        const ProcessView *view = sample_table_view(t);
        const NamedThread *thread = view->threads + row->thread;
        uint32_t name = thread->tid == thread->pid ? 0 : process_view_name_of_process(view, thread);

        return name > 0 ? name : row->name;
}

/* Returns the number of pieces. */
static size_t add_pieces(const SampleTable *t, const uint32_t *rows, size_t n_rows, UserName name_of, UserPiece *pieces) {
        const ProcessView *view = sample_table_view(t);
        size_t all, n = 0;
        const SampleRow *each = sample_table_rows(t, &all);

        for (size_t i = 0; i < n_rows; i++) {
                const SampleRow *row = each + rows[i];
                const NamedThread *thread = view->threads + row->thread;
                uint32_t name = sample_table_row_is_idle(t, row) ? 0 : name_of(t, row);

                if (name > 0)
                        pieces[n++] = (UserPiece) { name, thread->pid, thread->instance, row->count, row->period };
        }
        return n;
}

static int sum_users(const SampleTable *t, const uint32_t *rows, size_t n_rows, UserName name_of, const BytePool *names,
                     SampleUser **ret, size_t *ret_n) {
        _cleanup_free_ UserPiece *pieces = calloc(n_rows + 1, sizeof(*pieces));
        SampleUser *users = calloc(n_rows + 1, sizeof(*users));
        size_t n_pieces, n = 0;

        if (!pieces || !users) {
                free(users);
                return -ENOMEM;
        }
        n_pieces = add_pieces(t, rows, n_rows, name_of, pieces);
        qsort(pieces, n_pieces, sizeof(*pieces), compare_pieces);
        for (size_t i = 0; i < n_pieces; i++) {
                if (i == 0 || pieces[i].name != pieces[i - 1].name)
                        users[n++].name = (const char *) byte_pool_get(names, pieces[i].name)->data;
                users[n - 1].processes += i == 0 || compare_pieces(pieces + i - 1, pieces + i) != 0;
                users[n - 1].count += pieces[i].count;
                users[n - 1].period += pieces[i].period;
        }
        qsort(users, n, sizeof(*users), users_compare_users);
        *ret = users;
        *ret_n = n;
        return 0;
}

int sample_users_by_unit(const SampleTable *t, const uint32_t *rows, size_t n_rows, SampleUser **ret, size_t *ret_n) {
        return sum_users(t, rows, n_rows, users_unit_of, &sample_table_cgroups(t)->texts, ret, ret_n);
}

int sample_users_by_process(const SampleTable *t, const uint32_t *rows, size_t n_rows, SampleUser **ret, size_t *ret_n) {
        return sum_users(t, rows, n_rows, process_of, &sample_table_view(t)->names, ret, ret_n);
}

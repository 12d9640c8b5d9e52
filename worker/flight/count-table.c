/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* There are two sets of rows. A reading goes to the set that is not current, and the sequence number makes it current: a reader
 * that finds the same number before and after has rows of one reading, and a recorder that dies leaves its last one.
 *
 * Invariant: nobody else writes here. Which row an event is added to is fixed when the table is made. */

#include "count-table.h"

#include <stdio.h>
#include <sys/mman.h>

#include <perf-recorder/counters.h>
#include "event-set-groups.h"

#define NO_ROW UINT32_MAX

struct CountTable {
        PrCounters *page; /* the whole file */
        size_t size;
        PrCounts *header;
        PrCount *rows;     /* header->n_rows of an even reading, then those of an odd one */
        uint32_t *row_of;  /* the row of each event of the set, or NO_ROW */
};

CountTable *count_table_free(CountTable *t) {
        if (!t)
                return NULL;
        if (t->page)
                (void) munmap(t->page, t->size);
        free(t->row_of);
        free(t);
        return NULL;
}

/* The strings of a member's rows, by where they begin. */
typedef struct MemberNames {
        uint32_t event, unit; /* event: NO_ROW if it has no rows */
} MemberNames;

/* Returns where a string is among the names, to which it is added if need be. They begin with an empty one. */
static uint32_t names_put(FILE *names, char *const *text, uint32_t *size, const char *string) {
        (void) fflush(names);
        for (uint32_t at = 0; at < *size; at += (uint32_t) strlen(*text + at) + 1)
                if (streq(*text + at, string))
                        return at;
        *size += (uint32_t) fwrite(string, 1, strlen(string) + 1, names);
        return *size - (uint32_t) strlen(string) - 1;
}

/* Members of one name for the same control group count the same: only the first one has rows. */
static void table_put_names(const EventSet *set, FILE *names, char *const *text, MemberNames *ret) {
        uint32_t size = (uint32_t) fwrite("", 1, 1, names);

        for (size_t m = 0; m < set->n_members; m++) {
                const SetMember *member = &set->members[m];

                ret[m].event = NO_ROW;
                if (!member->name || member->only_sideband)
                        continue;
                ret[m].unit = names_put(names, text, &size, event_set_unit(set, m) ?: "");
                ret[m].event = names_put(names, text, &size, member->name);
                for (size_t i = 0; i < m; i++)
                        if (ret[i].event == ret[m].event && ret[i].unit == ret[m].unit && set->members[i].cgroup == member->cgroup)
                                ret[m].event = NO_ROW;
        }
}

/* rows: room for all events. The set has these by CPU, so that an event's row is one of the last, if it exists. Returns how many
 * rows there are. */
static uint32_t table_put_rows(const EventSet *set, const MemberNames *names, PrCount *rows, uint32_t *row_of) {
        uint32_t n = 0;

        for (size_t i = 0; i < set->n_events; i++) {
                const Event *e = &set->events[i];
                const PrCount row = { .name = names[e->member].event, .unit = names[e->member].unit, .cpu = e->cpu };

                row_of[i] = row.name == NO_ROW ? NO_ROW : n;
                for (uint32_t k = n; k > 0 && rows[k - 1].cpu == row.cpu; k--)
                        if (rows[k - 1].name == row.name && rows[k - 1].unit == row.unit)
                                row_of[i] = k - 1;
                if (row_of[i] == n)
                        rows[n++] = row;
        }
        return n;
}

/* The magic number comes last: what an earlier recorder left is no table as soon as this begins. */
static int table_map(CountTable *t, int fd, const PrCount *rows, uint32_t n_rows, const char *names, uint32_t names_size) {
        size_t rows_size = n_rows * sizeof(PrCount);

        t->size = PR_COUNTERS_SIZE + sizeof(PrCounts) + 2 * rows_size + names_size;
        if (ftruncate(fd, (off_t) t->size) < 0)
                return -errno;
        t->page = mmap(NULL, t->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (t->page == MAP_FAILED) {
                t->page = NULL;
                return -errno;
        }
        t->header = (PrCounts *) ((char *) t->page + PR_COUNTERS_SIZE);
        t->rows = (PrCount *) (t->header + 1);
        __atomic_store_n(&t->header->magic, 0, __ATOMIC_SEQ_CST);
        *t->header = (PrCounts) { .n_rows = n_rows, .names_size = names_size };
        memcpy(t->rows, rows, rows_size);
        memcpy(t->rows + n_rows, rows, rows_size);
        memcpy(t->rows + 2 * (size_t) n_rows, names, names_size);
        __atomic_store_n(&t->header->magic, PR_COUNTS_MAGIC, __ATOMIC_RELEASE);
        return 0;
}

int count_table_new(int fd, const EventSet *set, CountTable **ret) {
        _cleanup_(count_table_freep) CountTable *t = calloc(1, sizeof(CountTable));
        _cleanup_free_ MemberNames *member_names = calloc(set->n_members + 1, sizeof(MemberNames));
        _cleanup_free_ PrCount *rows = calloc(set->n_events + 1, sizeof(PrCount));
        _cleanup_free_ char *names = NULL;
        size_t names_size;
        uint32_t n_rows;
        FILE *f;
        int r;

        if (!t || !member_names || !rows)
                return -ENOMEM;
        t->row_of = calloc(set->n_events + 1, sizeof(uint32_t));
        f = t->row_of ? open_memstream(&names, &names_size) : NULL;
        if (!f)
                return -ENOMEM;
        table_put_names(set, f, &names, member_names);
        if (fclose(f) != 0)
                return -ENOMEM;
        n_rows = table_put_rows(set, member_names, rows, t->row_of);
        r = table_map(t, fd, rows, n_rows, names, (uint32_t) names_size);
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}

static PrCount *table_next_rows(const CountTable *t) {
        return t->rows + (t->header->sequence + 1) % 2 * t->header->n_rows;
}

void count_table_begin(CountTable *t) {
        PrCount *rows = t ? table_next_rows(t) : NULL;

        for (uint32_t i = 0; t && i < t->header->n_rows; i++)
                rows[i].value = rows[i].enabled_nsec = rows[i].running_nsec = 0;
}

void count_table_add(CountTable *t, size_t event, const uint64_t words[static 3]) {
        PrCount *row;

        if (!t || t->row_of[event] == NO_ROW)
                return;
        row = table_next_rows(t) + t->row_of[event];
        row->value += words[0];
        row->enabled_nsec += words[1];
        row->running_nsec += words[2];
}

/* The fence keeps the next reading, which overwrites the rows that were current, behind the number that says so. */
void count_table_publish(CountTable *t) {
        if (!t)
                return;
        __atomic_store_n(&t->header->sequence, t->header->sequence + 1, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables of counts as a recorder writes them, and as one writes them that must not be trusted. */

#include <unistd.h>

#include "check-main.h"
#include "fd-file.h"
#include "session-counts.h"

static const char names[] = "cycles\0faults"; /* at 0 and 7; an empty string at 13 */

typedef struct Table {
        PrCounts header;
        PrCount rows[4]; /* of a reading of an even number, and of an odd one */
        char names[sizeof(names)];
} Table;

static Table table_of(uint64_t sequence) {
        Table t = {
                .header = { .magic = PR_COUNTS_MAGIC, .sequence = sequence, .n_rows = 2, .names_size = sizeof(names) },
                .rows = { { .value = 20, .cpu = -1 }, { .value = 21, .name = 7, .cpu = 3 },
                          { .value = 10, .unit = 13, .cpu = -1 }, { .value = 11, .name = 7, .cpu = 3, .enabled_nsec = 5, .running_nsec = 4 } },
        };

        memcpy(t.names, names, sizeof(names));
        return t;
}

static int read_table(const Table *t, size_t size, SessionCounts *ret) {
        _cleanup_close_ int fd = open_memfd("counts", PR_COUNTERS_SIZE);

        ck_assert_int_eq(pwrite(fd, t, size, PR_COUNTERS_SIZE), (ssize_t) size);
        return session_counts_read(fd, ret);
}

static int read_whole(const Table *t) {
        _cleanup_(session_counts_done) SessionCounts c = {};
        int r = read_table(t, offsetof(Table, names) + sizeof(t->names), &c);

        ck_assert(r >= 0 || (!c.rows && !c.names));
        return r;
}

START_TEST(test_read) {
        for (uint64_t sequence = 1; sequence <= 2; sequence++) {
                _cleanup_(session_counts_done) SessionCounts c = {};
                Table t = table_of(sequence);

                ck_assert_int_eq(read_table(&t, sizeof(t), &c), 0);
                ck_assert_uint_eq(c.n_rows, 2);
                ck_assert_str_eq(c.names + c.rows[0].name, "cycles");
                ck_assert_str_eq(c.names + c.rows[1].name, "faults");
                ck_assert_str_eq(c.names + c.rows[0].unit, sequence == 1 ? "" : "cycles");
                ck_assert_int_eq(c.rows[0].cpu, -1);
                ck_assert_int_eq(c.rows[1].cpu, 3);
                ck_assert_uint_eq(c.rows[0].value, sequence == 1 ? 10 : 20);
                ck_assert_uint_eq(c.rows[1].value, sequence == 1 ? 11 : 21);
                ck_assert_uint_eq(c.rows[1].enabled_nsec, sequence == 1 ? 5 : 0);
                ck_assert_uint_eq(c.rows[1].running_nsec, sequence == 1 ? 4 : 0);
        }
}
END_TEST

START_TEST(test_none) {
        _cleanup_(session_counts_done) SessionCounts c = {};
        _cleanup_close_ int page = open_memfd("page", PR_COUNTERS_SIZE);
        Table t = table_of(0);

        ck_assert_int_eq(session_counts_read(-EBADF, &c), -ENODATA);
        ck_assert_int_eq(session_counts_read(page, &c), -ENODATA);
        ck_assert_int_eq(read_whole(&t), -ENODATA);
        t = table_of(1);
        t.header.magic++;
        ck_assert_int_eq(read_whole(&t), -ENODATA);
        ck_assert_int_eq(read_table(&t, sizeof(t.header) - 1, &c), -ENODATA);
}
END_TEST

/* Nothing beyond the file or the limits is read, and each name ends. */
START_TEST(test_hostile) {
        _cleanup_(session_counts_done) SessionCounts c = {};
        Table t = table_of(1);

        t.header.n_rows = 3; /* the second set begins elsewhere, and the names are too short */
        ck_assert_int_eq(read_whole(&t), -EBADMSG);
        t.header.n_rows = UINT32_MAX;
        ck_assert_int_eq(read_whole(&t), -EBADMSG);
        t = table_of(1);
        t.header.names_size = UINT32_MAX;
        ck_assert_int_eq(read_whole(&t), -EBADMSG);
        t.header.names_size = 0;
        ck_assert_int_eq(read_whole(&t), -EBADMSG);
        t = table_of(1);
        t.rows[3].name = sizeof(names);
        ck_assert_int_eq(read_whole(&t), -EBADMSG);
        t = table_of(1);
        t.rows[2].unit = sizeof(names);
        ck_assert_int_eq(read_whole(&t), -EBADMSG);
        t = table_of(1);
        ck_assert_int_eq(read_table(&t, offsetof(Table, names) - 1, &c), -EBADMSG);
        memset(t.names, 'x', sizeof(t.names));
        ck_assert_int_eq(read_table(&t, offsetof(Table, names) + sizeof(names), &c), 0);
        ck_assert_uint_eq(strlen(c.names), sizeof(names));
}
END_TEST

CHECK_MAIN("session-counts", test_read, test_none, test_hostile);

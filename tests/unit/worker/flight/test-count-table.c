/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of counts in the file that the daemon reads. */

#include <sys/stat.h>
#include <unistd.h>

#include <perf-recorder/counters.h>
#include "check-main.h"
#include "count-table.h"
#include "fd-file.h"

static char cycles[] = "cycles", faults[] = "faults", dummy[] = "dummy:HG";

/* The set has no descriptors: of it only the layout matters. */
static const Event on_two_cpus[] = {
        { .cpu = 0, .tid = 7, .member = 0 }, { .cpu = 0, .tid = 7, .member = 1 }, { .cpu = 0, .tid = 8, .member = 0 },
        { .cpu = 0, .tid = 8, .member = 1 }, { .cpu = 2, .tid = 7, .member = 0 }, { .cpu = 2, .tid = 7, .member = 1 },
        { .cpu = 2, .tid = 8, .member = 0 }, { .cpu = 2, .tid = 8, .member = 1 },
};

static void publish(CountTable *t, size_t n_events, uint64_t value) {
        count_table_begin(t);
        for (size_t i = 0; i < n_events; i++)
                count_table_add(t, i, (const uint64_t[]) { value + i, 20 * value, 10 * value });
        count_table_publish(t);
}

typedef struct Seen {
        PrCounts header;
        PrCount rows[16];
        char names[64];
} Seen;

/* Reads the rows of the last reading, as the daemon does. */
static Seen see(int fd) {
        Seen s = {};
        size_t rows = sizeof(PrCounts);

        ck_assert_int_eq(pread(fd, &s.header, sizeof(s.header), PR_COUNTERS_SIZE), sizeof(s.header));
        ck_assert_uint_eq(s.header.magic, PR_COUNTS_MAGIC);
        ck_assert_uint_le(s.header.n_rows, ELEMENTSOF(s.rows));
        rows += s.header.sequence % 2 * s.header.n_rows * sizeof(PrCount);
        ck_assert_int_ge(pread(fd, s.rows, s.header.n_rows * sizeof(PrCount), (off_t) (PR_COUNTERS_SIZE + rows)), 0);
        rows = sizeof(PrCounts) + 2 * s.header.n_rows * sizeof(PrCount);
        ck_assert_int_eq(pread(fd, s.names, s.header.names_size, (off_t) (PR_COUNTERS_SIZE + rows)), s.header.names_size);
        return s;
}

START_TEST(test_readings) {
        SetMember members[] = { { .name = cycles }, { .name = faults } };
        const EventSet set = { .members = members, .n_members = 2, .events = (Event *) on_two_cpus, .n_events = 8 };
        _cleanup_(count_table_freep) CountTable *t = NULL;
        _cleanup_close_ int fd = open_memfd("counters", PR_COUNTERS_SIZE);
        Seen s;

        ck_assert_int_eq(pwrite(fd, "figures", 7, 0), 7);
        ck_assert_int_eq(count_table_new(fd, &set, &t), 0);
        ck_assert_uint_eq(see(fd).header.sequence, 0);
        for (uint64_t reading = 1; reading <= 3; reading++) {
                publish(t, 8, reading * 100);
                s = see(fd);
                ck_assert_uint_eq(s.header.sequence, reading);
                ck_assert_uint_eq(s.header.n_rows, 4);
                for (uint32_t i = 0; i < 4; i++) { /* two threads each */
                        const PrCount *row = &s.rows[i];

                        ck_assert_str_eq(s.names + row->name, i % 2 == 0 ? "cycles" : "faults");
                        ck_assert_int_eq(row->cpu, i < 2 ? 0 : 2);
                        ck_assert_uint_eq(row->value, 2 * reading * 100 + (i < 2 ? 0 : 8) + i % 2 * 2 + 2);
                        ck_assert_uint_eq(row->enabled_nsec, 2 * 20 * reading * 100);
                        ck_assert_uint_eq(row->running_nsec, 2 * 10 * reading * 100);
                }
        }
        t = count_table_free(t);
        ck_assert_uint_eq(see(fd).rows[3].value, s.rows[3].value);
        ck_assert_int_eq(pread(fd, s.names, 7, 0), 7);
        ck_assert_int_eq(memcmp(s.names, "figures", 7), 0);

        /* The next recorder's table begins without a reading. */
        ck_assert_int_eq(count_table_new(fd, &set, &t), 0);
        ck_assert_uint_eq(see(fd).header.sequence, 0);
}
END_TEST

/* An event that was named twice is counted once, control groups are added up, and the side band has no row. */
START_TEST(test_members) {
        SetMember members[] = {
                { .name = cycles, .cgroup = 1 }, { .name = cycles, .cgroup = 2 }, { .name = cycles, .cgroup = 1 }, { .name = faults },
                { .name = dummy, .only_sideband = true }, { .name = faults },
        };
        Event events[] = {
                { .cpu = -1, .member = 0 }, { .cpu = -1, .member = 1 }, { .cpu = -1, .member = 2 },
                { .cpu = -1, .member = 3 }, { .cpu = -1, .member = 4 }, { .cpu = -1, .member = 5 },
        };
        const EventSet set = { .members = members, .n_members = 6, .events = events, .n_events = 6 };
        _cleanup_(count_table_freep) CountTable *t = NULL;
        _cleanup_close_ int fd = open_memfd("counters", PR_COUNTERS_SIZE);
        Seen s;

        ck_assert_int_eq(count_table_new(fd, &set, &t), 0);
        publish(t, 6, 100);
        s = see(fd);
        ck_assert_uint_eq(s.header.n_rows, 2);
        ck_assert_str_eq(s.names + s.rows[0].name, "cycles");
        ck_assert_uint_eq(s.rows[0].value, 100 + 101);
        ck_assert_int_eq(s.rows[0].cpu, -1);
        ck_assert_str_eq(s.names + s.rows[1].name, "faults");
        ck_assert_uint_eq(s.rows[1].value, 103);
        ck_assert_uint_eq(s.header.names_size, 1 + sizeof(cycles) + sizeof(faults));
        ck_assert_str_eq(s.names + s.rows[0].unit, "");
}
END_TEST

/* Each unit has rows of its own, also one that has ended. */
START_TEST(test_units) {
        char *groups[] = { (char *) "system.slice/a.service", (char *) "b.service", (char *) "c.service", NULL };
        EventSpec specs[] = { { .cgroup = groups[0] }, { .cgroup = groups[1] }, { .cgroup = groups[2] } };
        SetMember members[] = {
                { .name = cycles, .spec = &specs[0], .cgroup = 7 }, { .name = cycles, .spec = &specs[1] },
                { .name = cycles, .spec = &specs[2] }, { .name = cycles, .spec = &specs[2] },
        };
        Event events[] = { { .cpu = 1, .member = 0 }, { .cpu = 1, .member = 1 }, { .cpu = 1, .member = 2 }, { .cpu = 1, .member = 3 } };
        const EventSet set = { .members = members, .n_members = 4, .events = events, .n_events = 4, .groups = groups };
        static const char *const units[] = { "a.service", "b.service", "c.service" };
        _cleanup_(count_table_freep) CountTable *t = NULL;
        _cleanup_close_ int fd = open_memfd("counters", PR_COUNTERS_SIZE);
        Seen s;

        ck_assert_int_eq(count_table_new(fd, &set, &t), 0);
        publish(t, 4, 100);
        s = see(fd);
        ck_assert_uint_eq(s.header.n_rows, 3);
        for (size_t i = 0; i < 3; i++) {
                ck_assert_str_eq(s.names + s.rows[i].name, "cycles");
                ck_assert_str_eq(s.names + s.rows[i].unit, units[i]);
                ck_assert_uint_eq(s.rows[i].value, 100 + i);
        }
}
END_TEST

START_TEST(test_nobody_reads) {
        count_table_begin(NULL);
        count_table_add(NULL, 0, (const uint64_t[]) { 1, 2, 3 });
        count_table_publish(NULL);
        ck_assert_ptr_null(count_table_free(NULL));
}
END_TEST

CHECK_MAIN("count-table", test_readings, test_members, test_units, test_nobody_reads);

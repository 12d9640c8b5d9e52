/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The memory of the table, as the allocator counts it, and as the table does. */

#include <malloc.h>
#include "sideband-test.h"

size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t allocated(void) {
        return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes() : mallinfo2().uordblks;
}

static const char *const programs[] = {
        "/usr/bin/bash", "/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
        "/usr/lib/x86_64-linux-gnu/libtinfo.so.6.4", "[vdso]",
};

typedef struct Feeder {
        SidebandTable *table;
        RecordBuffer b;
        uint64_t time; /* 0: base */
} Feeder;

#define STEP UINT64_C(7200000) /* ns from one record to the next: 100,000 processes an hour, of five records each */

static RecordTrailer trailer_of(Feeder *f, uint32_t pid) {
        f->time += f->time > 0 ? STEP : 0;
        return (RecordTrailer) { .sample_type = SIDEBAND_TEST_TYPE, .pid = f->time > 0 ? pid : 0, .tid = f->time > 0 ? pid : 0,
                                 .time = f->time };
}

static void feed(Feeder *f) {
        ck_assert_ok(sideband_table_feed(f->table, (const void *) f->b.data, f->b.size));
        record_buffer_reset(&f->b);
}

static void feed_fork(Feeder *f, uint32_t pid, uint32_t parent) {
        RecordTrailer trailer = trailer_of(f, parent);

        ck_assert_ok(record_put_fork(&f->b, pid, parent, pid, parent, f->time, f->time > 0 ? 0 : PERF_RECORD_MISC_FORK_EXEC, &trailer));
        feed(f);
}

static void feed_comm(Feeder *f, uint32_t pid, const char *name) {
        RecordTrailer trailer = trailer_of(f, pid);

        ck_assert_ok(record_put_comm(&f->b, pid, pid, name, f->time > 0 ? PERF_RECORD_MISC_COMM_EXEC : 0, &trailer));
        feed(f);
}

/* Feeds maps; each has its own address. */
static void feed_maps(Feeder *f, uint32_t pid, size_t n) {
        for (size_t i = 0; i < n; i++) {
                RecordTrailer trailer = trailer_of(f, pid);
                const RecordMap m = {
                        .pid = pid, .tid = pid,
                        .start = (UINT64_C(0x7f0000000000) + pid * UINT64_C(0x100000)) + i * 0x10000, .length = 0x8000,
                        .major = 8, .minor = 2, .inode = 1000 + i, .protection = 5, .flags = 2,
                        .misc = PERF_RECORD_MISC_USER, .path = programs[i],
                };

                ck_assert_ok(record_put_mmap2(&f->b, &m, &trailer));
                feed(f);
        }
}

static void feed_exit(Feeder *f, uint32_t pid) {
        RecordTrailer trailer = trailer_of(f, pid);

        ck_assert_ok(record_put_exit(&f->b, pid, 1, pid, 1, f->time, &trailer));
        feed(f);
}

static Feeder feeder_new(uint64_t time) {
        Feeder f = { .time = time };

        ck_assert_ok(sideband_table_new(SIDEBAND_TEST_TYPE, &f.table));
        return f;
}

static void feeder_done(Feeder *f) {
        sideband_table_free(f->table);
        record_buffer_done(&f->b);
}

#define LIVE 20000u

static size_t measure_live(Feeder *f, size_t before) {
        size_t used = allocated() - before, said = sideband_table_memory(f->table);

        ck_assert_uint_eq(sideband_test_n_live(f->table), LIVE + (f->time > 0));
        ck_assert_uint_lt(used, 40 << 20);
        ck_assert_uint_lt(said, 40 << 20);
        ck_assert_uint_gt(said, used * 3 / 4);
        return used;
}

START_TEST(live_processes) {
        size_t before = allocated();
        _cleanup_(feeder_done) Feeder f = feeder_new(0);

        for (uint32_t pid = 1; pid <= LIVE; pid++) {
                feed_fork(&f, pid, 1);
                feed_comm(&f, pid, "some-daemon");
                feed_maps(&f, pid, ELEMENTSOF(programs));
        }
        (void) fprintf(stderr, "live_processes: %u with 5 mappings each in %zu KiB\n", LIVE, measure_live(&f, before) / 1024);
}
END_TEST

/* The processes are the same, with records of their start. */
START_TEST(live_processes_of_the_log) {
        size_t before = allocated(), used;
        _cleanup_(feeder_done) Feeder f = feeder_new(1);

        feed_comm(&f, 1, "init");
        for (uint32_t pid = 2; pid <= LIVE + 1; pid++) {
                feed_fork(&f, pid, 1);
                feed_comm(&f, pid, "some-daemon");
                feed_maps(&f, pid, ELEMENTSOF(programs));
                if (pid % 100 == 0)
                        ck_assert_ok(sideband_table_round(f.table, false));
        }
        ck_assert_ok(sideband_table_round(f.table, true));
        used = measure_live(&f, before);
        ck_assert_ok(sideband_table_forget_before(f.table, UINT64_MAX));
        (void) fprintf(stderr, "live_processes_of_the_log: in %zu KiB, then in %zu KiB\n", used / 1024, measure_live(&f, before) / 1024);
}
END_TEST

START_TEST(forked_processes_share) {
        size_t before = allocated();
        _cleanup_(feeder_done) Feeder f = feeder_new(1);

        feed_comm(&f, 1, "server");
        feed_maps(&f, 1, ELEMENTSOF(programs));
        for (uint32_t pid = 2; pid <= LIVE + 1; pid++)
                feed_fork(&f, pid, 1);
        ck_assert_ok(sideband_table_round(f.table, true));
        ck_assert_ok(sideband_table_forget_before(f.table, UINT64_MAX));
        ck_assert_uint_lt(measure_live(&f, before), 6 << 20);
}
END_TEST

/* Feeds short processes, 100,000 an hour, of which those of the last minute are behind the oldest sample. All hours
 * are alike, so a part of one shows the effect of a day, which is PR_TEST_PROCESSES=2400000. */
static void pass(Feeder *f, bool forget, size_t *ret_least, size_t *ret_most) {
        const char *s = getenv("PR_TEST_PROCESSES");
        unsigned n = s ? (unsigned) atoi(s) : 24000;
        uint32_t pid = 1000;

        *ret_least = SIZE_MAX;
        *ret_most = 0;
        for (unsigned i = 0; i < n; i++) {
                pid = pid < 32768 ? pid + 1 : 300;
                feed_fork(f, pid, 1);
                feed_comm(f, pid, "true");
                feed_maps(f, pid, 2);
                feed_exit(f, pid);
                if (i % 28 == 0)
                        ck_assert_ok(sideband_table_round(f->table, false));
                if (i % 1700 != 0 || i < 10000)
                        continue;
                if (forget)
                        ck_assert_ok(sideband_table_forget_before(f->table, f->time - 1700 * 5 * STEP));
                else
                        ck_assert_ok(sideband_table_keep_only(f->table, (uint32_t[]) { 400, 500, 600 }, 3));
                *ret_least = MIN_OF(*ret_least, sideband_table_memory(f->table));
                *ret_most = MAX_OF(*ret_most, sideband_table_memory(f->table));
        }
}

START_TEST(short_processes_do_not_grow_it) {
        size_t before = allocated(), least, most;
        _cleanup_(feeder_done) Feeder f = feeder_new(1);

        feed_comm(&f, 1, "init");
        pass(&f, true, &least, &most);
        ck_assert_uint_le(most, least + (256 << 10));
        ck_assert_uint_lt(allocated() - before, 4 << 20);
        (void) fprintf(stderr, "short_processes_do_not_grow_it: %zu to %zu KiB\n", least / 1024, most / 1024);
}
END_TEST

/* The oldest sample does not move, and only sweeps keep the table small. All process instances of three pids stay, a
 * few an hour. */
START_TEST(sweeping_alone_does_too) {
        size_t before = allocated(), least, most;
        _cleanup_(feeder_done) Feeder f = feeder_new(1);

        feed_comm(&f, 1, "init");
        pass(&f, false, &least, &most);
        ck_assert_uint_le(most, least + (256 << 10));
        ck_assert_uint_lt(allocated() - before, 4 << 20);
        ck_assert_uint_eq(sideband_test_n_live(f.table), 1);
        (void) fprintf(stderr, "sweeping_alone_does_too: %zu to %zu KiB\n", least / 1024, most / 1024);
}
END_TEST

TEST_RUN("sideband-memory", live_processes, live_processes_of_the_log, forked_processes_share, short_processes_do_not_grow_it,
         sweeping_alone_does_too);

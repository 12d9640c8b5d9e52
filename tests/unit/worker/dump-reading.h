/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The contents of dumps of the program under test. */

#include <perf-recorder/dump-facts.h>
#include "run-worker.h"
#include "sample.h"
#include "xattr.h"

/* Returns the name of the newest dump, "" if there is none. */
static inline const char *newest(void) {
        static char name[256];
        _cleanup_strv_free_ char **names = data_files();

        *name = '\0';
        STRV_FOREACH(n, names)
                if (strcmp(*n, name) > 0)
                        (void) snprintf(name, sizeof(name), "%s", *n);
        return name;
}

/* Reads the times of its samples behind one time and up to another one, which have header, IP, TID, TIME; returns their number. */
static inline uint64_t read_times_between(const char *path, uint64_t from, uint64_t to, uint64_t *ret_first, uint64_t *ret_last) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;
        uint64_t n = 0;

        *ret_first = UINT64_MAX;
        *ret_last = 0;
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &r), 0);
        while (perf_data_reader_next(r, &cursor, &h) > 0) {
                uint64_t time;

                if (h->type != PERF_RECORD_SAMPLE)
                        continue;
                memcpy(&time, (const uint8_t *) h + 24, sizeof(time));
                if (time <= from || time > to)
                        continue;
                *ret_first = MIN_OF(*ret_first, time);
                *ret_last = MAX_OF(*ret_last, time);
                n++;
        }
        return n;
}

/* Reads the times of all of them. */
static inline uint64_t read_times(const char *path, uint64_t *ret_first, uint64_t *ret_last) {
        return read_times_between(path, 0, UINT64_MAX, ret_first, ret_last);
}

/* Reads the times of its context switches, on whole CPUs; returns their number. */
static inline uint64_t read_switches(const char *path, uint64_t *ret_first, uint64_t *ret_last) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;
        uint64_t n = 0;

        *ret_first = UINT64_MAX;
        *ret_last = 0;
        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &r), 0);
        while (perf_data_reader_next(r, &cursor, &h) > 0) {
                const PerfDataEvent *events;
                PerfSample s;

                if (h->type != PERF_RECORD_SWITCH_CPU_WIDE)
                        continue;
                ck_assert_uint_ge(perf_data_reader_events(r, &events), 1);
                ck_assert_int_eq(sample_parse_trailer(&events[0].attr, h, &s), 0);
                *ret_first = MIN_OF(*ret_first, s.time);
                *ret_last = MAX_OF(*ret_last, s.time);
                n++;
        }
        return n;
}

/* Checks that context switches are kept like samples, and are in the same windows. */
static inline void check_switches(const char *line) {
        uint64_t all, some, begins, ends;
        usec_t middle;
        char word[128];

        keep_cpus_busy();
        start(line);
        await("READY=1");
        for (unsigned i = 0; i < 100; i++)
                (void) usleep(2000);
        say("snapshot a\n");
        await("X_PERF_DUMP_IDS=a\n");
        all = read_switches(newest(), &begins, &ends);
        ck_assert_uint_ge(all, 200);
        ck_assert_uint_ge(ends - begins, NSEC_PER_SEC / 10);
        middle = now_usec(CLOCK_REALTIME) - 100 * USEC_PER_MSEC;
        (void) snprintf(word, sizeof(word), "snapshot b since=%" PRIu64 " until=%" PRIu64 "\n", middle,
                        middle + 50 * USEC_PER_MSEC);
        say(word);
        await("X_PERF_DUMP_IDS=b\n");
        some = read_switches(newest(), &begins, &ends);
        ck_assert(some > 10 && some < all);
        ck_assert_uint_le(ends - begins, NSEC_PER_SEC / 20);
        stop();
}

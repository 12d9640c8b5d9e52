/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any file as a perf.data, merged with itself: the result is readable, has each sample and round of counts once, and does not change when
 * it is merged again. */

#include <fcntl.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "merge.h"
#include "record-layout.h"

static const char *directory(void) {
        static char path[] = "/dev/shm/fuzz-merge-XXXXXX"; /* in memory, since files are synced */
        static bool made;

        if (!made)
                FUZZ_ASSERT(mkdtemp(path));
        made = true;
        return path;
}

static void clean_up(void) {
        (void) rmdir(directory());
}

static uint64_t count_samples(PerfDataReader *r) {
        const struct perf_event_header *record;
        size_t cursor = 0;
        uint64_t n = 0;

        while (perf_data_reader_next(r, &cursor, &record) == 1)
                n += record->type == PERF_RECORD_SAMPLE || record->type == PERF_RECORD_STAT_ROUND;
        return n;
}

/* Returns a reader of the merged file, or NULL. */
static PerfDataReader *merge(PerfDataReader *a, PerfDataReader *b, MergeTotals *totals) {
        int dir = open(directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        _cleanup_(diagnosis_done) Diagnosis d = {};
        PerfDataReader *r = NULL;
        int q;

        FUZZ_ASSERT(dir >= 0);
        q = perf_data_merge((PerfDataReader *[]) { a, b }, 2, NULL, dir, "merged", totals, &d);
        FUZZ_ASSERT((q != -EOPNOTSUPP && q != -EBADMSG) || d.sentence);
        if (q >= 0) {
                FUZZ_ASSERT(perf_data_reader_new(dir, "merged", &r) == 0);
                (void) unlinkat(dir, "merged", 0);
        }
        (void) close(dir);
        return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static bool registered;
        _cleanup_perf_data_reader_free_ PerfDataReader *a = NULL, *b = NULL, *once = NULL, *twice = NULL;
        _cleanup_free_ uint8_t *copy = malloc(size > 0 ? size : 1);
        MergeTotals first, second;

        if (!registered)
                FUZZ_ASSERT(atexit(clean_up) == 0);
        registered = true;
        FUZZ_ASSERT(copy);
        if (size > 0)
                memcpy(copy, data, size);
        if (perf_data_reader_new_memory(copy, size, &a) < 0 || perf_data_reader_new_memory(copy, size, &b) < 0)
                return 0;
        once = merge(a, b, &first);
        if (!once)
                return 0;
        FUZZ_ASSERT(count_samples(once) == first.samples);
        twice = merge(once, b, &second);
        FUZZ_ASSERT(twice && count_samples(twice) == second.samples);
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any file as a recording of counts: what the reader finds in it is within its limits. */

#include "count-reader.h"
#include "fuzz.h"

static void ask_layout(const CountLayout *l) {
        FUZZ_ASSERT((uint64_t) l->n_events * l->n_cpus * l->n_threads <= COUNT_READER_MAX);
        for (size_t i = 0; i < l->n_events; i++) {
                const CountEvent *e = l->events + i;

                FUZZ_ASSERT(e->name && strlen(e->unit) <= 32);
                FUZZ_ASSERT(e->scale * e->scale > 0 && e->scale * e->scale < __builtin_inf());
        }
        for (size_t i = 1; i < l->n_cpus; i++)
                FUZZ_ASSERT(l->cpus[i] > l->cpus[i - 1]);
        for (size_t i = 0; i < l->n_threads; i++)
                FUZZ_ASSERT(!strpbrk(l->threads[i].comm, "\n\t\033"));
}

/* An event that is shown as not supported was counted nowhere. */
static void ask_rounds(CountReader *c) {
        const CountLayout *l = count_reader_layout(c);
        size_t places = l->n_cpus * l->n_threads;
        CountRound round;

        while (count_reader_next(c, &round, NULL) == 1)
                for (size_t i = 0; i < count_layout_places(l) && i < 4096; i++) {
                        const Count *n = round.counts + i;

                        FUZZ_ASSERT(l->events[i / places].supported || (n->value == 0 && n->enabled == 0 && n->running == 0));
                }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_perf_data_reader_free_ PerfDataReader *recording = NULL;
        _cleanup_(count_reader_freep) CountReader *c = NULL;
        _cleanup_free_ uint8_t *copy = malloc(size > 0 ? size : 1);
        _cleanup_free_ CpuPlace *places = NULL;
        int r;

        FUZZ_ASSERT(copy);
        if (size > 0)
                memcpy(copy, data, size);
        if (perf_data_reader_new_memory(copy, size, &recording) < 0)
                return 0;
        r = count_reader_new(recording, &c, NULL);
        FUZZ_ASSERT(r == 0 || r == -EBADMSG || r == -EFBIG);
        if (r < 0)
                return 0;
        ask_layout(count_reader_layout(c));
        ask_rounds(c);
        r = count_reader_places(c, &places);
        FUZZ_ASSERT(r == 0 || r == -ENODATA);
        return 0;
}

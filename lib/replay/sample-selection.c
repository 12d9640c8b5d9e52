/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An empty list of a selection has everything. */

#include "sample-selection.h"

#include <fnmatch.h>
#include "array.h"
#include "strv.h"

static bool is_one_of(const uint32_t *numbers, size_t n, uint32_t number) {
        return n == 0 || ANY_OF(n, i, numbers[i] == number);
}

static size_t selection_add_span(SampleSpan *spans, size_t n, uint64_t since, uint64_t until) {
        if (since <= until)
                spans[n++] = (SampleSpan) { since, until };
        return n;
}

int sample_spans_leave_out(SampleSpan **spans, size_t *n, SampleSpan out) {
        SampleSpan *left = calloc(2 * *n + 2, sizeof(*left));
        uint64_t out_until = out.until > 0 ? out.until : UINT64_MAX;
        size_t n_left = 0;

        if (!left)
                return -ENOMEM;
        for (size_t i = 0; i < MAX_OF(*n, (size_t) 1); i++) {
                SampleSpan span = *n > 0 ? (*spans)[i] : (SampleSpan) {};
                uint64_t until = span.until > 0 ? span.until : UINT64_MAX;

                if (out.since > 1)
                        n_left = selection_add_span(left, n_left, span.since, MIN_OF(until, out.since - 1));
                if (out_until < UINT64_MAX)
                        n_left = selection_add_span(left, n_left, MAX_OF(span.since, out_until + 1), until);
        }
        if (n_left == 0)
                left[n_left++] = (SampleSpan) { .since = UINT64_MAX, .until = 1 };
        free(*spans);
        *spans = left;
        *n = n_left;
        return 0;
}

bool sample_selection_has_cpu(const SampleSelection *s, uint32_t cpu) {
        return s->n_cpus == 0 || ANY_OF(s->n_cpus, i, (uint32_t) s->cpus[i] == cpu);
}

bool sample_selection_has_time(const SampleSelection *s, uint64_t time) {
        for (size_t i = 0; i < s->n_spans; i++)
                if (time >= s->spans[i].since && (s->spans[i].until == 0 || time <= s->spans[i].until))
                        return true;
        return s->n_spans == 0;
}

static bool comm_matches(const SampleSelection *s, const char *comm) {
        STRV_FOREACH(name, s->comms)
                if (streq(*name, comm) || (s->comm_patterns && fnmatch(*name, comm, 0) == 0))
                        return true;
        return false;
}

bool sample_selection_has_thread(const SampleSelection *s, uint32_t pid, uint32_t tid, const char *comm) {
        return is_one_of(s->pids, s->n_pids, pid) && is_one_of(s->tids, s->n_tids, tid) &&
               (!s->comms || comm_matches(s, comm));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "history.h"
#include "perfdata-test.h"

/* Samples of one ring with a number in them, and the check that a history has all from some number on, none twice. */

#define NUMBERED_WORDS 6u

typedef struct NumberedSample {
        struct perf_event_header header;
        uint64_t ip;
        uint64_t time;   /* word 1 */
        uint64_t number;
        uint64_t n_stack; /* word 3 */
        uint64_t stack[NUMBERED_WORDS];
} NumberedSample;

#define NUMBERED_OPTIONS { .size = HISTORY_SIZE_MIN, .max_age = USEC_INFINITY, .level = 3, .n_rings = 2, .time_word = 1, \
                           .chain_word = 3 }

static inline NumberedSample numbered_sample(uint64_t number, uint64_t time) {
        NumberedSample s = {
                .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(s) },
                .ip = 0xffffffff81000000 + number * UINT64_C(2654435761) % 4096,
                .time = time,
                .number = number,
                .n_stack = NUMBERED_WORDS,
        };

        for (unsigned i = 0; i < NUMBERED_WORDS; i++) /* some noise, so that blocks are not compressed to nothing */
                s.stack[i] = (number + 1) * (i + 7) * UINT64_C(0x9e3779b97f4a7c15) >> 16; /* as addresses are */
        return s;
}

static inline int numbered_append(History *h, uint64_t number, uint64_t time) {
        NumberedSample s = numbered_sample(number, time);
        const struct iovec segment = { .iov_base = &s, .iov_len = sizeof(s) };

        return history_append(h, 0, &segment, 1, (number + 1) * sizeof(s)); /* as if the ring had only these */
}

typedef struct Numbers {
        uint64_t first, next; /* of the samples seen; first UINT64_MAX: none yet */
        uint64_t others;
        bool wrong;
} Numbers;

#define NUMBERS_EMPTY { .first = UINT64_MAX }

static inline int numbers_see(void *userdata, const struct iovec *records) {
        Numbers *n = userdata;

        for (size_t at = 0; at < records->iov_len;) {
                const NumberedSample *s = (const void *) ((const uint8_t *) records->iov_base + at);

                if (s->header.type != PERF_RECORD_SAMPLE)
                        n->others++;
                else {
                        NumberedSample expected;

                        if (n->first == UINT64_MAX)
                                n->first = n->next = s->number;
                        expected = numbered_sample(n->next, s->time);
                        n->wrong = n->wrong || memcmp(&expected, s, sizeof(expected)) != 0;
                        n->next++;
                }
                at += s->header.size;
        }
        return 0;
}

#define HISTORY_ALL { .to = UINT64_MAX }

static inline Numbers numbers_of(History *h, HistorySpan span) {
        Numbers n = NUMBERS_EMPTY;
        uint64_t missed = 0;

        ck_assert_ok(history_each(h, &span, numbers_see, &n, &missed));
        ck_assert_uint_eq(missed, 0);
        ck_assert(!n.wrong);
        return n;
}

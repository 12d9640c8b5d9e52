/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A sample is cut at two places: at its call chain, which another one replaces, and at its registers and copy of the stack, which
 * are left out. All that is before, between and behind stays as it is. */

#include "unwound-sample.h"

#define RECORD_WORDS_MAX (65536u / sizeof(uint64_t) - 1)

bool unwound_sample_attr(struct perf_event_attr *attr, bool registers) {
        const uint64_t needed = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

        if ((attr->sample_type & needed) != needed)
                return false;
        attr->sample_type &= ~(uint64_t) PERF_SAMPLE_STACK_USER;
        attr->sample_stack_user = 0;
        attr->exclude_callchain_user = false;
        if (!registers) {
                attr->sample_type &= ~(uint64_t) PERF_SAMPLE_REGS_USER;
                attr->sample_regs_user = 0;
        }
        return true;
}

static uint64_t *put_words(uint64_t *to, const uint64_t *from, const uint64_t *end) {
        return mempcpy(to, from, (size_t) (end - from) * sizeof(*from));
}

int unwound_sample_make(const struct perf_event_header *record, const PerfSample *sample, const uint64_t *chain, size_t n_chain,
                        bool registers, struct perf_event_header *to) {
        const uint64_t *words = (const uint64_t *) record, *end = words + record->size / sizeof(uint64_t);
        size_t n_registers = registers ? 1 + sample->n_user_registers : 0;
        size_t n = (size_t) (end - words) - sample->n_callchain - sample->n_user + n_registers + n_chain;
        uint64_t *at = (uint64_t *) to;

        if (n_chain > RECORD_WORDS_MAX || n > RECORD_WORDS_MAX)
                return -E2BIG;
        at = put_words(at, words, sample->callchain - 1);
        *at++ = n_chain;
        at = put_words(at, chain, chain + n_chain);
        at = put_words(at, sample->callchain + sample->n_callchain, sample->user + n_registers);
        (void) put_words(at, sample->user + sample->n_user, end);
        to->size = (uint16_t) (n * sizeof(uint64_t));
        return 0;
}

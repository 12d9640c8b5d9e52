/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words of -j (perf record 6.1, parse-branch-options.c). A filter that names only levels means all branches on
 * every level: that is what perf asks the kernel for. */

#include "branch-filter.h"

#include "strv.h"

#define BRANCH_LEVELS (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)

static const struct {
        const char *word;
        uint64_t bits;
} branch_words[] = {
        { "u", PERF_SAMPLE_BRANCH_USER },
        { "k", PERF_SAMPLE_BRANCH_KERNEL },
        { "hv", PERF_SAMPLE_BRANCH_HV },
        { "any", PERF_SAMPLE_BRANCH_ANY },
        { "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
        { "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
        { "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
        { "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
        { "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
        { "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
        { "cond", PERF_SAMPLE_BRANCH_COND },
        { "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
        { "call", PERF_SAMPLE_BRANCH_CALL },
        { "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
        { "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
        { "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
};

/* 0: there is no such word. */
static uint64_t find_word(const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(branch_words); i++)
                if (strcasecmp(branch_words[i].word, word) == 0)
                        return branch_words[i].bits;
        return 0;
}

int branch_filter_parse(const char *words, uint64_t *ret, Diagnosis *d) {
        _cleanup_free_ char *copy = strdup(words);
        char *rest = copy, *word;
        uint64_t bits = 0;

        if (!copy)
                return -ENOMEM;
        while ((word = strsep(&rest, ","))) {
                uint64_t bit = find_word(word);

                if (bit == 0) {
                        const char *known[ELEMENTSOF(branch_words) + 1] = {};
                        _cleanup_free_ char *all = NULL;

                        for (size_t i = 0; i < ELEMENTSOF(branch_words); i++)
                                known[i] = branch_words[i].word;
                        all = strv_join((char *const *) known, ", ");
                        return diagnosis_set(d, -EINVAL, "unknown branch filter %s, there are: %s", word, all ?: "");
                }
                bits |= bit;
        }
        *ret = bits & ~(uint64_t) BRANCH_LEVELS ? bits : PERF_SAMPLE_BRANCH_ANY;
        return 0;
}

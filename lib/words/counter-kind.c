/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words for kinds of counters, and claims to some of them. */

#include "counter-kind.h"

#include "parse-number.h"
#include "string-table.h"

static const char *const counter_kind_table[_COUNTER_KIND_MAX] = {
        [COUNTER_HARDWARE] = "hardware",
        [COUNTER_BREAKPOINT] = "breakpoint",
};
DEFINE_STRING_TABLE(counter_kind, CounterKind);

const char *counter_kind_describe(CounterKind kind) {
        return kind == COUNTER_BREAKPOINT ? "breakpoint registers" : "hardware counters";
}

int counter_claim_parse(const char *s, CounterKind *ret_kind, unsigned *ret_n, Diagnosis *d) {
        const char *colon = strchr(s, ':');
        _cleanup_free_ char *word = colon ? strndup(s, (size_t) (colon - s)) : strdup(s);
        CounterKind kind;
        uint64_t n = 1;

        if (!word)
                return -ENOMEM;
        kind = counter_kind_from_string(word);
        if (kind < 0)
                return diagnosis_set(d, -EINVAL, "\"%s\" is no kind of counters: they are hardware and breakpoint", word);
        if (colon && (parse_uint64(colon + 1, &n) < 0 || n == 0 || n > COUNTER_CLAIM_MAX))
                return diagnosis_set(d, -EINVAL, "\"%s\" is no number of counters: it is from 1 to %u", colon + 1,
                                     COUNTER_CLAIM_MAX);
        *ret_kind = kind;
        *ret_n = (unsigned) n;
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Chains are cut in the table, once and before entries are counted, so that all that is counted of them agrees. */

#include "chain-cuts.h"

#include "report-parents.h"

int chain_cuts_unresolved(SampleTable *t, const PlaceNames *names) {
        _cleanup_free_ uint32_t *first = calloc(names->n_places + 1, sizeof(*first));
        _cleanup_free_ uint32_t *list = calloc(names->n_places + 1, sizeof(*list));
        uint32_t n = 0;

        if (!first || !list)
                return -ENOMEM;
        for (uint32_t i = 0; i < names->n_places; i++) {
                first[i] = n;
                if (names->symbol_of[i] > 0)
                        list[n++] = i;
        }
        first[names->n_places] = n;
        return sample_table_replace_places(t, first, list);
}

int chain_cuts_callees(SampleTable *t, const PlaceNames *names, const char *pattern) {
        _cleanup_free_ bool *starts = calloc(names->n_places + 1, sizeof(*starts));
        _cleanup_free_ uint32_t *matches = NULL;
        int r = starts ? report_parents_find(names, pattern, &matches) : -ENOMEM;

        if (r < 0)
                return r;
        for (uint32_t i = 0; i < names->n_places; i++)
                starts[i] = matches[names->symbol_of[i]] > 0;
        return sample_table_start_chains(t, starts);
}

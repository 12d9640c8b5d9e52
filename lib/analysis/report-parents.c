/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Functions of several binaries may have the same name, and are one parent. */

#include "report-parents.h"

#include <regex.h>

#include "strv.h"

static uint64_t name_hash(const NamedSymbol *symbol) {
        return hash_bytes(0, symbol->name, strlen(symbol->name));
}

static uint64_t name_hash_of(const void *owner, uintptr_t entry) {
        return name_hash(((const PlaceNames *) owner)->symbols + entry);
}

static int find_matches(const PlaceNames *names, const regex_t *regex, HashIndex *index, uint32_t *of) {
        int r = 0;

        for (size_t i = 1; r >= 0 && i < names->n_symbols; i++) {
                const NamedSymbol *symbol = names->symbols + i;
                uint64_t hash = name_hash(symbol);
                uintptr_t found = HASH_INDEX_FIND(index, hash, entry, streq(names->symbols[entry].name, symbol->name));

                if (found > 0)
                        of[i] = (uint32_t) found;
                else if (regexec(regex, symbol->name, 0, NULL, 0) == 0) {
                        of[i] = (uint32_t) i;
                        r = hash_index_add(index, hash, i, name_hash_of, names);
                }
        }
        return r;
}

int report_parents_find(const PlaceNames *names, const char *pattern, uint32_t **ret) {
        _cleanup_free_ uint32_t *of = calloc(names->n_symbols + 1, sizeof(*of));
        _cleanup_(hash_index_done) HashIndex index = {};
        regex_t regex;
        int r;

        if (!of)
                return -ENOMEM;
        if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
                return -EINVAL;
        r = find_matches(names, &regex, &index, of);
        regfree(&regex);
        if (r >= 0)
                *ret = steal_ptr(of);
        return r;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* made-recording memory|accesses|branches OUTPUT PROGRAM FUNCTION FUNCTION FUNCTION: writes a recording of what this machine's
 * processor may not be able to record. It is a test program, since what it writes with is part of the tests. */

#include "made-accesses.h"
#include "made-program.h"

#define ACCESSES 6000u

static char **words;

static void write_accesses(const char *path, const MadeFacets *facets) {
        _cleanup_free_ MadeAccess *accesses = calloc(ACCESSES, sizeof(*accesses));

        ck_assert_ptr_nonnull(accesses);
        made_access_mixture(accesses, ACCESSES, facets);
        made_accesses(path, facets, accesses, ACCESSES);
}

START_TEST(made) {
        MadeFacets facets = { .program = words[2] };

        for (size_t i = 0; i < ELEMENTSOF(facets.functions); i++)
                facets.functions[i] = made_offset(facets.program, words[3 + i]);
        if (streq(words[0], "memory"))
                made_memory(words[1], &facets);
        else if (streq(words[0], "accesses"))
                write_accesses(words[1], &facets);
        else
                made_branches(words[1], &facets);
}
END_TEST

int main(int argc, char **argv) {
        const TTest *const all[] = { made };

        words = argv + 1;
        return argc == 7 ? test_run("made-recording", all, ELEMENTSOF(all)) : 2;
}

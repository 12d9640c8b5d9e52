/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "hash-index.h"
#include "jit-codes.h"

/* Jitdumps, by the numbers of their binaries. A file is opened when its first address is looked up. */
typedef struct JitFile {
        uint32_t dso;
        JitCodes *codes; /* NULL: it can't be read */
} JitFile;

/* Maps of a process and the first functions of its jitdump: as long as both are the same, so are the places of its addresses. */
typedef struct JitState {
        uint32_t maps, dso;
        size_t n_functions;
} JitState;

#define JIT_FILES_MAX 4096u
#define JIT_STATES_MAX (1u << 20)

/* Zero-initialise. */
typedef struct JitFiles {
        const char *directory, *root; /* where they are; NULL: none */
        JitFile *files;
        size_t n, allocated;
        HashIndex by_dso;   /* of number + 1 */
        size_t n_codes;     /* of all files */
        JitState *states;
        size_t n_states, states_allocated;
        HashIndex by_state; /* of number + 1 */
        uint32_t n_unkept;  /* states for which there was no room */
} JitFiles;

void jit_files_done(JitFiles *j);

/* Forgets the files, as another recording begins; directory and root are those of symbols_new(), and must outlive the lookups. */
void jit_files_begin(JitFiles *j, const char *directory, const char *root);

/* Returns the functions of a jitdump; NULL: it cannot be read, or lies beyond JIT_FILES_MAX. timed: as for jit_codes_read(). 0,
 * -ENOMEM. */
int jit_files_get(JitFiles *j, uint32_t dso, const DsoHit *hit, bool timed, const JitCodes **ret);

/* Returns a number that equal states have in common; generations of maps are below JIT_GENERATION. Beyond JIT_STATES_MAX each has
 * one of its own. */
#define JIT_GENERATION (UINT32_C(1) << 31)
uint32_t jit_files_generation(JitFiles *j, const JitState *state);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The functions of the jitdumps that processes have mapped, each file read once.
 *
 * Invariant: a jitdump only names memory that is mapped from no file (code-places.c), so that it can't give other names to the
 * functions of a library. */

#include "jit-files.h"

#include "array.h"
#include "symbols.h"

#define CODES_TOTAL_MAX ((size_t) 4 << 20)

void jit_files_begin(JitFiles *j, const char *directory, const char *root) {
        for (size_t i = 0; i < j->n; i++)
                jit_codes_free(j->files[i].codes);
        hash_index_done(&j->by_dso);
        j->by_dso = (HashIndex) {};
        j->n = j->n_codes = 0;
        j->directory = directory;
        j->root = root;
}

void jit_files_done(JitFiles *j) {
        jit_files_begin(j, NULL, NULL);
        free(j->files);
        free(j->states);
        hash_index_done(&j->by_state);
        *j = (JitFiles) {};
}

static uint64_t jit_file_hash_of(const void *owner, uintptr_t entry) {
        return ((const JitFiles *) owner)->files[entry - 1].dso;
}

int jit_files_get(JitFiles *j, uint32_t dso, const DsoHit *hit, bool timed, const JitCodes **ret) {
        uintptr_t found = HASH_INDEX_FIND(&j->by_dso, dso, entry, j->files[entry - 1].dso == dso);
        JitFile file = { .dso = dso };
        _cleanup_close_ int fd = -EBADF;
        int r;

        *ret = found > 0 ? j->files[found - 1].codes : NULL;
        if (found > 0 || j->n >= JIT_FILES_MAX || j->n_codes >= CODES_TOTAL_MAX)
                return 0;
        if (ARRAY_RESERVE(j->files, j->allocated, j->n + 1) < 0)
                return -ENOMEM;
        fd = symbols_open_jit_dump(j->directory, j->root, hit);
        if (fd >= 0 && jit_codes_read(fd, timed, &file.codes) == -ENOMEM)
                return -ENOMEM;
        j->files[j->n++] = file;
        j->n_codes += file.codes ? jit_codes_n(file.codes) : 0;
        r = hash_index_add(&j->by_dso, dso, j->n, jit_file_hash_of, j);
        *ret = file.codes;
        return r;
}

static uint64_t jit_state_hash(const JitState *s) {
        return hash_mix((uint64_t) s->maps << 32 | s->dso, s->n_functions);
}

static uint64_t jit_state_hash_of(const void *owner, uintptr_t entry) {
        return jit_state_hash(((const JitFiles *) owner)->states + entry - 1);
}

uint32_t jit_files_generation(JitFiles *j, const JitState *state) {
        uint64_t hash = jit_state_hash(state);
        uintptr_t found = HASH_INDEX_FIND(&j->by_state, hash, entry, j->states[entry - 1].maps == state->maps &&
                                          j->states[entry - 1].dso == state->dso &&
                                          j->states[entry - 1].n_functions == state->n_functions);

        if (found > 0)
                return JIT_GENERATION | (uint32_t) found;
        if (j->n_states >= JIT_STATES_MAX || ARRAY_RESERVE(j->states, j->states_allocated, j->n_states + 1) < 0)
                return JIT_GENERATION | (JIT_STATES_MAX + ++j->n_unkept);
        j->states[j->n_states++] = *state;
        if (hash_index_add(&j->by_state, hash, j->n_states, jit_state_hash_of, j) < 0)
                return JIT_GENERATION | (JIT_STATES_MAX + ++j->n_unkept);
        return JIT_GENERATION | (uint32_t) j->n_states;
}

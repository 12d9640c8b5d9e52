/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Most processes have no jitdump, and a recording with none costs nothing: there is no process then.
 *
 * Invariant: a jitdump only names memory that is mapped from no file (code-places.c), so that it can't give other names to the
 * functions of a library. */

#include "jit-processes.h"

#include "array.h"
#include "symbols.h"

#define CODES_TOTAL_MAX ((size_t) 4 << 20)

void jit_processes_begin(JitProcesses *j) {
        hash_index_done(&j->by_pid);
        j->by_pid = (HashIndex) {};
        j->n = 0;
        for (size_t i = 0; i < j->n_files; i++)
                jit_codes_free(j->files[i].codes);
        j->n_files = j->n_codes = 0;
}

void jit_processes_done(JitProcesses *j) {
        jit_processes_begin(j);
        free(j->processes);
        free(j->files);
        *j = (JitProcesses) {};
}

static uint64_t pid_hash_of(const void *owner, uintptr_t entry) {
        return ((const JitProcesses *) owner)->processes[entry - 1].pid;
}

static JitProcess *find_process(const JitProcesses *j, uint32_t pid) {
        uintptr_t found = j->n > 0 ? HASH_INDEX_FIND(&j->by_pid, pid, entry, j->processes[entry - 1].pid == pid) : 0;

        return found > 0 ? j->processes + found - 1 : NULL;
}

int jit_processes_note(JitProcesses *j, uint32_t pid, uint32_t dso) {
        JitProcess *p = find_process(j, pid);

        if (p) {
                *p = (JitProcess) { .pid = pid, .dso = dso };
                return 0;
        }
        if (j->n >= JIT_PROCESSES_MAX)
                return 0;
        if (ARRAY_RESERVE(j->processes, j->allocated, j->n + 1) < 0)
                return -ENOMEM;
        j->processes[j->n] = (JitProcess) { .pid = pid, .dso = dso };
        j->n++;
        return hash_index_add(&j->by_pid, pid, j->n, pid_hash_of, j);
}

void jit_processes_exec(JitProcesses *j, uint32_t pid) {
        JitProcess *p = find_process(j, pid);

        if (p)
                p->dso = JIT_NONE;
}

int jit_processes_fork(JitProcesses *j, uint32_t pid, uint32_t parent) {
        const JitProcess *p = find_process(j, parent);

        if (p && p->dso != JIT_NONE)
                return jit_processes_note(j, pid, p->dso);
        jit_processes_exec(j, pid);
        return 0;
}

/* A file that can't be read has no functions. */
static int read_codes(JitProcesses *j, const DsoHit *dso, JitCodes **ret) {
        _cleanup_close_ int fd = symbols_open_jit_dump(j->directory, j->root, dso);
        int r = fd < 0 ? fd : jit_codes_read(fd, j->timed, ret);

        return r == -ENOMEM ? r : 0;
}

static int find_codes(JitProcesses *j, const DsoHit *dsos, uint32_t dso, const JitCodes **ret) {
        JitFile file = { .dso = dso };
        int r = 0;

        for (size_t i = 0; i < j->n_files; i++)
                if (j->files[i].dso == dso) {
                        *ret = j->files[i].codes;
                        return 0;
                }
        if (j->n_files >= JIT_FILES_MAX || j->n_codes >= CODES_TOTAL_MAX)
                return 0;
        if (ARRAY_RESERVE(j->files, j->files_allocated, j->n_files + 1) < 0)
                return -ENOMEM;
        r = read_codes(j, dsos + dso, &file.codes);
        if (r < 0)
                return r;
        j->files[j->n_files++] = file;
        j->n_codes += file.codes ? jit_codes_n(file.codes) : 0;
        *ret = file.codes;
        return 0;
}

/* *ret is NULL if the process has no jitdump that can be read. */
static int get_codes(JitProcesses *j, const JitSample *s, JitProcess **ret) {
        JitProcess *p = find_process(j, s->pid);
        int r = 0;

        *ret = NULL;
        if (!p || p->dso == JIT_NONE)
                return 0;
        if (!p->sought)
                r = find_codes(j, s->dsos, p->dso, &p->codes);
        if (r < 0)
                return r;
        p->sought = true;
        *ret = p->codes ? p : NULL;
        return 0;
}

int jit_processes_find(JitProcesses *j, const JitSample *s, uint64_t address, uint32_t *ret_dso, uint64_t *ret_place) {
        JitProcess *p;
        int r = get_codes(j, s, &p);

        if (r < 0 || !p || !jit_codes_find(p->codes, address, s->time, ret_place))
                return r;
        *ret_dso = p->dso;
        return 1;
}

uint32_t jit_processes_generation(JitProcesses *j, const JitSample *s, uint32_t maps, uint32_t *last) {
        JitProcess *p;
        size_t until;

        if (get_codes(j, s, &p) < 0 || !p)
                return maps;
        until = jit_codes_until(p->codes, s->time);
        if (p->generation == 0 || p->maps != maps || p->until != until) {
                p->maps = maps;
                p->until = until;
                p->generation = ++*last;
        }
        return p->generation;
}

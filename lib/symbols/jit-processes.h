/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "hash-index.h"
#include "jit-codes.h"

/* Finds the jitdump that has the code that a process generated. A file is opened when its first address is looked up.
 * Zero-initialise. */
typedef struct JitProcess {
        uint32_t pid;
        uint32_t dso;     /* the number of its jitdump; JIT_NONE: none */
        bool sought;
        const JitCodes *codes; /* NULL: not sought yet, or it can't be read */
        uint32_t maps, generation; /* for which jit_processes_generation() returned that last … */
        size_t until;     /* … and for how many functions */
} JitProcess;

#define JIT_NONE UINT32_MAX
#define JIT_PROCESSES_MAX 65536u
#define JIT_FILES_MAX 4096u

typedef struct JitFile {
        uint32_t dso;
        JitCodes *codes;  /* NULL: it can't be read */
} JitFile;

typedef struct JitProcesses {
        JitProcess *processes; /* in no order */
        size_t n, allocated;
        HashIndex by_pid;      /* of number + 1 */
        JitFile *files;
        size_t n_files, files_allocated;
        size_t n_codes;        /* of all files */
        const char *directory, *root; /* where the files are, as symbols.h defines them; NULL: none */
        bool timed;            /* samples have the time of CLOCK_MONOTONIC. */
} JitProcesses;

void jit_processes_done(JitProcesses *j);

/* Forgets the processes, as another recording begins. */
void jit_processes_begin(JitProcesses *j);

/* Notes the jitdump of a process by its number. 0; -ENOMEM. Those beyond the limits are left out. */
int jit_processes_note(JitProcesses *j, uint32_t pid, uint32_t dso);
/* Follow a FORK of a process, and an exec. 0, -ENOMEM. */
int jit_processes_fork(JitProcesses *j, uint32_t pid, uint32_t parent);
void jit_processes_exec(JitProcesses *j, uint32_t pid);

/* A sample of a process; dsos: the binaries by number. */
typedef struct JitSample {
        const DsoHit *dsos;
        uint32_t pid;
        uint64_t time;
} JitSample;

/* Finds the place of an address in the jitdump of the process. 1; 0: no function is known; -ENOMEM. */
int jit_processes_find(JitProcesses *j, const JitSample *s, uint64_t address, uint32_t *ret_dso, uint64_t *ret_place);

/* Returns a number that stays the same as long as the maps, of which that is the number, and the functions do. *last: the number
 * that was given last. */
uint32_t jit_processes_generation(JitProcesses *j, const JitSample *s, uint32_t maps, uint32_t *last);

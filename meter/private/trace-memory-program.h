/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "argument-memory.h"

/* These are the tables of the program in the kernel that reads the memory of system calls. This header is for both sides. */

#define MEMORY_ARGUMENTS 6u
#define MEMORY_CALLS 512u      /* numbers of calls */
#define MEMORY_TRACED 65536u   /* threads that are followed */
#define MEMORY_LEFT_OUT 1024u  /* processes that are passed over */
#define MEMORY_GROUPS 32u      /* control groups */
#define MEMORY_PENDING 16384u  /* threads in a call whose end has something to read */

typedef enum MemoryOpens {
        MEMORY_OPENS_NONE,
        MEMORY_OPENS_RESULT, /* the result is a descriptor */
        MEMORY_OPENS_PAIR,   /* an argument points to two */
} MemoryOpens;

/* The rules of a call, by argument. Without any, it is passed over. */
typedef struct MemoryRules {
        uint32_t wanted;
        uint32_t replaces; /* the process has other memory when it has succeeded: execve(2) */
        uint32_t opens;    /* MemoryOpens: of what has a number and no name */
        uint32_t pair;     /* the argument of MEMORY_OPENS_PAIR */
        ArgumentMemory arguments[MEMORY_ARGUMENTS];
} MemoryRules;

typedef struct MemorySettings {
        uint32_t all;     /* threads are traced, but for our own … */
        uint32_t own_pid; /* … process, as the outermost namespace has it */
        uint32_t left_out; /* there are processes that are passed over */
        uint32_t n_groups; /* of all threads, only those in these control groups; 0: all */
} MemorySettings;

/* A call that has begun, and whose end has something to read. */
typedef struct MemoryPending {
        uint64_t arguments[MEMORY_ARGUMENTS + 2]; /* 8, so that a mask keeps an index inside */
        uint32_t number;
        uint32_t missing; /* a bit for each argument that could not be read at the begin: its page was not there yet */
} MemoryPending;

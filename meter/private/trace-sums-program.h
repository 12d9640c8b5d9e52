/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* These are the tables of the program in the kernel that sums system calls up. This header is for both sides. */

#define SUMS_CALLS 512u       /* numbers of calls */
#define SUMS_COMPAT (1u << 29) /* in a number: SYSCALL_COMPAT */
#define SUMS_THREADS 65536u
#define SUMS_MAX 262144u
#define SUMS_ERRORS_MAX 65536u
#define SUMS_NAME_SIZE 16u

typedef struct SumsSettings {
        uint32_t all;         /* threads are traced, but for our own … */
        uint32_t own_pid;     /* … process, as the outermost namespace has it */
        uint32_t exec_number; /* of execve(2) */
        uint32_t some;        /* only calls of the table "wanted"; those of 32-bit programs are its second half */
        uint64_t lost;        /* events of threads or calls that found their table full */
} SumsSettings;

/* A thread, by its id. */
typedef struct SumsThread {
        uint64_t since;       /* the begin of its call */
        uint64_t n;           /* begins and ends */
        uint32_t number;      /* of its call … */
        uint8_t in_call;      /* … if it is in one */
        uint8_t waits;        /* it counts from its next execve(2) on */
        uint16_t reserved;
        char name[SUMS_NAME_SIZE];
} SumsThread;

typedef struct SumsKey {
        uint32_t tid, number;
} SumsKey;

/* Calls of a thread that have returned. Times are in nanoseconds. */
typedef struct SumsValue {
        uint64_t n, failed;
        uint64_t total;
        uint64_t squares, squares_high; /* the sum of times by themselves; in units of 1 and of 2^64 */
        uint64_t shortest, longest;
} SumsValue;

typedef struct SumsErrorKey {
        uint32_t tid, number, error;
} SumsErrorKey;

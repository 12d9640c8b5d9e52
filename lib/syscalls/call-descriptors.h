/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-model.h"
#include "syscall-signature.h"

/* The files and the like that are open in processes, by descriptor: learnt from /proc at first sight, then followed through the
 * calls that open, copy and close. Names are as in /proc/PID/fd: "/etc/passwd", "socket:[1234]"; where they could not be read, a
 * socket or a pipe has no number: "socket". */

#define CALL_DESCRIPTORS_MAX 65536 /* of a process; those above have no names */

typedef struct CallDescriptor {
        char *name;         /* NULL: not known */
        bool asked;         /* /proc was asked */
        bool close_on_exec;
} CallDescriptor;

typedef struct CallProcess {
        uint32_t pid;
        CallDescriptor *descriptors; /* by number + 1; 0 is the working directory */
        size_t n, allocated;
} CallProcess;

/* Zero-initialise. */
typedef struct CallDescriptors {
        bool live; /* the processes are there, and have the same root: /proc is read, and symbolic links are followed */
        CallProcess *processes;
        size_t n, allocated;
        HashIndex by_pid; /* number + 1 */
} CallDescriptors;

void call_descriptors_done(CallDescriptors *d);

/* Returns what is open there; AT_FDCWD: the working directory. NULL: not known. Valid until the next call. */
const char *call_descriptors_name(CallDescriptors *d, uint32_t pid, int fd);

/* Reads all descriptors of a process that may be gone later. 0, -ENOMEM. */
int call_descriptors_learn(CallDescriptors *d, uint32_t pid);

/* A process began with what its parent has, or ended. 0, -ENOMEM. */
int call_descriptors_fork(CallDescriptors *d, uint32_t parent, uint32_t pid);
void call_descriptors_forget(CallDescriptors *d, uint32_t pid);

/* Follows a call that has returned. memory: of its arguments, or NULL. 0, -ENOMEM. */
int call_descriptors_follow(CallDescriptors *d, uint32_t pid, SyscallAbi abi, const Call *c, const CallMemory *memory);

/* Returns whether what a call opens has a number for a name: a pipe, a socket. */
bool call_descriptors_are_numbered(const SyscallSignature *s);

/* Returns whether a call is one of those that are followed. */
bool call_descriptors_want(SyscallAbi abi, uint32_t number);

/* Returns whether no argument of a call is a descriptor: what it opens is shown with its results, as pipe(2) has them in memory. */
bool call_descriptors_are_results(SyscallAbi abi, uint32_t number);

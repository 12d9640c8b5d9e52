/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "syscall-signature.h"
#include "text-buffer.h"

/* System calls as text, as perf trace and strace have it. The text is valid UTF-8 (strace's: ASCII) and one line, whatever the
 * memory of the traced program contains. */

typedef enum SyscallStyle {
        SYSCALL_STYLE_PERF,   /* dfd: CWD, filename: "/etc/passwd", flags: RDONLY|CLOEXEC */
        SYSCALL_STYLE_STRACE, /* AT_FDCWD, "/etc/passwd", O_RDONLY|O_CLOEXEC */
} SyscallStyle;

/* Memory that an argument points to, as far as it is known. */
typedef struct SyscallMemory {
        unsigned argument; /* from 0 */
        bool cut;          /* there is more than these bytes */
        size_t size;
        const uint8_t *bytes;
} SyscallMemory;

typedef struct SyscallCall {
        SyscallAbi abi;
        uint32_t number;
        bool returned; /* result is known, and memory is as after the call */
        int64_t result;
        uint64_t arguments[SYSCALL_MAX_ARGUMENTS];
        const SyscallMemory *memory; /* in any order */
        size_t n_memory;
        /* Return what is open there ("/etc/passwd", "socket:[1234]"; AT_FDCWD: the working directory), and the name of a thread;
         * NULL: not known. May be NULL. The text must live until the next call of the same function. */
        const char *(*descriptor_name)(void *userdata, int fd);
        const char *(*thread_name)(void *userdata, uint32_t tid);
        const char *interrupted; /* the call that restart_syscall(2) resumes; NULL: not known */
        void *userdata;
} SyscallCall;

/* Arguments in strace's style: all; those that stand in the line of the begin of a call if lines of others follow it; and those
 * from the first one on that the kernel writes, which stand in the line of its end. */
typedef enum SyscallPart {
        SYSCALL_PART_ALL,
        SYSCALL_PART_BEGIN,
        SYSCALL_PART_END,
} SyscallPart;

#define SYSCALL_STRING_SIZE 32u /* strace's -s */

typedef struct SyscallTextOptions {
        SyscallStyle style;
        SyscallPart part;
        bool descriptor_names; /* 3</etc/passwd>, by descriptor_name */
        bool memory;           /* it is read: where there are no bytes, nothing was read or written */
        bool zeros;            /* perf's style: arguments that are 0 are shown, too */
        size_t string_size;    /* strings that aren't names of files are cut to that many bytes; 0: SYSCALL_STRING_SIZE */
} SyscallTextOptions;

/* Puts "openat"; "syscall_0x3e7" if the number has no name. */
void syscall_put_name(TextBuffer *b, SyscallAbi abi, uint32_t number);

/* Puts what is between the parentheses. A number without a signature has arg1 … arg6, in hexadecimal. */
void syscall_put_arguments(TextBuffer *b, const SyscallCall *c, const SyscallTextOptions *o);

/* Returns whether SYSCALL_PART_END has arguments. */
bool syscall_has_end_part(const SyscallCall *c);

/* Puts what is behind "= ": "3", "3</etc/passwd>", "-1 ENOENT (No such file or directory)", "0x7f0000000000", "?". */
void syscall_put_result(TextBuffer *b, const SyscallCall *c, const SyscallTextOptions *o);

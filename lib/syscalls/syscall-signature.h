/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "argument-memory.h"
#include "constants.h"
#include "syscall-table.h"

/* The arguments of system calls: their names as in the kernel's SYSCALL_DEFINE, which tracefs has in
 * events/syscalls/sys_enter_NAME/format, and their meaning. */

#define SYSCALL_MAX_ARGUMENTS 6u

/* A kind that ends in _OUT is memory that the kernel writes: it is shown once the call has returned. */
typedef enum ArgumentKind {
        ARGUMENT_END,         /* there are no more */
        ARGUMENT_HIDDEN,      /* it has no meaning in this call */
        ARGUMENT_NUMBER,      /* signed, 32 bits */
        ARGUMENT_UNSIGNED,    /* 32 bits */
        ARGUMENT_OFFSET,      /* signed, as wide as a register */
        ARGUMENT_SIZE,        /* unsigned, as wide as a register */
        ARGUMENT_HEX,         /* the same, in hexadecimal */
        ARGUMENT_POINTER,     /* to something that is not decoded, or an address as such */
        ARGUMENT_POINTER_OUT, /* to something that is not decoded */
        ARGUMENT_FD,          /* a file descriptor */
        ARGUMENT_DIRFD,       /* a descriptor of a directory, or AT_FDCWD */
        ARGUMENT_PATH,        /* a file's name: ends in NUL */
        ARGUMENT_STRING,      /* other text that ends in NUL */
        ARGUMENT_BUFFER,      /* "length" is the argument with the number of bytes */
        ARGUMENT_BUFFER_OUT,  /* the result is the number of bytes, of at most as many as argument "length" says */
        ARGUMENT_TEXT_OUT,    /* the same, with the NUL at its end */
        ARGUMENT_STRINGS,     /* argv; its memory is the strings, one behind the other, each with its NUL */
        ARGUMENT_FLAGS,       /* bits of "set", of 32 bits */
        ARGUMENT_ENUM,        /* a number of "set", of 32 bits */
        ARGUMENT_ACCESS,      /* of access(2) */
        ARGUMENT_CLONE,       /* flags, and a signal in the lowest byte */
        ARGUMENT_IPC_FLAGS,   /* flags of "set", and permissions */
        ARGUMENT_IOCTL,
        ARGUMENT_MODE,        /* permissions */
        ARGUMENT_FILE_MODE,   /* permissions and the type of a file */
        ARGUMENT_DEVICE,
        ARGUMENT_SIGNAL,
        ARGUMENT_PID,
        ARGUMENT_ID,          /* of a user or a group; -1: none */
        ARGUMENT_SOCKADDR,    /* "length" is the argument with its size */
        ARGUMENT_SOCKADDR_OUT,
        ARGUMENT_TIMESPEC,
        ARGUMENT_TIMESPEC_OUT,
        ARGUMENT_TIMESPECS,   /* two of them: the times of a file */
        ARGUMENT_TIMEVAL,
        ARGUMENT_TIMEVAL_OUT,
        ARGUMENT_TIMEVALS,
        ARGUMENT_ITIMERSPEC,
        ARGUMENT_ITIMERSPEC_OUT,
        ARGUMENT_ITIMERVAL,
        ARGUMENT_ITIMERVAL_OUT,
        ARGUMENT_SIGSET,      /* "length" is the argument with its size */
        ARGUMENT_SIGSET_OUT,
        ARGUMENT_SIGACTION,
        ARGUMENT_SIGACTION_OUT,
        ARGUMENT_RLIMIT,
        ARGUMENT_RLIMIT_OUT,
        ARGUMENT_IOVEC,       /* "length" is the argument with the number of entries */
        ARGUMENT_POLLFD,      /* the same */
        ARGUMENT_EPOLL_EVENT,
        ARGUMENT_EPOLL_EVENTS_OUT, /* the result is their number */
        ARGUMENT_FD_PAIR_OUT,
        ARGUMENT_INT,         /* a number in memory */
        ARGUMENT_INT_OUT,
        ARGUMENT_OPEN_HOW,    /* of openat2(2) */
        ARGUMENT_STAT_OUT,    /* struct stat */
        ARGUMENT_STATX_OUT,
        ARGUMENT_LOCK,        /* struct flock */
        ARGUMENT_STATUS_OUT,  /* of wait4(2) */
        ARGUMENT_IDS_OUT,     /* the result is their number */
        ARGUMENT_CPUS,        /* a mask; "length" is the argument with its bytes */
        ARGUMENT_CPUS_OUT,    /* the result is its bytes */
        ARGUMENT_UTSNAME_OUT,
        ARGUMENT_SYSINFO_OUT,
        ARGUMENT_STACK,       /* of sigaltstack(2) */
        ARGUMENT_STACK_OUT,
        ARGUMENT_CLONE_ARGS,  /* of clone3(2) */
        ARGUMENT_KIND_MAX,
} ArgumentKind;

typedef enum ResultKind {
        RESULT_NUMBER,
        RESULT_FD,
        RESULT_PID,
        RESULT_POINTER, /* or an address */
        RESULT_ID,      /* of a user or a group */
        RESULT_MODE,    /* permissions: umask(2) */
        RESULT_TIMEOUT, /* a number; 0: the time has passed */
        RESULT_OPEN_FLAGS, /* of fcntl(2), F_GETFL */
        RESULT_FD_FLAGS,   /* … F_GETFD */
        RESULT_NONE,    /* the call doesn't return */
} ResultKind;

/* Groups of calls, as strace has them. File and descriptor follow from the kinds of the arguments as well. */
enum {
        SYSCALL_IN_FILE = 1 << 0,
        SYSCALL_IN_DESC = 1 << 1,
        SYSCALL_IN_NETWORK = 1 << 2,
        SYSCALL_IN_PROCESS = 1 << 3,
        SYSCALL_IN_MEMORY = 1 << 4,
        SYSCALL_IN_SIGNAL = 1 << 5,
        SYSCALL_IN_IPC = 1 << 6,
        SYSCALL_NOT_IN_DESC = 1 << 7, /* though it has a descriptor */
};

typedef struct SyscallArgument {
        const char *name;
        uint8_t kind;   /* ArgumentKind */
        uint8_t set;    /* ConstantSet, of flags and enumerations */
        uint8_t length; /* the number of another argument, from 0 */
} SyscallArgument;

typedef struct SyscallSignature {
        const char *name;
        uint8_t result; /* ResultKind */
        uint8_t groups; /* SYSCALL_IN_* */
        SyscallArgument arguments[SYSCALL_MAX_ARGUMENTS];
} SyscallSignature;

/* NULL: it is not known which arguments this call has. */
const SyscallSignature *syscall_signature(SyscallAbi abi, uint32_t number);
const SyscallSignature *syscall_signature_by_name(const char *name);

/* True if the kernel writes the memory of such arguments. */
bool argument_kind_is_written(ArgumentKind kind);

/* True if words of the structures of this call have 64 bits. */
bool syscall_signature_is_wide(const SyscallSignature *s, SyscallAbi abi);

/* Returns the groups, with those that follow from the arguments. */
unsigned syscall_signature_groups(const SyscallSignature *s);

/* Says which memory argument i points to; its addresses are those of the traced process. */
ArgumentMemory syscall_argument_memory(const SyscallSignature *s, SyscallAbi abi, unsigned i);

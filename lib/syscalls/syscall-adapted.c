/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One function a call. Values of commands are looked up by their names, so that they are those of the headers. */

#include "syscall-adapted.h"

#define FUTEX_COMMAND 0x7fu

static bool has_flag(ConstantSet set, uint64_t value, const char *name) {
        uint64_t wanted;

        return constant_value(set, name, &wanted) >= 0 && (value & wanted) == wanted;
}

static bool creates(uint64_t flags) {
        return has_flag(CONSTANTS_OPEN, flags, "O_CREAT") || has_flag(CONSTANTS_OPEN, flags, "O_TMPFILE");
}

static void end_at(SyscallSignature *s, unsigned n) {
        for (unsigned i = n; i < SYSCALL_MAX_ARGUMENTS; i++)
                s->arguments[i].kind = ARGUMENT_END;
}

static void make(SyscallSignature *s, unsigned i, ArgumentKind kind, ConstantSet set) {
        s->arguments[i].kind = kind;
        s->arguments[i].set = set;
}

static void adapt_open(SyscallSignature *s, const uint64_t *a) {
        if (!creates(a[1]))
                end_at(s, 2);
}

static void adapt_openat(SyscallSignature *s, const uint64_t *a) {
        if (!creates(a[2]))
                end_at(s, 3);
}

static void adapt_mknod(SyscallSignature *s, uint64_t mode, unsigned device) {
        const char *type = constant_name(CONSTANTS_MODE, mode & 0170000);

        if (!type || (!streq(type, "S_IFCHR") && !streq(type, "S_IFBLK")))
                end_at(s, device);
}

static void adapt_mremap(SyscallSignature *s, const uint64_t *a) {
        if (!has_flag(CONSTANTS_MREMAP, a[3], "MREMAP_FIXED") && !has_flag(CONSTANTS_MREMAP, a[3], "MREMAP_DONTUNMAP"))
                end_at(s, 4);
}

static void adapt_socket(SyscallSignature *s, const uint64_t *a) {
        const char *family = constant_name(CONSTANTS_FAMILY, a[0]);

        if (family && streq(family, "AF_NETLINK"))
                make(s, 2, ARGUMENT_ENUM, CONSTANTS_NETLINK);
        else if (!family || (!streq(family, "AF_INET") && !streq(family, "AF_INET6")))
                make(s, 2, ARGUMENT_NUMBER, CONSTANTS_NONE);
}

static void adapt_socket_option(SyscallSignature *s, const uint64_t *a) {
        const char *level = constant_name(CONSTANTS_SOCKET_LEVEL, (uint32_t) a[1]);
        static const struct {
                const char *level;
                ConstantSet set;
        } options[] = {
                { "SOL_SOCKET", CONSTANTS_SOCKET_OPTION },    { "SOL_TCP", CONSTANTS_SOCKET_OPTION_TCP },
                { "SOL_IPV6", CONSTANTS_SOCKET_OPTION_IPV6 }, { "SOL_IP", CONSTANTS_SOCKET_OPTION_IP },
        };

        make(s, 2, ARGUMENT_NUMBER, CONSTANTS_NONE);
        for (size_t i = 0; level && i < ELEMENTSOF(options); i++)
                if (streq(level, options[i].level))
                        make(s, 2, ARGUMENT_ENUM, options[i].set);
}

/* The argument of a command; what is not here is put in hexadecimal. */
static void adapt_fcntl(SyscallSignature *s, const uint64_t *a) {
        static const char *const without[] = { "F_GETFD", "F_GETFL", "F_GETOWN", "F_GETSIG",
                                                "F_GETLEASE", "F_GETPIPE_SZ", "F_GET_SEALS" };
        static const char *const numbers[] = { "F_DUPFD", "F_DUPFD_CLOEXEC", "F_SETOWN", "F_SETPIPE_SZ" };
        const char *command = constant_name(CONSTANTS_FCNTL, (uint32_t) a[1]);

        if (!command)
                return;
        for (size_t i = 0; i < ELEMENTSOF(without); i++)
                if (streq(without[i], command))
                        end_at(s, 2);
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (streq(numbers[i], command))
                        make(s, 2, ARGUMENT_NUMBER, CONSTANTS_NONE);
        if (startswith(command, "F_DUPFD"))
                s->result = RESULT_FD;
        else if (streq(command, "F_GETFL"))
                s->result = RESULT_OPEN_FLAGS;
        else if (streq(command, "F_GETFD"))
                s->result = RESULT_FD_FLAGS;
        else if (streq(command, "F_SETFD"))
                make(s, 2, ARGUMENT_FLAGS, CONSTANTS_FD);
        else if (streq(command, "F_SETFL"))
                make(s, 2, ARGUMENT_FLAGS, CONSTANTS_OPEN);
        else if (streq(command, "F_SETSIG"))
                make(s, 2, ARGUMENT_SIGNAL, CONSTANTS_NONE);
}

/* A command has some of val, utime, uaddr2 and val3; '#': utime is a second number, '-': it is not used, '.': the end. */
static void adapt_futex(SyscallSignature *s, const uint64_t *a) {
        static const struct {
                const char *command, *arguments;
        } commands[] = {
                { "FUTEX_WAIT", "vt." },         { "FUTEX_WAKE", "v." },         { "FUTEX_FD", "v." },
                { "FUTEX_REQUEUE", "v#u." },     { "FUTEX_CMP_REQUEUE", "v#u3" }, { "FUTEX_WAKE_OP", "v#u3" },
                { "FUTEX_LOCK_PI", "-t." },      { "FUTEX_LOCK_PI2", "-t." },    { "FUTEX_UNLOCK_PI", "." },
                { "FUTEX_TRYLOCK_PI", "." },     { "FUTEX_WAIT_BITSET", "vt-b" }, { "FUTEX_WAKE_BITSET", "v--b" },
                { "FUTEX_WAIT_REQUEUE_PI", "vtu." }, { "FUTEX_CMP_REQUEUE_PI", "v#u3" },
        };

        const char *command = constant_name(CONSTANTS_FUTEX, a[1] & FUTEX_COMMAND);

        for (size_t i = 0; command && i < ELEMENTSOF(commands); i++) {
                if (!streq(command, commands[i].command))
                        continue;
                for (unsigned k = 0; k < 4 && commands[i].arguments[k]; k++)
                        switch (commands[i].arguments[k]) {
                        case '.':
                                end_at(s, k + 2);
                                return;
                        case '-':
                                make(s, k + 2, ARGUMENT_HIDDEN, CONSTANTS_NONE);
                                break;
                        case '#':
                                make(s, k + 2, ARGUMENT_UNSIGNED, CONSTANTS_NONE);
                                break;
                        case 'b':
                                make(s, k + 2, ARGUMENT_ENUM, CONSTANTS_FUTEX_BITSET);
                                break;
                        }
                return;
        }
}

static void adapt_prctl(SyscallSignature *s, const uint64_t *a) {
        const char *option = constant_name(CONSTANTS_PRCTL, (uint32_t) a[0]);

        if (!option)
                return;
        if (streq(option, "PR_SET_NAME"))
                make(s, 1, ARGUMENT_STRING, CONSTANTS_NONE);
        else if (streq(option, "PR_SET_PDEATHSIG"))
                make(s, 1, ARGUMENT_SIGNAL, CONSTANTS_NONE);
        else
                return;
        end_at(s, 2);
}

void syscall_signature_adapt(SyscallSignature *s, const uint64_t a[static SYSCALL_MAX_ARGUMENTS]) {
        static const struct {
                const char *name;
                void (*adapt)(SyscallSignature *, const uint64_t *);
        } calls[] = {
                { "fcntl", adapt_fcntl },   { "fcntl64", adapt_fcntl }, { "futex", adapt_futex },
                { "futex_time64", adapt_futex }, { "getsockopt", adapt_socket_option }, { "mremap", adapt_mremap },
                { "open", adapt_open },     { "openat", adapt_openat }, { "prctl", adapt_prctl },
                { "setsockopt", adapt_socket_option }, { "socket", adapt_socket }, { "socketpair", adapt_socket },
        };

        if (streq(s->name, "mknod"))
                adapt_mknod(s, a[1], 2);
        else if (streq(s->name, "mknodat"))
                adapt_mknod(s, a[2], 3);
        else if (streq(s->name, "mq_open") && !creates(a[1]))
                end_at(s, 2);
        for (size_t i = 0; i < ELEMENTSOF(calls); i++)
                if (streq(calls[i].name, s->name))
                        calls[i].adapt(s, a);
}

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
                { "SOL_UDP", CONSTANTS_SOCKET_OPTION_UDP },   { "SOL_NETLINK", CONSTANTS_SOCKET_OPTION_NETLINK },
        };
        /* Their values are structures, or names. */
        static const char *const others[] = {
                "SO_LINGER", "SO_PEERCRED", "SO_PEERSEC", "SO_PEERGROUPS", "SO_BINDTODEVICE", "SO_ATTACH_FILTER", "SO_RCVTIMEO",
                "SO_ATTACH_REUSEPORT_CBPF", "SO_SNDTIMEO", "SO_MEMINFO", "SO_TXTIME", "TCP_INFO", "TCP_CONGESTION", "TCP_MD5SIG",
                "TCP_ULP",
        };
        bool sets = streq(s->name, "setsockopt"), number = !sets || a[4] == 4;
        const char *option;

        make(s, 2, ARGUMENT_NUMBER, CONSTANTS_NONE);
        for (size_t i = 0; level && i < ELEMENTSOF(options); i++)
                if (streq(level, options[i].level))
                        make(s, 2, ARGUMENT_ENUM, options[i].set);
        option = s->arguments[2].kind == ARGUMENT_ENUM ? constant_name(s->arguments[2].set, (uint32_t) a[2]) : NULL;
        for (size_t i = 0; option && i < ELEMENTSOF(others); i++)
                number = number && !streq(option, others[i]);
        if (!number && !sets)
                make(s, 3, ARGUMENT_POINTER_OUT, CONSTANTS_NONE);
        else if (number && sets && option)
                make(s, 3, ARGUMENT_INT, CONSTANTS_NONE);
}

/* The argument of a command; what is not here is put in hexadecimal. */
static void adapt_fcntl(SyscallSignature *s, const uint64_t *a) {
        static const char *const without[] = { "F_GETFD", "F_GETFL", "F_GETOWN", "F_GETSIG",
                                                "F_GETLEASE", "F_GETPIPE_SZ", "F_GET_SEALS" };
        static const char *const locks[] = { "F_SETLK", "F_SETLKW", "F_OFD_SETLK", "F_OFD_SETLKW" };
        static const char *const numbers[] = { "F_DUPFD", "F_DUPFD_CLOEXEC", "F_SETOWN", "F_SETPIPE_SZ" };
        const char *command = constant_name(CONSTANTS_FCNTL, (uint32_t) a[1]);
        bool lock = command && strstr(command, "LK");

        make(s, 2, lock ? ARGUMENT_POINTER : ARGUMENT_HEX, CONSTANTS_NONE);
        if (!command)
                return;
        for (size_t i = 0; i < ELEMENTSOF(without); i++)
                if (streq(without[i], command))
                        end_at(s, 2);
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (streq(numbers[i], command))
                        make(s, 2, ARGUMENT_NUMBER, CONSTANTS_NONE);
        for (size_t i = 0; i < ELEMENTSOF(locks); i++)
                if (streq(locks[i], command))
                        make(s, 2, ARGUMENT_LOCK, CONSTANTS_NONE);
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
        else if (streq(command, "F_SETLEASE"))
                make(s, 2, ARGUMENT_ENUM, CONSTANTS_FILE_LOCK);
        else if (streq(command, "F_ADD_SEALS"))
                make(s, 2, ARGUMENT_FLAGS, CONSTANTS_SEAL);
        else if (streq(command, "F_SETSIG"))
                make(s, 2, ARGUMENT_SIGNAL, CONSTANTS_NONE);
}

/* A command has some of val, utime, uaddr2 and val3; '#': utime is a second number, '-': it is not used, '.': the end. */
static void adapt_futex(SyscallSignature *s, const uint64_t *a) {
        static const struct {
                const char *command, *arguments;
        } commands[] = {
                { "FUTEX_WAIT", "vt." },         { "FUTEX_WAKE", "v." },         { "FUTEX_FD", "v." },
                { "FUTEX_REQUEUE", "v#u." },     { "FUTEX_CMP_REQUEUE", "v#uv" }, { "FUTEX_WAKE_OP", "v#u3" },
                { "FUTEX_LOCK_PI", "-t." },      { "FUTEX_LOCK_PI2", "-t." },    { "FUTEX_UNLOCK_PI", "." },
                { "FUTEX_TRYLOCK_PI", "." },     { "FUTEX_WAIT_BITSET", "vt-b" }, { "FUTEX_WAKE_BITSET", "v--b" },
                { "FUTEX_WAIT_REQUEUE_PI", "vtu." }, { "FUTEX_CMP_REQUEUE_PI", "v#uv" },
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
                        case 'v':
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

/* An option has some arguments, a letter each. Without a row, all are put. */
static void adapt_prctl(SyscallSignature *s, const uint64_t *a) {
        static const struct {
                char letter;
                ArgumentKind kind;
                ConstantSet set;
        } kinds[] = {
                { 's', ARGUMENT_STRING, CONSTANTS_NONE },  { 'g', ARGUMENT_SIGNAL, CONSTANTS_NONE },
                { 'u', ARGUMENT_SIZE, CONSTANTS_NONE },    { 'x', ARGUMENT_HEX, CONSTANTS_NONE },
                { 'P', ARGUMENT_POINTER, CONSTANTS_NONE }, { 'p', ARGUMENT_POINTER_OUT, CONSTANTS_NONE },
                { 'c', ARGUMENT_ENUM, CONSTANTS_CAPABILITY }, { 'm', ARGUMENT_ENUM, CONSTANTS_SECCOMP_MODE },
        };
        static const struct {
                const char *option, *arguments;
        } options[] = {
                { "PR_SET_NAME", "s" },          { "PR_GET_NAME", "p" },           { "PR_SET_PDEATHSIG", "g" },
                { "PR_GET_PDEATHSIG", "p" },     { "PR_SET_DUMPABLE", "u" },       { "PR_GET_DUMPABLE", "" },
                { "PR_SET_KEEPCAPS", "u" },      { "PR_GET_KEEPCAPS", "" },        { "PR_SET_NO_NEW_PRIVS", "uxxx" },
                { "PR_SET_TIMERSLACK", "u" },    { "PR_GET_TIMERSLACK", "" },      { "PR_SET_THP_DISABLE", "uxxx" },
                { "PR_CAPBSET_READ", "c" },      { "PR_CAPBSET_DROP", "c" },       { "PR_SET_CHILD_SUBREAPER", "u" },
                { "PR_GET_SECCOMP", "" },        { "PR_SET_SECCOMP", "mP" },       { "PR_GET_CHILD_SUBREAPER", "p" },
                { "PR_GET_SECUREBITS", "" },     { "PR_GET_NO_NEW_PRIVS", "xxxx" }, { "PR_GET_THP_DISABLE", "xxxx" },
        };
        const char *option = constant_name(CONSTANTS_PRCTL, (uint32_t) a[0]);

        make(s, 1, ARGUMENT_HEX, CONSTANTS_NONE);
        for (size_t i = 0; option && i < ELEMENTSOF(options); i++) {
                const char *p = options[i].arguments;

                if (!streq(option, options[i].option))
                        continue;
                for (unsigned k = 1; *p; k++, p++)
                        for (size_t n = 0; n < ELEMENTSOF(kinds); n++)
                                if (kinds[n].letter == *p)
                                        make(s, k, kinds[n].kind, kinds[n].set);
                end_at(s, 1 + (unsigned) strlen(options[i].arguments));
                return;
        }
}

static void adapt_membarrier(SyscallSignature *s, const uint64_t *a) {
        if (a[1] == 0)
                end_at(s, 2);
}

static void adapt_ioctl(SyscallSignature *s, const uint64_t *a) {
        const char *command = constant_name(CONSTANTS_IOCTL, (uint32_t) a[1]);

        if (!command)
                return;
        if (streq(command, "FIOCLEX") || streq(command, "FIONCLEX"))
                end_at(s, 2);
        else if (startswith(command, "TCGET") || startswith(command, "TIOCG") || streq(command, "FIONREAD"))
                make(s, 2, ARGUMENT_POINTER_OUT, CONSTANTS_NONE);
}

void syscall_signature_adapt(SyscallSignature *s, const uint64_t a[static SYSCALL_MAX_ARGUMENTS]) {
        static const struct {
                const char *name;
                void (*adapt)(SyscallSignature *, const uint64_t *);
        } calls[] = {
                { "fcntl", adapt_fcntl },
                { "fcntl64", adapt_fcntl },
                { "futex", adapt_futex },
                { "futex_time64", adapt_futex },
                { "getsockopt", adapt_socket_option },
                { "ioctl", adapt_ioctl },
                { "membarrier", adapt_membarrier },
                { "mremap", adapt_mremap },
                { "open", adapt_open },
                { "openat", adapt_openat },
                { "prctl", adapt_prctl },
                { "setsockopt", adapt_socket_option },
                { "socket", adapt_socket },
                { "socketpair", adapt_socket },
        };

        if (streq(s->name, "mknod"))
                adapt_mknod(s, a[1], 2);
        else if (streq(s->name, "mknodat"))
                adapt_mknod(s, a[2], 3);
        else if (streq(s->name, "mq_open") && !creates(a[1]))
                end_at(s, 2);
        /* Nothing is written if only the size is asked for. */
        for (unsigned i = 1; i < 3 && strstr(s->name, "xattr"); i++)
                if (s->arguments[i].kind == ARGUMENT_BUFFER_OUT && a[s->arguments[i].length] == 0)
                        make(s, i, ARGUMENT_POINTER_OUT, CONSTANTS_NONE);
        for (size_t i = 0; i < ELEMENTSOF(calls); i++)
                if (streq(calls[i].name, s->name))
                        calls[i].adapt(s, a);
}

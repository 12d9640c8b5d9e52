/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Groups are columns of the table of signatures. */

#include "syscall-words.h"

#include <fnmatch.h>

#include "syscall-signature.h"

static const struct {
        const char *name;
        unsigned bit;
} groups[] = {
        { "file", SYSCALL_IN_FILE },       { "desc", SYSCALL_IN_DESC },       { "descriptor", SYSCALL_IN_DESC },
        { "network", SYSCALL_IN_NETWORK }, { "net", SYSCALL_IN_NETWORK },     { "process", SYSCALL_IN_PROCESS },
        { "memory", SYSCALL_IN_MEMORY },   { "signal", SYSCALL_IN_SIGNAL },   { "ipc", SYSCALL_IN_IPC },
};

/* Returns the bit of "%file"; 0: it is no group. */
static unsigned group_bit(const char *word) {
        if (*word != '%' && *word != '@')
                return 0;
        for (size_t i = 0; i < ELEMENTSOF(groups); i++)
                if (streq(groups[i].name, word + 1))
                        return groups[i].bit;
        return 0;
}

bool syscall_matches(const char *name, const char *word) {
        const SyscallSignature *s;

        if (*word == '%' || *word == '@') {
                s = syscall_signature_by_name(name);
                return s && (syscall_signature_groups(s) & group_bit(word));
        }
        return streq(syscall_name_from_tracepoint(word), name) || fnmatch(word, name, 0) == 0;
}

bool syscall_word_is_known(SyscallAbi abi, const char *word) {
        if (*word == '%' || *word == '@')
                return group_bit(word) != 0;
        for (uint32_t i = 0; i < syscall_count(abi); i++)
                if (syscall_name(abi, i) && syscall_matches(syscall_name(abi, i), word))
                        return true;
        return false;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "syscall-table.h"

/* Words by which users select system calls: names, patterns, and strace's groups. */

/* True if a word selects the call of this name: the name itself or that of its tracepoint, a pattern (fnmatch(3): "open*"),
 * or a group of strace's: "%file" or "@file" (file names), network, process, memory, signal, ipc, desc or descriptor (file
 * descriptors). */
bool syscall_matches(const char *name, const char *word);

/* True if a word can select something: the name of a call of that ABI, a pattern that matches one, or a group. */
bool syscall_word_is_known(SyscallAbi abi, const char *word);

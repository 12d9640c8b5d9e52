/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "syscall-signature.h"

/* Calls whose arguments depend on others of them: commands of fcntl(2) and futex(2), modes of files that are not created. */

/* Changes the signature of a call, a copy, to what these arguments mean. */
void syscall_signature_adapt(SyscallSignature *s, const uint64_t arguments[static SYSCALL_MAX_ARGUMENTS]);

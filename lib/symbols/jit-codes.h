/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The functions of one jitdump by address and time: an address has different functions as code is replaced and moved. */
typedef struct JitCodes JitCodes;

#define JIT_CODES_MAX (2u << 20)

/* Reads a jitdump. timed: its times are comparable with those of samples; otherwise the function that was written down last is
 * taken for the only one that an address has. -EBADMSG: not a jitdump; -ENOMEM, errors of pread(2). */
int jit_codes_read(int fd, bool timed, JitCodes **ret);
JitCodes *jit_codes_free(JitCodes *c);
DEFINE_CLEANUP(JitCodes *, jit_codes_free);

size_t jit_codes_n(const JitCodes *c);

/* Returns the number of functions up to that time: as long as it is the same, addresses have the same functions. */
size_t jit_codes_until(const JitCodes *c, uint64_t time);

/* Finds the place (jit-dump.h) of an address at a time: in the function that came last of those which have the address. */
bool jit_codes_find(const JitCodes *c, uint64_t address, uint64_t time, uint64_t *ret_place);

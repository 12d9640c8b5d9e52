/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"
#include "symbols.h"

/* What a recording shows: how many samples each process and each function has. */
typedef struct Profile Profile;

typedef struct ProfileProcess {
        uint32_t pid;
        const char *comm; /* its name when it was sampled: a process that executes another program counts anew */
        uint64_t samples;
} ProfileProcess;

typedef struct ProfileSymbol {
        const char *dso;  /* path as mapped, "[kernel.kallsyms]", "[bpf]", "/tmp/perf-PID.map"; "[unknown]": in no map */
        const char *name; /* as in the table of symbols (see demangle.h); NULL: none is known there */
        bool kernel;
        uint64_t samples;
} ProfileSymbol;

/* Reads all records, those of one time after the other. symbols may be NULL: all names are NULL then. 0; -EBADMSG,
 * -ENOMEM. The profile stays valid without reader and symbols. */
int profile_new(PerfDataReader *reader, Symbols *symbols, Profile **ret);
Profile *profile_free(Profile *p);
DEFINE_CLEANUP(Profile *, profile_free);
#define _cleanup_profile_free_ _cleanup_(profile_freep)

/* Most samples first. The profile's. */
const ProfileProcess *profile_processes(const Profile *p, size_t *ret_n);
const ProfileSymbol *profile_symbols(const Profile *p, size_t *ret_n);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"
#include "symbols.h"

/* What a recording shows: how many samples each process and each function has. */
typedef struct Profile Profile;

#define PROFILE_PID_EXITED UINT32_MAX

typedef struct ProfileProcess {
        uint32_t pid;     /* PROFILE_PID_EXITED: tasks that had given back their pid, while they ended */
        const char *comm; /* its name when it was sampled: a process that executes another program counts anew */
        uint64_t samples;
} ProfileProcess;

typedef struct ProfileSymbol {
        const char *dso;  /* path as mapped, "[kernel.kallsyms]", "[bpf]", "/tmp/perf-PID.map"; "[unknown]": in no map */
        const char *name; /* as in the table of symbols (see demangle.h); NULL: none is known there */
        bool kernel;
        uint64_t samples;
} ProfileSymbol;

/* Which samples count: those for which all that is set holds. */
typedef struct ProfileFilter {
        char *const *comms; /* patterns of processes' names, fnmatch(3); NULL: all */
        char *const *units; /* patterns of systemd units' names; NULL: all */
        const uint32_t *pids, *tids;
        size_t n_pids, n_tids; /* 0: all */
} ProfileFilter;

/* Reads all records, those of one time after the other. symbols may be NULL: all names are NULL then; so may be filter: all
 * samples count. 0; -EBADMSG, -ENOMEM; -ENODATA: units are asked for, and the recording does not say of its samples in which
 * control group they were. The profile stays valid without reader, symbols and filter. */
int profile_new(PerfDataReader *reader, Symbols *symbols, const ProfileFilter *filter, Profile **ret);
Profile *profile_free(Profile *p);
DEFINE_CLEANUP(Profile *, profile_free);
#define _cleanup_profile_free_ _cleanup_(profile_freep)

/* Samples that count, and how many of these are the idle task's, in the kernel. They are in neither of the two below, unless the
 * filter names that task. */
uint64_t profile_samples(const Profile *p);
uint64_t profile_idle(const Profile *p);

/* Most samples first. The profile's. */
const ProfileProcess *profile_processes(const Profile *p, size_t *ret_n);
const ProfileSymbol *profile_symbols(const Profile *p, size_t *ret_n);

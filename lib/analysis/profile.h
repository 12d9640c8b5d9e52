/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"
#include "sample-selection.h"
#include "sample-users.h"
#include "symbols.h"
#include "unusual-table.h"

/* A summary of a recording: the number of samples of each process and of each function. */
typedef struct Profile Profile;

#define PROFILE_PID_EXITED UINT32_MAX

typedef struct ProfileProcess {
        uint32_t pid;     /* PROFILE_PID_EXITED: tasks that had released their pid, while they exited */
        uint32_t instance; /* the number of processes with samples that had this pid before */
        const char *comm; /* its main thread's name when it was sampled: a process that executes another program has another
                           * entry; "": not known */
        uint64_t samples;
} ProfileProcess;

typedef struct ProfileSymbol {
        const char *dso;  /* path as mapped, "[kernel.kallsyms]", a BPF program's name, "/tmp/perf-PID.map"; "[unknown]": not
                           * mapped */
        const char *name; /* one line of valid UTF-8; NULL: not known */
        bool kernel;
        uint64_t samples;
} ProfileSymbol;

#define PROFILE_SECONDS 60u

/* Samples of each second from begin on, in nanoseconds of the recording's clock. */
typedef struct ProfileSeconds {
        uint64_t begin;
        uint64_t all[PROFILE_SECONDS], idle[PROFILE_SECONDS];
} ProfileSeconds;

/* Reads all records, in the order of time. seconds has its beginning set, and is filled; NULL: not wanted. spans has its recording
 * begun, is filled with all samples that count, and must outlive the profile; NULL: not wanted. symbols may be NULL:
 * then all names are NULL. selection may be NULL: then all samples count. What can't be read is left out. 0; -ENOMEM; -ENODATA:
 * units are asked for, and the recording's samples have no control groups. The profile stays valid without reader, symbols and
 * selection. */
int profile_new(PerfDataReader *reader, Symbols *symbols, const SampleSelection *selection, ProfileSeconds *seconds,
                SpanCounts *spans, Profile **ret);
Profile *profile_free(Profile *p);
DEFINE_CLEANUP(Profile *, profile_free);
#define _cleanup_profile_free_ _cleanup_(profile_freep)

/* Finds what is unusual in the first span of those it has, against the others. t has its seconds set, and strings of the profile
 * afterwards. 0; -ENODATA: there are no samples to compare; -ENOMEM. */
int profile_find_unusual(Profile *p, UnusualTable *t);

/* The number of samples that count, and how many of these are the time of idle CPUs, unless the selection leaves that out: then
 * they are no part of the former. The lists below leave them out, unless the selection names processes. */
uint64_t profile_samples(const Profile *p);
uint64_t profile_idle(const Profile *p);

/* Units that samples were in, with most weight first; none if the recording does not have them. The idle time is in none. */
const SampleUser *profile_units(const Profile *p, size_t *ret_n);

/* The lists are the profile's, and have the entry with the most samples first. */
const ProfileProcess *profile_processes(const Profile *p, size_t *ret_n);
/* The samples that processes have of threads with names other than their process's, by these names, which comm has. */
const ProfileProcess *profile_threads(const Profile *p, size_t *ret_n);
const ProfileSymbol *profile_symbols(const Profile *p, size_t *ret_n);

/* The paths of binaries that were hit and have names of exported functions only: neither what was kept of them nor a separate
 * file has others. */
const char *const *profile_stripped(const Profile *p, size_t *ret_n);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-table.h"
#include "profile.h"
#include "profile-counts.h"
#include "profile-filter.h"
#include "profile-order.h"
#include "profile-process.h"

/* A profile while it is made, shared by profile.c and profile-follow.c. */

#define PROFILE_BPF_PATH "[bpf]"
#define PROFILE_UNKNOWN_PATH "[unknown]"

/* The place that a map's number stands for. */
typedef struct ProfilePlace {
        uint64_t start, page_offset;
        uint32_t dso;
        bool absolute; /* symbols have addresses, not offsets in a file */
} ProfilePlace;

struct Profile {
        ProfileProcess *processes; /* comm points into names */
        ProfileSymbol *symbols;    /* dso points into dsos, name is the profile's */
        size_t n_processes, n_symbols;
        uint64_t n_samples, n_idle;
        NamedProcesses names;
        DsoTable dsos;
        /* The rest is for reading only. */
        ProfilePlace *places;
        size_t n_places, places_allocated;
        AddressCounts counts;
        FilterState filter;
        SymbolTable *programs; /* BPF's */
        bool build_ids;            /* an event asked the kernel for them */
        uint64_t kernel_text;
};

/* OrderedTake of a Profile: counts a sample for its process and place, or applies a record to the processes and
 * maps. */
int profile_follow(void *userdata, uint64_t time, const OrderedSample *sample, const struct perf_event_header *record);

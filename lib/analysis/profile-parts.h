/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-table.h"
#include "process-table.h"
#include "profile.h"
#include "profile-counts.h"
#include "profile-filter.h"
#include "profile-order.h"
#include "profile-process.h"

/* A profile while it is made, shared by profile.c and profile-follow.c. */

#define PROFILE_BPF_PATH "[bpf]"
#define PROFILE_UNKNOWN_PATH "[unknown]"

/* What a map's number means. */
typedef struct ProfilePlace {
        uint64_t start, page_offset;
        uint32_t dso;
        bool absolute; /* symbols are looked up by the address itself */
} ProfilePlace;

struct Profile {
        ProfileProcess *processes; /* comm points into names */
        ProfileSymbol *symbols;    /* dso points into dsos, name is the profile's */
        size_t n_processes, n_symbols;
        uint64_t n_samples, n_idle;
        NamedProcesses names;
        DsoTable dsos;
        /* While it is read. */
        ProcessTable maps;
        ProfilePlace *places;
        size_t n_places, places_allocated;
        AddressCounts counts;
        FilterState filter;
        SymbolTable *programs; /* BPF's */
        bool build_ids;            /* an event asked the kernel for them */
        uint64_t kernel_text;
};

/* OrderedTake of a Profile: puts a sample to its process and place, or follows what the record says of them. */
int profile_follow(void *userdata, uint64_t time, const OrderedSample *sample, const struct perf_event_header *record);

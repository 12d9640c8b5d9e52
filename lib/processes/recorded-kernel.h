/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "map-record.h"
#include "reader.h"

/* The kernel of a recording: which one it was, and where it and its modules were loaded.
 * Zero-initialise. */
typedef struct RecordedModule {
        const char *path; /* as mapped; the owner's of the maps */
        uint64_t start, end;
} RecordedModule;

typedef struct RecordedKernel {
        char symbol[16];    /* one of the kernel's, "_text" or "_stext"; empty: not known */
        uint64_t reference; /* the address of that symbol; 0: not known */
        BuildId id;         /* of the map; size 0: none */
        RecordedModule *modules; /* in the order of their paths and starts */
        size_t n_modules, allocated;
} RecordedKernel;

#define RECORDED_MODULES_MAX 4096u

void recorded_kernel_done(RecordedKernel *k);

/* Takes a map of the kernel or of a module; path: the map's, which stays valid as long as k. Further maps of the kernel itself
 * are left out, and so are modules beyond the limit. 0 or -ENOMEM. */
int recorded_kernel_take(RecordedKernel *k, const MapRecord *map, const char *path);

/* Finds the module of that path that an address was in. NULL: not known. */
const RecordedModule *recorded_kernel_module(const RecordedKernel *k, const char *path, uint64_t address);

/* Finds the kernel's build id in a recording's table. false: it has none, or several. */
bool recorded_kernel_find_id(const PerfDataReader *reader, BuildId *ret);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Where the kernel's text and its modules lie. root: what stands before "/proc" and "/lib", "" for the real ones. */

typedef struct KernelMap {
        const char *symbol;  /* "_text" or "_stext": what start is the address of */
        uint64_t start, end; /* end UINT64_MAX: not known */
} KernelMap;

/* -EPERM: addresses are hidden (kernel.kptr_restrict); -ENODATA: there is no such symbol; what open(2) answers. */
/* cache_directory: where what is costly to find out is kept for the next worker (the service's runtime directory, not
 * open to others), or NULL. */
int kernel_map_read(const char *root, const char *cache_directory, KernelMap *ret);

typedef struct KernelModule {
        char *path;          /* of its file, or "[name]" */
        uint64_t start, size;
} KernelModule;

typedef struct KernelModules {
        KernelModule *modules; /* by address */
        size_t n_modules;
} KernelModules;

/* None at all is fine (no /proc/modules). -EPERM: addresses are hidden. */
int kernel_modules_read(const char *root, KernelModules *ret);
void kernel_modules_done(KernelModules *m);

/* Is another when modules came or went, and kallsyms with them; users and states don't count. 0: can't be read. */
uint64_t kernel_modules_digest(const char *root);

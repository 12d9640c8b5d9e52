/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The addresses of the kernel's text and of its modules. root: the prefix of "/proc" and "/lib", "" for the real ones. */

typedef struct KernelMap {
        const char *symbol;  /* "_text" or "_stext", whose address is start */
        uint64_t start, end; /* end UINT64_MAX: not known */
} KernelMap;

/* cache_directory: the service's runtime directory, not open to others, in which the end of the text is kept for the
 * next worker; NULL: none. -EPERM: addresses are hidden (kernel.kptr_restrict); -ENODATA: there is no such symbol; and
 * errors of open(2). */
int kernel_map_read(const char *root, const char *cache_directory, KernelMap *ret);

typedef struct KernelModule {
        char *path;          /* of its file, or "[name]" */
        uint64_t start, size;
} KernelModule;

typedef struct KernelModules {
        KernelModule *modules; /* by address */
        size_t n_modules;
} KernelModules;

/* Without /proc/modules there are no modules. -EPERM: addresses are hidden. */
int kernel_modules_read(const char *root, KernelModules *ret);
void kernel_modules_done(KernelModules *m);

/* Returns a digest that changes when modules are loaded or unloaded, and kallsyms with them; users and states of
 * modules do not count. 0: the list can't be read. */
uint64_t kernel_modules_digest(const char *root);

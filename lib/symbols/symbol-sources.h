/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "elf-image.h"
#include "watcher.h"

/* The reason why the kernel's functions have no names, or not those of a file that the user named; one that is further
 * down is more telling. */
typedef enum KernelTrouble {
        KERNEL_NO_TROUBLE,
        KERNEL_OTHER,        /* another kernel runs here, and no vmlinux of the recorded one is found */
        KERNEL_MOVED,        /* it is not known where it was */
        KERNEL_HIDDEN,       /* it is this one, which hides its addresses */
        KERNEL_NAMED_BROKEN, /* a file that the user named has no symbols of a kernel */
        KERNEL_NAMED_OTHER,  /* it is another kernel's */
        _KERNEL_TROUBLE_MAX,
} KernelTrouble;

/* Work that the library leaves to the program; each function may be NULL. */
typedef struct SymbolHelpers {
        int (*expand)(void *userdata, const void *data, size_t size); /* .gnu_debugdata, a module: its descriptor, or an error */
        /* From elsewhere: the descriptor of the separate file, or of the binary itself, or an error; its build id is looked at. */
        int (*fetch)(void *userdata, const BuildId *id, bool binary);
        /* Reports a file that is not the one that was recorded. */
        void (*refuse)(void *userdata, const char *path, const BuildId *recorded, const BuildId *present);
        /* Reports a file of which symbols were left out because there are too many. */
        void (*limit)(void *userdata, const char *path);
        /* Reports that the kernel's functions have no names, or not those of a file that the user named. */
        void (*miss_kernel)(void *userdata, KernelTrouble trouble, const char *release, const BuildId *recorded,
                            const BuildId *present);
        void *userdata;
} SymbolHelpers;

/* The places where files are looked for, in this order, and helpers. */
typedef struct SymbolSources {
        const char *directory; /* the symbols beside a dump, or those that the user named; NULL: none */
        const char *root;      /* the file system of binaries and separate files, "" for the machine's own; NULL: none */
        const char *cache;     /* files by their build ids, as of perf-buildid-cache(1); NULL: none */
        int vmlinux, kallsyms; /* files of the kernel that the user named, which come first: descriptors above 2; 0: none */
        const SymbolHelpers *helpers; /* may be NULL */
        bool named;       /* the directory is the user's: what is not known of a file does not speak against those there */
        bool living;      /* the processes live: the root of the one that mapped a binary last comes first */
        bool frames;      /* functions without symbols are named by their starts, see frame-functions.h */
        struct Symbols *symbols; /* by which code of the kernel and its modules is found; NULL: it has no lines */
        Watcher watcher;  /* asked while lines of the source are looked up */
} SymbolSources;

/* Says of a file whether it has what is wanted: 0 or more; a negative errno: another one is looked for. */
typedef int (*SymbolsFit)(void *userdata, int fd);

/* Opens the first file of the binary that fits (NULL: any does): of the directory, at its path below the root, of the cache, or
 * from elsewhere. -ESTALE: only other ones are there; -ENOENT, those of fit() and others; -ENOMEM. */
int symbol_sources_open_binary(const SymbolSources *s, const DsoHit *dso, SymbolsFit fit, void *userdata);

/* The same for a file that has the binary's code, and not only names and places of it. */
int symbol_sources_open_code(const SymbolSources *s, const DsoHit *dso);

/* Opens the first separate file that fits of an open binary, of which e is the image; path: as recorded. -ENOENT and others: there
 * is none; -EFBIG: there may be one, which is not read (file-sums.h). */
int symbol_sources_open_separate(const SymbolSources *s, const char *path, int binary, ElfImage *e, SymbolsFit fit,
                                 void *userdata);

/* Opens the file of that build id that the helper fetches. -ENOENT and others. */
int symbol_sources_fetch(const SymbolHelpers *helpers, const BuildId *id, bool binary);

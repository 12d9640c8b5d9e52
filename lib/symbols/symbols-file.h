/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>

#include "dso-hits.h"
#include "elf-image.h"
#include "symbol-table.h"
#include "watcher.h"

/* The path of a file of symbols by its build id, below any root, a directory of symbols included: gdb and perf (also
 * below --symfs) look for separate debug files there. buf is filled and returned; an id has at least 2 bytes. */
#define SYMBOLS_ID_DIRECTORY "/usr/lib/debug/.build-id"
#define SYMBOLS_ID_PATH_SIZE (sizeof(SYMBOLS_ID_DIRECTORY) + BUILD_ID_TEXT_SIZE + 8)
char *symbols_id_path(const BuildId *id, char buf[static SYMBOLS_ID_PATH_SIZE]);

/* The path, in a directory of symbols, of a file whose recorded path is ambiguous, or which has no build id: by the
 * device, the inode and a digest of the recorded path. buf is filled and returned. */
#define SYMBOLS_INODE_PATH_SIZE 96u
char *symbols_inode_path(const DsoHit *dso, char buf[static SYMBOLS_INODE_PATH_SIZE]);

/* Opens the binary itself, at its path below root; the vdso, which has no file, is this process's. -ESTALE: the file there
 * has another build id or, if no build id is known, another inode or an unknown one. */
int symbols_open_binary(const char *root, const DsoHit *dso);

/* Opens the file that a directory of symbols has for the binary: by its inode, its build id, or its path; place gets
 * the path that it had there. -ESTALE: the file there is another one's; a file with a build id never matches a binary
 * without. -ENAMETOOLONG: the path is longer than PATH_MAX. */
int symbols_open_kept(const char *directory, const DsoHit *dso, char place[static PATH_MAX]);

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

/* The places where symbols_load_binary() looks besides the binary's own symbols. */
typedef struct SymbolSources {
        const SymbolHelpers *helpers; /* may be NULL */
        const char *root; /* the file system of separate files; NULL: none */
        bool frames;      /* functions without symbols are named by their starts, see frame-functions.h */
        struct Symbols *symbols; /* by which code of the kernel and its modules is found; NULL: it has no lines */
        Watcher watcher;  /* asked while lines of the source are looked up */
} SymbolSources;

/* Loads the symbols of an open binary and, if it lacks .symtab, those of its separate file below the root, found by build
 * id or .gnu_debuglink, of .gnu_debugdata, or of a separate file from elsewhere; otherwise the starts of its
 * functions. path: as recorded. 0; -ENOEXEC (not an ELF file), -ENOMEM
 * and others. */
int symbols_load_binary(const SymbolSources *sources, const char *path, int fd, SymbolTable *t);

/* Opens the file of that build id that the helper fetches. -ENOENT and others. */
int symbols_fetch(const SymbolHelpers *helpers, const BuildId *id, bool binary);

/* Opens the separate file of that build id. -ENOENT and others: there is none. */
int symbols_open_by_id(const char *root, const BuildId *id);

/* True if it is an ELF file without .symtab: only functions that it exports have names. */
bool symbols_are_stripped(int fd);

/* Opens the separate file of a binary, of which e is the image. -ENOENT and others: there is none; -EFBIG: there may be one, which
 * is not read (file-sums.h). */
int symbols_open_separate(const char *root, const char *path, int binary, ElfImage *e);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/stat.h>

#include "directory-tree.h"
#include "lendings.h"
#include "parse-time.h"

/* One dump: a finished file of a session, and what is known of it, read from the file itself. Nothing else is
 * stored anywhere. Strings are never NULL, "" if nothing is known, and can be shown as they are. */

#define DUMP_UNKNOWN UINT64_MAX /* a number that the file does not have */

/* The symbols beside it. */
typedef struct DumpSymbols {
        char *path;      /* of their directory; "": none */
        bool measured;   /* the fields below are known, and the dump's usage includes them */
        TreeFile *files; /* many are hard links to other dumps' files */
        size_t n_files;
        uint64_t directories; /* bytes of the directories that they are in */
} DumpSymbols;

typedef struct Dump {
        char *id; /* SESSION-YYYYMMDDhhmmssuu */
        char *session;
        char *name; /* of the file in the session's directory */
        char *path;
        char *trigger, *detail, *incident, *boot_id;
        usec_t timestamp;   /* of the trigger, otherwise what its name says; µs since the epoch */
        usec_t first, last; /* of its samples; 0: not known, or none */
        uint64_t samples, lost, lost_records, throttled; /* may be DUMP_UNKNOWN */
        uint64_t left_out_mappings, left_out_processes;
        Lendings lent; /* times of which it lacks samples, because counters were lent */
        unsigned n_triggers;
        uint64_t size;  /* bytes of the file */
        uint64_t usage; /* bytes on disk, symbols included once they are measured */
        DumpSymbols symbols;
        struct stat st; /* of the file that this was read from */
} Dump;

/* perf.data.YYYYMMDDhhmmssuu */
bool dump_name_is_valid(const char *name);

/* Splits an id into the session and the file's name; -EINVAL. The dump need not exist. */
int dump_id_split(const char *id, char **ret_session, char **ret_name);

/* Reads a file in the session's directory. base: path of the base directory. -ENOENT; -EBADFD: not a regular file;
 * -ELOOP: a link. */
int dump_read(int directory_fd, const char *base, const char *session, const char *name, Dump **ret);
Dump *dump_free(Dump *d);
DEFINE_CLEANUP(Dump *, dump_free);

bool dump_has_symbols(const Dump *d);
uint64_t dump_file_usage(const Dump *d); /* bytes on disk, without symbols */

/* Lists its symbols, and adds up their disk usage. */
int dump_measure(int directory_fd, Dump *d);

bool dump_is_same(const Dump *a, const Dump *b); /* the same file, unchanged */

/* Records the reason for a file that another program wrote, unless it has one. Attributes that the file system
 * refuses are left out. */
void dump_put_reason(int directory_fd, const char *name, const char *trigger, const char *detail);

/* Opens it for reading, with a shared flock(2) on the descriptor: the dump is in use as long as a copy of that is
 * open. -ESTALE: another file has that name now. */
int dump_open(int directory_fd, const Dump *d, int *ret_fd);

/* Opens the directory of its symbols. -ENODATA: it has none. */
int dump_open_symbols(int directory_fd, const Dump *d, int *ret_fd);

/* Returns true if somebody else has the file of this descriptor open, or a descriptor of dump_open(). */
bool dump_file_is_used(int fd);

/* Removes the file, and the symbols after it. unless_used: -EBUSY if anybody has it open. */
int dump_remove(int directory_fd, const Dump *d, bool unless_used);

/* Removes the symbols and leaves the dump. -EBUSY: somebody has the dump open. */
int dump_remove_symbols(int directory_fd, const Dump *d);

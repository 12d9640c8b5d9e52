/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-list.h"

/* What words on the command line name: dumps of the service, which is asked once and when it is first needed, or files.
 * A word with a slash is a file; so is one that no dump is named by, if there is such a file. Zero-initialise but for the
 * options. Functions answer an exit status, and have said what went wrong. */
typedef struct DumpSource {
        const ClientOptions *options;
        BusClient *bus;
        DumpList list;
        bool loaded;
} DumpSource;

void dump_source_done(DumpSource *s);

/* Asks the service, if that has not been done: the list is all that it has. */
int dump_source_load(DumpSource *s);

/* The dump's properties, with an "Object" if the service has it: a new value. */
int dump_source_find(DumpSource *s, const char *word, json_object **ret);

/* Opens it for reading, through the service or as a file. */
int dump_source_open(DumpSource *s, const json_object *dump, int *ret_fd);

/* The two of them; word may be NULL for the newest. */
int dump_source_find_and_open(DumpSource *s, const char *word, json_object **ret, int *ret_fd);

/* The directory of symbols beside a dump. path is absolute; where only the service may open the directory, it leads
 * through the descriptor that the service gave, which programs must inherit to use that path. */
typedef struct DumpSymbols {
        char *path; /* NULL: there is none */
        int fd;     /* of the service, or negative */
} DumpSymbols;

#define DUMP_SYMBOLS_EMPTY { .fd = -EBADF }

void dump_symbols_done(DumpSymbols *s);

/* Fills *ret, which is empty, and leaves it so if there are no symbols, or those of a container. */
int dump_source_open_symbols(DumpSource *s, const json_object *dump, DumpSymbols *ret);

/* How messages call it: its id or else its path. */
const char *dump_name(const json_object *dump);

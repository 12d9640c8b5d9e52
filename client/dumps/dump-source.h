/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-list.h"

/* Finds the dumps that words on the command line name: dumps of the service, which is asked once and only if needed, or
 * files. A word with a slash is a file, and so is one that names no dump if such a file exists. Zero-initialise, except for
 * the options. Functions return an exit status, and print what went wrong. */
typedef struct DumpSource {
        const ClientOptions *options;
        BusClient *bus;
        DumpList list;
        bool loaded;
        json_object *passing; /* the dump that was made and is not kept; NULL: there is none */
} DumpSource;

void dump_source_done(DumpSource *s);

/* Fills the list with all dumps of the service, unless it has been asked already. */
int dump_source_load(DumpSource *s);

/* Finds a dump's properties, with an "Object" if the service has it. *ret is the caller's to put. */
int dump_source_find(DumpSource *s, const char *word, json_object **ret);

#define DUMP_STILL_WAITING "Still waiting for the dump; 'perfctl ping' shows whether the recorders answer"

/* Has the recorder of a session write out what is in memory, and returns that dump. With --no-keep the caller ends by
 * dump_source_finish(): a signal that comes in the meantime makes the function fail once the dump is written, and later ones are
 * held back until viewer_run(). */
int dump_source_make(DumpSource *s, const char *session, json_object **ret);

/* Removes the dump that was made and is not kept, if there is one. Returns status, and if that is STATUS_OK that of the removal. */
int dump_source_finish(DumpSource *s, int status);

/* Removes a dump of the service. */
int dump_source_remove(DumpSource *s, const json_object *dump);

/* Opens a dump for reading, through the service or as a file. */
int dump_source_open(DumpSource *s, const json_object *dump, int *ret_fd);

/* Finds and opens a dump; a word of NULL names the newest. */
int dump_source_find_and_open(DumpSource *s, const char *word, json_object **ret, int *ret_fd);

/* The directory of symbols beside a dump. path is absolute. If only the service may open the directory, the path leads
 * through the service's descriptor, which a program must inherit to use the path. */
typedef struct DumpSymbols {
        char *path; /* NULL: there is none */
        int fd;     /* the service's descriptor, or negative */
} DumpSymbols;

#define DUMP_SYMBOLS_EMPTY { .fd = -EBADF }

void dump_symbols_done(DumpSymbols *s);

/* Fills the empty *ret, unless there are no symbols or they are in a container. */
int dump_source_open_symbols(DumpSource *s, const json_object *dump, DumpSymbols *ret);

/* The dump's name in messages: its id, otherwise its path. */
const char *dump_name(const json_object *dump);

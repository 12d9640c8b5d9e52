/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-source.h"

/* A dump that the viewer, perf-recorder-view, looks at. The viewer gets the dump and the directory of symbols as descriptors, since
 * it may be that only the service can open them. */
typedef struct ViewedDump {
        json_object *dump;
        DumpSymbols symbols;
        int fd;
} ViewedDump;

#define VIEWED_DUMP_EMPTY { .symbols = DUMP_SYMBOLS_EMPTY, .fd = -EBADF }

void viewed_dump_done(ViewedDump *d);

/* Opens the dump that word names, NULL: the newest, into an empty *d. symbols: with its symbols; without them the rest can be
 * shown. Returns the exit status, after an error was printed unless it is STATUS_OK. */
int viewed_dump_open(ViewedDump *d, DumpSource *source, const char *word, bool symbols);
/* Does the same with a dump of the session that is made for it: dump_source_make(). */
int viewed_dump_make(ViewedDump *d, DumpSource *source, const char *session, bool symbols);

/* Appends the words of the viewer's command line that name the dump. input: the descriptor that the dump has in the viewer. The
 * viewer inherits the symbols' descriptor from then on. 0 or a negative errno. */
int viewed_dump_add_words(const ViewedDump *d, int input, char ***words);

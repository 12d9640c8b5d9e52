/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"

/* A process that fetches files by their build ids from the servers in DEBUGINFOD_URLS, by libdebuginfod, into that
 * library's cache. It is started before the sandbox, which keeps this process away from the network, and gets nothing
 * but build ids. */
typedef struct DebuginfodProcess DebuginfodProcess;

typedef enum DebuginfodFile {
        DEBUGINFOD_SYMBOLS, /* the separate file */
        DEBUGINFOD_BINARY,
        _DEBUGINFOD_FILE_MAX,
} DebuginfodFile;

/* -ENOKEY: DEBUGINFOD_URLS names no servers; -EOPNOTSUPP: the library is not installed; -ENOMEM and others. */
int debuginfod_process_new(DebuginfodProcess **ret);
DebuginfodProcess *debuginfod_process_free(DebuginfodProcess *p);

/* Returns a descriptor of the file, which may be any: its build id must be looked at. -ENOENT: the servers do not have it.
 * When they do not answer in time, or the user interrupts, that is reported, and this and all later questions are
 * answered by -ETIME, -EINTR or another error. */
int debuginfod_process_fetch(DebuginfodProcess *p, const BuildId *id, DebuginfodFile file);

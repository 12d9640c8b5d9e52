/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

/* The sessions of perf daemon, as a perfconfig file has them: [daemon] base= and [session-NAME] run=,
 * perf-daemon(1). */

#define PERFCONFIG_SIZE_MAX (1024 * 1024) /* bytes */
#define PERFCONFIG_SESSIONS_MAX 1024

typedef struct ImportedSession {
        char *name; /* a valid session name */
        char *run;  /* as the file has it, the quotes of its syntax resolved */
        unsigned line; /* of run= */
        char *value; /* of Run= in a session file: the same words, quoted, "%" doubled */
        char *text; /* of NAME.session */
} ImportedSession;

typedef struct PerfconfigImport {
        char *base;        /* daemon.base, or NULL */
        char *daemon_text; /* of a drop-in for perf-recorderd.conf that sets BaseDirectory=, or NULL */
        ImportedSession *sessions; /* in the file's order, each name once: its last run= counts, as for perf */
        size_t n_sessions;
        char **warnings;   /* formatted: sessions without run= or with a name that is none */
} PerfconfigImport;

/* Reads the text of a file; file is its name for messages and for the comment in the texts. 0, -ENOMEM, -E2BIG, or
 * -EINVAL with d filled. */
int perfconfig_import(const char *text, size_t size, const char *file, PerfconfigImport *ret, Diagnosis *d);
/* The same of a file, read with its text's limits. -ENOENT where there is none; d is filled whatever went wrong. */
int perfconfig_import_file(const char *path, PerfconfigImport *ret, Diagnosis *d);
void perfconfig_import_done(PerfconfigImport *i);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

/* The sessions of perf daemon in a perfconfig file: [daemon] base= and [session-NAME] run=,
 * perf-daemon(1). */

#define PERFCONFIG_SIZE_MAX (1024 * 1024) /* bytes */
#define PERFCONFIG_SESSIONS_MAX 1024

typedef struct ImportedSession {
        char *name; /* a valid session name */
        char *run;  /* the file's text, without the quotes of its syntax */
        unsigned line; /* line of run= */
        char *value; /* value of Run= with the same words, quoted, and "%" doubled */
        char *text; /* content of NAME.session */
} ImportedSession;

typedef struct PerfconfigImport {
        char *base;        /* daemon.base, or NULL */
        char *daemon_text; /* content of a drop-in for perf-recorderd.conf that sets BaseDirectory=, or NULL */
        ImportedSession *sessions; /* in the file's order, each name once with its last run=, as in perf */
        size_t n_sessions;
        char **warnings;   /* formatted: sessions without run= or with an invalid name */
} PerfconfigImport;

/* Reads the text of a file; file is its name for messages and for the comment in the texts. 0, -ENOMEM, -E2BIG, or
 * -EINVAL with d filled. */
int perfconfig_import(const char *text, size_t size, const char *file, PerfconfigImport *ret, Diagnosis *d);
/* Does the same for a file, with the limits of line-reader.h. -ENOENT: the file does not exist. d is filled on any error. */
int perfconfig_import_file(const char *path, PerfconfigImport *ret, Diagnosis *d);
void perfconfig_import_done(PerfconfigImport *i);
ImportedSession *perfconfig_import_find(const PerfconfigImport *i, const char *name); /* NULL: there is none of that name */

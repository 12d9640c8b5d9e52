/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/time.h>
#include "strv.h"

/* Names of files, and which of them stay. */

#define OUTPUT_TIMESTAMP_SIZE sizeof("2015122520103046")

/* perf's YYYYMMDDhhmmssuu in local time, uu hundredths of a second. */
char *output_timestamp(const struct timeval *t, char ret[static OUTPUT_TIMESTAMP_SIZE]);

/* "BASE.TIMESTAMP" that does not exist in the directory yet: of t, or the next hundredth that is free. */
int output_name_new(int dir_fd, const char *base, struct timeval t, char **ret);

/* Removes unfinished files of recorders that were killed: ".#BASE.…" that nobody holds a lock on. */
void output_remove_stale(int dir_fd, const char *base);

/* The files that were finished last, of which only so many stay. */
typedef struct KeptFiles {
        char **names;
        unsigned max; /* 0: all stay, and none is remembered */
} KeptFiles;

/* Remembers name and removes the oldest that is one too many, with the symbols beside it. */
int kept_files_add(KeptFiles *f, int dir_fd, const char *name);
void kept_files_done(KeptFiles *f);

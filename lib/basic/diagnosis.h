/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* An error in an input, for people: the parsers of the libraries, which never log, fill it, and the programs print it.
 * A Diagnosis * of a parser may be NULL. */
typedef struct Diagnosis {
        char *file;     /* path, or NULL: the command line or a bus call */
        unsigned line;  /* from 1; 0: not known */
        char *key;      /* key or option that is wrong, or NULL */
        size_t column;  /* character of the value, from 1; 0: not known */
        char *sentence; /* what is wrong and what would be right; no full stop at its end */
} Diagnosis;

void diagnosis_done(Diagnosis *d);
static inline void diagnosis_reset(Diagnosis *d) {
        diagnosis_done(d);
        *d = (Diagnosis){};
}

/* Sets the sentence, unless one is set (the deepest caller knows best), and returns r, so that a parser can
 * "return diagnosis_set(d, -EINVAL, …)". d may be NULL. */
int diagnosis_set(Diagnosis *d, int r, const char *format, ...) _printf_(3, 4);

/* Adds the place of the error, as far as it is not set yet. file and key are copied. */
void diagnosis_locate(Diagnosis *d, const char *file, unsigned line, const char *key);

/* "FILE:LINE: KEY: sentence", parts that are not known left out. A new string, or NULL without memory. */
char *diagnosis_format(const Diagnosis *d);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>
#include "counter-kind.h"

/* The times in which a recording had lent its counters to others, and so has no samples of the events that need them. The text
 * form is what dumps have of it (dump-facts.h): "FIRST LAST WHAT WHO", joined by "; ", with times in µs since the epoch. */

#define LENDINGS_MAX 32u      /* of one recording; the oldest are forgotten */
#define LENDING_WHO_MAX 128u  /* bytes */
#define LENDINGS_TEXT_MAX (LENDINGS_MAX * (LENDING_WHO_MAX + 64u)) /* bytes of the text form, at most */

typedef struct Lending {
        uint64_t first, last; /* µs since the epoch; last is 0 until it is over */
        CounterKind kind;
        char *who;            /* one line of UTF-8, without ";" */
} Lending;

typedef struct Lendings {
        Lending *all; /* in the order of their beginnings */
        size_t n;
} Lendings;

void lendings_done(Lendings *l);

/* who is made one short line. A lending of that kind that is not over goes on. 0 or -ENOMEM. */
int lendings_begin(Lendings *l, CounterKind kind, const char *who, uint64_t now);
void lendings_end(Lendings *l, CounterKind kind, uint64_t now); /* of that kind, if one is not over */

/* Returns the one of that kind that is not over; NULL: none. */
const Lending *lendings_current(const Lendings *l, CounterKind kind);

/* Adds those of the other list, which may have the same ones: where one of them is over, it is. 0 or -ENOMEM. */
int lendings_merge(Lendings *l, const Lendings *other);

/* Returns it as a phrase, with local time: "hardware to likwid, 14:03:10 to 14:05:00", "…, since 14:03:10". NULL: no memory. */
char *lending_describe(const Lending *l);

/* Returns those that touch the time from first to last as text; "": none does; NULL: no memory. */
char *lendings_format(const Lendings *l, uint64_t first, uint64_t last);

/* -EBADMSG: it is not such a text. */
int lendings_parse(const char *text, Lendings *ret);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-client.h"

/* The dumps that the service has, with all their properties, the oldest first. Besides the properties each has the path
 * of its "Object". */
typedef struct DumpList {
        json_object **dumps;
        size_t n;
} DumpList;

/* Asks the service. On failure: a negative errno, bus_client_fail() knows why. */
int dump_list_load(BusClient *c, DumpList *ret);
void dump_list_done(DumpList *l);

/* The one that a word names: an id, the begin of one, a session (its newest), "-1" for the newest of all, "-2" for the one
 * before. -ENOENT: none; -ENOTUNIQ: several ids begin so, which dump_list_print_candidates() prints. */
int dump_list_find(const DumpList *l, const char *word, const json_object **ret);
void dump_list_print_candidates(const DumpList *l, const char *word, FILE *f);

/* Whether the word is "-N": the Nth, counted from the newest. */
bool dump_word_counts_back(const char *word, size_t *ret);

/* Keeps those whose session or id matches one of the patterns, fnmatch(3), or whose id begins with one, or that "-N" names; no
 * patterns: all. A word that is a session's name matches that session only. Of those
 * the ones of the times and triggers that the options name. */
int dump_list_filter(DumpList *l, char *const *words, const Options *o); /* 0, -ENOMEM */
/* Whether it is of the times and triggers that the options name. */
/* dump_is_wanted(), but by the time of its samples instead of that of its trigger, where it says so. */
bool dump_has_wanted_samples(const json_object *dump, const Options *o);
bool dump_is_wanted(const json_object *dump, const Options *o);
/* Keeps the newest n. */
void dump_list_keep_newest(DumpList *l, size_t n);
void dump_list_reverse(DumpList *l);

/* Its facts for JSON: a new object. */
int dump_to_json(const json_object *dump, json_object **ret);

/* Whether that number is there: UINT64_MAX is what the service says of a file that does not tell. */
bool dump_knows(const json_object *dump, const char *property);

/* From the first to the last sample; 0: not known. */
usec_t dump_span(const json_object *dump);

/* "134ms", "12.3s", "2min 5s". buf is filled and returned. */
char *dump_format_span(char *buf, size_t size, usec_t span);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-client.h"

/* The service's dumps with all their properties, the oldest first. In addition to the properties each has the path of its
 * "Object", and its number "Back" from the newest, which is 1. */
typedef struct DumpList {
        json_object **dumps;
        size_t n;
        json_object *objects; /* all that the service has, also its sessions */
} DumpList;

/* Asks the service. On failure returns a negative errno, and bus_client_fail() prints why. */
int dump_list_load(BusClient *c, DumpList *ret);
void dump_list_done(DumpList *l);

/* True if the word is the name of a session that the service knows, or of a dump's session. */
bool dump_list_has_session(const DumpList *l, const char *word);

/* Finds the dump that a word names: a session (its newest dump), an id, the beginning of one with the whole session's name
 * and a part of the time, "-1" for the newest of all, "-2" for the previous one. A session's name is no beginning of an id.
 * -ENOENT: none; -ENOTUNIQ: several ids begin with it, and dump_list_print_candidates() prints them. */
int dump_list_find(const DumpList *l, const char *word, const json_object **ret);
void dump_list_print_candidates(const DumpList *l, const char *word, FILE *f);

/* True if the word is "-N": the Nth dump, counted from the newest. */
bool dump_word_counts_back(const char *word, size_t *ret);

/* Keeps the dumps that dump_is_wanted() and that match one of the words, or all if there are no words. A word matches by
 * "-N", as a session's name, as a pattern (fnmatch(3)) of the session or the id, or as the beginning of the id, as in
 * dump_list_find(). A word that is a session's name matches only that session. 0, -ENOMEM. */
int dump_list_filter(DumpList *l, char *const *words, const ClientOptions *o);
/* True if the dump has one of the triggers in the options, and its trigger's time is in their range. */
bool dump_is_wanted(const json_object *dump, const ClientOptions *o);
/* The same by the times of its samples, if the dump has these. */
bool dump_has_wanted_samples(const json_object *dump, const ClientOptions *o);
/* Keeps the newest n. */
void dump_list_keep_newest(DumpList *l, size_t n);
void dump_list_reverse(DumpList *l);

/* The word of the trigger that explains the dump: of several the failure of a unit, otherwise the first. */
const char *dump_main_trigger(const json_object *dump);
/* Describes all its triggers, that one first: "WORD: DETAIL; WORD: DETAIL". To be freed; NULL without memory. */
char *dump_describe_triggers(const json_object *dump);

/* Makes a new object of its facts, for JSON. */
int dump_to_json(const json_object *dump, json_object **ret);

/* True if that number is known. The service reports UINT64_MAX for a file that lacks it. */
bool dump_knows(const json_object *dump, const char *property);

/* The time from the first to the last sample; 0: not known. */
usec_t dump_span(const json_object *dump);

/* Writes "134ms", "12.3s" or "2min 5s" to buf and returns it. */
char *dump_format_span(char *buf, size_t size, usec_t span);

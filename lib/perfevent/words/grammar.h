/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"

/* Events as perf record's -e names them (perf-record(1), perf-list(1)): software, hardware and cache events, rNNN,
 * PMU/term=value/, system:tracepoint with patterns, mem:ADDR[/LEN][:rwx], TYPE:CONFIG,
 * uprobe:PATH:SYMBOL, kprobe:SYMBOL; modifiers, /terms/, {groups}. */

#define GRAMMAR_LENGTH_MAX 65536 /* bytes of one -e */

/* The sources of names; NULL: the running system's. */
typedef struct GrammarSources {
        const char *event_source;    /* /sys/bus/event_source/devices */
        const char *tracefs;
        const char *kallsyms;        /* /proc/kallsyms */
        bool no_files;               /* uprobe:PATH is refused, -EPERM: the text's author may not have files opened */
} GrammarSources;

/* Appends the events in text to list. sources may be NULL. On failure the list is unchanged and d has the sentence and
 * the column. -EINVAL: not an event; -EOPNOTSUPP: an event that exists but can't be recorded by us; -ENOENT: no such
 * tracepoint, PMU or term; -EACCES: tracefs can't be read; -E2BIG: too long or too many; -ENOMEM. */
int event_specs_parse(EventSpecs *list, const char *text, const GrammarSources *sources, Diagnosis *d);

/* Adds perf record's default: cycles, with the highest precision, of all kinds of cores. */
int event_specs_add_default(EventSpecs *list, const GrammarSources *sources);

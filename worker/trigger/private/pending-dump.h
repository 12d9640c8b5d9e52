/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/dump-facts.h>
#include "trigger.h"

/* True for a signal, a control word, and a request, by which a person asks for a dump: it has all that is in memory
 * unless the request says less, and takes nothing away from automatic dumps, which have what no automatic dump has
 * had. */
bool trigger_is_request(const char *word);

/* The samples that a dump is to have. */
typedef struct DumpWish {
        DumpContent content;
        bool automatic, requested;
        usec_t since, until;
} DumpWish;

DumpWish dump_wish_of(const Trigger *trigger, bool overlap); /* overlap: automatic dumps have all that is in memory */

/* True if a dump that was begun has all that w wants, and counts as such a dump. */
bool dump_wish_covers(const DumpWish *begun, const DumpWish *w);

/* The ids of all triggers that wait for the same answer. */
typedef struct TriggerIds {
        char *text; /* each with a blank after it, not terminated */
        size_t length, allocated;
} TriggerIds;

#define TRIGGER_IDS_MAX ((size_t) 4 << 20) /* bytes; further triggers are refused */

int trigger_ids_add(TriggerIds *ids, const char *id); /* 0, -ENOMEM, -ENOBUFS */
int trigger_ids_add_all(TriggerIds *ids, const TriggerIds *others);
bool trigger_ids_remove(TriggerIds *ids, const char *id); /* false: it is not among them */
void trigger_ids_done(TriggerIds *ids);

/* Makes notifications of the result, as many as the ids take; without ids it is one. *ret is allocated. */
int trigger_ids_answer(const TriggerIds *ids, const DumpResult *result, char ***ret);

/* A dump that is to be made, for one trigger or several. */
typedef struct PendingDump PendingDump;
struct PendingDump {
        PendingDump *next; /* the list's */
        unsigned n;        /* triggers */
        char *word, *detail;
        usec_t timestamp;  /* CLOCK_REALTIME of the first trigger; all other times are CLOCK_MONOTONIC */
        usec_t first;
        usec_t due;
        bool own;          /* one of its triggers is this session's, not another one's */
        char incident[PR_INCIDENT_SIZE];
        bool apart;        /* its delay is not that of the options */
        DumpWish wish;
        TriggerIds ids;    /* of triggers that wait for its answer */
};

/* Makes a dump for a trigger, which has to join it next. -ENOMEM. */
int pending_dump_new(const Trigger *trigger, const DumpWish *wish, bool apart, usec_t now, PendingDump **ret);
PendingDump *pending_dump_free(PendingDump *p);
DEFINE_CLEANUP(PendingDump *, pending_dump_free);

/* True if the trigger, whose dump is due at that time, can share this dump, which has not begun. */
bool pending_dump_suits(const PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t due, bool apart, usec_t now);

/* Adds the trigger, without its id. */
void pending_dump_join(PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t delay, usec_t now);

DumpOrder pending_dump_order(const PendingDump *p); /* strings are borrowed from p */

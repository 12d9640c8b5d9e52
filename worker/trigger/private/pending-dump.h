/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/dump-facts.h>
#include "trigger.h"

/* A person asks for a dump by signal, control word or request: it has all that is in memory, unless it is to have less, and
 * takes nothing away from the dumps of other triggers, which have what none of them has had. */
bool trigger_is_request(const char *word);

/* What a dump is to have. */
typedef struct DumpWish {
        DumpContent content;
        bool automatic, requested;
        usec_t since, until;
} DumpWish;

DumpWish dump_wish_of(const Trigger *trigger, bool overlap); /* overlap: automatic dumps have all that is in memory */

/* True if a dump that was begun has all that is wished, and counts as that. */
bool dump_wish_covers(const DumpWish *begun, const DumpWish *w);

/* Those who wait for one answer, by the ids that they gave their triggers. */
typedef struct TriggerIds {
        char *text; /* with a blank behind each, not terminated */
        size_t length, allocated;
} TriggerIds;

#define TRIGGER_IDS_MAX ((size_t) 4 << 20) /* bytes: who sends more without waiting is refused */

int trigger_ids_add(TriggerIds *ids, const char *id); /* 0, -ENOMEM, -ENOBUFS */
int trigger_ids_add_all(TriggerIds *ids, const TriggerIds *others);
bool trigger_ids_remove(TriggerIds *ids, const char *id); /* whether it was among them */
void trigger_ids_done(TriggerIds *ids);

/* The result as notifications, as many as it takes; without ids it is one. A new list. */
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
        bool own;          /* one of its triggers is ours, not that of another session */
        char incident[PR_INCIDENT_SIZE];
        bool apart;        /* its delay is not that of the options */
        DumpWish wish;
        TriggerIds ids;    /* of those that wait for its answer */
};

/* For a trigger, which is to join it. -ENOMEM. */
int pending_dump_new(const Trigger *trigger, const DumpWish *wish, bool apart, usec_t now, PendingDump **ret);
PendingDump *pending_dump_free(PendingDump *p);
DEFINE_CLEANUP(PendingDump *, pending_dump_free);

/* True if the trigger, whose dump is due then, can share this dump, which has not begun. */
bool pending_dump_suits(const PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t due, bool apart, usec_t now);

/* The trigger joins. Its id is not noted here. */
void pending_dump_join(PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t delay, usec_t now);

DumpOrder pending_dump_order(const PendingDump *p); /* strings are borrowed from p */

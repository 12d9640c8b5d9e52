/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/dump-facts.h>
#include "dump-wish.h"
#include "trigger-ids.h"

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

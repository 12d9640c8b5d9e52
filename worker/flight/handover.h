/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "loop.h"
#include "notifier.h"

/* The descriptor set that is to outlive the recorder, sent to the daemon (PR_NOTIFY_KEEP): memory files, then the events'
 * descriptors. The daemon keeps all of them, and maps the rings. */

/* The memory files, in this order. All but the first may be missing. */
typedef enum HandoverFile {
        HANDOVER_EVENTS,   /* HandoverHead and a flat EventSet, which describe the events' descriptors */
        HANDOVER_FLIGHT,   /* FlightState */
        HANDOVER_SIDEBAND, /* SidebandJournal */
        HANDOVER_HISTORY,  /* History */
        _HANDOVER_FILE_MAX,
} HandoverFile;

#define HANDOVER_FILES_NONE { -EBADF, -EBADF, -EBADF, -EBADF }

#define HANDOVER_MAGIC UINT64_C(0x31307265766f6468) /* "hdover01", little endian */

typedef struct HandoverHead {
        uint64_t magic;
        uint32_t files;        /* a bit for each HandoverFile that is not missing */
        uint32_t flat_size;    /* bytes of the EventSet, which follows */
        uint64_t command_line; /* handover_hash() of the sender's */
} HandoverHead;

uint64_t handover_hash(char *const *command_line);

typedef struct Handover Handover;

/* Takes PR_KEEP_ENV out of the environment. *ret stays NULL if the daemon does not keep descriptors; all functions below take
 * NULL. loop and notifier are borrowed for its life. */
int handover_new(Loop *loop, Notifier *notifier, char *const *command_line, Handover **ret);
Handover *handover_free(Handover *h);
DEFINE_CLEANUP(Handover *, handover_free);

/* Replaces the set that is to be kept: sends as much as can be sent at once, and the rest when there is room for it. The set
 * and files are borrowed until the next call or handover_forget(); files[HANDOVER_EVENTS] is ignored, it is made here. */
int handover_set(Handover *h, const EventSet *set, const int files[static _HANDOVER_FILE_MAX]);
void handover_forget(Handover *h); /* to be called before the set is freed; the daemon keeps it */
void handover_withdraw(Handover *h); /* that, and the daemon gives up what it keeps: another recording would take it for its own */

/* Notes which members are enabled, or are about to be, so that a successor enables and disables them the same way. */
void handover_update_enabled(Handover *h);

/* Calls sent once all of the set has been sent, or can't be: within the call, or later by the loop unless the set is replaced or
 * forgotten before. */
void handover_when_sent(Handover *h, void (*sent)(void *userdata), void *userdata);

/* Sends all of it again, to a daemon that lost it. */
void handover_again(Handover *h);

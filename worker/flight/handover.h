/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "loop.h"
#include "notifier.h"

/* What is to outlive the recorder, sent to the daemon (PR_NOTIFY_KEEP): memory files, then the events' descriptors, of which
 * those of the rings are to be mapped. */

/* The memory files, in this order; those that there are. */
typedef enum HandoverFile {
        HANDOVER_EVENTS,   /* what the descriptors of events are: HandoverHead and a flat EventSet */
        HANDOVER_FLIGHT,   /* FlightState */
        HANDOVER_SIDEBAND, /* SidebandJournal */
        HANDOVER_HISTORY,  /* History */
        _HANDOVER_FILE_MAX,
} HandoverFile;

#define HANDOVER_FILES_NONE { -EBADF, -EBADF, -EBADF, -EBADF }

#define HANDOVER_MAGIC UINT64_C(0x31307265766f6468) /* "hdover01", little endian */

typedef struct HandoverHead {
        uint64_t magic;
        uint32_t files;        /* bits: which of HandoverFile there are */
        uint32_t flat_size;    /* bytes of the EventSet, which follows */
        uint64_t command_line; /* handover_hash() of who wrote it */
} HandoverHead;

uint64_t handover_hash(char *const *command_line);

typedef struct Handover Handover;

/* Takes PR_KEEP_ENV out of the environment. *ret stays NULL if nobody keeps anything; all below take NULL. What is passed is
 * borrowed for its life. */
int handover_new(Loop *loop, const Notifier *notifier, char *const *command_line, Handover **ret);
Handover *handover_free(Handover *h);
DEFINE_CLEANUP(Handover *, handover_free);

/* From now on these are to be kept, instead of what was sent before: sends what can be sent at once, the rest when there is
 * room for it. The set is borrowed until the next call or handover_forget(), files (that of the events is ours) are too. */
int handover_set(Handover *h, const EventSet *set, const int files[static _HANDOVER_FILE_MAX]);
void handover_forget(Handover *h); /* the set is about to go */

/* Members were or are about to be enabled or disabled: a successor makes it so. */
void handover_update_enabled(Handover *h);

/* Whoever kept it is gone: sends all of it again. */
void handover_again(Handover *h);

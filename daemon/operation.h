/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* What a caller asked of one or more sessions, until all of them are through: the caller's callback is called exactly
 * once, perhaps before the call that began the operation returns. Later sessions are worked on although one failed; the
 * first failure is the one that is told. */

typedef struct SessionObject SessionObject;
typedef struct Operation Operation;

/* error: 0 or a negative errno (bus-error.c knows their D-Bus names): -ENOENT no such session, -ESRCH not running,
 * -EALREADY already running, -EBADMSG bad setting, -EPROTO the recorder failed, -ETIMEDOUT, -EBUSY, -ENOSPC, -EMFILE MaxSessions=,
 * -EINVAL. sentence: for people, says what to do about it; NULL on success. */
typedef void (*OperationDone)(int error, const char *sentence, void *userdata);

int operation_new(OperationDone done, void *userdata, Operation **ret);

/* One session joins. Each join is ended by one operation_leave(). */
void operation_join(Operation *o);
void operation_leave(Operation *o, int error, const char *sentence);

/* No more sessions will join: when the last one leaves (or at once), done is called and o is gone. */
void operation_seal(Operation *o);

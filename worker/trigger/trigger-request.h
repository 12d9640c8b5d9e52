/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/notify-fields.h>
#include "trigger.h"

/* The argument of the control word snapshot, "ID [KEY=VALUE]..." (dump-request.h). */
typedef struct TriggerRequest {
        char id[PR_TRIGGER_ID_MAX + 1];
        DumpRequestText words;
        Trigger trigger; /* points to the others */
} TriggerRequest;

/* -EINVAL: d says why; ret->id is the id if that was right, otherwise "". */
int trigger_request_parse(const char *argument, TriggerRequest *ret, Diagnosis *d);

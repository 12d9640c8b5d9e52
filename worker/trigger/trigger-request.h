/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include "diagnosis.h"
#include "trigger.h"

/* "ID [KEY=VALUE]...", what follows the control word snapshot (control-words.h). */
typedef struct TriggerRequest {
        char id[PR_TRIGGER_ID_MAX + 1];
        char word[32];
        char incident[PR_INCIDENT_SIZE];
        char detail[PR_DUMP_DETAIL_MAX + 1];
        Trigger trigger; /* points to the others */
} TriggerRequest;

/* Keys that are not known are passed over: whoever sent them may be newer. -EINVAL: d says why; ret->id is there if that
 * was right, else "". */
int trigger_request_parse(const char *argument, TriggerRequest *ret, Diagnosis *d);

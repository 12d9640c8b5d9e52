/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/control-words.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include "diagnosis.h"
#include "trigger.h"

/* The argument of the control word snapshot, "ID [KEY=VALUE]..." (control-words.h). */
typedef struct TriggerRequest {
        char id[PR_TRIGGER_ID_MAX + 1];
        char word[32];
        char incident[PR_INCIDENT_SIZE];
        char unit[PR_SNAPSHOT_UNIT_MAX + 1];
        char detail[PR_DUMP_DETAIL_MAX + 1];
        Trigger trigger; /* points to the others */
} TriggerRequest;

/* Unknown keys are skipped: the sender may be newer. -EINVAL: d says why; ret->id is the id if that was right,
 * otherwise "". */
int trigger_request_parse(const char *argument, TriggerRequest *ret, Diagnosis *d);

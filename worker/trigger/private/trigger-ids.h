/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "dump-order.h"

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

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Parses a request for a dump that came by the control descriptor, as a trigger. */

#include "trigger-request.h"

#define ID_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

int trigger_request_parse(const char *argument, TriggerRequest *ret, Diagnosis *d) {
        size_t n = strcspn(argument, " ");
        int r;

        *ret->id = *ret->words.detail = '\0';
        if (n == 0 || n >= sizeof(ret->id) || strspn(argument, ID_CHARACTERS) < n)
                return diagnosis_set(d, -EINVAL, PR_CONTROL_SNAPSHOT ": `%.*s' is no id", (int) MIN_OF(n, (size_t) 80), argument);
        (void) snprintf(ret->id, sizeof(ret->id), "%.*s", (int) n, argument);
        r = dump_request_parse(argument + n, DUMP_WORD_RECORDER, &ret->words, d);
        if (r < 0)
                return r;
        ret->trigger = (Trigger) { .request = ret->words.request, .id = ret->id };
        if (!ret->trigger.request.trigger)
                ret->trigger.request.trigger = PR_TRIGGER_CONTROL;
        return 0;
}

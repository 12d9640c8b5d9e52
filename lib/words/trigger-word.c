/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A word that is not known here is that of a newer recorder, and no incident. */

#include "trigger-word.h"

#include <perf-recorder/dump-facts.h>

#include "array.h"

bool trigger_is_incident(const char *word) {
        static const char *const incidents[] = {
                PR_TRIGGER_SOCKET, PR_TRIGGER_EVENT, PR_TRIGGER_BPF, PR_TRIGGER_COUNTER, PR_TRIGGER_CPU_PRESSURE,
                PR_TRIGGER_MEMORY_PRESSURE, PR_TRIGGER_IO_PRESSURE, PR_TRIGGER_UNIT_FAILURE, PR_TRIGGER_ALSO,
        };

        return ANY_OF(ELEMENTSOF(incidents), i, streq(word, incidents[i]));
}

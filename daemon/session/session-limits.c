/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What perf-recorderd.conf(5) lets sessions have in all: MaxSessions= and MaxLockedMemory=. How much memory a recorder's rings
 * need is known to its own parser only: it gets what is left and refuses by itself, before it opens an event. What it has then
 * is in its counters, and counted again when it reports that it records. A foreign recorder has no counters and no limit. */

#include "parse-size.h"
#include "session-parts.h"

/* Trying again would be refused again: only somebody's hand can change that. */
bool session_check_limits(Session *s) {
        if (s->host->calls->sum(session_n_processes, s, s->host->userdata) < s->host->settings.max_sessions)
                return true;
        s->restart.stop_asked = true;
        session_end(s, SESSION_RESULT_RESOURCES, -EMFILE,
                    "as many sessions run as MaxSessions= allows: stop one, or raise it in perf-recorderd.conf");
        return false;
}

uint64_t session_ring_bytes(const Session *s) {
        PrCounters c;

        session_counters(s, &c);
        return c.ring_bytes;
}

uint64_t session_locked_memory_left(const Session *s) {
        uint64_t max = s->host->settings.max_locked_memory;

        if (max == UINT64_MAX)
                return max;
        return max - MIN_OF(max, s->host->calls->sum(session_ring_bytes, s, s->host->userdata));
}

bool session_fits_locked_memory(Session *s) {
        char wanted[32], free_bytes[32];
        uint64_t left = session_locked_memory_left(s);
        PrCounters c;

        session_counters(s, &c);
        if (c.ring_bytes <= left)
                return true;
        session_fail(s, SESSION_RESULT_RESOURCES, -ENOBUFS,
                     "its rings lock %s of memory, and MaxLockedMemory= leaves %s: make them smaller (BufferSize=, -m), or stop "
                     "another session",
                     format_size(wanted, sizeof(wanted), c.ring_bytes), format_size(free_bytes, sizeof(free_bytes), left));
        return false;
}

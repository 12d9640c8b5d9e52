/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A session notes how far back its memory reaches, without a wake-up of its recorder: of a history the recorder says it in its page
 * of counters, of overwrite rings it follows from how fast they fill (ring-reach.c), which the daemon reads from the rings that it
 * keeps; so does the number of samples that they were given. The reach is compared with KeepSec= now and then, and at each dump. */

#include <perf-recorder/message-ids.h>

#include "session-parts.h"

/* Rings that were taken over are older than the recorder. */
usec_t session_begin_of_recording(const Session *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC), age = now_usec(CLOCK_REALTIME);

        if (s->rings.begin > 0)
                return s->rings.begin;
        age = age > s->recorder.start_timestamp ? age - s->recorder.start_timestamp : 0;
        return now > age ? now - age : 0;
}

/* Once each time that it falls below. */
void session_check_reach(Session *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC), wanted = s->config.settings ? s->config.settings->record.keep_usec : 0, reach;
        JournalSession j = session_journal(s);
        char is[64], want[64];
        PrCounters c;

        if (wanted == 0 || s->recorder.phase != PHASE_UP || now - MIN_OF(now, session_begin_of_recording(s)) < wanted)
                return;
        session_counters(s, &c);
        if (c.first_sample_nsec == 0)
                return;
        reach = now - MIN_OF(now, c.first_sample_nsec / NSEC_PER_USEC);
        if (reach < wanted && !s->rings.reach_missed)
                journal_log_session(&j, LOG_WARNING, PR_MESSAGE_KEEP_MISSED,
                                    "Memory reaches back %s only, less than KeepSec=%s: a larger %s or fewer samples would help",
                                    format_timespan(is, sizeof(is), reach), format_timespan(want, sizeof(want), wanted),
                                    s->config.settings->record.mode == RECORD_MODE_HISTORY ? "HistorySize=" : "BufferSize=");
        s->rings.reach_missed = reach < wanted;
}

bool session_note_reach(Session *s) {
        ring_keeper_note_fill(&s->rings, &s->look->given, session_begin_of_recording(s));
        session_check_reach(s);
        return s->rings.kept;
}

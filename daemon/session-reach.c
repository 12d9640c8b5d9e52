/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How far back a session's memory reaches, without a wake-up of its recorder: of a history the recorder says it in its page of
 * counters, of overwrite rings it follows from how fast they fill (ring-reach.c), which the daemon reads from the rings that it
 * keeps; so does the number of samples that they were given. One timer for all sessions notes that, while any session's rings
 * are kept; it also compares the reach with KeepSec=, as each dump does. */

#include <perf-recorder/message-ids.h>

#include "session-internal.h"

#define INTERVAL_USEC (90 * USEC_PER_SEC)
#define ACCURACY_USEC (30 * USEC_PER_SEC)

/* CLOCK_MONOTONIC. */
static usec_t begin_of(const SessionObject *s, usec_t now) {
        usec_t age = now_usec(CLOCK_REALTIME);

        age = age > s->start_timestamp ? age - s->start_timestamp : 0;
        return now > age ? now - age : 0;
}

void session_read_rings(const SessionObject *s, PrCounters *c) {
        usec_t now = now_usec(CLOCK_MONOTONIC), reach;
        _cleanup_free_ RingFill *rings = NULL;
        uint64_t samples = 0;
        size_t n = 0;

        rings = kept_rings_fill(s->kept, &n, &samples);
        if (rings)
                ring_samples_note(&s->look->given, rings, n, samples);
        c->samples = MAX_OF(c->samples, (uint64_t) s->look->given.samples);
        if (!rings || samples == 0)
                return;
        reach = ring_reach_get(s->reach, now, rings, n);
        if (reach > 0)
                c->first_sample_nsec = (now - reach) * NSEC_PER_USEC;
}

void session_note_reach(SessionObject *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        _cleanup_free_ RingFill *rings = NULL;
        uint64_t samples;
        size_t n;

        rings = kept_rings_fill(s->kept, &n, &samples);
        if (!rings)
                return;
        ring_samples_note(&s->look->given, rings, n, samples);
        (void) ring_reach_note(&s->reach, begin_of(s, now), now, rings, n);
}

/* Once each time that it falls below. */
void session_check_reach(SessionObject *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC), wanted = s->settings ? s->settings->record.keep_usec : 0, reach;
        JournalSession j = session_journal(s);
        char is[64], want[64];
        PrCounters c;

        if (wanted == 0 || s->phase != PHASE_UP || now - begin_of(s, now) < wanted)
                return;
        session_object_counters(s, &c);
        if (c.first_sample_nsec == 0)
                return;
        reach = now - MIN_OF(now, c.first_sample_nsec / NSEC_PER_USEC);
        if (reach < wanted && !s->keep_missed)
                journal_log_session(&j, LOG_WARNING, PR_MESSAGE_KEEP_MISSED,
                                    "Memory reaches back %s only, less than KeepSec=%s: a larger %s or fewer samples would help",
                                    format_timespan(is, sizeof(is), reach), format_timespan(want, sizeof(want), wanted),
                                    s->settings->record.mode == RECORD_MODE_HISTORY ? "HistorySize=" : "BufferSize=");
        s->keep_missed = reach < wanted;
}

static int on_time(sd_event_source *source, uint64_t usec, void *userdata) {
        Manager *m = userdata;
        bool more = false;

        for (size_t i = 0; i < m->n_sessions; i++) {
                SessionObject *s = m->sessions[i];

                session_note_reach(s);
                session_check_reach(s);
                more = more || s->kept;
        }
        if (more)
                manager_watch_reach(m);
        return 0;
}

void manager_watch_reach(Manager *m) {
        int enabled = SD_EVENT_OFF;

        if (!m->reach_timer) {
                (void) sd_event_add_time_relative(m->event, &m->reach_timer, CLOCK_MONOTONIC, INTERVAL_USEC, ACCURACY_USEC,
                                                  on_time, m);
                return;
        }
        if (sd_event_source_get_enabled(m->reach_timer, &enabled) >= 0 && enabled != SD_EVENT_OFF)
                return;
        (void) sd_event_source_set_time_relative(m->reach_timer, INTERVAL_USEC);
        (void) sd_event_source_set_enabled(m->reach_timer, SD_EVENT_ONESHOT);
}

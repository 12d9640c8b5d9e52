/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rings that a session keeps for its recorders, and how far back its memory reaches, without a wake-up of its recorder: of a
 * history the recorder says it in its page of counters, of overwrite rings it follows from how fast they fill (ring-reach.c),
 * which the daemon reads from the rings that it keeps; so does the number of samples that they were given. One timer for all sessions notes that, while any session's rings are
 * kept; it also compares the reach with KeepSec=, as each dump does. */

#include <sys/resource.h>

#include <perf-recorder/message-ids.h>

#include "session-internal.h"

#define INTERVAL_USEC (90 * USEC_PER_SEC)
#define ACCURACY_USEC (30 * USEC_PER_SEC)

/* Half of what we may have is for all else, among it what comes before the old goes. */
static size_t descriptors_left(const SessionObject *s) {
        size_t used = 0, all = 0;
        struct rlimit l;

        if (getrlimit(RLIMIT_NOFILE, &l) >= 0)
                all = (size_t) MIN_OF(l.rlim_cur, (rlim_t) INT32_MAX) / 2;
        for (size_t i = 0; i < s->manager->n_sessions; i++)
                if (s->manager->sessions[i] != s)
                        used += kept_rings_n_descriptors(s->manager->sessions[i]->rings.kept);
        return used < all ? MIN_OF(all - used, (size_t) DESCRIPTORS_MAX) : 0;
}

/* CLOCK_MONOTONIC. */
static usec_t begin_of_recording(const SessionObject *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC), age = now_usec(CLOCK_REALTIME);

        age = age > s->recorder.start_timestamp ? age - s->recorder.start_timestamp : 0;
        return now > age ? now - age : 0;
}

void session_take_rings(SessionObject *s, NotifyMessage *m) {
        JournalSession j = session_journal(s);

        if (!ring_keeper_take(&s->rings, m, descriptors_left(s), &j))
                return;
        ring_keeper_note_fill(&s->rings, &s->look->given, begin_of_recording(s));
        if (s->rings.kept)
                manager_watch_reach(s->manager);
        session_save(s);
}

void session_drop_rings(SessionObject *s, const char *why) {
        JournalSession j = session_journal(s);

        ring_keeper_drop(&s->rings, why, &j);
}

void session_hold_rings(SessionObject *s, pid_t pid) {
        JournalSession j = session_journal(s);

        ring_keeper_hold(&s->rings, pid, s->error, &j);
}

static bool has_same_settings(const SessionObject *s) {
        return s->recorder.settings_hash == session_settings_hash(s->config.settings);
}

bool session_can_give_rings(const SessionObject *s) {
        return ring_keeper_can_give(&s->rings) && !session_config_is_foreign(&s->config) && has_same_settings(s);
}

bool session_give_rings(SessionObject *s, int *ret_fd) {
        JournalSession j = session_journal(s);

        if (session_can_give_rings(s))
                return ring_keeper_give(&s->rings, ret_fd, &j);
        ring_keeper_drop(&s->rings, has_same_settings(s) ? "several recorders died with it before they recorded"
                                                         : "its settings are others now", &j);
        return false;
}

/* Once each time that it falls below. */
void session_check_reach(SessionObject *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC), wanted = s->config.settings ? s->config.settings->record.keep_usec : 0, reach;
        JournalSession j = session_journal(s);
        char is[64], want[64];
        PrCounters c;

        if (wanted == 0 || s->recorder.phase != PHASE_UP || now - MIN_OF(now, begin_of_recording(s)) < wanted)
                return;
        session_object_counters(s, &c);
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

static int on_time(sd_event_source *source, uint64_t usec, void *userdata) {
        Manager *m = userdata;
        bool more = false;

        for (size_t i = 0; i < m->n_sessions; i++) {
                SessionObject *s = m->sessions[i];

                ring_keeper_note_fill(&s->rings, &s->look->given, begin_of_recording(s));
                session_check_reach(s);
                more = more || s->rings.kept;
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

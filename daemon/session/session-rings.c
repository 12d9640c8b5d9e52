/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rings that a session keeps for its recorders: its RingKeeper, with what only the session knows, which is how many descriptors
 * all sessions have, and whether the settings are still those of the recorder.
 *
 * A session notes how far back its memory reaches, without a wake-up of its recorder: of a history the recorder says it in its page
 * of counters, of overwrite rings it follows from how fast they fill (ring-reach.c), which the daemon reads from the rings that it
 * keeps; so does the number of samples that they were given. The reach is compared with KeepSec= now and then, and at each dump. */

#include <sys/resource.h>

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
        char is[64], want[64];
        PrCounters c;

        if (wanted == 0 || s->recorder.phase != PHASE_UP || now - MIN_OF(now, session_begin_of_recording(s)) < wanted)
                return;
        session_counters(s, &c);
        if (c.first_sample_nsec == 0)
                return;
        reach = now - MIN_OF(now, c.first_sample_nsec / NSEC_PER_USEC);
        if (reach < wanted && !s->rings.reach_missed)
                session_log(s, LOG_WARNING, PR_MESSAGE_KEEP_MISSED,
                            "Memory reaches back %s only, less than KeepSec=%s: a larger %s or fewer samples would help",
                            format_timespan(is, sizeof(is), reach), format_timespan(want, sizeof(want), wanted),
                            record_mode_keeps_history(s->config.settings->record.mode) ? "HistorySize=" : "BufferSize=");
        s->rings.reach_missed = reach < wanted;
}

bool session_note_reach(Session *s) {
        ring_keeper_note_fill(&s->rings, &s->look->given, session_begin_of_recording(s));
        session_check_reach(s);
        return s->rings.kept;
}

static uint64_t count_descriptors(const Session *s) {
        return kept_rings_n_descriptors(s->rings.kept);
}

void session_take_rings(Session *s, NotifyMessage *m) {
        size_t used, left = 0;
        JournalSession j = session_journal(s);
        DescriptorBatch batch;
        struct rlimit l;
        int r;

        r = descriptor_batch_parse(m->text, &batch);
        if (r == -ENOMSG)
                return;
        used = s->host->calls->sum(count_descriptors, s, s->host->userdata);
        if (getrlimit(RLIMIT_NOFILE, &l) >= 0) /* half is for everything else, among it what comes before the old goes */
                left = (size_t) MIN_OF(l.rlim_cur, (rlim_t) INT32_MAX) / 2;
        left = used < left ? MIN_OF(left - used, (size_t) DESCRIPTORS_MAX) : 0;
        if (r < 0)
                ring_keeper_log_refusal(&s->rings, r, &j);
        if (r < 0 || !ring_keeper_take(&s->rings, m, &batch, left, &j))
                return;
        ring_keeper_note_fill(&s->rings, &s->look->given, session_begin_of_recording(s));
        if (s->rings.kept)
                s->host->calls->rings_kept(s->host->userdata);
        session_save(s);
}

void session_drop_rings(Session *s, const char *why) {
        JournalSession j = session_journal(s);

        ring_keeper_drop(&s->rings, why, &j);
}

void session_keep_rings_for_successor(Session *s, pid_t pid) {
        JournalSession j = session_journal(s);

        ring_keeper_keep_for_successor(&s->rings, pid, s->error, &j);
}

static bool has_same_settings(const Session *s) {
        return s->recorder.settings_hash == session_config_hash(&s->config);
}

bool session_can_give_rings(const Session *s) {
        return ring_keeper_can_give(&s->rings) && !session_config_is_foreign(&s->config) && has_same_settings(s);
}

void session_drop_useless_rings(Session *s) {
        const char *why = NULL;

        if (session_can_give_rings(s))
                return;
        if (s->rings.kept)
                why = has_same_settings(s) ? "several recorders died with it before they dumped it" : "its settings are others now";
        session_drop_rings(s, why);
}

bool session_give_rings(Session *s, int *ret_fd) {
        JournalSession j = session_journal(s);

        session_drop_useless_rings(s);
        return s->rings.kept && ring_keeper_give(&s->rings, ret_fd, &j);
}

void session_tell_lost(Session *s) {
        char recorded[64] = "";
        PrCounters c;

        session_counters(s, &c);
        if (c.samples != PR_COUNTERS_UNKNOWN)
                (void) snprintf(recorded, sizeof(recorded), ", %" PRIu64 " samples recorded", c.samples);
        if (c.lost <= s->recorder.counters.lost_told)
                return;
        session_log(s, LOG_WARNING, PR_MESSAGE_SAMPLES_LOST, "%" PRIu64 " %s lost%s",
                    c.lost - s->recorder.counters.lost_told,
                    c.lost_records == PR_COUNTERS_UNKNOWN ? "records (samples or what processes did)" : "samples",
                    recorded);
        s->recorder.counters.lost_told = c.lost;
}

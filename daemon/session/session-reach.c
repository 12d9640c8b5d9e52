/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rings that a session keeps for its recorders, and how far back its memory reaches, without a wake-up of its recorder: of a
 * history the recorder says it in its page of counters, of overwrite rings it follows from how fast they fill (ring-reach.c),
 * which the daemon reads from the rings that it keeps; so does the number of samples that
 * they were given. The reach is compared with KeepSec= now and then, and at each dump. */

#include <sys/resource.h>

#include <perf-recorder/message-ids.h>

#include "session-parts.h"

static uint64_t count_descriptors(const Session *s) {
        return kept_rings_n_descriptors(s->rings.kept);
}

/* Half of what we may have is for all else, among it what comes before the old goes. */
static size_t descriptors_left(const Session *s) {
        size_t used = s->host->calls->sum(count_descriptors, s, s->host->userdata), all = 0;
        struct rlimit l;

        if (getrlimit(RLIMIT_NOFILE, &l) >= 0)
                all = (size_t) MIN_OF(l.rlim_cur, (rlim_t) INT32_MAX) / 2;
        return used < all ? MIN_OF(all - used, (size_t) DESCRIPTORS_MAX) : 0;
}

/* CLOCK_MONOTONIC. */
static usec_t begin_of_recording(const Session *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC), age = now_usec(CLOCK_REALTIME);

        age = age > s->recorder.start_timestamp ? age - s->recorder.start_timestamp : 0;
        return now > age ? now - age : 0;
}

void session_take_rings(Session *s, NotifyMessage *m) {
        JournalSession j = session_journal(s);
        DescriptorBatch batch;
        int r;

        r = descriptor_batch_parse(m->text, &batch);
        if (r == -ENOMSG)
                return;
        if (r < 0)
                ring_keeper_refuse(&s->rings, r, &j);
        if (r < 0 || !ring_keeper_take(&s->rings, m, &batch, descriptors_left(s), &j))
                return;
        ring_keeper_note_fill(&s->rings, &s->look->given, begin_of_recording(s));
        if (s->rings.kept)
                s->host->calls->rings_kept(s->host->userdata);
        session_save(s);
}

void session_drop_rings(Session *s, const char *why) {
        JournalSession j = session_journal(s);

        ring_keeper_drop(&s->rings, why, &j);
}

void session_hold_rings(Session *s, pid_t pid) {
        JournalSession j = session_journal(s);

        ring_keeper_hold(&s->rings, pid, s->error, &j);
}

static bool has_same_settings(const Session *s) {
        return s->recorder.settings_hash == session_config_hash(&s->config);
}

bool session_can_give_rings(const Session *s) {
        return ring_keeper_can_give(&s->rings) && !session_config_is_foreign(&s->config) && has_same_settings(s);
}

bool session_give_rings(Session *s, int *ret_fd) {
        JournalSession j = session_journal(s);
        const char *why = NULL;

        if (session_can_give_rings(s))
                return ring_keeper_give(&s->rings, ret_fd, &j);
        if (s->rings.kept)
                why = has_same_settings(s) ? "several recorders died with it before they recorded" : "its settings are others now";
        ring_keeper_drop(&s->rings, why, &j);
        return false;
}

/* Once each time that it falls below. */
void session_check_reach(Session *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC), wanted = s->config.settings ? s->config.settings->record.keep_usec : 0, reach;
        JournalSession j = session_journal(s);
        char is[64], want[64];
        PrCounters c;

        if (wanted == 0 || s->recorder.phase != PHASE_UP || now - MIN_OF(now, begin_of_recording(s)) < wanted)
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

bool session_follow_reach(Session *s) {
        ring_keeper_note_fill(&s->rings, &s->look->given, begin_of_recording(s));
        session_check_reach(s);
        return s->rings.kept;
}

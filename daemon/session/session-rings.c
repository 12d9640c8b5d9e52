/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rings that a session keeps for its recorders: its RingKeeper, with what only the session knows, which is how many descriptors
 * all sessions have, and whether the settings are still those of the recorder. */

#include <sys/resource.h>

#include "session-parts.h"

static uint64_t count_descriptors(const Session *s) {
        return kept_rings_n_descriptors(s->rings.kept);
}

/* Half of what we may have is for everything else, among it what comes before the old goes. */
static size_t descriptors_left(const Session *s) {
        size_t used = s->host->calls->sum(count_descriptors, s, s->host->userdata), all = 0;
        struct rlimit l;

        if (getrlimit(RLIMIT_NOFILE, &l) >= 0)
                all = (size_t) MIN_OF(l.rlim_cur, (rlim_t) INT32_MAX) / 2;
        return used < all ? MIN_OF(all - used, (size_t) DESCRIPTORS_MAX) : 0;
}

void session_take_rings(Session *s, NotifyMessage *m) {
        JournalSession j = session_journal(s);
        DescriptorBatch batch;
        int r;

        r = descriptor_batch_parse(m->text, &batch);
        if (r == -ENOMSG)
                return;
        if (r < 0)
                ring_keeper_log_refusal(&s->rings, r, &j);
        if (r < 0 || !ring_keeper_take(&s->rings, m, &batch, descriptors_left(s), &j))
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

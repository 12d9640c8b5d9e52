/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What outlives a recorder: its rings and events, which it handed to us (kept-rings.c) and which its successor gets. They
 * are kept as long as the recorder runs and until its successor has handed them over again itself. They go when the
 * session is stopped, or started with other settings, and after a few successors that died with them before they
 * recorded.
 *
 * What the daemon keeps ends with the daemon. Its successor asks the recorders for it again (session-adopt.c); those that
 * died in between have lost their rings, and the journal says so. */

#include <sys/resource.h>

#include "session-internal.h"

#define GIVEN_MAX 3

/* Half of what we may have is for all else, among it what comes before the old goes. */
static size_t descriptors_left(const SessionObject *s) {
        size_t used = 0, all = 0;
        struct rlimit l;

        if (getrlimit(RLIMIT_NOFILE, &l) >= 0)
                all = (size_t) MIN_OF(l.rlim_cur, (rlim_t) INT32_MAX) / 2;
        for (size_t i = 0; i < s->manager->n_sessions; i++)
                if (s->manager->sessions[i] != s)
                        used += kept_rings_n_descriptors(s->manager->sessions[i]->kept);
        return used < all ? MIN_OF(all - used, (size_t) DESCRIPTORS_MAX) : 0;
}

static void tell_refusal(SessionObject *s, int error) {
        JournalSession j = session_journal(s);

        if (s->keep_refused)
                return;
        s->keep_refused = true;
        journal_log_session(&j, LOG_WARNING, NULL, "Its rings cannot be kept for a recorder after this one: %s",
                            error == -EMFILE ? "too many descriptors (LimitNOFILE= of perf-recorderd.service)" : strerror(-error));
}

void session_take_descriptors(SessionObject *s, NotifyMessage *m) {
        DescriptorBatch batch;
        int r = descriptor_batch_parse(m->text, &batch);

        if (r == -ENOMSG)
                return;
        if (r >= 0)
                r = m->fds_lost ? -EMFILE : kept_rings_take(&s->kept, m->sender, &batch, m->fds, m->n_fds, descriptors_left(s));
        if (r < 0)
                tell_refusal(s, r);
        if (r <= 0)
                return;
        s->n_given = 0;
        s->hands_over = s->kept != NULL;
        session_note_reach(s);
        if (s->kept)
                manager_watch_reach(s->manager);
        session_save(s);
}

void session_drop_rings(SessionObject *s, const char *why) {
        JournalSession j = session_journal(s);

        if (why && kept_rings_are_whole(s->kept))
                journal_log_session(&j, LOG_NOTICE, NULL, "What its rings held is given up: %s", why);
        s->kept = kept_rings_free(s->kept);
        s->reach = ring_reach_free(s->reach);
        s->keep_missed = false;
        s->hands_over = false;
        s->n_given = 0;
        s->ended = (free(s->ended), NULL);
}

/* pid: the recorder's that ended. */
void session_keep_rings(SessionObject *s, pid_t pid, const char *sentence) {
        JournalSession j = session_journal(s);

        if (s->hands_over && !kept_rings_are_whole(s->kept))
                journal_log_session(&j, LOG_WARNING, NULL, "What its rings held is lost: nobody kept them when it ended");
        if (!kept_rings_are_whole(s->kept)) {
                session_drop_rings(s, NULL);
                return;
        }
        if (pid <= 0)
                return;
        free(s->ended);
        if (asprintf(&s->ended, "PID %d ended: %s", (int) pid, sentence && *sentence ? sentence : "nothing is known of why") < 0)
                s->ended = NULL;
}

static bool has_same_settings(const SessionObject *s) {
        return s->settings_hash == session_settings_hash(s->settings);
}

bool session_can_give_rings(const SessionObject *s) {
        return kept_rings_are_whole(s->kept) && !session_object_is_foreign(s) && s->n_given < GIVEN_MAX && has_same_settings(s);
}

bool session_give_rings(SessionObject *s, int *ret_fd) {
        int r;

        if (!session_can_give_rings(s)) {
                session_drop_rings(s, has_same_settings(s) ? "several recorders died with it before they recorded"
                                           : "its settings are others now");
                return false;
        }
        s->n_given++;
        r = kept_rings_give(s->kept, s->ended ?: "", ret_fd);
        if (r < 0)
                session_drop_rings(s, strerror(-r));
        return r >= 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Keeps sessions over a restart of the daemon. Each session has one entry in the descriptor store, pushed when its
 * recorder is forked or it begins to wait for its unit: the pidfd, the counters page, and a memfd whose text
 * (session-record.c) is rewritten in place at every change, without a word to the service manager.
 *
 * The entry stays when the recorder ends: that a session was stopped by hand or failed is kept as well. The next start
 * replaces it. */

#include <fcntl.h>
#include <poll.h>

#include "fd-file.h"
#include "fdstore.h"
#include "fnv.h"
#include "quote.h"
#include "run-line.h"
#include "session-internal.h"
#include "session-record.h"

/* One write of the whole text; what is left of a longer one before it is cut off afterwards, behind the line "end=1". */
void session_save(Session *s) {
        _cleanup_free_ char *text = NULL;
        size_t size;

        if (s->entry.fd < 0 || session_record_format(s, &text, &size) < 0)
                return;
        if (pwrite(s->entry.fd, text, size, 0) == (ssize_t) size)
                (void) !ftruncate(s->entry.fd, (off_t) size);
}

static int make_entry(Session *s) {
        int fd;

        if (s->entry.name) {
                fdstore_remove(s->entry.name);
                return 0;
        }
        if (asprintf(&s->entry.name, "session-%llx-%" PRIu64, (unsigned long long) s->host->start_timestamp,
                     ++s->host->last_store_id) < 0) {
                s->entry.name = NULL;
                return -ENOMEM;
        }
        fd = open_memfd("perf-recorder-state", 0);
        if (fd < 0)
                return fd;
        s->entry.fd = fd;
        return 0;
}

/* Without an entry the session is found by its scope. */
void session_store(Session *s) {
        JournalSession j = session_journal(s);
        int r;

        r = make_entry(s);
        if (r >= 0) {
                const int all[] = { s->entry.fd, s->recorder.pidfd, s->recorder.counters_fd };
                int fds[ELEMENTSOF(all)];
                unsigned n = 0;

                for (size_t i = 0; i < ELEMENTSOF(all); i++) /* one that waits for its unit has no process */
                        if (all[i] >= 0)
                                fds[n++] = all[i];
                session_save(s);
                r = fdstore_push(s->entry.name, fds, n);
        }
        if (r < 0)
                journal_log_session(&j, LOG_WARNING, NULL, "Cannot keep it in the descriptor store: %s", strerror(-r));
}

void session_forget(Session *s) {
        if (s->entry.name)
                fdstore_remove(s->entry.name);
        s->entry.name = (free(s->entry.name), NULL);
        s->entry.fd = safe_close(s->entry.fd);
}

/* A dead process is readable. */
static bool process_lives(int pidfd) {
        struct pollfd p = { .fd = pidfd, .events = POLLIN };

        return pidfd >= 0 && poll(&p, 1, 0) == 0;
}

static void take_record(Session *s, SessionRecord *r) {
        s->recorder.output.position = r->output_position;
        s->recorder.start_timestamp = r->start_timestamp;
        s->recorder.settings_hash = r->settings_hash;
        s->recorder.lost_told = r->lost_told;
        s->restart.n_restarts = r->n_restarts;
        s->recorder.announced_stop = r->announced_stop;
        s->recorder.is_paused = r->is_paused;
        s->restart.stop_asked = r->stop_asked;
        s->restart.start_again = r->start_again;
        s->config.transient = r->transient;
        s->rings.hands_over = r->hands_over;
        s->recorder.control_group = steal_ptr(r->control_group);
        s->recorder.error = steal_ptr(r->recorder_error);
        s->recorder.error_number = r->recorder_errno;
        s->recorder.blocked.error = r->cannot_write;
        s->recorder.blocked.since = r->cannot_write_since;
        s->recorder.blocked.lost = r->cannot_write_lost;
}

/* It is what it was before, if nothing runs: not started again because it is enabled, unless it was about to start. */
static void restore_rest(Session *s, SessionRecord *r) {
        if (s->config.transient || s->doomed) {
                s->gone = true;
                session_forget(s);
                s->host->calls->left(s->host->userdata);
                return;
        }
        if (r->start_again || (r->phase != PHASE_NONE && r->phase != PHASE_TERM && r->phase != PHASE_KILL)) {
                session_hold_rings(s, 0); /* what was kept for it went with the former daemon */
                s->restart.start_wanted = true;
                return;
        }
        if (!s->config.settings)
                return;
        s->result = r->result;
        session_set_error(s, r->error);
        s->restart.restored = true;
        session_set_phase(s, PHASE_NONE, 0);
}

int session_restore(Session *s, SessionRecord *r, const char *store_name, int pidfd, int counters_fd, int state_fd) {
        _cleanup_close_ int process = pidfd, counters = counters_fd, state = state_fd;

        if (s->entry.name) /* a second entry of the same name */
                return -EEXIST;
        s->entry.name = strdup(store_name);
        if (!s->entry.name)
                return -ENOMEM;
        s->recorder.counters_fd = steal_fd(&counters);
        s->entry.fd = steal_fd(&state);
        take_record(s, r);
        if (!recorder_phase_has_process(r->phase) || process < 0 || (r->phase != PHASE_UP && !process_lives(process))) {
                restore_rest(s, r);
                return 0;
        }
        s->recorder.phase = r->phase;
        s->restart.restored = true;
        s->restart.outdated = s->config.settings && s->recorder.settings_hash != session_settings_hash(s->config.settings);
        return session_attach(s, r->pid, steal_fd(&process), r->outstanding);
}

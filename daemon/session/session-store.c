/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Keeps sessions over a restart of the daemon. Each session has one entry in the descriptor store: the pidfd, the counters page,
 * and a memfd whose text (session-record.c) is rewritten in place at every change, without a word to the service manager. It is
 * pushed with the first change after its recorder was forked, or after it began to wait for its unit. Rings are
 * not in the store: ring-keeper.c keeps them in this process.
 *
 * The entry stays when the recorder ends: that a session was stopped by hand or failed is kept as well. The next start
 * replaces it. */

#include <fcntl.h>
#include <poll.h>

#include "fd-file.h"
#include "fdstore.h"
#include "format-text.h"
#include "session-parts.h"

/* One write of the whole text; what is left of a longer one before it is cut off afterwards, behind the line "end=1". */
static void write_text(StoreEntry *e, const char *text, size_t size) {
        if (pwrite(e->fd, text, size, 0) != (ssize_t) size)
                return;
        if (size < e->size)
                (void) !ftruncate(e->fd, (off_t) size);
        e->size = size;
}

static void save_text(Session *s) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f;

        f = s->entry.fd >= 0 ? open_memstream(&text, &size) : NULL;
        if (!f)
                return;
        session_record_put_text(f, "name", s->name);
        session_record_put_text(f, "result", session_result_to_string(s->result));
        session_record_put_text(f, "error", s->error);
        recorder_write_record(&s->recorder, f);
        restart_state_write(&s->restart, f);
        session_config_write(&s->config, f);
        ring_keeper_write(&s->rings, f);
        fputs("end=1\n", f);
        if (fclose(f) == 0)
                write_text(&s->entry, text, size);
}

static int make_entry(Session *s) {
        int fd;

        if (s->entry.name) {
                fdstore_remove(s->entry.name);
                return 0;
        }
        s->entry.name = format_text("session-%llx-%" PRIu64, (unsigned long long) s->host->start_timestamp,
                                    ++s->host->last_store_id);
        if (!s->entry.name)
                return -ENOMEM;
        fd = open_memfd("perf-recorder-state", 0);
        if (fd < 0)
                return fd;
        s->entry.fd = fd;
        s->entry.size = 0;
        return 0;
}

/* Without an entry the session is found by its scope. */
static void push_entry(Session *s) {
        JournalSession j = session_journal(s);
        int r;

        s->entry.pid = s->recorder.process.pid;
        r = make_entry(s);
        if (r >= 0) {
                const int all[] = { s->entry.fd, s->recorder.process.pidfd, s->recorder.counters.fd };
                int fds[ELEMENTSOF(all)];
                unsigned n = 0;

                for (size_t i = 0; i < ELEMENTSOF(all); i++) /* one that waits for its unit has no process */
                        if (all[i] >= 0)
                                fds[n++] = all[i];
                save_text(s);
                r = fdstore_push(s->entry.name, fds, n);
        }
        if (r < 0)
                journal_log_session(&j, LOG_WARNING, NULL, "Cannot keep it in the descriptor store: %s", strerror(-r));
}

/* Descriptors of an earlier recorder stay until there is another one. */
static bool is_stored(const Session *s) {
        if (s->recorder.process.pid > 0)
                return s->entry.pid == s->recorder.process.pid;
        return s->entry.name || s->recorder.phase != PHASE_WAIT;
}

void session_save(Session *s) {
        if (is_stored(s))
                save_text(s);
        else
                push_entry(s);
}

void session_drop_entry(Session *s) {
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

/* It is what it was before, if nothing runs: not started again because it is enabled, unless it was about to start. */
static void restore_rest(Session *s, RecorderPhase phase, SessionResult result, const char *error) {
        s->recorder.phase = PHASE_NONE;
        if (s->config.transient || s->doomed) {
                session_leave(s);
                return;
        }
        if (s->restart.start_again || (phase != PHASE_NONE && phase != PHASE_TERM && phase != PHASE_KILL)) {
                session_keep_rings_for_successor(s, 0); /* what was kept for it went with the previous daemon */
                s->restart.start_wanted = true;
                return;
        }
        if (!s->config.settings)
                return;
        s->result = result;
        session_set_error(s, error);
        s->restart.restored = true;
        recorder_set_phase(&s->recorder, PHASE_NONE, 0);
}

int session_restore(Session *s, const SessionRecord *r, const char *store_name, int pidfd, int counters_fd, int state_fd) {
        _cleanup_close_ int process = pidfd, counters = counters_fd, state = state_fd;
        SessionResult result = session_result_from_string(session_record_text(r, "result") ?: "success");
        RecorderPhase phase;
        int k;

        if (s->entry.name) /* a second entry of the same name */
                return -EEXIST;
        k = result < 0 ? -EBADMSG : recorder_read_record(&s->recorder, r);
        if (k < 0)
                return k;
        s->entry.name = strdup(store_name);
        if (!s->entry.name)
                return -ENOMEM;
        s->recorder.counters.fd = steal_fd(&counters);
        s->entry.fd = steal_fd(&state);
        s->entry.size = SIZE_MAX; /* not known */
        s->entry.pid = (pid_t) session_record_number(r, "pid", INT32_MAX);
        restart_state_read(&s->restart, r);
        ring_keeper_read_record(&s->rings, r);
        phase = s->recorder.phase;
        /* one that was up and died ends by its pidfd, as any other does */
        if (!recorder_phase_has_process(phase) || process < 0 || (phase != PHASE_UP && !process_lives(process))) {
                restore_rest(s, phase, result, session_record_text(r, "error"));
                return 0;
        }
        s->restart.restored = true;
        s->restart.outdated = s->config.settings && s->recorder.settings_hash != session_config_hash(&s->config);
        s->recorder.is_foreign = session_config_is_foreign(&s->config);
        return recorder_attach(&s->recorder, s->entry.pid, steal_fd(&process),
                               (unsigned) session_record_number(r, "outstanding", UINT32_MAX));
}

int session_adopt_from_scope(Session *s, pid_t pid) {
        s->recorder.is_foreign = session_config_is_foreign(&s->config);
        if (s->config.settings)
                s->recorder.settings_hash = session_config_hash(&s->config);
        return recorder_adopt_from_scope(&s->recorder, pid);
}

/* Without good settings there is nothing to start it with. */
static void leave_previous_base(Session *s, const char *path) {
        JournalSession j = session_journal(s);

        journal_log_session(&j, LOG_NOTICE, NULL, "The recorder writes in %s, and its directory is %s now: "
                            "ending it and starting it again there", path, s->directory);
        s->restart.stop_reason = "the base directory was changed";
        if (s->config.settings && !session_config_has_bad_file(&s->config))
                session_restart(s, NULL);
        else
                session_stop(s, NULL);
        s->restart.stop_reason = NULL;
}

void session_continue(Session *s) {
        bool is_active = session_is_active(s), ends = s->recorder.phase == PHASE_TERM || s->recorder.phase == PHASE_KILL;
        char path[PATH_MAX];

        if (s->doomed) {
                if (is_active)
                        session_stop(s, NULL);
                else
                        session_leave(s);
        } else if (!ends && recorder_is_displaced(&s->recorder, path))
                leave_previous_base(s, path);
        else if (is_active && s->restart.outdated)
                session_restart(s, NULL);
        else if (s->restart.start_wanted || !s->restart.restored)
                session_start_unasked(s, s->restart.start_wanted, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Keeps sessions over a restart of the daemon. Each session has one entry in the descriptor store: the pidfd, the counters page,
 * and a memfd whose text (session-record.c) is rewritten in place at every change, without a word to the service manager. It is
 * pushed with the first change after its recorder was forked, or after it began to wait for its unit. Rings are
 * not in the store: ring-keeper.c keeps them in this process.
 *
 * The entry stays when the recorder ends: that a session was stopped by hand or failed is kept as well. The next start
 * replaces it. */

#include "fd-file.h"
#include "fdstore.h"
#include "format-text.h"
#include "session-parts.h"

/* One write of the whole text; what is left of a longer one before it is cut off afterwards, behind the line "end=1". */
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
        if (fclose(f) != 0 || pwrite(s->entry.fd, text, size, 0) != (ssize_t) size)
                return;
        if (size < s->entry.size)
                (void) !ftruncate(s->entry.fd, (off_t) size);
        s->entry.size = size;
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
void session_save(Session *s) {
        pid_t pid = s->recorder.process.pid;

        if (pid > 0 ? s->entry.pid == pid : s->entry.name || s->recorder.phase != PHASE_WAIT)
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

void session_leave(Session *s) {
        s->gone = true;
        session_drop_entry(s);
        s->host->calls->left(s->host->userdata);
}

void session_leave_if_idle(Session *s) {
        if (!s->gone && !session_is_active(s) && session_is_made_up(s) && !dump_store_newest(s->host->dumps, s->name))
                session_leave(s);
}

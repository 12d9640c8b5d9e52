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

#define FIELD(key_, kind_, member) { .key = (key_), .kind = RECORD_##kind_, .offset = offsetof(Session, member) }

static const RecordField fields[] = {
        FIELD("control-group", TEXT, recorder.scope.control_group),
        FIELD("unit-group", TEXT, recorder.unit_group),
        FIELD("recorder-error", TEXT, recorder.reported.error),
        FIELD("recorder-trouble", TEXT, recorder.reported.trouble),
        FIELD("recorder-errno", INT, recorder.reported.error_number),
        FIELD("announced-stop", BOOL, recorder.reported.stopping),
        FIELD("output-position", NUMBER, recorder.output.position),
        FIELD("start-timestamp", NUMBER, recorder.start_timestamp),
        FIELD("settings-hash", NUMBER, recorder.settings_hash),
        FIELD("lost-told", NUMBER, recorder.counters.lost_told),
        FIELD("cannot-write", INT, recorder.blocked.error),
        FIELD("cannot-write-dump", BOOL, recorder.blocked.is_dump),
        FIELD("cannot-write-since", NUMBER, recorder.blocked.since),
        FIELD("cannot-write-lost", NUMBER, recorder.blocked.lost),
        FIELD("paused", BOOL, recorder.is_paused),
        FIELD("lent-asked", INT, recorder.lent.asked),
        FIELD("lent", INT, recorder.lent.reported),
        FIELD("lent-never", INT, recorder.lent.never),
        FIELD("closed", INT, recorder.lent.closed),
        FIELD("lent-all", BOOL, recorder.lent.is_all),
        FIELD("restarts", INT, restart.n_restarts),
        FIELD("stop-asked", BOOL, restart.stop_asked),
        FIELD("start-again", BOOL, restart.start_again),
        FIELD("hands-over", BOOL, rings.hands_over),
        FIELD("rings-begin", NUMBER, rings.begin),
};

void session_put_record(const Session *s, FILE *f) {
        session_record_put_text(f, "name", s->name);
        session_record_put_text(f, "result", session_result_to_string(s->result));
        session_record_put_text(f, "error", s->error);
        session_record_put_text(f, "phase", recorder_phase_to_string(s->recorder.phase));
        session_record_put_number(f, "pid", (uint64_t) s->recorder.process.pid);
        session_record_put_number(f, "outstanding", s->recorder.control ? control_unawaited(s->recorder.control) : 0);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                session_record_put_field(f, &fields[i], s);
        session_config_write(&s->config, f);
        fputs("end=1\n", f);
}

int session_get_record(Session *s, const SessionRecord *r) {
        RecorderPhase phase = recorder_phase_from_string(session_record_text(r, "phase") ?: "none");
        int k = phase < 0 ? -EBADMSG : 0;

        for (size_t i = 0; k >= 0 && i < ELEMENTSOF(fields); i++)
                k = session_record_get_field(r, &fields[i], s);
        if (k < 0)
                return k;
        s->recorder.phase = phase;
        s->entry.pid = (pid_t) session_record_number(r, "pid", INT32_MAX);
        return 0;
}

/* One write of the whole text; what is left of a longer one before it is cut off afterwards, behind the line "end=1". */
static void save_text(Session *s) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f;

        f = s->entry.fd >= 0 ? open_memstream(&text, &size) : NULL;
        if (!f)
                return;
        session_put_record(s, f);
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
                session_log(s, LOG_WARNING, NULL, "Cannot keep it in the descriptor store: %s", strerror(-r));
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

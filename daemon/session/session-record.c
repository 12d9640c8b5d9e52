/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The text form of what the next daemon needs to know. Keys that it does not know are passed over and those that are
 * missing keep their zero, so that a newer and an older daemon can follow each other. A daemon that was killed while it
 * wrote leaves a text without its last line, and the session is then found by its scope. */

#include "session-record.h"

#include "parse-number.h"
#include "session-internal.h"

#define ASSIGNMENTS_MAX 4096

void session_record_done(SessionRecord *r) {
        free(r->name);
        free(r->error);
        free(r->control_group);
        free(r->recorder_error);
        strv_free(r->assignments);
        *r = (SessionRecord){};
}

static void write_text(FILE *f, const char *key, const char *value) {
        if (!value)
                return;
        fprintf(f, "%s=", key);
        for (; *value; value++)
                if (*value == '\n')
                        fputs("\\n", f);
                else if (*value == '\\')
                        fputs("\\\\", f);
                else
                        fputc(*value, f);
        fputc('\n', f);
}

static void write_number(FILE *f, const char *key, uint64_t value) {
        if (value > 0)
                fprintf(f, "%s=%" PRIu64 "\n", key, value);
}

int session_record_format(const Session *s, char **ret, size_t *ret_size) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f;

        f = open_memstream(&text, &size);
        if (!f)
                return -ENOMEM;
        write_text(f, "name", s->name);
        write_text(f, "phase", recorder_phase_to_string(s->recorder.phase));
        write_text(f, "result", session_result_to_string(s->result));
        write_text(f, "error", s->error);
        write_text(f, "control-group", s->recorder.control_group);
        write_text(f, "recorder-error", s->recorder.error);
        write_number(f, "pid", (uint64_t) s->recorder.pid);
        write_number(f, "output-position", s->recorder.output.position);
        write_number(f, "start-timestamp", s->recorder.start_timestamp);
        write_number(f, "settings-hash", s->recorder.settings_hash);
        write_number(f, "lost-told", s->recorder.lost_told);
        write_number(f, "recorder-errno", (uint64_t) s->recorder.error_number);
        write_number(f, "cannot-write", (uint64_t) s->recorder.blocked.error);
        write_number(f, "cannot-write-since", s->recorder.blocked.since);
        write_number(f, "cannot-write-lost", s->recorder.blocked.lost);
        write_number(f, "restarts", s->restart.n_restarts);
        write_number(f, "outstanding", s->recorder.control ? control_unawaited(s->recorder.control) : 0);
        write_number(f, "announced-stop", s->recorder.announced_stop);
        write_number(f, "paused", s->recorder.is_paused);
        write_number(f, "stop-asked", s->restart.stop_asked);
        write_number(f, "start-again", s->restart.start_again);
        write_number(f, "transient", s->config.transient);
        write_number(f, "hands-over", s->rings.hands_over);
        STRV_FOREACH(assignment, s->config.assignments)
                write_text(f, "assignment", *assignment);
        fputs("end=1\n", f);
        if (fclose(f) != 0)
                return -ENOMEM;
        *ret = steal_ptr(text);
        *ret_size = size;
        return 0;
}

/* In place. */
static void unescape(char *s) {
        char *to = s;

        for (; *s; s++)
                if (*s == '\\' && s[1]) {
                        s++;
                        *to++ = *s == 'n' ? '\n' : *s;
                } else
                        *to++ = *s;
        *to = '\0';
}

static int take_text(SessionRecord *r, const char *key, const char *value) {
        if (streq(key, "name"))
                return free_and_strdup(&r->name, value);
        if (streq(key, "error"))
                return free_and_strdup(&r->error, value);
        if (streq(key, "control-group"))
                return free_and_strdup(&r->control_group, value);
        if (streq(key, "recorder-error"))
                return free_and_strdup(&r->recorder_error, value);
        if (streq(key, "assignment"))
                return strv_length(r->assignments) >= ASSIGNMENTS_MAX ? -E2BIG : strv_extend(&r->assignments, value);
        if (streq(key, "phase"))
                return (int) (r->phase = recorder_phase_from_string(value));
        if (streq(key, "result"))
                return (int) (r->result = session_result_from_string(value));
        return -ENOKEY;
}

static void take_number(SessionRecord *r, const char *key, uint64_t n) {
        if (streq(key, "pid"))
                r->pid = n <= INT32_MAX ? (pid_t) n : 0;
        else if (streq(key, "output-position"))
                r->output_position = n;
        else if (streq(key, "start-timestamp"))
                r->start_timestamp = n;
        else if (streq(key, "settings-hash"))
                r->settings_hash = n;
        else if (streq(key, "lost-told"))
                r->lost_told = n;
        else if (streq(key, "recorder-errno"))
                r->recorder_errno = n <= INT32_MAX ? (int) n : 0;
        else if (streq(key, "cannot-write"))
                r->cannot_write = n <= INT32_MAX ? (int) n : 0;
        else if (streq(key, "cannot-write-since"))
                r->cannot_write_since = n;
        else if (streq(key, "cannot-write-lost"))
                r->cannot_write_lost = n;
        else if (streq(key, "restarts"))
                r->n_restarts = (unsigned) MIN_OF(n, (uint64_t) UINT32_MAX);
        else if (streq(key, "outstanding"))
                r->outstanding = (unsigned) MIN_OF(n, (uint64_t) UINT32_MAX);
        else if (streq(key, "announced-stop"))
                r->announced_stop = n > 0;
        else if (streq(key, "paused"))
                r->is_paused = n > 0;
        else if (streq(key, "stop-asked"))
                r->stop_asked = n > 0;
        else if (streq(key, "start-again"))
                r->start_again = n > 0;
        else if (streq(key, "transient"))
                r->transient = n > 0;
        else if (streq(key, "hands-over"))
                r->hands_over = n > 0;
}

static int take_line(SessionRecord *r, char *line) {
        char *value = strchr(line, '=');
        uint64_t n;
        int k;

        if (!value)
                return -EBADMSG;
        *value++ = '\0';
        unescape(value);
        k = take_text(r, line, value);
        if (k != -ENOKEY)
                return k;
        if (parse_uint64(value, &n) >= 0)
                take_number(r, line, n);
        return 0;
}

int session_record_parse(char *text, SessionRecord *ret) {
        _cleanup_(session_record_done) SessionRecord r = {};
        bool whole = false;
        char *line;
        int k;

        while ((line = strsep(&text, "\n")) && *line) {
                whole = streq(line, "end=1");
                k = take_line(&r, line);
                if (k < 0)
                        return k == -ENOMEM ? k : -EBADMSG;
        }
        if (!whole || !r.name)
                return -EBADMSG;
        *ret = r;
        r = (SessionRecord){};
        return 0;
}

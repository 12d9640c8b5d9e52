/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder reports by sd_notify(3) messages on the daemon's socket, and by its counters. Nothing of
 * it is trusted further than to be shown: texts are bounded, and a recorder changes the state of its own session only. */

#include <perf-recorder/message-ids.h>
#include <perf-recorder/notify-fields.h>

#include "parse-number.h"
#include "session-parts.h"
#include "utf8.h"

#define TEXT_MAX 4096 /* bytes, as long as a line of our own recorder's */

/* Returns false if it is no dump. */
static bool take_dump(Session *s, const char *path) {
        const char *in_directory = startswith(path, s->directory), *name = strrchr(path, '/');

        if (!in_directory || *in_directory != '/' || name != in_directory || !dump_name_is_valid(name + 1))
                return false;
        dump_store_look(s->host->dumps, s->name, name + 1);
        session_check_reach(s);
        return dump_store_find_name(s->host->dumps, s->name, name + 1);
}

static void take_output(Session *s, const char *path) {

        if (!take_dump(s, path))
                session_log(s, LOG_INFO, PR_MESSAGE_OUTPUT_SWITCHED, "Finished %.*s", utf8_prefix(path, TEXT_MAX), path);
        session_tell_lost(s);
        session_changed(s, SESSION_CHANGE_OUTPUT);
}

static void take_no_space(Session *s, const char *value) {
        PrCounters c;
        int error;

        if (parse_int(value, &error) < 0 || error < 0)
                return;
        s->host->calls->files_changed(s->host->userdata);
        if (error > 0 && (s->recorder.blocked.error == 0 || s->recorder.blocked.is_dump)) {
                session_counters(s, &c);
                s->recorder.blocked.since = now_usec(CLOCK_REALTIME);
                s->recorder.blocked.lost = c.lost;
        }
        s->recorder.blocked.error = error;
        s->recorder.blocked.is_dump = false;
        recorder_set_phase(&s->recorder, s->recorder.phase, SESSION_CHANGE_STATE);
        if (error > 0)
                session_log(s, LOG_ERR, PR_MESSAGE_NO_SPACE, "Cannot write in %s: %s; samples are dropped", s->directory,
                            strerror(error));
        else
                session_log(s, LOG_INFO, PR_MESSAGE_NO_SPACE, "There is space again in %s: recording goes on",
                            s->directory);
}

/* Fields of one message that mean something together. */
typedef struct DumpFields {
        const char *name, *error, *trigger;
        char *incident;
        char *ids;
} DumpFields;

static bool take_dump_field(DumpFields *f, char *field) {
        const char *value;

        if ((value = startswith(field, PR_NOTIFY_DUMP)))
                f->name = value;
        else if ((value = startswith(field, PR_NOTIFY_DUMP_ERROR)))
                f->error = value;
        else if ((value = startswith(field, PR_NOTIFY_DUMP_TRIGGER)))
                f->trigger = value;
        else if (startswith(field, PR_NOTIFY_DUMP_IDS))
                f->ids = field + strlen(PR_NOTIFY_DUMP_IDS);
        else if (startswith(field, PR_NOTIFY_INCIDENT))
                f->incident = field + strlen(PR_NOTIFY_INCIDENT);
        else
                return false;
        return true;
}

static void replace_line(char **line, const char *text) {
        char *copy = utf8_line(text, strlen(text), TEXT_MAX);

        if (!copy)
                return;
        free(*line);
        *line = copy;
}

static void take_field(Session *s, const char *field) {
        Recorder *r = &s->recorder;
        const char *value;

        if (streq(field, PR_NOTIFY_READY)) {
                if (r->phase == PHASE_EXEC || r->phase == PHASE_OPEN)
                        session_on_opened(s);
        } else if (streq(field, PR_NOTIFY_STOPPING)) {
                r->reported.stopping = true;
                session_save(s);
        } else if ((value = startswith(field, PR_NOTIFY_STATE))) {
                r->lent.is_all = streq(value, "reserved");
                if (streq(value, "paused") || streq(value, "recording"))
                        r->is_paused = streq(value, "paused");
                recorder_set_phase(r, r->phase, 0);
        } else if ((value = startswith(field, PR_NOTIFY_TROUBLE))) {
                replace_line(&r->reported.trouble, value);
                if (*value == '\0')
                        r->reported.trouble = (free(r->reported.trouble), NULL);
                recorder_set_phase(r, r->phase, SESSION_CHANGE_STATE);
        } else if ((value = startswith(field, PR_NOTIFY_ERROR))) {
                replace_line(&r->reported.error, value);
                session_save(s);
        } else if ((value = startswith(field, PR_NOTIFY_ERRNO))) {
                if (parse_int(value, &r->reported.error_number) < 0 || r->reported.error_number < 0)
                        r->reported.error_number = 0;
                session_save(s);
        } else if ((value = startswith(field, PR_NOTIFY_MESSAGE)))
                recorder_forward(r, value, (size_t) utf8_prefix(value, TEXT_MAX));
        else if ((value = startswith(field, PR_NOTIFY_OUTPUT)))
                take_output(s, value);
        else if ((value = startswith(field, PR_NOTIFY_NO_SPACE)))
                take_no_space(s, value);
}

void session_take_message(Session *s, NotifyMessage *m) {
        char *field, *text = m->text;
        DumpFields dump = {};

        if (session_take_window(s, m))
                return;
        session_take_rings(s, m);
        session_take_lent(s, text);
        while ((field = strsep(&text, "\n")))
                if (!take_dump_field(&dump, field))
                        take_field(s, field);
        if (dump.incident)
                session_dump_also(s, dump.incident);
        if (dump.name || dump.error) {
                ring_keeper_note_dump(&s->rings);
                session_take_dump_answer(s, dump.name, dump.error, dump.trigger, dump.ids);
        }
}

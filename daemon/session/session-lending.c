/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A session lends its counters: while the host lends a kind of them, its recorder has no event of that kind open. A recorder of
 * ours is asked by words of the control protocol, or at its start by its environment. It answers by naming all kinds that it
 * lends, once the descriptors that the daemon keeps of it are those without their events.
 *
 * lent.asked has what it was asked for. A daemon that is killed between a word and its note of that leaves the kind as asked for,
 * so that the next one writes "return", which does no harm. */

#include <perf-recorder/control-words.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>

#include "format-text.h"
#include "session-parts.h"

static void send_lent(Session *s, CounterKind kind, const char *who) {
        _cleanup_free_ char *word = NULL;
        RecorderLent *l = &s->recorder.lent;
        unsigned before = l->asked;
        ControlWaiter *ack;

        word = format_text("%s %s%s%s", who ? PR_CONTROL_LEND : PR_CONTROL_RETURN, counter_kind_to_string(kind), who ? " " : "",
                           who ?: "");
        if (who) {
                l->asked |= 1u << kind;
                l->reported &= ~(1u << kind); /* the answer to an earlier word may be on its way */
                session_save(s);
        }
        if (!word || control_send(s->recorder.control, word, NULL, NULL, &ack) < 0) { /* tried again at its next change */
                l->asked = before;
                return;
        }
        if (!who)
                l->asked &= ~(1u << kind);
        control_waiter_free(ack);
}

void session_follow_lent(Session *s) {
        const Recorder *r = &s->recorder;

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++) {
                const char *to = r->lent.never & 1u << k ? NULL : s->host->lent_to[k];

                if (r->phase == PHASE_UP && r->control && r->lent.is_able && !(r->lent.asked & 1u << k) != !to)
                        send_lent(s, k, to);
        }
}

int session_put_lent(Session *s, char ***assignments) {
        _cleanup_free_ char *lines = strdup("");

        s->recorder.lent.is_able = !session_config_is_foreign(&s->config);
        if (!s->recorder.lent.is_able)
                return 0;

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX && lines; k++) {
                _cleanup_free_ char *before = lines;

                lines = !s->host->lent_to[k] ? steal_ptr(before)
                                             : format_text("%s%s%s %s", before, *before ? "\n" : "", counter_kind_to_string(k),
                                                           s->host->lent_to[k]);
                s->recorder.lent.asked |= s->host->lent_to[k] ? 1u << k : 0;
        }
        if (!lines || strv_extend(assignments, PR_LENDS_ENV "=1") < 0)
                return -ENOMEM;
        return *lines ? strv_extendf(assignments, PR_LENT_ENV "=%s", lines) : 0;
}

static unsigned parse_kinds(const char *words) {
        unsigned kinds = 0;

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++) {
                const char *name = counter_kind_to_string(k);
                size_t size = strlen(name);

                for (const char *w = words; *w != '\0' && *w != '\n'; w += strcspn(w, " \n"), w += *w == ' ')
                        kinds |= strcspn(w, " \n") == size && memcmp(w, name, size) == 0 ? 1u << k : 0;
        }
        return kinds;
}

void session_take_lent(Session *s, const char *text) {
        RecorderLent *l = &s->recorder.lent;

        const char *lent = NULL, *closed = NULL, *counters = NULL;

        for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
                lent = startswith(line, PR_NOTIFY_LENT) ?: lent;
                closed = startswith(line, PR_NOTIFY_CLOSED) ?: closed;
                counters = startswith(line, PR_NOTIFY_COUNTERS) ?: counters;
        }
        if (!lent)
                return;
        l->reported = parse_kinds(lent);
        l->closed = closed ? parse_kinds(closed) : 0;
        l->never = counters ? ~parse_kinds(counters) & ((1u << _COUNTER_KIND_MAX) - 1) : 0;
        if (l->reported && s->rings.refused) /* what is kept may have its events, and those without them came in vain */
                session_drop_rings(s, "some of its counters are lent");
        s->owner.changed(0, s);
        s->host->calls->lent(s->host->userdata);
}

unsigned session_lent(const Session *s) {
        return s->recorder.phase == PHASE_UP ? s->recorder.lent.closed : 0;
}

/* A session that starts, or is about to, may take over the events of its previous recorder, and closes those that are lent. */
bool session_has_lent(const Session *s, CounterKind kind) {
        const Recorder *r = &s->recorder;

        if (!session_is_active(s) || r->phase == PHASE_WAIT || session_config_is_foreign(&s->config))
                return true;
        if (r->phase == PHASE_DELAY)
                return !ring_keeper_has_left(&s->rings);
        return r->phase == PHASE_UP && (r->lent.never | (r->lent.asked & r->lent.reported)) & 1u << kind;
}

int session_describe_holding(const Session *s, char **ret) {
        char *text = NULL;

        if (ring_keeper_has_left(&s->rings) && s->recorder.process.pid <= 0)
                text = format_text("session %s, whose memory is kept for its next recorder", s->name);
        else if (s->recorder.process.pid > 0 && session_config_is_foreign(&s->config))
                text = format_text("session %s with a recorder of its own (PID %d)", s->name, (int) s->recorder.process.pid);
        else if (s->recorder.phase == PHASE_UP && !s->recorder.lent.is_able)
                text = format_text("session %s with a recorder of an earlier version: restart it", s->name);
        else {
                *ret = NULL;
                return 0;
        }
        if (!text)
                return -ENOMEM;
        *ret = text;
        return 0;
}

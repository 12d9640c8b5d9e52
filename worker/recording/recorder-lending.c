/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counters are few, and others need them at times: the daemon then has its recorders close the events that use them, and open them
 * again later (the control words lend and return). The other events go on, with the rings, so memory keeps what it has, and the
 * files say when something was lent.
 *
 * A flight recorder of CPUs opens the same events again, in the same rings. A stream begins a new file, since a file has the ids of
 * the events that it began with; and for tasks all events are opened again, since threads may have come in the meantime. If the
 * counters can't be had then, they count as lent until they can: it is tried again, at first soon and then once a second.
 *
 * The answer comes when the daemon has been sent the descriptors without those that were closed: an event lives as long as anybody
 * has its descriptor. */

#include "recorder.h"

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>
#include "event-set-lending.h"
#include "format-text.h"
#include "log.h"

#define LENDING_DELAY_MIN (10 * USEC_PER_MSEC) /* before another try; each is twice as long as the one before */
#define LENDING_DELAY_MAX USEC_PER_SEC

const Lendings *recorder_lendings(const Recorder *r) {
        return r->notifier->fd >= 0 ? &r->lending.all : NULL;
}

/* "WHAT WHO" */
static int recorder_note_lent(Recorder *r, const char *text, CounterKind *ret) {
        size_t n = strcspn(text, " ");
        _cleanup_free_ char *word = strndup(text, n);

        if (!word)
                return -ENOMEM;
        *ret = counter_kind_from_string(word);
        return *ret < 0 ? 0 : lendings_begin(&r->lending.all, *ret, text + n + strspn(text + n, " "), now_usec(CLOCK_REALTIME));
}

int recorder_read_lent(Recorder *r) {
        _cleanup_free_ char *text = strdup(getenv(PR_LENT_ENV) ?: "");
        char *rest = text, *line;
        CounterKind kind;
        int q = text ? 0 : -ENOMEM;

        while (q >= 0 && (line = strsep(&rest, "\n")))
                q = recorder_note_lent(r, line, &kind);
        if (q >= 0 && r->set)
                (void) event_set_close_lent(r->set);
        return q;
}

const char *recorder_state(const Recorder *r) {
        return event_set_is_lent(r->set) ? "reserved" : event_set_is_enabled(r->set) ? "recording" : "paused";
}

static bool recorder_has_kind(const Recorder *r, CounterKind kind) {
        return event_set_lends(r->set, kind) || trigger_sources_lend(r->sources, kind);
}

/* Lists kinds of counters: those that are lent, those that there are events of, or both. */
static char *recorder_list_kinds(const Recorder *r, bool lent, bool ours) {
        const char *names[_COUNTER_KIND_MAX + 1] = {};
        size_t n = 0;

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++)
                if ((!lent || lendings_current(&r->lending.all, k)) && (!ours || recorder_has_kind(r, k)))
                        names[n++] = counter_kind_to_string(k);
        return strv_join((char **) names, " ");
}

char *recorder_describe_lending(const Recorder *r) {
        _cleanup_free_ char *lent = recorder_list_kinds(r, true, false), *closed = recorder_list_kinds(r, true, true);
        _cleanup_free_ char *counters = recorder_list_kinds(r, false, true);

        if (!lent || !closed || !counters)
                return NULL;
        return format_text(PR_NOTIFY_LENT "%s\n" PR_NOTIFY_STATE "%s\n" PR_NOTIFY_CLOSED "%s\n" PR_NOTIFY_COUNTERS "%s", lent,
                           recorder_state(r), closed, counters);
}

static void recorder_answer_lending(void *userdata) {
        const Recorder *r = userdata;
        _cleanup_free_ char *lending = recorder_describe_lending(r);

        if (lending)
                notifier_send(r->notifier, "%s", lending);
}

/* Records that came while the rings were not watched wake nobody up. */
static int recorder_watch_rings_again(Recorder *r) {
        r->has_data = true;
        return recorder_watch_rings(r);
}

int recorder_lend(Recorder *r, const char *argument) {
        bool closed;
        CounterKind kind = _COUNTER_KIND_INVALID;
        int q = argument && recorder_lendings(r) ? recorder_note_lent(r, argument, &kind) : 0;

        if (q < 0 || kind < 0)
                return q;
        r->lending.returned &= ~(1U << kind);
        r->watch = ring_watch_free(r->watch);
        closed = event_set_close_lent(r->set);
        q = recorder_watch_rings_again(r);
        if (q >= 0)
                q = trigger_sources_close_lent(r->sources);
        if (q < 0)
                return q;
        if (closed) {
                recorder_hand_over(r);
                log_info("The %s are lent to %s", counter_kind_describe(kind), lendings_current(&r->lending.all, kind)->who);
        }
        handover_when_sent(r->handover, recorder_answer_lending, r);
        return 0;
}

/* Opens the events in the rings that they had, for good or only to see that the counters can be had. Returns 1, or a negative errno
 * with d filled. */
static int recorder_open_in_place(Recorder *r, CounterKind kind, bool for_good, Diagnosis *d) {
        int q, opened;

        r->watch = ring_watch_free(r->watch);
        opened = event_set_open_lent(r->set, kind, d);
        if (!for_good)
                (void) event_set_close_lent(r->set);
        q = opened > 0 && for_good ? r->recording->kind->renew_ids(r->recording) : 0;
        if (q >= 0)
                q = recorder_watch_rings_again(r);
        if (q >= 0 && opened > 0 && for_good)
                recorder_hand_over(r);
        return q < 0 ? q : MIN_OF(opened, 1);
}

/* The lending is over before all is opened again: if that fails, another one begins. */
static int recorder_open_anew(Recorder *r, CounterKind kind) {
        char detail[PR_DUMP_DETAIL_MAX], who[LENDING_WHO_MAX + 1];
        int q;

        (void) snprintf(who, sizeof(who), "%s", lendings_current(&r->lending.all, kind)->who);
        (void) snprintf(detail, sizeof(detail), "%s gave the %s back", who, counter_kind_describe(kind));
        lendings_end(&r->lending.all, kind, now_usec(CLOCK_REALTIME));
        q = recorder_reopen(r, PR_TRIGGER_ROTATION, detail);
        if (q == 0 && lendings_begin(&r->lending.all, kind, who, now_usec(CLOCK_REALTIME)) < 0)
                q = -ENOMEM;
        return q;
}

/* Returns 1; 0: the counters can't be had, d says why. Events that were never opened may need what only the opening of all does. */
static int recorder_open_returned(Recorder *r, CounterKind kind, Diagnosis *d) {
        bool in_place = r->recording->kind->renew_ids && !target_has_task(&r->options->target);
        bool any = event_set_lends(r->set, kind);
        int q = any ? recorder_open_in_place(r, kind, in_place, d) : 1;

        if (q == -ENOSPC || q == -EBUSY)
                return 0;
        if (q != -ENOMEM && any && (q < 0 || !in_place))
                q = recorder_open_anew(r, kind);
        if (q <= 0)
                return q;
        lendings_end(&r->lending.all, kind, now_usec(CLOCK_REALTIME));
        return 1;
}

static int recorder_try_to_open(Recorder *r, CounterKind kind);

static int recorder_on_lending_time(void *userdata, int fd, uint32_t events) {
        Recorder *r = userdata;
        int q = 0;

        loop_remove_timer(r->loop, r->lending.timer);
        r->lending.timer = -EBADF;
        for (CounterKind k = 0; k < _COUNTER_KIND_MAX && q >= 0; k++)
                if (r->lending.returned & 1U << k)
                        q = recorder_try_to_open(r, k);
        return q;
}

/* It is reported when it is not a matter of moments. */
static int recorder_try_later(Recorder *r, CounterKind kind, const Diagnosis *d) {
        RecorderLending *l = &r->lending;

        if (!(l->returned & 1U << kind))
                l->delay = LENDING_DELAY_MIN;
        l->returned |= 1U << kind;
        if (l->delay >= LENDING_DELAY_MAX && !l->reported) {
                log_warning("The %s were given back, but others have them: %s", counter_kind_describe(kind), d->sentence ?: "");
                notifier_send(r->notifier, PR_NOTIFY_TROUBLE "The %s were given back, but others have them: it is tried once a "
                              "second", counter_kind_describe(kind));
                l->reported = true;
        }
        if (l->timer < 0)
                l->timer = loop_add_timer(r->loop, l->delay, false, recorder_on_lending_time, r);
        l->delay = MIN_OF(2 * l->delay, (usec_t) LENDING_DELAY_MAX);
        return MIN_OF(l->timer, 0);
}

static int recorder_try_to_open(Recorder *r, CounterKind kind) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q = trigger_sources_open_lent(r->sources, kind, &d);

        if (q >= 0)
                q = recorder_open_returned(r, kind, &d);
        if (q == -ENOMEM)
                return q;
        if (q <= 0)
                return recorder_try_later(r, kind, &d);
        if (r->lending.reported)
                notifier_send(r->notifier, PR_NOTIFY_TROUBLE);
        r->lending.reported = false;
        if (recorder_has_kind(r, kind))
                log_info("The %s are back", counter_kind_describe(kind));
        r->lending.returned &= ~(1U << kind);
        handover_when_sent(r->handover, recorder_answer_lending, r);
        return 0;
}

int recorder_take_back(Recorder *r, const char *argument) {
        CounterKind kind = counter_kind_from_string(argument);

        if (kind < 0)
                return 0;
        if (lendings_current(&r->lending.all, kind))
                return recorder_try_to_open(r, kind);
        handover_when_sent(r->handover, recorder_answer_lending, r);
        return 0;
}

/* The previous recorder had lent them. */
int recorder_take_back_rest(Recorder *r) {
        _cleanup_free_ char *text = format_text("\n%s", getenv(PR_LENT_ENV) ?: "");
        int q = text ? 0 : -ENOMEM;

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX && q >= 0; k++) {
                char line[32];

                (void) snprintf(line, sizeof(line), "\n%s ", counter_kind_to_string(k));
                if (lendings_current(&r->lending.all, k) && !strstr(text, line))
                        q = recorder_try_to_open(r, k);
        }
        return q;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One dump from its first trigger to its order: the wish for its samples, its reasons and due time, and the ids of the
 * triggers that wait for its answer. trigger.c decides which dumps there are, and when they begin.
 *
 * Triggers share a dump if one file can serve both. A dump of all that is in memory serves one for what no automatic
 * dump has; a request for what no dump has yet wants nothing more, so it has a dump of its own. The answers are
 * notifications. A datagram must fit the receiver's buffer, so many ids take several of them, each with the whole
 * answer. */

#include "pending-dump.h"

#include <perf-recorder/notify-fields.h>
#include "array.h"
#include "format-text.h"
#include "strv.h"
#include "utf8.h"

#define REASONS_MAX 400u /* bytes of a dump's detail */
#define SENTENCE_MAX 1000 /* bytes */
#define MESSAGE_MAX 4000u /* bytes; the daemon reads messages of 4096 */

bool trigger_is_request(const char *word) {
        return streq(word, PR_TRIGGER_SIGNAL) || streq(word, PR_TRIGGER_CONTROL) || streq(word, PR_TRIGGER_REQUEST);
}

DumpWish dump_wish_of(const Trigger *trigger, bool overlap) {
        const DumpRequest *q = &trigger->request;

        if (q->since > 0 || q->until > 0)
                return (DumpWish) { DUMP_CONTENT_ALL, .requested = true, .since = q->since, .until = q->until };
        if (q->fresh)
                return (DumpWish) { DUMP_CONTENT_NEW, .requested = true };
        if (q->all || trigger_is_request(q->trigger))
                return (DumpWish) { DUMP_CONTENT_ALL, .requested = true };
        return (DumpWish) { overlap ? DUMP_CONTENT_ALL : DUMP_CONTENT_AUTOMATIC, .automatic = true };
}

/* True if one dump can serve both. */
static bool dump_wishes_agree(const DumpWish *a, const DumpWish *b) {
        return a->since == b->since && a->until == b->until &&
               (a->content == DUMP_CONTENT_NEW) == (b->content == DUMP_CONTENT_NEW);
}

bool dump_wish_covers(const DumpWish *begun, const DumpWish *w) {
        return dump_wishes_agree(begun, w) && begun->content >= w->content && begun->automatic >= w->automatic &&
               begun->requested >= w->requested;
}

static int trigger_ids_reserve(TriggerIds *ids, size_t size) {
        size_t needed = ids->length + size;

        return needed > TRIGGER_IDS_MAX ? -ENOBUFS : ARRAY_RESERVE(ids->text, ids->allocated, needed);
}

int trigger_ids_add(TriggerIds *ids, const char *id) {
        size_t n = strlen(id);
        int r = trigger_ids_reserve(ids, n + 1);

        if (r < 0)
                return r;
        memcpy(ids->text + ids->length, id, n);
        ids->text[ids->length + n] = ' ';
        ids->length += n + 1;
        return 0;
}

int trigger_ids_add_all(TriggerIds *ids, const TriggerIds *others) {
        int r = others->length > 0 ? trigger_ids_reserve(ids, others->length) : 0;

        if (r < 0 || others->length == 0)
                return r;
        memcpy(ids->text + ids->length, others->text, others->length);
        ids->length += others->length;
        return 0;
}

bool trigger_ids_remove(TriggerIds *ids, const char *id) {
        size_t n = strlen(id);

        for (size_t at = 0, step; at < ids->length; at += step) {
                const char *p = ids->text + at;

                step = (size_t) ((const char *) memchr(p, ' ', ids->length - at) - p) + 1;
                if (step != n + 1 || memcmp(p, id, n) != 0)
                        continue;
                memmove(ids->text + at, ids->text + at + step, ids->length - at - step);
                ids->length -= step;
                return true;
        }
        return false;
}

void trigger_ids_done(TriggerIds *ids) {
        free(ids->text);
        *ids = (TriggerIds) {};
}

/* Returns the bytes of s, the whole ids with their blanks, that fit into size bytes; at least one id. */
static size_t trigger_ids_fit(const char *s, size_t n, size_t size) {
        if (n <= size)
                return n;
        while (size > 1 && s[size - 1] != ' ')
                size--;
        return size;
}

static char *dump_result_format(const DumpResult *result) {
        const char *sentence = result->sentence ?: strerror(-result->error), *detail = result->detail ?: "";

        if (result->error >= 0)
                return format_text(PR_NOTIFY_DUMP "%s", result->name);
        return format_text(PR_NOTIFY_DUMP_ERROR "%d %.*s%s%s%s%.*s", -result->error, utf8_prefix(sentence, SENTENCE_MAX), sentence,
                           result->trigger ? "\n" PR_NOTIFY_DUMP_TRIGGER : "", result->trigger ?: "",
                           result->trigger && *detail ? ": " : "", result->trigger ? utf8_prefix(detail, PR_DUMP_DETAIL_MAX) : 0,
                           detail);
}

int trigger_ids_answer(const TriggerIds *ids, const DumpResult *result, char ***ret) {
        _cleanup_free_ char *answer = dump_result_format(result);
        _cleanup_strv_free_ char **messages = NULL;
        size_t room;
        int r = 0;

        if (!answer)
                return -ENOMEM;
        if (ids->length == 0)
                r = strv_extend(&messages, answer);
        room = MESSAGE_MAX - strlen(answer) - strlen("\n" PR_NOTIFY_DUMP_IDS);
        for (size_t at = 0, n; at < ids->length && r >= 0; at += n) {
                n = trigger_ids_fit(ids->text + at, ids->length - at, room);
                r = strv_extendf(&messages, "%s\n" PR_NOTIFY_DUMP_IDS "%.*s", answer, (int) n - 1, ids->text + at);
        }
        if (r >= 0)
                *ret = steal_ptr(messages);
        return r;
}

PendingDump *pending_dump_free(PendingDump *p) {
        if (!p)
                return NULL;
        free(p->word);
        free(p->detail);
        trigger_ids_done(&p->ids);
        free(p);
        return NULL;
}

int pending_dump_new(const Trigger *trigger, const DumpWish *wish, bool apart, usec_t now, PendingDump **ret) {
        _cleanup_(pending_dump_freep) PendingDump *p = calloc(1, sizeof(PendingDump));

        if (!p)
                return -ENOMEM;
        *p = (PendingDump) {
                .timestamp = now_usec(CLOCK_REALTIME),
                .first = now,
                .due = now,
                .apart = apart,
                .wish = *wish,
                .word = strdup(trigger->request.trigger),
                .detail = strdup(trigger->request.detail ?: ""),
        };
        if (!p->word || !p->detail)
                return -ENOMEM;
        *ret = steal_ptr(p);
        return 0;
}

bool pending_dump_suits(const PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t due, bool apart, usec_t now) {
        const char *incident = trigger->request.incident;

        if (incident && *p->incident && !streq(p->incident, incident)) /* it is part of at most one */
                return false;
        return dump_wishes_agree(&p->wish, wish) &&
               ((p->due <= now && due <= now) || (!p->apart && !apart));
}

/* True if the dump names a trigger of that kind with the same cause: the unit, or pressure above the same threshold, which the
 * kernel reports in each window while it lasts. */
static bool pending_dump_names_cause(const PendingDump *p, const Trigger *trigger) {
        const DumpRequest *q = &trigger->request;
        const char *average = q->detail ? strstr(q->detail, " avg10=") : NULL;
        _cleanup_free_ char *reasons = format_text("%s: %s,", p->word, p->detail), *cause = NULL;

        if (q->unit)
                cause = format_text("%s: %s,", q->trigger, q->unit);
        else if (average)
                cause = format_text("%s: %.*s avg10=", q->trigger, (int) (average - q->detail), q->detail);
        return reasons && cause && strstr(reasons, cause);
}

/* A dump names all its triggers, each reason once, see PR_DUMP_XATTR_DETAIL. A reason that does not fit is only counted, and
 * so is one whose cause is named. */
static void pending_dump_add_reason(PendingDump *p, const Trigger *trigger) {
        _cleanup_free_ char *reason = NULL;
        const char *detail = trigger->request.detail ?: "";
        char *all;

        if (streq(p->word, trigger->request.trigger) && (streq(p->detail, detail) || *detail == '\0'))
                return;
        if (pending_dump_names_cause(p, trigger))
                return;
        reason = format_text("%s%s%s", trigger->request.trigger, *detail ? ": " : "", detail);
        if (!reason || strstr(p->detail, reason) || strlen(p->detail) + strlen(reason) + 2 > REASONS_MAX)
                return;
        all = format_text("%s%s%s", p->detail, *p->detail ? "; " : "", reason);
        if (!all)
                return;
        free(p->detail);
        p->detail = all;
}

void pending_dump_join(PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t delay, usec_t now) {
        const DumpRequest *q = &trigger->request;

        if (p->n > 0)
                pending_dump_add_reason(p, trigger);
        p->n += MAX_OF(trigger->n, 1u);
        p->own = p->own || (!streq(q->trigger, PR_TRIGGER_ALSO) && !streq(q->trigger, PR_TRIGGER_ROTATION) &&
                            !streq(q->trigger, PR_TRIGGER_RECORDER));
        if (q->incident && *p->incident == '\0')
                (void) snprintf(p->incident, sizeof(p->incident), "%s", q->incident);
        p->due = MIN_OF(MAX_OF(p->due, now + delay), p->first + 2 * delay);
        p->wish.content = MAX_OF(p->wish.content, wish->content);
        p->wish.automatic |= wish->automatic;
        p->wish.requested |= wish->requested;
}

DumpOrder pending_dump_order(const PendingDump *p) {
        return (DumpOrder) {
                .trigger = p->word,
                .detail = p->detail,
                .timestamp = p->timestamp,
                .incident = p->incident,
                .n_triggers = p->n,
                .content = p->wish.content,
                .automatic = p->wish.automatic,
                .requested = p->wish.requested,
                .since = p->wish.since,
                .until = p->wish.until,
        };
}

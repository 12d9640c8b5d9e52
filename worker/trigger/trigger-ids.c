/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The answers to triggers, as notifications. A datagram must fit a receiver's buffer, so many ids take several of them,
 * each of which says the whole answer. */

#include "trigger-ids.h"

#include <perf-recorder/notify-fields.h>
#include "strv.h"

#define MESSAGE_MAX 4000u /* bytes; the daemon reads messages of 4096 */

static int reserve(TriggerIds *ids, size_t size) {
        size_t needed = ids->length + size, allocated = MAX_OF(needed * 2, (size_t) 256);
        char *larger;

        if (needed > TRIGGER_IDS_MAX)
                return -ENOBUFS;
        if (needed <= ids->allocated)
                return 0;
        larger = realloc(ids->text, allocated);
        if (!larger)
                return -ENOMEM;
        ids->text = larger;
        ids->allocated = allocated;
        return 0;
}

int trigger_ids_add(TriggerIds *ids, const char *id) {
        size_t n = strlen(id);
        int r = reserve(ids, n + 1);

        if (r < 0)
                return r;
        memcpy(ids->text + ids->length, id, n);
        ids->text[ids->length + n] = ' ';
        ids->length += n + 1;
        return 0;
}

int trigger_ids_add_all(TriggerIds *ids, const TriggerIds *others) {
        int r = others->length > 0 ? reserve(ids, others->length) : 0;

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

/* How much of s, of which each id has a blank behind it, fits into size bytes; at least one id. */
static size_t some_ids(const char *s, size_t n, size_t size) {
        if (n <= size)
                return n;
        while (size > 1 && s[size - 1] != ' ')
                size--;
        return size;
}

int trigger_ids_answer(const TriggerIds *ids, const DumpResult *result, char ***ret) {
        _cleanup_strv_free_ char **messages = NULL;
        char answer[1024];
        size_t room;
        int r = 0;

        if (result->error < 0)
                (void) snprintf(answer, sizeof(answer), PR_NOTIFY_DUMP_ERROR "%d %s", -result->error,
                                result->sentence ?: strerror(-result->error));
        else
                (void) snprintf(answer, sizeof(answer), PR_NOTIFY_DUMP "%s", result->name);
        if (ids->length == 0)
                r = strv_extend(&messages, answer);
        room = MESSAGE_MAX - strlen(answer) - strlen("\n" PR_NOTIFY_DUMP_IDS);
        for (size_t at = 0, n; at < ids->length && r >= 0; at += n) {
                n = some_ids(ids->text + at, ids->length - at, room);
                r = strv_extendf(&messages, "%s\n" PR_NOTIFY_DUMP_IDS "%.*s", answer, (int) n - 1, ids->text + at);
        }
        if (r >= 0)
                *ret = steal_ptr(messages);
        return r;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Parses a request for a dump that came by the control descriptor. Anyone who can write to it may have sent it, so each value
 * has a limit, and the detail, which goes into files and terminals, becomes one line of printable characters. */

#include "trigger-request.h"

#include "parse-number.h"
#include "utf8.h"

#define ID_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
#define WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyz-"
#define TRIGGER_TIME_MAX ((usec_t) INT64_MAX / NSEC_PER_USEC) /* the kernel's clocks count nanoseconds with 63 bits */
#define UNIT_CHARACTERS ID_CHARACTERS ":\\@"

static int request_take_word(const char *value, size_t n, const char *characters, char *ret, size_t size) {
        if (n == 0 || n >= size || strspn(value, characters) < n)
                return -EINVAL;
        memcpy(ret, value, n);
        ret[n] = '\0';
        return 0;
}

static int request_take_number(const char *value, size_t n, uint64_t *ret) {
        char number[24];

        if (n == 0 || n >= sizeof(number))
                return -EINVAL;
        memcpy(number, value, n);
        number[n] = '\0';
        return parse_uint64(number, ret);
}

/* Takes a time of the wall clock. */
static int request_take_time(const char *value, size_t n, usec_t *ret) {
        int r = request_take_number(value, n, ret);

        return r >= 0 && *ret > TRIGGER_TIME_MAX ? -EOVERFLOW : r;
}

static int request_take_flag(const char *value, size_t n, bool *ret) {
        uint64_t flag;
        int r = request_take_number(value, n, &flag);

        if (r >= 0)
                *ret = flag != 0;
        return r;
}

static int request_take_key(TriggerRequest *q, const char *word, size_t n, Diagnosis *d) {
        const char *value;
        int r = 0;

        if ((value = startswith(word, PR_SNAPSHOT_TRIGGER)))
                r = request_take_word(value, n - (size_t) (value - word), WORD_CHARACTERS, q->word, sizeof(q->word));
        else if ((value = startswith(word, PR_SNAPSHOT_SINCE)))
                r = request_take_time(value, n - (size_t) (value - word), &q->trigger.since);
        else if ((value = startswith(word, PR_SNAPSHOT_UNTIL)))
                r = request_take_time(value, n - (size_t) (value - word), &q->trigger.until);
        else if ((value = startswith(word, PR_SNAPSHOT_DELAY)))
                r = request_take_number(value, n - (size_t) (value - word), &q->trigger.delay);
        else if ((value = startswith(word, PR_SNAPSHOT_NEW)))
                r = request_take_flag(value, n - (size_t) (value - word), &q->trigger.fresh);
        else if ((value = startswith(word, PR_SNAPSHOT_ALL)))
                r = request_take_flag(value, n - (size_t) (value - word), &q->trigger.all);
        else if ((value = startswith(word, PR_SNAPSHOT_INCIDENT))) {
                r = request_take_word(value, n - (size_t) (value - word), "0123456789abcdef", q->incident, sizeof(q->incident));
                q->trigger.incident = q->incident;
        } else if ((value = startswith(word, PR_SNAPSHOT_UNIT))) {
                r = request_take_word(value, n - (size_t) (value - word), UNIT_CHARACTERS, q->unit, sizeof(q->unit));
                q->trigger.unit = q->unit;
        } else if ((value = startswith(word, PR_SNAPSHOT_FORCE)))
                r = request_take_flag(value, n - (size_t) (value - word), &q->trigger.force);
        if (r == -EOVERFLOW)
                return diagnosis_set(d, -EINVAL, "snapshot: %.*s is too late", (int) n, word);
        return r < 0 ? diagnosis_set(d, -EINVAL, "snapshot: %.*s is not understood", (int) n, word) : 0;
}

int trigger_request_parse(const char *argument, TriggerRequest *ret, Diagnosis *d) {
        size_t n = strcspn(argument, " ");
        int r;

        *ret = (TriggerRequest) { .word = PR_TRIGGER_CONTROL, .trigger = TRIGGER(ret->word) };
        ret->trigger.id = ret->id;
        ret->trigger.detail = ret->detail;
        if (request_take_word(argument, n, ID_CHARACTERS, ret->id, sizeof(ret->id)) < 0)
                return diagnosis_set(d, -EINVAL, "snapshot: `%.*s' is no id", (int) MIN_OF(n, (size_t) 80), argument);
        for (const char *word = argument + n; *word; word += n) {
                const char *detail;

                word += strspn(word, " ");
                n = strcspn(word, " ");
                if ((detail = startswith(word, PR_SNAPSHOT_DETAIL))) {
                        (void) utf8_line_to(ret->detail, sizeof(ret->detail), detail);
                        return 0;
                }
                r = request_take_key(ret, word, n, d);
                if (r < 0)
                        return r;
        }
        return 0;
}

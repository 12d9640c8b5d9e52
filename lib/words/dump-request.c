/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words of a request for a dump: one table, from which perfctl's call, the dictionary on the bus, the recorder's control
 * word and the announcement to other sessions are written and read. The order of the rows is that of the control word.
 *
 * A value's meaning, and which words exclude each other, is for those who obey them. */

#include "dump-request.h"

#include "parse-number.h"
#include "utf8.h"

#define WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyz-"
#define INCIDENT_CHARACTERS "0123456789abcdef"
#define UNIT_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-:\\@"
#define REASON_MAX 512 /* bytes */
#define REASON_RULE "is one line of at most 512 bytes"
#define TIME_MAX ((usec_t) INT64_MAX / NSEC_PER_USEC) /* the kernel's clocks count nanoseconds with 63 bits */
#define TIME_RULE "is a time in the past, in microseconds since the epoch"

#define WORD(name_, kind_, field, uses_, ...) \
        { .name = (name_), .kind = DUMP_WORD_##kind_, .offset = offsetof(DumpRequest, field), .uses = (uses_), __VA_ARGS__ }
#define CALLER DUMP_WORD_CALLER
#define RECORDER DUMP_WORD_RECORDER
#define ANNOUNCED DUMP_WORD_ANNOUNCED
#define FOREIGN DUMP_WORD_FOREIGN

static const DumpWord words[] = {
        WORD("trigger", NAME, trigger, RECORDER | FOREIGN, .characters = WORD_CHARACTERS, .max = 31),
        WORD("since", TIME, since, CALLER | RECORDER | ANNOUNCED, .rule = TIME_RULE, .option = "since"),
        WORD("until", TIME, until, CALLER | RECORDER | ANNOUNCED, .rule = TIME_RULE, .option = "until"),
        WORD("delay", SPAN, delay, CALLER | RECORDER, .given = offsetof(DumpRequest, has_delay), .max = PR_SNAPSHOT_DELAY_MAX,
             .rule = "is in microseconds, an hour at most", .option = "delay"),
        WORD("new", FLAG, fresh, CALLER | RECORDER | ANNOUNCED, .option = "new"),
        WORD("all", FLAG, all, RECORDER | ANNOUNCED | FOREIGN),
        WORD("incident", NAME, incident, RECORDER | ANNOUNCED | FOREIGN, .characters = INCIDENT_CHARACTERS,
             .max = PR_INCIDENT_SIZE - 1),
        WORD("force", FLAG, force, CALLER | RECORDER | FOREIGN, .option = "force"),
        WORD("unit", NAME, unit, RECORDER | FOREIGN, .characters = UNIT_CHARACTERS, .max = PR_SNAPSHOT_UNIT_MAX),
        WORD("reason", LINE, reason, CALLER, .max = REASON_MAX, .rule = REASON_RULE, .option = "why"),
        WORD("timeout", SPAN, timeout, CALLER, .min = 1, .max = UINT64_MAX, .rule = "is in microseconds, one at least",
             .option = "timeout"),
        WORD("detail", LINE, detail, RECORDER | ANNOUNCED | FOREIGN, .max = PR_DUMP_DETAIL_MAX),
};

_Static_assert(ELEMENTSOF(words) <= DUMP_WORDS_MAX, "more words than others have room for");

const DumpWord *dump_word_next(const DumpWord *w, DumpWordUse use) {
        for (w = w ? w + 1 : words; w < words + ELEMENTSOF(words); w++)
                if (w->uses & use)
                        return w;
        return NULL;
}

const DumpWord *dump_word_find(const char *name, DumpWordUse use) {
        for (const DumpWord *w = NULL; (w = dump_word_next(w, use));)
                if (streq(w->name, name))
                        return w;
        return NULL;
}

char dump_word_type(const DumpWord *w) {
        switch (w->kind) {
        case DUMP_WORD_TIME:
        case DUMP_WORD_SPAN:
                return 't';
        case DUMP_WORD_FLAG:
                return 'b';
        default:
                return 's';
        }
}

bool dump_request_get(const DumpRequest *q, const DumpWord *w, DumpWordValue *ret) {
        const void *field = (const char *) q + w->offset;

        *ret = (DumpWordValue) {};
        switch (dump_word_type(w)) {
        case 't':
                ret->number = *(const usec_t *) field;
                return ret->number > 0 || (w->given > 0 && *(const bool *) ((const char *) q + w->given));
        case 'b':
                ret->number = *(const bool *) field;
                return ret->number > 0;
        default:
                ret->string = *(const char *const *) field;
                return ret->string;
        }
}

bool dump_request_needs_worker(const DumpRequest *q) {
        DumpWordValue value;

        for (const DumpWord *w = NULL; (w = dump_word_next(w, DUMP_WORD_RECORDER));)
                if (!(w->uses & DUMP_WORD_FOREIGN) && dump_request_get(q, w, &value) &&
                    (value.number > 0 || (value.string && *value.string)))
                        return true;
        return false;
}

static void put_value(DumpRequest *q, const DumpWord *w, const DumpWordValue *value) {
        void *field = (char *) q + w->offset;

        switch (dump_word_type(w)) {
        case 't':
                *(usec_t *) field = value->number;
                if (w->given > 0)
                        *(bool *) ((char *) q + w->given) = true;
                return;
        case 'b':
                *(bool *) field = value->number != 0;
                return;
        default:
                *(const char **) field = value->string;
        }
}

static bool is_name(const DumpWord *w, const char *s) {
        size_t n = strlen(s);

        return n > 0 && n <= w->max && strspn(s, w->characters) == n;
}

int dump_request_set(DumpRequest *q, const DumpWord *w, const DumpWordValue *value) {
        bool is_right = true;

        if (w->kind == DUMP_WORD_TIME)
                is_right = value->number > 0 && value->number <= now_usec(CLOCK_REALTIME);
        else if (w->kind == DUMP_WORD_SPAN)
                is_right = value->number >= w->min && value->number <= w->max;
        else if (w->kind == DUMP_WORD_NAME)
                is_right = is_name(w, value->string);
        else if (w->kind == DUMP_WORD_LINE)
                is_right = strlen(value->string) <= w->max;
        if (!is_right)
                return -EINVAL;
        put_value(q, w, value);
        return 0;
}

int dump_request_format(const DumpRequest *q, DumpWordUse use, char *ret, size_t size) {
        char line[PR_DUMP_DETAIL_MAX];
        DumpWordValue value;
        size_t n = 0;

        *ret = '\0';
        for (const DumpWord *w = NULL; n < size && (w = dump_word_next(w, use));) {
                bool is_set = dump_request_get(q, w, &value), is_number = dump_word_type(w) != 's';

                if (w->kind == DUMP_WORD_LINE) {
                        (void) utf8_line_to(line, sizeof(line), value.string ?: "");
                        value.string = line;
                        is_set = *line != '\0';
                }
                if (is_number && (is_set || use == DUMP_WORD_ANNOUNCED))
                        n += (size_t) snprintf(ret + n, size - n, " %s=%" PRIu64, w->name, value.number);
                else if (is_set)
                        n += (size_t) snprintf(ret + n, size - n, " %s=%s", w->name, value.string);
        }
        return n < size ? 0 : -EMSGSIZE;
}

/* The word that begins as "NAME=". */
static const DumpWord *find_key(const char *text, DumpWordUse use) {
        for (const DumpWord *w = NULL; (w = dump_word_next(w, use));) {
                const char *rest = startswith(text, w->name);

                if (rest && *rest == '=')
                        return w;
        }
        return NULL;
}

/* A string of the request points to the word. */
static int parse_word(DumpRequest *q, const DumpWord *w, const char *word, Diagnosis *d) {
        DumpWordValue value = { .string = word + strlen(w->name) + 1 };
        int r;

        if (w->kind == DUMP_WORD_NAME)
                r = is_name(w, value.string) ? 0 : -EINVAL;
        else
                r = parse_uint64(value.string, &value.number);
        if (r < 0)
                return diagnosis_set(d, -EINVAL, PR_CONTROL_SNAPSHOT ": %s is not understood", word);
        if (w->kind == DUMP_WORD_TIME && value.number > TIME_MAX)
                return diagnosis_set(d, -EINVAL, PR_CONTROL_SNAPSHOT ": %s is too late", word);
        put_value(q, w, &value);
        return 0;
}

int dump_request_parse(const char *text, DumpWordUse use, DumpRequestText *ret, Diagnosis *d) {
        char *rest = ret->words;
        int r = 0;

        ret->request = (DumpRequest) { .detail = ret->detail };
        *ret->detail = '\0';
        (void) snprintf(ret->words, sizeof(ret->words), "%s", text);
        while (r >= 0 && rest) {
                const DumpWord *w = find_key(rest, use);

                if (w && w->kind == DUMP_WORD_LINE) {
                        (void) utf8_line_to(ret->detail, sizeof(ret->detail), rest + strlen(w->name) + 1);
                        return 0;
                }
                if (w)
                        r = parse_word(&ret->request, w, strsep(&rest, " "), d);
                else
                        (void) strsep(&rest, " ");
        }
        return r;
}

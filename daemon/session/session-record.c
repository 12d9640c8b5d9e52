/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The text form of what the next daemon needs to know. Keys that it does not know are passed over and those that are
 * missing have no value, so that a newer and an older daemon can follow each other. A daemon that was killed while it
 * wrote leaves a text without its last line, and the session is then found by its scope. */

#include "session-record.h"

#include <inttypes.h>

#include "array.h"
#include "parse-number.h"
#include "strv.h"

#define LINES_MAX 8192u

void session_record_done(SessionRecord *r) {
        free(r->text);
        free(r->lines);
        *r = (SessionRecord){};
}

void session_record_put_text(FILE *f, const char *key, const char *value) {
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

void session_record_put_number(FILE *f, const char *key, uint64_t value) {
        if (value > 0)
                fprintf(f, "%s=%" PRIu64 "\n", key, value);
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

static int take_line(SessionRecord *r, char *line) {
        char *value = strchr(line, '=');

        if (!value)
                return -EBADMSG;
        if (r->n_lines >= LINES_MAX)
                return -EBADMSG;
        if (ARRAY_RESERVE_NEXT(r->lines, r->n_lines) < 0)
                return -ENOMEM;
        *value++ = '\0';
        unescape(value);
        r->lines[r->n_lines++] = (RecordLine) { .key = line, .value = value };
        return 0;
}

int session_record_parse(char *text, SessionRecord *ret) {
        _cleanup_(session_record_done) SessionRecord r = { .text = text };
        bool whole = false;
        char *line;
        int k;

        while ((line = strsep(&text, "\n")) && *line) {
                whole = streq(line, "end=1");
                k = take_line(&r, line);
                if (k < 0)
                        return k;
        }
        if (!whole || !session_record_text(&r, "name"))
                return -EBADMSG;
        *ret = r;
        r = (SessionRecord){};
        return 0;
}

const char *session_record_text(const SessionRecord *r, const char *key) {
        for (size_t i = 0; i < r->n_lines; i++)
                if (streq(r->lines[i].key, key))
                        return r->lines[i].value;
        return NULL;
}

uint64_t session_record_number(const SessionRecord *r, const char *key, uint64_t max) {
        const char *text = session_record_text(r, key);
        uint64_t n;

        return text && parse_uint64(text, &n) >= 0 && n <= max ? n : 0;
}

void session_record_put_field(FILE *f, const RecordField *field, const void *object) {
        const void *value = (const char *) object + field->offset;

        if (field->kind == RECORD_TEXT)
                session_record_put_text(f, field->key, *(char *const *) value);
        else if (field->kind == RECORD_NUMBER)
                session_record_put_number(f, field->key, *(const uint64_t *) value);
        else if (field->kind == RECORD_INT)
                session_record_put_number(f, field->key, *(const unsigned *) value);
        else
                session_record_put_number(f, field->key, *(const bool *) value);
}

int session_record_get_field(const SessionRecord *r, const RecordField *field, void *object) {
        void *value = (char *) object + field->offset;

        if (field->kind == RECORD_TEXT)
                return free_and_strdup(value, session_record_text(r, field->key));
        if (field->kind == RECORD_NUMBER)
                *(uint64_t *) value = session_record_number(r, field->key, UINT64_MAX);
        else if (field->kind == RECORD_INT)
                *(unsigned *) value = (unsigned) session_record_number(r, field->key, INT32_MAX);
        else
                *(bool *) value = session_record_number(r, field->key, 1);
        return 0;
}

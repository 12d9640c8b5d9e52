/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads perfconfig's syntax character by character, because sections, keys and comments may share a line. The rules are those of
 * perf record (perf-config(1), and git-config(1) that it comes from): names are in lower case, each run of blanks in a value
 * becomes one blank unless it is quoted, and a backslash before the newline continues a value. The lines are checked before,
 * so this file only sees printable text. */

#include "perfconfig-reader.h"

#include <ctype.h>

#include "line-reader.h"

typedef struct PerfconfigReader {
        const char *p, *end;
        unsigned line; /* line number at p */
        char section[PERFCONFIG_NAME_MAX + 1];
        char key[PERFCONFIG_NAME_MAX + 1];
        char value[PERFCONFIG_VALUE_MAX + 1];
        size_t value_size;
        PerfconfigHandler handler;
        void *userdata;
} PerfconfigReader;

/* Returns '\n' at the end of the text, too. */
static char peek(const PerfconfigReader *r) {
        if (r->p < r->end && *r->p == '\r' && (r->p + 1 == r->end || r->p[1] == '\n'))
                return '\n';
        return r->p < r->end ? *r->p : '\n';
}

static void advance(PerfconfigReader *r) {
        if (r->p == r->end)
                return;
        if (*r->p == '\n')
                r->line++;
        r->p++;
}

static void skip_blanks(PerfconfigReader *r) {
        while (peek(r) == ' ' || peek(r) == '\t')
                advance(r);
}

static void skip_line(PerfconfigReader *r) {
        while (peek(r) != '\n')
                advance(r);
}

/* Reads a name in lower case; extra is a further character that it may contain. */
static int take_name(PerfconfigReader *r, char *name, char extra, Diagnosis *d) {
        size_t n = 0;
        char c;

        for (; (c = peek(r)), (isascii(c) && isalnum((unsigned char) c)) || c == '-' || c == '_' || (extra && c == extra);
             advance(r)) {
                if (n == PERFCONFIG_NAME_MAX)
                        return diagnosis_set(d, -E2BIG, "a name of more than %d bytes", PERFCONFIG_NAME_MAX);
                name[n++] = (char) tolower((unsigned char) c);
        }
        name[n] = '\0';
        return n > 0 ? 0 : diagnosis_set(d, -EINVAL, "expected a name of letters, digits, - and _");
}

/* Reads [section], or [section "sub section"], which is stored as "section.". */
static int take_section(PerfconfigReader *r, Diagnosis *d) {
        int k;

        advance(r);
        k = take_name(r, r->section, '.', d);
        if (k < 0)
                return k;
        skip_blanks(r);
        if (peek(r) == '"') {
                size_t n = strlen(r->section);

                if (n == PERFCONFIG_NAME_MAX)
                        return diagnosis_set(d, -E2BIG, "a name of more than %d bytes", PERFCONFIG_NAME_MAX);
                memcpy(r->section + n, ".", 2);
                while (peek(r) != ']' && peek(r) != '\n')
                        advance(r);
        }
        if (peek(r) != ']')
                return diagnosis_set(d, -EINVAL, "a section without its closing bracket");
        advance(r);
        return r->handler(r->section, NULL, NULL, r->line, r->userdata);
}

static int put(PerfconfigReader *r, char c, Diagnosis *d) {
        if (r->value_size == PERFCONFIG_VALUE_MAX)
                return diagnosis_set(d, -E2BIG, "a value of more than %d bytes", PERFCONFIG_VALUE_MAX);
        r->value[r->value_size++] = c;
        return 0;
}

/* Reads an escape sequence behind its backslash. */
static int take_escape(PerfconfigReader *r, Diagnosis *d) {
        static const char letters[] = "tbn\\\"", meanings[] = "\t\b\n\\\"";
        const char *letter;
        char c;

        advance(r);
        c = peek(r);
        if (c == '\n') { /* continued on the next line */
                if (r->p < r->end && *r->p == '\r')
                        advance(r);
                advance(r);
                return 0;
        }
        letter = strchr(letters, c);
        if (!letter)
                return diagnosis_set(d, -EINVAL, "a backslash that nothing known follows");
        advance(r);
        return put(r, meanings[letter - letters], d);
}

/* Reads one character of a value, or its escape sequence. */
static int take_character(PerfconfigReader *r, bool *quoted, Diagnosis *d) {
        char c = peek(r);

        if (c == '\\')
                return take_escape(r, d);

        advance(r);
        if (c == '"') {
                *quoted = !*quoted;
                return 0;
        }
        return put(r, c, d);
}

static int take_value(PerfconfigReader *r, Diagnosis *d) {
        bool quoted = false, blank = false;

        r->value_size = 0;
        while (peek(r) != '\n') {
                char c = peek(r);
                int k = 0;

                if (!quoted && (c == ' ' || c == '\t')) {
                        blank = true;
                        advance(r);
                        continue;
                }
                if (!quoted && (c == '#' || c == ';')) {
                        skip_line(r);
                        break;
                }

                if (blank && r->value_size > 0)
                        k = put(r, ' ', d);
                blank = false;
                if (k >= 0)
                        k = take_character(r, &quoted, d);
                if (k < 0)
                        return k;
        }
        if (quoted)
                return diagnosis_set(d, -EINVAL, "a quote without its end");

        r->value[r->value_size] = '\0';
        return 0;
}

static int take_assignment(PerfconfigReader *r, Diagnosis *d) {
        unsigned line = r->line;
        int k;

        if (r->section[0] == '\0')
                return diagnosis_set(d, -EINVAL, "an assignment outside of a section");
        k = take_name(r, r->key, '\0', d);
        if (k < 0)
                return k;
        skip_blanks(r);
        if (peek(r) == '\n')
                return r->handler(r->section, r->key, NULL, line, r->userdata);
        if (peek(r) != '=')
                return diagnosis_set(d, -EINVAL, "not an assignment, expected key = value, [section] or a # comment");
        advance(r);
        k = take_value(r, d);
        return k < 0 ? k : r->handler(r->section, r->key, r->value, line, r->userdata);
}

static int check_text(const char *text, size_t size, Diagnosis *d) {
        LineReader lines;
        const char *line;
        size_t line_size;
        int r;

        if (size > TEXT_SIZE_MAX)
                return diagnosis_set(d, -E2BIG, "a file of more than %d bytes", TEXT_SIZE_MAX);
        line_reader_init(&lines, text, size);
        do
                r = line_reader_next(&lines, &line, &line_size, d);
        while (r > 0);
        return r;
}

int perfconfig_read(const char *text, size_t size, PerfconfigHandler handler, void *userdata, Diagnosis *d) {
        _cleanup_free_ PerfconfigReader *r = calloc(1, sizeof(PerfconfigReader));
        LineReader start;
        int k;

        if (!r)
                return -ENOMEM;
        k = check_text(text, size, d);
        if (k < 0)
                return k;

        line_reader_init(&start, text, size); /* skips a byte-order mark */
        *r = (PerfconfigReader) {
                .p = start.next,
                .end = text + size,
                .line = 1,
                .handler = handler,
                .userdata = userdata,
        };
        while (r->p < r->end && k >= 0) {
                char c = peek(r);

                if (c == '#' || c == ';')
                        skip_line(r);
                else if (c == '[')
                        k = take_section(r, d);
                else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
                        advance(r);
                else
                        k = take_assignment(r, d);
        }
        if (k < 0)
                diagnosis_locate(d, NULL, r->line, NULL);
        return k;
}

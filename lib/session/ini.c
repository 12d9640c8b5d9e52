/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The syntax of systemd.syntax(7): [Section], Key=value, # and ; comment lines, a trailing backslash that continues a
 * line, and comment lines within a continued line. It knows no section and no key. The text, a line with its continuations, the
 * number of assignments and the length of names are limited. Messages name the place and what is expected, but never contain
 * the text (line-reader.c says why). */

#include "ini.h"

#include "array.h"

#define KEY_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
#define BLANKS " \t"

typedef struct IniParser {
        LineReader reader;
        IniHandler handler;
        void *userdata;
        char *line;           /* the joined line */
        size_t line_size;
        unsigned first_line;  /* first line of the joined line */
        char section[INI_NAME_MAX + 1]; /* "": none yet */
        unsigned n_keys;
} IniParser;

static void ini_parser_done(IniParser *p) {
        free(p->line);
}

/* Appends to the joined line and NUL-terminates it. */
static int append(IniParser *p, const char *s, size_t size, Diagnosis *d) {
        if (p->line_size + size > LINE_SIZE_MAX)
                return diagnosis_set(d, -E2BIG, "a line of more than %d bytes with its continuations", LINE_SIZE_MAX);

        if (ARRAY_RESIZE(p->line, p->line_size + size + 1) < 0)
                return -ENOMEM;
        memcpy(p->line + p->line_size, s, size);
        p->line_size += size;
        p->line[p->line_size] = '\0';
        return 0;
}

/* True if an odd number of backslashes ends the line. */
static bool is_continued(const char *s, size_t size) {
        size_t n = 0;

        while (n < size && s[size - 1 - n] == '\\')
                n++;
        return n % 2 == 1;
}

/* Reads a line with its continuations into p->line. 1: a line, 0: the end. */
static int read_joined_line(IniParser *p, Diagnosis *d) {
        bool continued = false;

        p->line_size = 0;
        for (;;) {
                const char *s;
                size_t size;
                int r;

                r = line_reader_next(&p->reader, &s, &size, d);
                if (r < 0)
                        return r;
                if (r == 0)
                        return continued ? 1 : 0;

                while (size > 0 && strchr(BLANKS, *s))
                        s++, size--;
                if (size > 0 && (*s == '#' || *s == ';'))
                        continue;
                if (!continued)
                        p->first_line = p->reader.line;

                continued = is_continued(s, size);
                r = append(p, s, size, d);
                if (r < 0)
                        return r;
                if (!continued)
                        return 1;
                p->line[p->line_size - 1] = ' ';
        }
}

static char *strip_end(char *s) {
        size_t n = strlen(s);

        while (n > 0 && strchr(BLANKS, s[n - 1]))
                n--;
        s[n] = '\0';
        return s;
}

static int parse_section(IniParser *p, char *line, Diagnosis *d) {
        size_t n = strlen(line);

        if (n < 3 || line[n - 1] != ']' || strcspn(line + 1, "[]") != n - 2)
                return diagnosis_set(d, -EINVAL, "not a section, expected [Section] and nothing after it");
        if (n - 2 > INI_NAME_MAX)
                return diagnosis_set(d, -E2BIG, "a section's name of more than %d bytes", INI_NAME_MAX);

        line[n - 1] = '\0';
        memcpy(p->section, line + 1, n - 1);
        return p->handler(p->section, NULL, NULL, p->first_line, d, p->userdata);
}

static int parse_assignment(IniParser *p, char *line, Diagnosis *d) {
        char *separator = strchr(line, '='), *value;
        size_t n;

        if (separator)
                *separator = '\0';
        n = strspn(strip_end(line), KEY_CHARACTERS);
        if (!separator || n == 0 || n > INI_NAME_MAX || line[n])
                return diagnosis_set(d, -EINVAL, "not an assignment, expected Key=value, [Section] or a # comment");
        if (p->section[0] == '\0')
                return diagnosis_set(d, -EINVAL, "an assignment outside of a section, expected [Section] before it");
        if (++p->n_keys > INI_KEYS_MAX)
                return diagnosis_set(d, -E2BIG, "more than %d assignments in a file", INI_KEYS_MAX);

        value = separator + 1;
        value += strspn(value, BLANKS);
        return p->handler(p->section, line, strip_end(value), p->first_line, d, p->userdata);
}

int ini_parse(const char *text, size_t size, IniHandler handler, void *userdata, Diagnosis *d) {
        _cleanup_(ini_parser_done) IniParser p = { .handler = handler, .userdata = userdata };
        int r;

        if (size > TEXT_SIZE_MAX)
                return diagnosis_set(d, -E2BIG, "a file of more than %d bytes", TEXT_SIZE_MAX);

        line_reader_init(&p.reader, text, size);
        for (;;) {
                char *line;

                r = read_joined_line(&p, d);
                if (r == 0)
                        return 0;
                if (r < 0)
                        break;

                line = strip_end(p.line);
                line += strspn(line, BLANKS);

                if (*line == '\0')
                        continue;
                r = *line == '[' ? parse_section(&p, line, d) : parse_assignment(&p, line, d);
                if (r < 0)
                        break;
        }

        diagnosis_locate(d, NULL, p.first_line, NULL);
        return r;
}

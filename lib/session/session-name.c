/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The grammar of names, systemd.unit(5): the same characters for sessions and units. A session's name becomes part of
 * paths, of a scope's name and of a bus path; so it contains no "/" and does not begin with a dot. */

#include "session-name.h"

#include "array.h"
#include "format-text.h"

#define UNIT_NAME_MAX 255
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@"

bool session_name_is_valid(const char *name) {
        size_t n = strspn(name, NAME_CHARACTERS);

        return n > 0 && n <= SESSION_NAME_MAX && name[n] == '\0' && *name != '.' && *name != '@';
}

const char *session_name_instance(const char *name) {
        const char *at = strchr(name, '@');

        return at ? at + 1 : NULL;
}

bool session_name_is_template(const char *name) {
        const char *instance = session_name_instance(name);

        return instance && *instance == '\0';
}

int session_name_template(const char *name, char **ret) {
        const char *instance = session_name_instance(name);

        if (!instance || *instance == '\0')
                return -EINVAL;
        *ret = strndup(name, (size_t) (instance - name));
        return *ret ? 0 : -ENOMEM;
}

static int hexadecimal_digit(char c) {
        static const char digits[] = "0123456789abcdef";
        const char *p = c ? strchr(digits, c) : NULL;

        return p ? (int) (p - digits) : -EINVAL;
}

int unit_name_unescape(const char *s, char **ret) {
        _cleanup_free_ char *plain = malloc(strlen(s) + 1);
        char *to = plain;

        if (!plain)
                return -ENOMEM;

        for (; *s; s++) {
                int high, low;

                if (*s != '\\') {
                        *to++ = *s == '-' ? '/' : *s;
                        continue;
                }
                if (s[1] != 'x')
                        return -EINVAL;
                high = hexadecimal_digit(s[2]);
                low = high < 0 ? high : hexadecimal_digit(s[3]);
                if (low < 0 || (high == 0 && low == 0))
                        return -EINVAL;
                *to++ = (char) (high << 4 | low);
                s += 3;
        }
        *to = '\0';

        *ret = steal_ptr(plain);
        return 0;
}

static int unit_name_escape(const char *s, char **ret) {
        static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_.";
        char *escaped = malloc(strlen(s) * strlen("\\xff") + 1), *to = escaped;

        if (!escaped)
                return -ENOMEM;
        for (const char *p = s; *p; p++)
                if (*p == '/')
                        *to++ = '-';
                else if (!strchr(plain, *p) || (*p == '.' && p == s))
                        to += sprintf(to, "\\x%02x", (unsigned char) *p);
                else
                        *to++ = *p;
        *to = '\0';
        *ret = escaped;
        return 0;
}

int unit_name_instantiate(const char *template, const char *instance, char **ret) {
        const char *suffix = strrchr(template, '.');
        _cleanup_free_ char *escaped = NULL;
        char *name;

        if (!unit_name_is_valid(template) || suffix[-1] != '@')
                return -EINVAL;
        if (unit_name_escape(instance, &escaped) < 0)
                return -ENOMEM;
        name = format_text("%.*s%s%s", (int) (suffix - template), template, escaped, suffix);
        if (!name)
                return -ENOMEM;
        if (strlen(name) > UNIT_NAME_MAX) {
                free(name);
                return -ENAMETOOLONG;
        }
        *ret = name;
        return 0;
}

bool unit_name_is_valid(const char *name) {
        static const char *const suffixes[] = {
                ".service", ".scope", ".slice", ".socket", ".mount", ".swap",
                ".timer", ".path", ".target", ".device", ".automount",
        };
        const char *suffix = strrchr(name, '.');
        size_t n = strspn(name, NAME_CHARACTERS);

        if (!suffix || suffix == name || n > UNIT_NAME_MAX || name[n] != '\0' || *name == '@')
                return false;
        return ANY_OF(ELEMENTSOF(suffixes), i, streq(suffix, suffixes[i]));
}

bool unit_name_is_pattern(const char *name) {
        char plain[UNIT_NAME_MAX + 1];
        size_t n = strlen(name), wild = 0;

        for (size_t i = 0; i <= n && n < sizeof(plain); i++) {
                bool special = name[i] && strchr("*?[]!", name[i]);

                plain[i] = special ? 'x' : name[i];
                wild += special && strchr("*?[", name[i]);
        }
        return wild > 0 && n < sizeof(plain) && unit_name_is_valid(plain);
}

char *unit_name_complete(const char *name) {
        return format_text("%s%s", name, unit_name_is_valid(name) || unit_name_is_pattern(name) ? "" : ".service");
}

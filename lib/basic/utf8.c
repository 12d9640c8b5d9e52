/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A decoder, and a copy that replaces all that the decoder refuses. The copy is at most three times as long, since
 * U+FFFD takes three bytes instead of one. */

#include "utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

size_t utf8_decode(const char *s, size_t size, uint32_t *ret) {
        static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
        unsigned char first = (unsigned char) s[0];
        size_t n = first < 0x80 ? 1 : first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 :
                   first >= 0xc0 && first < 0xe0 ? 2 : 0;
        uint32_t c = n < 2 ? first : first & (0x7fu >> n);

        if (n == 0 || n > size)
                return 0;
        for (size_t i = 1; i < n; i++) {
                if (((unsigned char) s[i] & 0xc0) != 0x80)
                        return 0;
                c = c << 6 | ((unsigned char) s[i] & 0x3f);
        }
        if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
                return 0;
        *ret = c;
        return n;
}

int utf8_prefix(const char *s, int max) {
        int n = (int) strnlen(s, (size_t) max);

        if (n < max)
                return n;
        for (int i = 0; i < 3 && n > 0 && ((unsigned char) s[n] & 0xc0) == 0x80; i++)
                n--;
        return n;
}

bool utf8_is_control(uint32_t c) {
        return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Returns the replacement for the character at s; *n is its bytes in s. */
static const char *render(const char *s, size_t size, bool line, size_t *n, size_t *ret_size) {
        uint32_t c;

        *n = utf8_decode(s, size, &c);
        *ret_size = 1;
        if (*n == 0) {
                *n = 1;
                *ret_size = strlen(REPLACEMENT);
                return REPLACEMENT;
        }
        if (line && (c == '\t' || c == '\n' || c == '\r'))
                return " ";
        if (line && utf8_is_control(c))
                return "?";
        *ret_size = *n;
        return s;
}

/* Fills at most max bytes and a NUL, and returns the number of bytes of s that they stand for. */
static size_t copy(char *to, size_t max, const char *s, size_t size, bool line) {
        size_t done = 0;

        while (done < size) {
                size_t n, n_shown;
                const char *shown = render(s + done, size - done, line, &n, &n_shown);

                if (n_shown > max)
                        break;
                to = mempcpy(to, shown, n_shown);
                max -= n_shown;
                done += n;
        }
        *to = '\0';
        return done;
}

static char *new_copy(const char *s, size_t size, size_t max, bool line) {
        size_t length = size == SIZE_MAX ? strlen(s) : strnlen(s, size);
        size_t room = MIN_OF(max, strlen(REPLACEMENT) * length);
        char *text = malloc(room + 1);

        if (text)
                (void) copy(text, room, s, length, line);
        return text;
}

char *utf8_text(const char *s, size_t size, size_t max) {
        return new_copy(s, size, max, false);
}

char *utf8_line(const char *s, size_t size, size_t max) {
        return new_copy(s, size, max, true);
}

bool utf8_line_to(char *buf, size_t size, const char *s) {
        size_t length = strlen(s);

        return copy(buf, size - 1, s, length, true) == length;
}

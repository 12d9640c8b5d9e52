/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Texts of pictures: anybody's, so that nothing in them may end an element. */

#include "svg-text.h"

/* Valid UTF-8 as text or as the value of an attribute. What XML 1.0 does not allow becomes '?'. */
void svg_put_escaped(TextBuffer *b, const char *text) {
        for (const char *p = text; *p;) {
                size_t n = strcspn(p, "<>&\"'\xef\x7f");

                for (size_t i = 0; i < n; i++)
                        if ((unsigned char) p[i] < ' ')
                                n = i;
                text_buffer_put(b, p, n);
                p += n;
                if (*p == '\0')
                        return;
                if (*p == '\xef' && (startswith(p, "\xef\xbf\xbe") || startswith(p, "\xef\xbf\xbf"))) {
                        text_buffer_putc(b, '?');
                        p += 3;
                } else if (*p == '\n' || *p == '\xef')
                        text_buffer_putc(b, *p++);
                else if (strchr("<>&\"'", *p))
                        text_buffer_format(b, "&#%u;", (unsigned char) *p++);
                else {
                        text_buffer_putc(b, '?');
                        p++;
                }
        }
}

void svg_put_style(TextBuffer *b, const char *background, const char *font, unsigned font_size) {
        text_buffer_puts(b, "svg{color-scheme:light dark;background:");
        svg_put_escaped(b, background ?: "#fff");
        text_buffer_puts(b, "}\n#background{fill:");
        svg_put_escaped(b, background ?: "#fff");
        text_buffer_puts(b, "}\ntext{font-family:");
        svg_put_escaped(b, font);
        text_buffer_format(b, ",sans-serif;font-size:%upx;fill:#222}\n#title{font-size:%upx}\n", font_size, font_size + 5);
        text_buffer_puts(b, "#title,#subtitle,#caption{text-anchor:middle}#caption{opacity:.8}\n");
}

void svg_put_dark_style(TextBuffer *b) {
        text_buffer_puts(b, "@media (prefers-color-scheme:dark){svg{background:#1c1c1e}#background{fill:#1c1c1e}\ntext{fill:#ddd}");
}

void svg_put_text(TextBuffer *b, const char *attributes, const char *x, double y, const char *text) {
        text_buffer_format(b, "<text%s x=\"%s\" y=\"%.1f\">", attributes, x, y);
        svg_put_escaped(b, text);
        text_buffer_puts(b, "</text>\n");
}

/* Returns the bytes of a line: up to the last blank at which it is not longer than room, in characters. */
static size_t svg_line_length(const char *text, size_t room) {
        size_t i, n = 0, blank = 0;

        for (i = 0; text[i]; i++) {
                blank = text[i] == ' ' ? i : blank;
                n += ((unsigned char) text[i] & 0xc0) != 0x80; /* no further byte of a character */
                if (n > room && blank > 0)
                        return blank;
        }
        return i;
}

unsigned svg_put_phrases(TextBuffer *b, char *const *phrases, size_t room, unsigned y, unsigned line_height) {
        _cleanup_(text_buffer_done) TextBuffer text = {};
        size_t n;

        for (size_t i = 0; phrases && phrases[i]; i++)
                text_buffer_format(&text, "%s%s", i > 0 ? "\xc2\xa0\xc2\xb7 " : "", phrases[i]);
        text_buffer_putc(&text, '\0');
        text_buffer_puts(b, "<g id=\"caption\">\n");
        for (char *line = text.error == 0 ? text.data : NULL; line && *line; line += n, y += line_height) {
                bool last;

                n = svg_line_length(line, room);
                last = line[n] == '\0';
                line[n] = '\0';
                svg_put_text(b, "", "50%", y, line);
                n += !last;
        }
        text_buffer_puts(b, "</g>\n");
        return y;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Parses symbols in a text in place. The text may be another user's, be truncated anywhere, and hold any byte. Names
 * end before the first control character, so that none breaks the line that it is shown in. */

#include "symbol-text.h"

#include "utf8.h"

typedef struct Line {
        const char *at, *end;
} Line;

static bool line_next(const char *text, size_t size, size_t *cursor, Line *ret) {
        const char *begin = text + *cursor, *end;

        if (*cursor >= size)
                return false;
        end = memchr(begin, '\n', size - *cursor);
        if (!end)
                end = text + size;
        *cursor = (size_t) (end - text) + 1;
        *ret = (Line) { .at = begin, .end = end };
        return true;
}

static int hex_digit(char c) {
        if (c >= '0' && c <= '9')
                return c - '0';
        if (c >= 'a' && c <= 'f')
                return c - 'a' + 10;
        return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool line_take_hex(Line *l, uint64_t *ret) {
        uint64_t value = 0;
        unsigned n = 0;

        if (l->end - l->at > 2 && l->at[0] == '0' && (l->at[1] == 'x' || l->at[1] == 'X'))
                l->at += 2;
        for (; l->at < l->end && hex_digit(*l->at) >= 0; l->at++, n++) {
                if (value >> 60)
                        return false;
                value = value << 4 | (unsigned) hex_digit(*l->at);
        }
        if (n == 0 || l->at >= l->end || *l->at != ' ')
                return false;
        while (l->at < l->end && *l->at == ' ')
                l->at++;
        *ret = value;
        return true;
}

static void line_take_name(Line *l, SymbolLine *s) {
        s->name = l->at;
        while (l->at < l->end) {
                uint32_t c = (unsigned char) *l->at;
                size_t n = c < 0x80 ? 1 : utf8_decode(l->at, (size_t) (l->end - l->at), &c);

                if (n > 0 && utf8_is_control(c))
                        break;
                l->at += MAX_OF(n, (size_t) 1);
        }
        s->name_size = (size_t) (l->at - s->name);
        while (s->name_size > 0 && s->name[s->name_size - 1] == ' ')
                s->name_size--;
}

int perf_map_next(const char *text, size_t size, size_t *cursor, SymbolLine *ret) {
        SymbolLine s = { .name = "" };
        Line l;

        if (!line_next(text, size, cursor, &l))
                return 0;
        if (line_take_hex(&l, &s.address) && line_take_hex(&l, &s.size) && s.size > 0 && s.size <= UINT64_MAX - s.address)
                line_take_name(&l, &s);
        *ret = s;
        return 1;
}

/* "\t[module]" */
static void line_take_module(const Line *l, SymbolLine *s) {
        const char *open, *closing;

        if (l->at >= l->end)
                return;
        open = memchr(l->at, '[', (size_t) (l->end - l->at));
        if (!open)
                return;
        closing = memchr(open, ']', (size_t) (l->end - open));
        if (!closing)
                return;
        s->module = open + 1;
        s->module_size = (size_t) (closing - open) - 1;
}

int kallsyms_next(const char *text, size_t size, size_t *cursor, SymbolLine *ret) {
        SymbolLine s = { .name = "" };
        Line l;

        if (!line_next(text, size, cursor, &l))
                return 0;
        if (line_take_hex(&l, &s.address) && l.end - l.at > 2 && l.at[1] == ' ') {
                s.type = *l.at;
                l.at += 2;
                line_take_name(&l, &s);
                line_take_module(&l, &s);
        }
        *ret = s;
        return 1;
}

int symbol_table_add_perf_map(SymbolTable *t, const char *text, size_t size) {
        size_t cursor = 0;
        SymbolLine s;
        int r = 0;

        symbol_table_add_trait(t, SYMBOLS_NEWEST_COVERS);
        while (r >= 0 && perf_map_next(text, size, &cursor, &s) == 1)
                if (s.name_size > 0)
                        r = symbol_table_put(t, s.address, s.size, SYMBOL_RANK_GLOBAL, s.name, s.name_size);
        return r;
}

uint64_t kallsyms_find(const char *text, size_t size, const char *name) {
        size_t cursor = 0;
        SymbolLine s;

        while (kallsyms_next(text, size, &cursor, &s) == 1)
                if (!s.module && s.name_size == strlen(name) && memcmp(s.name, name, s.name_size) == 0)
                        return s.address;
        return 0;
}

int symbol_table_add_kallsyms(SymbolTable *t, const char *text, size_t size, uint64_t moved) {
        size_t cursor = 0;
        SymbolLine s;
        int r = 0;

        symbol_table_add_trait(t, SYMBOLS_LAST_WINS); /* of several names at one address, as in perf */
        while (r >= 0 && kallsyms_next(text, size, &cursor, &s) == 1) {
                if (s.name_size == 0 || s.address == 0 || s.address == UINT64_MAX || !symbol_line_is_code(&s))
                        continue;
                if (s.module && moved != 0)
                        continue;
                r = symbol_table_put(t, s.address + moved, 0, s.type == 't' ? SYMBOL_RANK_LOCAL :
                                     s.type == 'T' ? SYMBOL_RANK_GLOBAL : SYMBOL_RANK_WEAK, s.name, s.name_size);
        }
        return r;
}

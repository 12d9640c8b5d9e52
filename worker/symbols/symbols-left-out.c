/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Paths come from processes, which may choose any names. In the list each takes one line of valid UTF-8 without
 * control characters: other bytes, and backslashes, are written as \\xNN. No binary is ever put at the list's own name
 * (symbol-place.c). */

#include "symbols-left-out.h"

#include <perf-recorder/dump-facts.h>

#include "fd-file.h"
#include "utf8.h"

#define TEXT_MAX ((size_t) 256 << 10) /* bytes; further lines are only counted */
#define SUMMARY_LINES 3u

void symbols_left_out_done(SymbolsLeftOut *l) {
        byte_buffer_done(&l->text);
        *l = (SymbolsLeftOut) {};
}

static const char *left_out_reason(int error) {
        switch (error) {
        case LEFT_OUT_NO_SYMBOLS:
                return "no symbols";
        case LEFT_OUT_ANOTHER_FILE:
                return "not the file that was mapped";
        case LEFT_OUT_DELETED:
                return "deleted since it was mapped";
        case LEFT_OUT_TOO_LARGE:
                return "too large";
        case LEFT_OUT_LARGE_TABLE:
                return "its symbols are too large";
        case LEFT_OUT_BROKEN_TABLE:
                return "broken symbol table";
        case LEFT_OUT_NO_NAME:
                return "another file has its path, and it has no build id";
        case LEFT_OUT_NOT_OWN:
                return "not a file of its process's user";
        case LEFT_OUT_STOPPED:
                return "the recorder was stopped before it read this";
        case -ENOEXEC:
                return "no ELF file";
        case -ESRCH:
                return "its process has exited";
        default:
                return strerror(-error);
        }
}

static void left_out_put_escaped(ByteBuffer *b, const char *path) {
        while (*path) {
                uint32_t c = 0;
                size_t n = utf8_decode(path, SIZE_MAX, &c);

                if (n > 0 && c >= ' ' && c != '\\' && (c < 0x7f || c >= 0xa0))
                        byte_buffer_put(b, path, n);
                else {
                        char escape[5];

                        n = 1;
                        byte_buffer_put(b, escape, (size_t) snprintf(escape, sizeof(escape), "\\x%02x", (uint8_t) *path));
                }
                path += n;
        }
}

int symbols_left_out_add(SymbolsLeftOut *l, const char *path, int error) {
        l->n++;
        l->too_large += error == LEFT_OUT_TOO_LARGE;
        l->stopped = l->stopped || error == LEFT_OUT_STOPPED;
        if (l->text.size >= TEXT_MAX)
                return 0;
        left_out_put_escaped(&l->text, path);
        byte_buffer_put(&l->text, ": ", 2);
        byte_buffer_put(&l->text, left_out_reason(error), strlen(left_out_reason(error)));
        byte_buffer_put(&l->text, "\n", 1);
        l->listed++;
        return l->text.error;
}

int symbols_left_out_write(SymbolsLeftOut *l, SymbolFolder *f) {
        _cleanup_close_ int fd = -EBADF;
        char more[64] = "";
        int r;

        if (l->n == 0)
                return 0;
        if (l->n > l->listed)
                (void) snprintf(more, sizeof(more), "and %zu more\n", l->n - l->listed);
        fd = symbol_folder_create(f, PR_SYMBOLS_LEFT_OUT);
        r = fd < 0 ? fd : write_all(fd, l->text.data, l->text.size);
        return r < 0 ? r : write_all(fd, more, strlen(more));
}

char *symbols_left_out_summary(const SymbolsLeftOut *l, char *buf, size_t size) {
        const char *line = (const char *) l->text.data;
        size_t used = 0, n = 0;

        *buf = '\0';
        for (; n < l->listed && n < SUMMARY_LINES; n++) {
                const char *end = memchr(line, '\n', l->text.size - (size_t) (line - (const char *) l->text.data));
                int length = utf8_prefix(line, (int) MIN_OF((size_t) (end - line), size / (SUMMARY_LINES + 1)));

                used += (size_t) snprintf(buf + used, size - used, "%s%.*s%s", n > 0 ? ", " : "", length, line,
                                          line + length < end ? "..." : "");
                if (used >= size)
                        return buf;
                line = end + 1;
        }
        if (l->n > n)
                (void) snprintf(buf + used, size - used, " and %zu more", l->n - n);
        return buf;
}

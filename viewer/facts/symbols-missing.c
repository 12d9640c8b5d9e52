/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A recorder wrote the list, perhaps on another machine and in a version that did not escape names. So its size is limited, and
 * control characters in it are replaced. */

#include "symbols-missing.h"

#include <fcntl.h>
#include <perf-recorder/dump-facts.h>

#include "array.h"
#include "fd-file.h"
#include "parse-number.h"
#include "root-file.h"
#include "utf8.h"

#define LIST_MAX ((size_t) 16 << 20) /* bytes */
#define LINE_MAX_BYTES 4200u
#define LINES_MAX 65536u

void symbols_missing_done(SymbolsMissing *l) {
        strv_free(l->lines);
        *l = (SymbolsMissing) {};
}

/* Reads "and 12 more", the binaries that a long list only counts. */
static bool symbols_missing_read_more(const char *line, size_t size, size_t *ret) {
        const char *number = startswith(line, "and ");
        _cleanup_free_ char *digits = NULL;
        uint64_t n;

        if (!number || size < strlen("and 1 more"))
                return false;
        digits = strndup(number, strspn(number, "0123456789"));
        if (!digits || !startswith(number + strlen(digits), " more") || parse_uint64(digits, &n) < 0 || n > SIZE_MAX / 2)
                return false;
        *ret = (size_t) n;
        return true;
}

static int symbols_missing_add_line(char ***lines, size_t *n, size_t *allocated, const char *line, size_t size) {
        char *shown = utf8_line(line, size, LINE_MAX_BYTES);

        if (!shown)
                return -ENOMEM;
        if (ARRAY_RESERVE(*lines, *allocated, *n + 2) < 0)
                return free(shown), -ENOMEM;
        (*lines)[(*n)++] = shown;
        (*lines)[*n] = NULL;
        return 0;
}

int symbols_missing_read(SymbolsMissing *l, const char *directory) {
        _cleanup_close_ int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), kept = -EBADF;
        _cleanup_free_ char *text = NULL;
        size_t size, allocated = 0, more = 0;
        int r;

        if (fd < 0) /* the symbols may be no directory, see root-file.h */
                kept = root_file_open(directory, PR_SYMBOLS_LEFT_OUT);
        r = fd >= 0 ? read_file_of_others(fd, PR_SYMBOLS_LEFT_OUT, LIST_MAX, &text, &size) :
            kept >= 0 ? read_fd(kept, LIST_MAX, &text, &size) : kept;
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        for (const char *line = text ?: ""; *line && l->n < LINES_MAX;) {
                size_t n = strcspn(line, "\n");

                if (n > 0 && !symbols_missing_read_more(line, n, &more))
                        r = symbols_missing_add_line(&l->lines, &l->n, &allocated, line, n);
                if (r < 0)
                        return r;
                line += n + (line[n] == '\n');
        }
        l->n += more;
        return 0;
}

const char *symbols_missing_reason(const char *line) {
        const char *reason = "", *p = line;

        while ((p = strstr(p, ": ")))
                reason = p += 2;
        return reason;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The paths are in files that others wrote: they name any file, which is read only if it is a regular one that the sandbox does
 * not withhold. */

#include "source-text.h"

#include <ctype.h>

#include "array.h"
#include "fd-file.h"
#include "root-file.h"
#include "utf8.h"

#define LINE_MAX_BYTES 1024u

void source_files_done(SourceFiles *s) {
        for (size_t i = 0; i < s->n; i++) {
                free(s->files[i].path);
                free(s->files[i].text);
                free(s->files[i].lines);
        }
        free(s->files);
        *s = (SourceFiles) {};
}

void source_files_restart(SourceFiles *s) {
        for (size_t i = 0; i < s->n; i++)
                s->files[i].shown = s->files[i].last = 0;
}

static int find_lines(SourceFile *f, size_t size) {
        size_t allocated = 0;

        for (size_t i = 0; i < size; i++)
                if (i == 0 || f->text[i - 1] == '\n') {
                        if (ARRAY_RESERVE(f->lines, allocated, f->n_lines + 1) < 0)
                                return -ENOMEM;
                        f->lines[f->n_lines++] = i;
                }
        return 0;
}

static int read_source(SourceFiles *s, SourceFile *f) {
        _cleanup_close_ int fd = *f->path == '/' ? root_file_open("", f->path) : -ENOENT;
        size_t size = 0;
        int r = fd < 0 ? fd : read_fd(fd, MIN_OF(SOURCE_FILE_MAX, SOURCE_FILES_MAX - s->bytes), &f->text, &size);

        if (r < 0)
                return r == -ENOMEM ? r : 0;
        s->bytes += size;
        return find_lines(f, size);
}

int source_files_get(SourceFiles *s, const char *path, SourceFile **ret) {
        SourceFile *f;
        int r;

        for (size_t i = 0; i < s->n; i++)
                if (streq(s->files[i].path, path)) {
                        *ret = s->files + i;
                        return 0;
                }
        if (ARRAY_RESERVE(s->files, s->allocated, s->n + 1) < 0)
                return -ENOMEM;
        f = s->files + s->n;
        *f = (SourceFile) { .path = strdup(path) };
        if (!f->path)
                return -ENOMEM;
        s->n++;
        r = read_source(s, f);
        *ret = f;
        return r;
}

char *source_file_line(const SourceFile *f, unsigned line) {
        const char *begin, *end;

        if (line == 0 || line > f->n_lines)
                return NULL;
        begin = f->text + f->lines[line - 1];
        end = strchrnul(begin, '\n');
        while (begin < end && isspace((unsigned char) *begin))
                begin++;
        while (end > begin && isspace((unsigned char) end[-1]))
                end--;
        return utf8_line(begin, (size_t) (end - begin), LINE_MAX_BYTES);
}

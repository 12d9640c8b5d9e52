/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The paths are in files that others wrote: they name any file, which is read only if it is a regular one that the sandbox does
 * not withhold. */

#include "source-text.h"

#include <ctype.h>
#include <sys/stat.h>

#include "array.h"
#include "fd-file.h"
#include "parse-number.h"
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
        hash_index_done(&s->index);
        *s = (SourceFiles) {};
}

void source_files_restart(SourceFiles *s) {
        s->round++;
}

static int source_find_lines(SourceFile *f, size_t size) {
        size_t allocated = 0;

        for (size_t i = 0; i < size; i++)
                if (i == 0 || f->text[i - 1] == '\n') {
                        if (ARRAY_RESERVE(f->lines, allocated, f->n_lines + 1) < 0)
                                return -ENOMEM;
                        f->lines[f->n_lines++] = i;
                }
        return 0;
}

static bool may_show(int fd) {
        const char *caller = getenv("SUDO_UID");
        uint64_t uid;
        struct stat st;

        if (geteuid() != 0)
                return true;
        if (fstat(fd, &st) < 0)
                return false;
        return st.st_mode & S_IROTH || (caller && parse_uint64(caller, &uid) >= 0 && st.st_uid == uid && uid > 0);
}

static int read_source(SourceFiles *s, SourceFile *f) {
        _cleanup_close_ int fd = *f->path == '/' ? root_file_open("", f->path) : -ENOENT;
        size_t size = 0;
        int r = fd < 0 ? fd : s->trusted || may_show(fd) ? 0 : -EACCES;

        if (r >= 0)
                r = read_fd(fd, MIN_OF(SOURCE_FILE_MAX, SOURCE_FILES_MAX - s->bytes), &f->text, &size);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        s->bytes += size;
        return source_find_lines(f, size);
}

static uint64_t path_hash(const char *path) {
        return hash_bytes(0, path, strlen(path));
}

static uint64_t path_hash_of(const void *owner, uintptr_t entry) {
        return path_hash(((const SourceFiles *) owner)->files[entry - 1].path);
}

static int source_add_file(SourceFiles *s, const char *path, uint64_t hash, SourceFile **ret) {
        SourceFile *f;
        int r;

        if (ARRAY_RESERVE(s->files, s->allocated, s->n + 1) < 0)
                return -ENOMEM;
        f = s->files + s->n;
        *f = (SourceFile) { .path = strdup(path), .round = s->round };
        if (!f->path)
                return -ENOMEM;
        s->n++;
        r = hash_index_add(&s->index, hash, s->n, path_hash_of, s);
        if (r >= 0)
                r = read_source(s, f);
        *ret = f;
        return r;
}

int source_files_get(SourceFiles *s, const char *path, SourceFile **ret) {
        uint64_t hash = path_hash(path);
        uintptr_t found = HASH_INDEX_FIND(&s->index, hash, entry, streq(s->files[entry - 1].path, path));
        SourceFile *f;

        if (found == 0)
                return source_add_file(s, path, hash, ret);
        f = s->files + found - 1;
        if (f->round != s->round) {
                f->round = s->round;
                f->shown = f->last = 0;
        }
        *ret = f;
        return 0;
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

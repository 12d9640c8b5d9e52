/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The end of a file with facts: lines "NAME=VALUE", and a last line of 16 bytes, the size of the lines before it in 8 hexadecimal
 * digits and a mark. It is written at once, so that a file that is cut has none. */

#include "file-facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "array.h"
#include "fd-file.h"

#define MARK "perffct\n"
#define LAST_SIZE (8 + sizeof(MARK) - 1)

void file_facts_done(FileFacts *f) {
        free(f->text);
        *f = (FileFacts) {};
}

int file_facts_add(FileFacts *f, const char *name, const char *value, size_t size) {
        size_t lines = f->size > 0 ? f->size - LAST_SIZE : 0, n = strlen(name) + 1 + size + 1;
        char *p;

        if (size > FILE_FACTS_MAX || lines + n > FILE_FACTS_MAX)
                return -E2BIG;
        if (ARRAY_RESIZE(f->text, lines + n + LAST_SIZE + 1) < 0)
                return -ENOMEM;
        p = stpcpy(f->text + lines, name);
        *p++ = '=';
        memcpy(p, value, size);
        for (size_t i = 0; i < size; i++)
                if (p[i] == '\n')
                        p[i] = ' ';
        p[size] = '\n';
        (void) sprintf(p + size + 1, "%08" PRIx32 MARK, (uint32_t) (lines + n));
        f->size = lines + n + LAST_SIZE;
        return 0;
}

int file_facts_put(FileFacts *f, int fd, const char *name, const char *value, size_t size) {
        (void) fsetxattr(fd, name, value, size, 0);
        return file_facts_add(f, name, value, size);
}

int file_facts_append(const FileFacts *f, int fd) {
        if (lseek(fd, 0, SEEK_END) < 0)
                return -errno;
        return write_all(fd, f->text, f->size);
}

/* Finds the lines at the file's end. -ENODATA: there are none. */
static int find_lines(int fd, uint64_t *ret_offset, size_t *ret_size) {
        char last[LAST_SIZE + 1], *rest;
        struct stat st;
        unsigned long size;
        int r;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || st.st_size < (off_t) LAST_SIZE)
                return -ENODATA;
        r = pread_exactly(fd, (uint64_t) st.st_size - LAST_SIZE, last, LAST_SIZE);
        if (r < 0)
                return r;
        last[LAST_SIZE] = '\0';
        size = strtoul(last, &rest, 16);
        if (rest != last + 8 || !streq(rest, MARK) || size > FILE_FACTS_MAX || size + LAST_SIZE > (uint64_t) st.st_size)
                return -ENODATA;
        *ret_offset = (uint64_t) st.st_size - LAST_SIZE - size;
        *ret_size = size;
        return 0;
}

static ssize_t copy_value(const char *text, const char *name, char *value, size_t size) {
        const char *found = NULL;
        size_t n;

        for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
                const char *rest = startswith(line, name);

                if (rest && *rest == '=')
                        found = rest + 1;
        }
        if (!found)
                return -ENODATA;
        n = strcspn(found, "\n");
        if (n > size)
                return -ERANGE;
        memcpy(value, found, n);
        return (ssize_t) n;
}

ssize_t file_fact_get(int fd, const char *name, char *value, size_t size) {
        _cleanup_free_ char *text = NULL;
        ssize_t n = fgetxattr(fd, name, value, size);
        uint64_t offset;
        size_t lines;
        int r;

        if (n >= 0 || errno == ERANGE)
                return n >= 0 ? n : -errno;
        r = find_lines(fd, &offset, &lines);
        if (r < 0)
                return r;
        text = calloc(lines + 1, 1);
        if (!text)
                return -ENOMEM;
        r = pread_exactly(fd, offset, text, lines);
        return r < 0 ? r : copy_value(text, name, value, size);
}

bool file_has_facts(int fd) {
        uint64_t offset;
        size_t size;

        return find_lines(fd, &offset, &size) >= 0;
}

int file_facts_read(FileFacts *f, int fd) {
        uint64_t offset;
        size_t lines;
        int r = find_lines(fd, &offset, &lines);

        if (r < 0)
                return r;
        f->size = lines + LAST_SIZE;
        f->text = calloc(f->size + 1, 1);
        return f->text ? pread_exactly(fd, offset, f->text, f->size) : -ENOMEM;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies of dumps. Files share their blocks with the original if the file system supports it. A directory of symbols is
 * copied to a temporary name and renamed when it is complete. Symbolic links in it are skipped: recorders write none. */

#include "dump-copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <perf-recorder/dump-facts.h>

#include "atomic-file.h"
#include "directory-tree.h"
#include "fd-file.h"
#include "file-facts.h"
#include "format-text.h"
#include "lendings.h"
#include "symbols-bundle.h"

#define COPY_SIZE ((size_t) 256 * 1024)
#define NAMES_MAX 65536

static int dump_copy_by_hand(int from, int to, off_t offset) {
        _cleanup_free_ uint8_t *buffer = malloc(COPY_SIZE);
        ssize_t n;
        int r;

        if (!buffer)
                return -ENOMEM;
        while ((n = pread(from, buffer, COPY_SIZE, offset)) != 0) {
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                r = write_all(to, buffer, (size_t) n);
                if (r < 0)
                        return r;
                offset += n;
        }
        return 0;
}

int dump_copy_to_fd(int from, int to) {
        off_t offset = 0;
        ssize_t n;

        /* fails before it copies a byte if it does not support the pair of files (a pipe, another file system) */
        while ((n = copy_file_range(from, &offset, to, NULL, (size_t) 1 << 30, 0)) > 0)
                ;
        return n == 0 && offset > 0 ? 0 : dump_copy_by_hand(from, to, offset);
}

/* Copies only perf-recorder's attributes: others may grant rights. What the copy's file system does not take goes to the end of the
 * file, unless the recorder has put it there. */
static int dump_copy_attributes(int from, int to) {
        _cleanup_(file_facts_done) FileFacts facts = {};
        char names[NAMES_MAX], value[LENDINGS_TEXT_MAX];
        ssize_t size = flistxattr(from, names, sizeof(names));
        int r;

        for (const char *name = names; size > 0 && name < names + size; name += strlen(name) + 1) {
                ssize_t n = startswith(name, PR_DUMP_XATTR_PREFIX) ? fgetxattr(from, name, value, sizeof(value)) : -1;

                if (n < 0 || fsetxattr(to, name, value, (size_t) n, 0) >= 0)
                        continue;
                if (errno != ENOTSUP && errno != EPERM)
                        return -errno;
                r = file_facts_add(&facts, name, value, (size_t) n);
                if (r < 0)
                        return r;
        }
        return facts.size == 0 || file_has_facts(to) ? 0 : file_facts_append(&facts, to);
}

/* Takes the facts about the dump, wherever they are. */
static int dump_copy_find_facts(int from, FileFacts *facts) {
        char names[NAMES_MAX], value[LENDINGS_TEXT_MAX];
        ssize_t size = flistxattr(from, names, sizeof(names));
        int r = file_facts_read(facts, from);

        if (r != -ENODATA)
                return r;
        r = 0;
        for (const char *name = names; r >= 0 && size > 0 && name < names + size; name += strlen(name) + 1) {
                ssize_t n = startswith(name, PR_DUMP_XATTR_PREFIX) ? fgetxattr(from, name, value, sizeof(value)) : -1;

                if (n >= 0)
                        r = file_facts_add(facts, name, value, (size_t) n);
        }
        return r;
}

static int dump_copy_append_symbols(int from, const char *symbols, int to) {
        _cleanup_close_ int directory = open(symbols, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        _cleanup_(file_facts_done) FileFacts facts = {};
        int r = directory < 0 ? -errno : dump_copy_find_facts(from, &facts);

        return r < 0 ? r : symbols_bundle_append(to, directory, facts.text, facts.size);
}

/* symbols: NULL: none. */
static int dump_copy_make(int from, const char *symbols, const char *path) {
        _cleanup_(atomic_file_done) AtomicFile f = ATOMIC_FILE_EMPTY;
        struct stat st;
        int r;

        if (stat(path, &st) >= 0 && !S_ISREG(st.st_mode)) /* the rename would replace a device by a file */
                return S_ISDIR(st.st_mode) ? -EISDIR : -EBADFD;
        r = atomic_file_open(&f, AT_FDCWD, path, 0600);
        if (r >= 0)
                r = dump_copy_to_fd(from, f.fd);
        if (r >= 0 && symbols)
                r = dump_copy_append_symbols(from, symbols, f.fd);
        if (r >= 0)
                r = dump_copy_attributes(from, f.fd);
        return r < 0 ? r : atomic_file_commit(&f);
}

int dump_copy_to_file(int from, const char *path) {
        return dump_copy_make(from, NULL, path);
}

int dump_copy_to_bundle(int from, const char *symbols, const char *path) {
        return dump_copy_make(from, symbols, path);
}

static int dump_copy_file_at(int from_dir, int to_dir, const char *name) {
        _cleanup_close_ int from = openat(from_dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), to = -EBADF;

        if (from < 0)
                return -errno;
        to = openat(to_dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        return to < 0 ? -errno : dump_copy_to_fd(from, to);
}

/* Copies the content of one directory and takes from_fd over. */
static int dump_copy_directory(int from_fd, int to_fd) {
        _cleanup_closedir_ DIR *d = fdopendir(from_fd);
        const struct dirent *e;
        int r = 0;

        if (!d) {
                r = -errno;
                (void) close(from_fd);
                return r;
        }
        while (r >= 0 && (e = readdir(d))) {
                _cleanup_close_ int below = -EBADF, to = -EBADF;

                if (streq(e->d_name, ".") || streq(e->d_name, ".."))
                        continue;
                below = openat(from_fd, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
                if (below < 0) {
                        r = errno == ENOTDIR ? dump_copy_file_at(from_fd, to_fd, e->d_name) : errno == ELOOP ? 0 : -errno;
                        continue;
                }
                if (mkdirat(to_fd, e->d_name, 0700) < 0)
                        return -errno;
                to = openat(to_fd, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
                r = to < 0 ? -errno : dump_copy_directory(steal_fd(&below), to);
        }
        return r;
}

/* Replaces the directory at path, if there is one. */
static int dump_copy_put_in_place(const char *temporary, const char *path) {
        if (rename(temporary, path) >= 0)
                return 0;
        if (errno != ENOTEMPTY && errno != EEXIST)
                return -errno;
        if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_EXCHANGE) < 0)
                return -errno;
        (void) directory_tree_remove(AT_FDCWD, temporary);
        return 0;
}

int dump_copy_symbols(const char *from, const char *path) {
        _cleanup_close_ int from_fd = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC), to_fd = -EBADF;
        _cleanup_free_ char *temporary = NULL;
        int r;

        if (from_fd < 0)
                return -errno;
        temporary = format_text("%s.XXXXXX", path);
        if (!temporary)
                return -ENOMEM;
        if (!mkdtemp(temporary))
                return -errno;
        to_fd = open(temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        r = to_fd < 0 ? -errno : dump_copy_directory(steal_fd(&from_fd), to_fd);
        if (r >= 0)
                r = dump_copy_put_in_place(temporary, path);
        if (r < 0)
                (void) directory_tree_remove(AT_FDCWD, temporary);
        return r;
}

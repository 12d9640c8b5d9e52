/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files by descriptor: whole reads with a limit, whole writes, directories. Only regular files are read, also those of
 * /proc and /sys; a device, socket or FIFO is refused before it is opened, because opening one may block or have
 * effects. */

#include "fd-file.h"
#include "array.h"
#include "format-text.h"
#include "strv.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define READ_SIZE_MIN 4094 /* bytes */

static int check_regular(const struct stat *st) {
        if (S_ISDIR(st->st_mode))
                return -EISDIR;
        return S_ISREG(st->st_mode) ? 0 : -EBADFD;
}

const char *file_error_string(int error) {
        return error == -EBADFD ? "not a regular file" : strerror(-error);
}

/* Reads from the start up to the end, or to one byte more than max. The size of stat(2) is only a hint: it is 0 for
 * files of /proc, and a page for those of /sys. */
static int read_up_to(int fd, size_t hint, size_t max, char **buffer, size_t *ret_size) {
        size_t size = 0, capacity = MIN_OF(MAX_OF(hint, (size_t) READ_SIZE_MIN), max) + 2;

        *buffer = malloc(capacity);
        if (!*buffer)
                return -ENOMEM;

        while (size <= max) {
                ssize_t n;

                if (size + 1 == capacity) {
                        capacity = MIN_OF(capacity * 2, max + 2);
                        if (ARRAY_RESIZE(*buffer, capacity) < 0)
                                return -ENOMEM;
                }

                n = TEMP_FAILURE_RETRY(pread(fd, *buffer + size, capacity - size - 1, (off_t) size));
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                size += (size_t) n;
        }

        (*buffer)[size] = '\0';
        *ret_size = size;
        return 0;
}

int read_fd(int fd, size_t max, char **ret, size_t *ret_size) {
        _cleanup_free_ char *buffer = NULL;
        struct stat st;
        size_t size = 0;
        int r;

        if (max > SIZE_MAX / 4)
                return -EINVAL;
        if (fstat(fd, &st) < 0)
                return -errno;
        r = check_regular(&st);
        if (r < 0)
                return r;
        r = read_up_to(fd, (size_t) st.st_size, max, &buffer, &size);
        if (r < 0)
                return r;
        if (size > max)
                return -EFBIG;

        *ret = steal_ptr(buffer);
        if (ret_size)
                *ret_size = size;
        return 0;
}

static int read_regular(int dir_fd, const char *path, bool follow, size_t max, char **ret, size_t *ret_size) {
        _cleanup_close_ int fd = -EBADF;
        struct stat st;
        int r;

        /* Checks the file before it is opened. If it is replaced in between, O_NONBLOCK and the check of read_fd()
         * protect. */
        if (fstatat(dir_fd, path, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW) < 0)
                return -errno;
        r = check_regular(&st);
        if (r < 0)
                return r;

        fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
        if (fd < 0)
                return -errno;
        return read_fd(fd, max, ret, ret_size);
}

int read_file_at(int dir_fd, const char *path, size_t max, char **ret, size_t *ret_size) {
        return read_regular(dir_fd, path, true, max, ret, ret_size);
}

int read_file_of_others(int dir_fd, const char *name, size_t max, char **ret, size_t *ret_size) {
        return read_regular(dir_fd, name, false, max, ret, ret_size);
}

int read_file(const char *path, size_t max, char **ret, size_t *ret_size) {
        return read_file_at(AT_FDCWD, path, max, ret, ret_size);
}

ssize_t pread_up_to(int fd, uint64_t offset, void *buf, size_t size) {
        size_t done = 0;

        while (done < size) {
                ssize_t n = offset > (uint64_t) INT64_MAX - done ? 0 :
                            TEMP_FAILURE_RETRY(pread(fd, (uint8_t *) buf + done, size - done, (off_t) (offset + done)));

                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                done += (size_t) n;
        }
        return (ssize_t) done;
}

int pread_exactly(int fd, uint64_t offset, void *buf, size_t size) {
        ssize_t n = pread_up_to(fd, offset, buf, size);

        return n < 0 ? (int) n : (size_t) n < size ? -ENODATA : 0;
}

int write_all(int fd, const void *data, size_t size) {
        const char *p = data;

        while (size > 0) {
                ssize_t n = TEMP_FAILURE_RETRY(write(fd, p, size));

                if (n < 0)
                        return -errno;
                p += n;
                size -= (size_t) n;
        }
        return 0;
}

static int make_directory(const char *path, mode_t mode) {
        struct stat st;

        if (mkdir(path, mode) >= 0)
                return 0;
        if (errno != EEXIST)
                return -errno;
        if (stat(path, &st) < 0)
                return -errno;
        return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

size_t segments_size(const struct iovec *segments, size_t n_segments) {
        size_t size = 0;

        for (size_t i = 0; i < n_segments; i++)
                size += segments[i].iov_len;
        return size;
}

void segments_skip(struct iovec **segments, size_t *n_segments, size_t n) {
        while (*n_segments > 0 && n >= (*segments)->iov_len) {
                n -= (*segments)->iov_len;
                (*segments)++;
                (*n_segments)--;
        }
        if (*n_segments > 0) {
                (*segments)->iov_base = (uint8_t *) (*segments)->iov_base + n;
                (*segments)->iov_len -= n;
        }
}

int pwritev_all(int fd, uint64_t *offset, struct iovec *segments, size_t n_segments) {
        segments_skip(&segments, &n_segments, 0);
        while (n_segments > 0) {
                ssize_t n = TEMP_FAILURE_RETRY(pwritev(fd, segments, (int) n_segments, (off_t) *offset));

                if (n <= 0)
                        return n < 0 ? -errno : -EIO;
                *offset += (uint64_t) n;
                segments_skip(&segments, &n_segments, (size_t) n);
        }
        return 0;
}

int make_directories(const char *path, mode_t mode) {
        _cleanup_free_ char *prefix = strdup(path);

        if (!prefix)
                return -ENOMEM;

        for (char *p = prefix; *p;) {
                char separator;
                int r;

                p += strspn(p, "/");
                p += strcspn(p, "/");
                separator = *p;
                *p = '\0';
                r = make_directory(prefix, mode);
                if (r < 0)
                        return r;
                *p = separator;
                p += strspn(p, "/");
        }
        return 0;
}

bool path_leads_up(const char *path) {
        for (const char *p = path; (p = strstr(p, "..")); p += 2)
                if ((p == path || p[-1] == '/') && (p[2] == '/' || p[2] == '\0'))
                        return true;
        return false;
}

char *path_join(const char *dir, const char *name) {
        size_t n = strlen(dir);

        while (n > 0 && dir[n - 1] == '/')
                n--;
        name += strspn(name, "/");
        return format_text("%.*s/%s", (int) n, dir, name);
}

int open_directory_at(int dir_fd, const char *path, DIR **ret) {
        int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        DIR *d;

        if (fd < 0)
                return errno == ELOOP ? -ENOTDIR : -errno;
        d = fdopendir(fd);
        if (!d) {
                int r = -errno;

                safe_close(fd);
                return r;
        }
        *ret = d;
        return 0;
}

int list_directory(const char *path, size_t max, char ***ret) {
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_closedir_ DIR *dir = opendir(path);
        size_t n = 0;

        if (!dir)
                return -errno;

        for (;;) {
                const struct dirent *entry;
                int r;

                errno = 0;
                entry = readdir(dir);
                if (!entry && errno != 0)
                        return -errno;
                if (!entry)
                        break;
                if (entry->d_name[0] == '.')
                        continue;
                if (n++ >= max)
                        return -E2BIG;
                r = strv_extend(&names, entry->d_name);
                if (r < 0)
                        return r;
        }

        strv_sort(names);
        *ret = steal_ptr(names);
        return 0;
}

int open_memfd(const char *name, size_t size) {
        _cleanup_close_ int fd = memfd_create(name, MFD_CLOEXEC);

        if (fd < 0)
                return -errno;
        if (size > 0 && ftruncate(fd, (off_t) size) < 0)
                return -errno;
        return steal_fd(&fd);
}

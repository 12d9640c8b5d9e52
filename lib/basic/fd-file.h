/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"

/* Reads the whole of a regular file or of a /proc or /sys file, NUL-terminated. max is in bytes; more is -EFBIG. Never
 * blocks on a FIFO: -EISDIR for a directory, -EBADFD for anything else that is no regular file. ret_size may be
 * NULL. */
int read_file(const char *path, size_t max, char **ret, size_t *ret_size);
int read_file_at(int dir_fd, const char *path, size_t max, char **ret, size_t *ret_size);
/* The same for a name in a directory that others may write: no symbolic link is followed, or it might name a file that only the
 * caller can read. -EBADFD or -ELOOP for one. */
int read_file_of_others(int dir_fd, const char *name, size_t max, char **ret, size_t *ret_size);
int read_fd(int fd, size_t max, char **ret, size_t *ret_size);

/* Explains a negative errno of these functions, and of others that refuse what is no regular file with -EBADFD. */
const char *file_error_string(int error);

/* Read size bytes from that offset of the file; its position stays. The first returns how many there are, or a negative errno; the
 * second 0, or -ENODATA if the file ends before. */
ssize_t pread_up_to(int fd, uint64_t offset, void *buf, size_t size);
int pread_exactly(int fd, uint64_t offset, void *buf, size_t size);

/* Write all of it, also over EINTR and short writes. pwritev_all() moves the offset and the segments over what was written. */
int write_all(int fd, const void *data, size_t size);
int pwritev_all(int fd, uint64_t *offset, struct iovec *segments, size_t n_segments);

/* Returns the bytes of all of them. */
size_t segments_size(const struct iovec *segments, size_t n_segments);

/* Moves the segments over n bytes, and over empty ones that follow. */
void segments_skip(struct iovec **segments, size_t *n_segments, size_t n);

/* Makes the directory and its parents, with that mode (minus umask). It may exist; if it is no directory, -ENOTDIR. */
int make_directories(const char *path, mode_t mode);

/* "DIR/NAME", one slash between. NULL without memory. */
char *path_join(const char *dir, const char *name);

/* True if a component of the path is "..". */
bool path_leads_up(const char *path);

/* Opens a directory to read it; path "." for dir_fd's own entries, from the first. -ENOTDIR: it is no directory, or a
 * link. */
int open_directory_at(int dir_fd, const char *path, DIR **ret);

/* Returns the names of the entries, sorted, without those that begin with a dot. -ENOENT …; more than max: -E2BIG. */
int list_directory(const char *path, size_t max, char ***ret);

/* Creates an unsealed, close-on-exec memfd of that size. */
int open_memfd(const char *name, size_t size); /* descriptor or negative errno */

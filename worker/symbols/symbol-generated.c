/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A perf map (/tmp/perf-PID.map) is text in which a process names the code that it generates; perf looks for it in the
 * process's own /tmp, under the PID in the process's own namespace. The process may be hostile, and mount any file of
 * the machine there, also in a user namespace in which it is root. So the file is only opened with O_PATH until it is
 * known to be a regular file of the process's own real user, and of no file system that the kernel makes up: reading
 * such a file may have effects, as for /proc/kmsg. A file of root is only used for processes of the recorder's user
 * namespace. If a process has exited, its user is not known, and its map is not used.
 *
 * Only lines that are symbols are copied, since a process goes on appending to its map, and without what later ones
 * cover: other readers take the first or any line that has an address. */

#include "symbol-generated.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "byte-buffer.h"
#include "fd-file.h"
#include "format-text.h"
#include "living-thread.h"
#include "root-file.h"
#include "symbol-text.h"

#define STATUS_MAX 65536u     /* bytes of /proc/PID/status */

char *symbol_generated_path(uint32_t pid, char ret[static SYMBOL_GENERATED_PATH_SIZE]) {
        (void) snprintf(ret, SYMBOL_GENERATED_PATH_SIZE, "tmp/perf-%u.map", pid);
        return ret;
}

/* Returns the text after the label, "\nLabel:", of a line of /proc/PID/status. A process can't forge such a line: its name is
 * escaped there. */
static const char *process_status_value(const char *status, const char *label) {
        const char *line = strstr(status, label);

        return line ? line + strlen(label) : NULL;
}

/* "NStgid:\t4711\t17\t1": the last one is the PID in the process's own namespace. */
static uint32_t process_inner_pid(const char *status, uint32_t pid) {
        const char *p = process_status_value(status, "\nNStgid:");
        char *end;

        while (p && *p == '\t') {
                pid = (uint32_t) strtoul(p + 1, &end, 10);
                p = end;
        }
        return pid;
}

/* "Uid:\t1000\t0\t0\t0": the first one is the real user, as the recorder's user namespace numbers it. */
static uid_t process_real_user(const char *status) {
        const char *p = process_status_value(status, "\nUid:");

        return p && *p == '\t' ? (uid_t) strtoul(p + 1, NULL, 10) : (uid_t) -1;
}

static bool process_shares_user_namespace(const char *root, int process_fd) {
        _cleanup_free_ char *own = format_text("%s/proc/self/ns/user", root);
        struct stat a, b;

        return own && stat(own, &a) >= 0 && fstatat(process_fd, "ns/user", &b, 0) >= 0 && a.st_dev == b.st_dev &&
               a.st_ino == b.st_ino;
}

static int perf_map_find(int root_fd, uint32_t pid) {
        char path[SYMBOL_GENERATED_PATH_SIZE];

        return root_file_find_at(root_fd, symbol_generated_path(pid, path));
}

/* Opens the file that was found, if it is the user's. */
static int perf_map_open(int found, uid_t user) {
        struct statfs fs;
        struct stat st;
        int fd;

        if (fstat(found, &st) < 0)
                return -errno;
        /* The content of FUSE comes from a program. root_file_reopen() refuses file systems that the kernel makes up. */
        if (fstatfs(found, &fs) < 0 || fs.f_type == FUSE_SUPER_MAGIC || st.st_uid != user)
                return -EPERM;
        fd = root_file_reopen(found);
        return fd == -EBADFD ? -EPERM : fd;
}

static int perf_map_find_on_machine(const char *root, uint32_t pid) {
        _cleanup_close_ int root_fd = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);

        return root_fd < 0 ? -errno : perf_map_find(root_fd, pid);
}

/* Opens the map in the process's own root; otherwise one that was made for it outside of its container. */
static int perf_map_open_of_process(const char *root, int process_fd, uint32_t pid) {
        _cleanup_close_ int root_fd = openat(process_fd, "root", O_PATH | O_DIRECTORY | O_CLOEXEC), found = -EBADF;
        _cleanup_free_ char *status = NULL;
        uid_t user;
        int r;

        if (root_fd < 0)
                return -errno;
        r = read_file_at(process_fd, "status", STATUS_MAX, &status, NULL);
        if (r < 0)
                return r;
        found = perf_map_find(root_fd, process_inner_pid(status, pid));
        if (found == -ENOENT)
                found = perf_map_find_on_machine(root, pid);
        if (found < 0)
                return found;
        user = process_real_user(status);
        if (user == (uid_t) -1 || (user == 0 && !process_shares_user_namespace(root, process_fd)))
                return -EPERM;
        return perf_map_open(found, user);
}

static int perf_map_open_of_pid(const char *root, uint32_t pid) {
        _cleanup_free_ char *path = format_text("%s/proc/%u", root, living_thread(root, pid));
        _cleanup_close_ int process_fd = -EBADF;

        if (!path)
                return -ENOMEM;
        process_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (process_fd < 0 && errno == ENOENT) { /* it has exited; a map on the machine may be its own */
                _cleanup_close_ int found = perf_map_find_on_machine(root, pid);

                return found >= 0 ? -ESRCH : -ENOENT;
        }
        if (process_fd < 0)
                return -errno;
        return perf_map_open_of_process(root, process_fd, pid);
}

int symbol_generated_open(const char *root, uint32_t pid, int *ret_fd, GeneratedState *ret) {
        _cleanup_close_ int fd = perf_map_open_of_pid(root, pid);
        struct stat st;

        if (fd < 0)
                return fd;
        if (fstat(fd, &st) < 0)
                return -errno;
        *ret = (GeneratedState) {
                .inode = st.st_ino, .size = (uint64_t) st.st_size,
                .time = (uint64_t) st.st_mtim.tv_sec * UINT64_C(1000000000) + (uint64_t) st.st_mtim.tv_nsec,
        };
        *ret_fd = steal_fd(&fd);
        return 0;
}

/* Writes the symbols of a map as the lines of another one, in the order of their addresses. */
static int perf_map_rewrite(const char *text, size_t size, ByteBuffer *b) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        int r = symbol_table_new(&t);

        if (r >= 0)
                r = symbol_table_add_perf_map(t, text, size);
        if (r < 0)
                return r;
        symbol_table_sort(t);
        for (size_t i = 0; i < symbol_table_size(t); i++) {
                char begin[48];
                Symbol s;
                int n;

                symbol_table_get(t, i, &s);
                n = snprintf(begin, sizeof(begin), "%" PRIx64 " %" PRIx64 " ", s.start, s.end - s.start);
                byte_buffer_put(b, begin, (size_t) n);
                byte_buffer_put(b, s.name, strlen(s.name));
                byte_buffer_put(b, "\n", 1);
        }
        return b->error < 0 ? b->error : b->size == 0 ? -ENODATA : 0;
}

int symbol_generated_write(int fd, SymbolFolder *f, const char *path, uint64_t max) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_close_ int out = -EBADF;
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = read_fd(fd, MIN_OF(max, symbol_folder_room(f)), &text, &size);

        if (r >= 0)
                r = perf_map_rewrite(text, size, &b);
        if (r < 0)
                return r;
        if (b.size > max || b.size > symbol_folder_room(f)) /* what was cut in two has its name twice */
                return -EFBIG;
        out = symbol_folder_create(f, path);
        if (out < 0)
                return out;
        r = write_all(out, b.data, b.size);
        if (r < 0)
                symbol_folder_remove(f, path);
        else
                symbol_folder_count(f, b.size);
        return r;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Where a mapped binary is found again. Its path is what its process saw, so it is looked for below the root of that
 * process first. A file that was deleted is still held by the process: /proc/PID/map_files leads to it for who may
 * follow (CAP_CHECKPOINT_RESTORE), /proc/PID/exe if it is the program. Of a process that has ended, another one of its
 * container may be there. The inode, or the build id where it is known, tells whether a file is the one. */

#include "symbol-source.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "fd-file.h"
#include "root-file.h"

#define MAPS_MAX 65536u /* entries of map_files that are looked at */
#define DELETED " (deleted)"

static bool is_hit(int fd, const DsoHit *hit) {
        struct stat st;
        BuildId id;

        if (hit->inode != 0 && (fstat(fd, &st) < 0 || st.st_ino != hit->inode))
                return false;
        return hit->id.size == 0 ||
               (build_id_of_fd(fd, &id) >= 0 && id.size == hit->id.size && memcmp(id.bytes, hit->id.bytes, id.size) == 0);
}

static int open_below(const char *root, const char *path, const DsoHit *hit) {
        _cleanup_close_ int fd = root_file_open(root, path);

        if (fd < 0)
                return fd;
        return is_hit(fd, hit) ? steal_fd(&fd) : -ESTALE;
}

static int open_of_process(const char *root, uint32_t pid, const DsoHit *hit) {
        _cleanup_free_ char *own = NULL;

        if (asprintf(&own, "%s/proc/%u/root", root, pid) < 0)
                return -ENOMEM;
        return open_below(own, hit->path, hit);
}

/* By one of /proc's links to what a process holds, whose text is the path of the file. */
static int open_link(int dir_fd, const char *name, const DsoHit *hit) {
        _cleanup_close_ int found = -EBADF, fd = -EBADF;
        size_t n = strlen(hit->path);
        char text[4200];
        ssize_t size = readlinkat(dir_fd, name, text, sizeof(text) - 1);

        if (size < 0)
                return -errno;
        text[size] = '\0';
        if (strncmp(text, hit->path, n) != 0 || !(text[n] == '\0' || streq(text + n, DELETED)))
                return -ENOENT;
        found = openat(dir_fd, name, O_PATH | O_CLOEXEC); /* what it is, before it is opened */
        if (found < 0)
                return -errno;
        fd = root_file_reopen(found);
        if (fd < 0)
                return fd;
        return is_hit(fd, hit) ? steal_fd(&fd) : -ESTALE;
}

static int open_mapped(const char *root, const DsoHit *hit) {
        _cleanup_free_ char *process = NULL;
        _cleanup_close_ int process_fd = -EBADF;
        _cleanup_closedir_ DIR *maps = NULL;
        const struct dirent *entry;
        int fd, r = -ENOENT;

        if (asprintf(&process, "%s/proc/%u", root, hit->pid) < 0)
                return -ENOMEM;
        process_fd = open(process, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (process_fd < 0)
                return -errno;
        r = open_link(process_fd, "exe", hit);
        fd = r >= 0 ? -EBADF : openat(process_fd, "map_files", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return r;
        maps = fdopendir(fd);
        if (!maps)
                return safe_close(fd), -ENOMEM;
        for (unsigned n = 0; r < 0 && n < MAPS_MAX && (entry = readdir(maps)); n++)
                if (entry->d_name[0] != '.')
                        r = open_link(dirfd(maps), entry->d_name, hit);
        return r;
}

int symbol_source_open(const char *root, const DsoHit *hit, const MountRoots *others) {
        int fd = open_of_process(root, hit->pid, hit);

        if (fd < 0)
                fd = open_mapped(root, hit);
        if (fd < 0)
                fd = open_below(root, hit->path, hit);
        for (size_t i = 0; fd < 0 && others && (hit->inode != 0 || hit->id.size > 0) && i < others->n; i++)
                fd = open_of_process(root, others->pids[i], hit);
        return fd;
}

/* "NSpid:\t4711\t17\t1": the last one is what the process itself sees. */
static uint32_t inner_pid(const char *root, uint32_t pid) {
        _cleanup_free_ char *path = NULL, *status = NULL;
        char *line, *tab, *end;

        if (asprintf(&path, "%s/proc/%u/status", root, pid) < 0 || read_file(path, 65536, &status, NULL) < 0)
                return pid;
        line = strstr(status, "\nNSpid:");
        if (!line)
                return pid;
        line++;
        end = strchr(line, '\n');
        if (end)
                *end = '\0';
        tab = strrchr(line, '\t');
        return tab ? (uint32_t) strtoul(tab + 1, NULL, 10) : pid;
}

/* The user of a process; -1: it has gone. */
static uid_t user_of(const char *root, uint32_t pid) {
        _cleanup_free_ char *path = NULL;
        struct stat st;

        if (asprintf(&path, "%s/proc/%u", root, pid) < 0 || stat(path, &st) < 0)
                return (uid_t) -1;
        return st.st_uid;
}

static int open_perf_map(const char *root, uint32_t pid, uid_t user) {
        char path[64];
        _cleanup_close_ int fd = -EBADF;
        struct stat st;

        (void) snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
        fd = root_file_open(root, path);
        if (fd < 0)
                return fd;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (user != (uid_t) -1 && st.st_uid != user && st.st_uid != 0)
                return -EPERM;
        return steal_fd(&fd);
}

int symbol_source_open_perf_map(const char *root, uint32_t pid) {
        _cleanup_free_ char *own = NULL;
        uid_t user = user_of(root, pid);
        int fd = -ENOENT;

        if (asprintf(&own, "%s/proc/%u/root", root, pid) < 0)
                return -ENOMEM;
        if (user != (uid_t) -1)
                fd = open_perf_map(own, inner_pid(root, pid), user);
        return fd >= 0 ? fd : open_perf_map(root, pid, user);
}

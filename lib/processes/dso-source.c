/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds a mapped binary again by its path, which is as its process saw it. The machine's own file of that path is
 * tried first, then the file below the process's root. The process still holds a file that was deleted: /proc/PID/exe
 * leads to it if it is the program, /proc/PID/map_files if we may follow (CAP_CHECKPOINT_RESTORE). If the process has
 * exited, another process of its container may have the file.
 *
 * Invariant: a file counts only if its device, inode and generation, and its build id, are those that were mapped, as
 * far as they are known. If none is known, only the file below the process's own root counts. */

#include "dso-source.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "elf-build-id.h"
#include "format-text.h"
#include "living-thread.h"
#include "map-record.h"
#include "root-file.h"

#define DELETED " (deleted)"

void dso_search_init(DsoSearch *s, const char *root, const DsoHits *hits) {
        *s = (DsoSearch) { .root = root, .hits = hits, .looks = DSO_SEARCH_LOOKS };
}

void dso_search_done(DsoSearch *s) {
        mount_roots_done(&s->others);
}

/* The kernel records the device of the superblock. A btrfs subvolume has another one for stat(2), and so does an overlay,
 * whose mappings were recorded as the lower file's before Linux 6.8. */
static bool has_devices_of_its_own(int fd) {
        struct statfs fs;

        return fstatfs(fd, &fs) >= 0 && (fs.f_type == BTRFS_SUPER_MAGIC || fs.f_type == OVERLAYFS_SUPER_MAGIC);
}

/* Not all file systems report generations. */
static bool has_generation(const DsoHit *hit, int fd) {
        unsigned int generation; /* the kernel writes an int, although the request's number says long */

        return hit->generation == 0 || ioctl(fd, FS_IOC_GETVERSION, &generation) < 0 ||
               generation == (unsigned int) hit->generation;
}

bool dso_has_inode(const DsoHit *hit, int fd) {
        struct stat st;

        if (hit->inode == 0)
                return true;
        if (fstat(fd, &st) < 0 || st.st_ino != hit->inode || !has_generation(hit, fd))
                return false;
        return (hit->major == 0 && hit->minor == 0) ||
               (major(st.st_dev) == hit->major && minor(st.st_dev) == hit->minor) || has_devices_of_its_own(fd);
}

static bool is_identified(const DsoHit *hit) {
        return hit->inode != 0 || hit->id.size > 0;
}

/* found is O_PATH, so that another file at that place is never opened for reading. */
static int open_found(int found, const DsoHit *hit) {
        _cleanup_close_ int fd = -EBADF;
        BuildId id;

        if (found < 0)
                return found;
        if (!dso_has_inode(hit, found))
                return -ESTALE;
        fd = root_file_reopen(found);
        if (fd < 0)
                return fd;
        if (hit->id.size > 0 && (build_id_of_fd(fd, &id) < 0 || !build_id_equal(&id, &hit->id)))
                return -ESTALE;
        return dso_has_inode(hit, fd) ? steal_fd(&fd) : -ESTALE;
}

static int open_below(const char *root, const DsoHit *hit) {
        _cleanup_close_ int found = root_file_find(root, hit->path);

        return open_found(found, hit);
}

static int open_of_process(const DsoSearch *s, uint32_t pid, const DsoHit *hit) {
        _cleanup_free_ char *root = format_text("%s/proc/%u/root", s->root, living_thread(s->root, pid));

        if (!root)
                return -ENOMEM;
        return open_below(root, hit);
}

static bool link_is_deleted(const char *text, size_t size) {
        size_t n = strlen(DELETED);

        return size >= n && streq(text + size - n, DELETED) && !map_record_is_memfd(text);
}

/* Opens the file through one of /proc's links to the files that a process holds. The text of the link is the file's
 * path; it can be read without the privilege to follow it. */
static int open_link(int dir_fd, const char *name, const DsoHit *hit) {
        _cleanup_close_ int found = -EBADF;
        size_t n = strlen(hit->path);
        char text[4200];
        ssize_t size = readlinkat(dir_fd, name, text, sizeof(text) - 1);

        if (size < 0)
                return -errno;
        text[size] = '\0';
        if (strncmp(text, hit->path, n) != 0 || !(text[n] == '\0' || streq(text + n, DELETED)))
                return -ENOENT;
        found = openat(dir_fd, name, O_PATH | O_CLOEXEC);
        if (found < 0)
                return link_is_deleted(text, (size_t) size) ? -EIDRM : -errno;
        return open_found(found, hit);
}

static int open_map_file(DsoSearch *s, int process_fd, const DsoHit *hit) {
        int fd = openat(process_fd, "map_files", O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = -ENOENT;
        _cleanup_closedir_ DIR *maps = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *entry;

        if (!maps)
                return safe_close(fd), -ENOENT;
        for (; r < 0 && r != -EPERM && r != -EIDRM && s->looks > 0 && (entry = readdir(maps)); s->looks--)
                if (entry->d_name[0] != '.')
                        r = open_link(dirfd(maps), entry->d_name, hit);
        return r;
}

static int open_mapped(DsoSearch *s, const DsoHit *hit) {
        _cleanup_free_ char *process = format_text("%s/proc/%u", s->root, living_thread(s->root, hit->pid));
        _cleanup_close_ int process_fd = -EBADF;
        int r;

        if (!process)
                return -ENOMEM;
        process_fd = open(process, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (process_fd < 0)
                return -errno;
        r = open_link(process_fd, "exe", hit);
        return r >= 0 ? r : open_map_file(s, process_fd, hit);
}

static int find_others(DsoSearch *s) {
        _cleanup_free_ uint32_t *pids = NULL;
        size_t n;
        int r;

        if (s->has_others || !s->hits)
                return 0;
        s->has_others = true;
        r = dso_hits_pids(s->hits, &pids, &n);
        return r < 0 ? r : mount_roots_find(s->root, pids, n, &s->others);
}

static int open_of_others(DsoSearch *s, const DsoHit *hit) {
        int fd = -ENOENT, r = find_others(s);

        if (r < 0)
                return r;
        for (size_t i = 0; fd < 0 && i < s->others.n; i++)
                fd = open_of_process(s, s->others.pids[i], hit);
        return fd;
}

/* True if the process of a hit that nothing identifies sees the machine's own file. */
static bool is_the_machines(const DsoSearch *s, const DsoHit *hit, int fd) {
        _cleanup_close_ int own = root_file_find(s->root, hit->path);
        struct stat a, b;

        return own >= 0 && fstat(own, &a) >= 0 && fstat(fd, &b) >= 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Returns the error that explains best why there is no file. */
static int worse(int before, int r) {
        return before == -EIDRM || r == -ENOENT || r == -ESRCH ? before : r;
}

int dso_source_open_own(const DsoSearch *s, const DsoHit *hit) {
        return is_identified(hit) ? open_below(s->root, hit) : -ENOENT;
}

int dso_source_open(DsoSearch *s, const DsoHit *hit, bool *ret_own) {
        bool own = is_identified(hit);
        int fd = dso_source_open_own(s, hit), why = fd;

        if (fd < 0) {
                fd = open_of_process(s, hit->pid, hit);
                why = worse(why, fd);
                own = fd >= 0 && !is_identified(hit) && is_the_machines(s, hit, fd);
        }
        if (fd < 0) {
                fd = open_mapped(s, hit);
                why = worse(why, fd);
        }
        if (fd < 0 && is_identified(hit)) {
                fd = open_of_others(s, hit);
                why = worse(why, fd);
        }
        if (fd < 0)
                return why;
        if (ret_own)
                *ret_own = own;
        return fd;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds control groups. Every group of the unified hierarchy (version 2) has the perf_event controller, unless it is
 * mounted as a hierarchy of its own (version 1): then the kernel takes only groups of that one. The list of mounts is
 * read, since they need not be below /sys/fs/cgroup. */

#include "cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <mntent.h>
#include "fd-file.h"
#include "strv.h"

#define USUAL_ROOT "/sys/fs/cgroup" /* for the message, if nothing is mounted */

/* Finds the first mount of that type (and with that option, unless it is NULL). */
static int find_mount(const char *mounts, const char *type, const char *option, char **ret) {
        _cleanup_fclose_ FILE *f = setmntent(mounts ?: "/proc/self/mounts", "re");
        struct mntent entry;
        char line[4096];

        if (!f)
                return -errno;
        while (getmntent_r(f, &entry, line, sizeof(line))) {
                if (!streq(entry.mnt_type, type) || (option && !hasmntopt(&entry, option)))
                        continue;
                *ret = strdup(entry.mnt_dir);
                return *ret ? 0 : -ENOMEM;
        }
        return -ENOENT;
}

int cgroup_find_unified(const char *mounts, char **ret) {
        return find_mount(mounts, "cgroup2", NULL, ret);
}

int cgroup_find_root(const char *mounts, char **ret) {
        int r = find_mount(mounts, "cgroup", "perf_event", ret);

        return r == -ENOENT ? cgroup_find_unified(mounts, ret) : r;
}

int cgroup_path(const char *root, const char *name, char **ret) {
        _cleanup_free_ char *found = NULL;
        const char *rest;
        int r;

        if (!root) {
                r = cgroup_find_root(NULL, &found);
                if (r == -ENOMEM)
                        return r;
                root = found ?: USUAL_ROOT;
        }
        rest = startswith(name, root); /* a whole path begins with the root's */
        if (rest && (*rest == '/' || *rest == '\0'))
                name = rest;
        *ret = path_join(root, name + strspn(name, "/"));
        return *ret ? 0 : -ENOMEM;
}

const char *cgroup_unit_name(const char *path) {
        const char *name = basename(path);

        return name + (*name == '_');
}

/* A slice that has been removed in the meantime has no units. */
static int slice_list(const char *top, const char *slice, const char *pattern, char ***units, char ***slices) {
        _cleanup_free_ char *path = path_join(top, slice);
        _cleanup_closedir_ DIR *dir = path ? opendir(path) : NULL;
        int r = path ? 0 : -ENOMEM;

        for (const struct dirent *d; r >= 0 && dir && (d = readdir(dir));) {
                const char *name = d->d_name, *suffix = strrchr(name, '.');

                if (d->d_type != DT_DIR || *name == '.' || !suffix)
                        continue;
                if (streq(suffix, ".slice"))
                        r = strv_extendf(slices, "%s%s%s", slice, *slice ? "/" : "", name);
                if (r >= 0 && fnmatch(pattern, cgroup_unit_name(name), FNM_NOESCAPE) == 0)
                        r = strv_extendf(units, "%s%s%s", slice, *slice ? "/" : "", name);
        }
        return r;
}

int cgroup_list_units(const char *root, const char *pattern, char ***ret, char ***ret_slices) {
        _cleanup_strv_free_ char **units = NULL, **slices = NULL;
        _cleanup_free_ char *top = NULL;
        int r = cgroup_path(root, "", &top);

        if (r >= 0)
                r = strv_extend(&slices, "");
        for (size_t i = 0; r >= 0 && slices[i]; i++)
                r = slice_list(top, slices[i], pattern, &units, &slices);
        if (r < 0)
                return r;
        strv_sort(units);
        *ret = steal_ptr(units);
        if (ret_slices)
                *ret_slices = steal_ptr(slices);
        return 0;
}

int cgroup_open(const char *root, const char *name, Diagnosis *d) {
        _cleanup_free_ char *path = NULL;
        int r, fd;

        r = cgroup_path(root, name, &path);
        if (r < 0)
                return r;
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0)
                return fd;
        r = -errno;
        if (r == -ENOENT || r == -ENOTDIR)
                return diagnosis_set(d, -ESRCH, "no access to cgroup %s: there is no control group %s; /proc/PID/cgroup names that "
                                     "of a process, systemctl show -P ControlGroup UNIT that of a unit which runs", name, path);
        return diagnosis_set(d, r, "no access to cgroup %s (%s): %s", name, path, strerror(-r));
}

int cgroup_read_id(const char *path, uint64_t *ret) {
        struct {
                struct file_handle handle;
                uint64_t id;
        } h = { .handle.handle_bytes = sizeof(h.id) };
        int mount_id;

        if (name_to_handle_at(AT_FDCWD, path, &h.handle, &mount_id, 0) < 0)
                return -errno;
        memcpy(ret, h.handle.f_handle, sizeof(*ret));
        return 0;
}

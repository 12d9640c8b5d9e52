/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The places of threads that existed before the recording: their namespaces, and the names of control groups, for
 * which samples have numbers. name_to_handle_at(2) of the group's directory has that number, since the kernel takes
 * both from cgroup_id(). As in perf, places that can't be read do not end the recording. */

#include "sideband.h"

#include <fcntl.h>
#include <fts.h>
#include <sys/stat.h>
#include "cgroup.h"

int sideband_put_namespaces(const Sideband *s, pid_t pid, pid_t tid) {
        /* The order of NET_NS_INDEX and so on in linux/perf_event.h. */
        static const char *const names[NR_NAMESPACES] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
        struct perf_ns_link_info links[NR_NAMESPACES] = {};

        if (!s->namespaces)
                return 0;
        for (size_t i = 0; i < NR_NAMESPACES; i++) {
                char path[256];
                struct stat st;

                (void) snprintf(path, sizeof(path), "%s/proc/%d/ns/%s", s->root, pid, names[i]);
                if (stat(path, &st) >= 0)
                        links[i] = (struct perf_ns_link_info) { .dev = st.st_dev, .ino = st.st_ino };
        }
        return record_put_namespaces(s->b, (uint32_t) pid, (uint32_t) tid, links, NR_NAMESPACES, &s->trailer);
}

static int sideband_read_cgroup_id(const char *path, uint64_t *ret) {
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

static int sideband_put_cgroup(const Sideband *s, const char *top, const char *path) {
        const char *below = path + strlen(top);
        uint64_t id = 0;

        if (sideband_read_cgroup_id(path, &id) < 0) /* it has gone, or this file system has no such numbers */
                return 0;
        return record_put_cgroup(s->b, id, *below ? below : "/", &s->trailer);
}

int sideband_put_cgroups(const Sideband *s, const char *top) {
        _cleanup_free_ char *found = NULL;
        FTSENT *entry;
        FTS *tree;
        int r = 0;

        if (!top && cgroup_find_root(NULL, &found) < 0)
                return 0;
        top = top ?: found;
        tree = fts_open((char *const[]) { (char *) top, NULL }, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
        if (!tree)
                return errno == ENOMEM ? -ENOMEM : 0;
        while (r >= 0 && (entry = fts_read(tree)))
                if (entry->fts_info == FTS_D)
                        r = sideband_put_cgroup(s, top, entry->fts_path);
        (void) fts_close(tree);
        return r == -ENOMEM ? r : 0;
}

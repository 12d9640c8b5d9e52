/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The inode of /proc/PID/ns/mnt identifies a mount namespace. A caller that may not read a process's does not see
 * its root either.
 *
 * A namespace is found by the first process of the list that is in it. Nothing is held open: that process may exit
 * at any time, and then its root is not found any more. */

#include "mount-roots.h"

#include <sys/stat.h>

#include "array.h"
#include "format-text.h"
#include "living-thread.h"

/* Returns 0 if it is not known. */
static ino_t namespace_of(const char *root, const char *process) {
        _cleanup_free_ char *path = format_text("%s/proc/%s/ns/mnt", root, process);
        struct stat st;

        if (!path || stat(path, &st) < 0)
                return 0;
        return st.st_ino;
}

int mount_roots_find(const char *root, const uint32_t *pids, size_t n_pids, MountRoots *ret) {
        _cleanup_(mount_roots_done) MountRoots m = {};
        ino_t seen[MOUNT_ROOTS_MAX + 1];

        m.pids = calloc(MOUNT_ROOTS_MAX, sizeof(*m.pids));
        if (!m.pids)
                return -ENOMEM;
        seen[0] = namespace_of(root, "self");
        for (size_t i = 0; i < n_pids && m.n < MOUNT_ROOTS_MAX; i++) {
                char process[16];
                ino_t namespace;

                (void) snprintf(process, sizeof(process), "%u", living_thread(root, pids[i]));
                namespace = namespace_of(root, process);
                if (namespace == 0 || ANY_OF(m.n + 1, k, seen[k] == namespace))
                        continue;
                m.pids[m.n++] = pids[i];
                seen[m.n] = namespace;
        }
        *ret = (MountRoots) { .pids = steal_ptr(m.pids), .n = m.n };
        return 0;
}

void mount_roots_done(MountRoots *m) {
        free(m->pids);
        *m = (MountRoots) {};
}

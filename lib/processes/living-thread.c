/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A process lives until its last thread ends. If its first one ends before, /proc/PID stays, but as that of a zombie: maps and
 * map_files are empty, and exe, root and ns lead nowhere. root tells a zombie from a kernel thread, which has no memory either. */

#include "living-thread.h"

#include "parse-number.h"

/* Without the right to look, a thread counts as living. */
static bool has_root(const char *root, uint32_t tid) {
        char path[256], target[1];

        (void) snprintf(path, sizeof(path), "%s/proc/%u/root", root, tid);
        return readlink(path, target, sizeof(target)) >= 0 || errno != ENOENT;
}

uint32_t living_thread(const char *root, uint32_t pid) {
        _cleanup_closedir_ DIR *tasks = NULL;
        const struct dirent *entry;
        char path[256];
        pid_t tid;

        if (has_root(root, pid))
                return pid;
        (void) snprintf(path, sizeof(path), "%s/proc/%u/task", root, pid);
        tasks = opendir(path);
        while (tasks && (entry = readdir(tasks)))
                if (parse_pid(entry->d_name, &tid) >= 0 && (uint32_t) tid != pid && has_root(root, (uint32_t) tid))
                        return (uint32_t) tid;
        return pid;
}

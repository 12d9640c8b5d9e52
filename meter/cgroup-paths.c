/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A machine has some hundreds of groups, and threads change theirs seldom: a search along the list is enough. */

#include "cgroup-paths.h"

#include <dirent.h>
#include <inttypes.h>

#include "array.h"
#include "cgroup.h"
#include "fd-file.h"
#include "format-text.h"
#include "strv.h"

void cgroup_paths_done(CgroupPaths *p) {
        for (size_t i = 0; i < p->n; i++)
                free(p->groups[i].path);
        free(p->groups);
        *p = (CgroupPaths) {};
}

static bool cgroup_paths_find(CgroupPaths *p, uint64_t id) {
        for (size_t i = 0; i < p->n; i++)
                if (p->groups[i].id == id) {
                        p->last = i;
                        return true;
                }
        return false;
}

/* Takes the path over; NULL: there is no memory for it. */
static int cgroup_paths_add(CgroupPaths *p, uint64_t id, char *path) {
        if (!path || ARRAY_RESERVE(p->groups, p->allocated, p->n + 1) < 0) {
                free(path);
                return -ENOMEM;
        }
        p->last = p->n;
        p->groups[p->n++] = (CgroupPath) { id, path };
        return 0;
}

/* Adds a group unless it is known, and appends those in it to groups. One that goes in the meantime is left out. */
static int cgroup_paths_visit(CgroupPaths *p, const char *root, const char *group, char ***groups) {
        _cleanup_free_ char *path = path_join(root, group);
        _cleanup_closedir_ DIR *dir = path ? opendir(path) : NULL;
        uint64_t id;
        int r = path ? 0 : -ENOMEM;

        if (dir && cgroup_read_id(path, &id) >= 0 && !cgroup_paths_find(p, id))
                r = cgroup_paths_add(p, id, strdup(*group ? group : "/"));
        for (const struct dirent *d; r >= 0 && dir && (d = readdir(dir));)
                if (d->d_type == DT_DIR && *d->d_name != '.')
                        r = strv_extendf(groups, "%s/%s", group, d->d_name);
        return r;
}

int cgroup_paths_get(CgroupPaths *p, uint64_t id, const char **ret) {
        _cleanup_strv_free_ char **groups = NULL;
        _cleanup_free_ char *root = NULL;
        int r = 0;

        if ((p->last < p->n && p->groups[p->last].id == id) || cgroup_paths_find(p, id)) {
                *ret = p->groups[p->last].path;
                return 0;
        }
        if (cgroup_find_unified(NULL, &root) >= 0)
                r = strv_extend(&groups, "");
        for (size_t i = 0; r >= 0 && groups && groups[i]; i++)
                r = cgroup_paths_visit(p, root, groups[i], &groups);
        if (r >= 0 && !cgroup_paths_find(p, id))
                r = cgroup_paths_add(p, id, format_text("cgroup:%" PRIu64, id));
        if (r >= 0)
                *ret = p->groups[p->last].path;
        return r;
}

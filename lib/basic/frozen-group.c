/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The freezer of cgroup v2: cgroup.events shows that a group is frozen, whoever did it, and cgroup.freeze whether it was this group
 * that somebody froze. */

#include "frozen-group.h"

#include "fd-file.h"
#include "format-text.h"

#define FILE_MAX 4096

static bool file_has(const char *top, const char *group, const char *name, const char *text) {
        _cleanup_free_ char *path = format_text("%s%s/%s", top, group, name), *content = NULL;

        return path && read_file(path, FILE_MAX, &content, NULL) >= 0 && strstr(content, text);
}

static char *find_below(const char *top, const char *group) {
        _cleanup_free_ char *above = strdup(group);
        char *slash;

        if (!above || !file_has(top, group, "cgroup.events", "frozen 1"))
                return NULL;
        while ((slash = strrchr(above, '/'))) {
                if (file_has(top, above, "cgroup.freeze", "1"))
                        return strdup(slash + 1);
                *slash = '\0';
        }
        return NULL;
}

char *frozen_group_find(const char *root, const char *group) {
        static const char *const tops[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
        char *found = NULL;

        for (size_t i = 0; i < ELEMENTSOF(tops) && !found; i++) {
                _cleanup_free_ char *top = format_text("%s%s", root, tops[i]);

                found = top ? find_below(top, group) : NULL;
        }
        return found;
}

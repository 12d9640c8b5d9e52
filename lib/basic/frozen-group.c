/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The freezer of cgroup v2: cgroup.events shows that a group is frozen, whoever did it, and cgroup.freeze whether it was this group
 * that somebody froze. */

#include "frozen-group.h"

#include "control-group.h"

static bool file_has(const char *root, const char *group, const char *name, const char *text) {
        _cleanup_free_ char *content = NULL;

        return control_group_read(root, group, name, &content) >= 0 && strstr(content, text);
}

char *frozen_group_find(const char *root, const char *group) {
        _cleanup_free_ char *above = strdup(group);
        char *slash;

        if (!above || !file_has(root, group, "cgroup.events", "frozen 1"))
                return NULL;
        while ((slash = strrchr(above, '/'))) {
                if (file_has(root, above, "cgroup.freeze", "1"))
                        return strdup(slash + 1);
                *slash = '\0';
        }
        return NULL;
}

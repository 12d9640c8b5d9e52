/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The hierarchy of version 2 is mounted at /sys/fs/cgroup, or below it where version 1 has the controllers. */

#include "control-group.h"

#include "fd-file.h"
#include "format-text.h"
#include "parse-number.h"
#include "parse-time.h"

#define FILE_MAX 4096

int control_group_read(const char *root, const char *group, const char *name, char **ret) {
        static const char *const tops[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
        int r = -ENOENT;

        for (size_t i = 0; i < ELEMENTSOF(tops) && r == -ENOENT; i++) {
                _cleanup_free_ char *path = format_text("%s%s%s/%s", root, tops[i], group, name);

                r = path ? read_file(path, FILE_MAX, ret, NULL) : -ENOMEM;
        }
        return r;
}

/* The first line of cpu.stat, also where the group has no cpu controller: "usage_usec 1234". */
int control_group_cpu_usage(const char *root, const char *group, uint64_t *ret_nsec) {
        _cleanup_free_ char *text = NULL;
        uint64_t usec;
        int r = control_group_read(root, group, "cpu.stat", &text);

        if (r < 0)
                return r;
        text[strcspn(text, "\n")] = '\0';
        if (!startswith(text, "usage_usec ") || parse_uint64(text + strlen("usage_usec "), &usec) < 0 ||
            usec > UINT64_MAX / NSEC_PER_USEC)
                return -EBADMSG;
        *ret_nsec = usec * NSEC_PER_USEC;
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A user who owns nothing and has no capabilities reads what all may read. With CAP_DAC_READ_SEARCH it reads what root may read,
 * and still writes nothing. */

#include "process-rights.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array.h"

#define NOBODY 65534u

int process_give_up_rights(uint64_t keep) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
        const uint32_t kept[] = { (uint32_t) keep, (uint32_t) (keep >> 32) };
        int r = 0;

        if (syscall(SYS_capget, &header, data) < 0)
                return -errno;
        if (geteuid() == 0) {
                if (ANY_OF(ELEMENTSOF(kept), i, (data[i].permitted & kept[i]) != kept[i]))
                        r = -EPERM;
                /* what is permitted would go with the user */
                else if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0 || setgroups(0, NULL) < 0 ||
                         setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0)
                        r = -errno;
        }
        for (size_t i = 0; i < ELEMENTSOF(kept); i++) {
                data[i].permitted &= kept[i];
                data[i].effective = data[i].permitted;
                data[i].inheritable = 0;
        }
        return syscall(SYS_capset, &header, data) < 0 && r >= 0 ? -errno : r;
}

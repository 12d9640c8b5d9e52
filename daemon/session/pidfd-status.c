/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A child of ours is for waitid(2). Of others the kernel keeps the status as long as somebody has a pidfd, since 6.15. */

#include "pidfd-status.h"

#include <sys/ioctl.h>
#include <sys/wait.h>

/* struct pidfd_info, PIDFD_GET_INFO and PIDFD_INFO_EXIT of linux/pidfd.h, which Debian 12's does not have. */
typedef struct PidfdInfo {
        uint64_t mask, cgroup_id;
        uint32_t pid, tgid, ppid, ruid, rgid, euid, egid, suid, sgid, fsuid, fsgid;
        int32_t exit_code; /* as wait(2) has it */
} PidfdInfo;

#define GET_INFO _IOWR(0xFF, 11, PidfdInfo)
#define INFO_EXIT (UINT64_C(1) << 3)

int pidfd_read_status(int pidfd, siginfo_t *ret) {
        PidfdInfo info = { .mask = INFO_EXIT };

        _Static_assert(sizeof(info) == 64, "PIDFD_INFO_SIZE_VER0");
        if (ioctl(pidfd, GET_INFO, &info) < 0)
                return errno == ENOTTY || errno == EINVAL ? -EOPNOTSUPP : -errno;
        if (!(info.mask & INFO_EXIT))
                return 0;
        if (WIFEXITED(info.exit_code)) {
                ret->si_code = CLD_EXITED;
                ret->si_status = WEXITSTATUS(info.exit_code);
        } else {
                ret->si_code = WCOREDUMP(info.exit_code) ? CLD_DUMPED : CLD_KILLED;
                ret->si_status = WTERMSIG(info.exit_code);
        }
        return 1;
}

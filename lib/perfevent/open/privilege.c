/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Uses the system call instead of libcap, since only the effective capabilities are needed. */

#include "privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "sysctl.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

bool privilege_have(unsigned capability) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};

        if (syscall(SYS_capget, &header, data) < 0)
                return false;
        return data[capability / 32].effective & (UINT32_C(1) << capability % 32);
}

bool privilege_have_perfmon(void) {
        return privilege_have(CAP_PERFMON) || privilege_have(CAP_SYS_ADMIN);
}

bool privilege_sees_kernel(void) {
        return sysctl_read("kernel/perf_event_paranoid", 2) <= 1 || privilege_have_perfmon();
}

/* The kernel refuses unknown flags first, before it asks for privileges. */
bool privilege_is_filtered(void) {
        return syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0UL) < 0 && errno != EINVAL;
}

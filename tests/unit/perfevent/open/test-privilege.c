/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Privileges, compared with the kernel's behaviour; each test is a process of its own. */

#include "privilege.h"

#include <inttypes.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include "check-main.h"
#include "fd-file.h"
#include "refused-call.h"

static uint64_t effective(void) {
        _cleanup_free_ char *text = NULL;
        const char *line;
        uint64_t mask = 0;

        ck_assert_int_eq(read_file("/proc/self/status", 65536, &text, NULL), 0);
        line = strstr(text, "\nCapEff:");
        ck_assert_ptr_nonnull(line);
        ck_assert_int_eq(sscanf(line, "\nCapEff: %" SCNx64, &mask), 1);
        return mask;
}

START_TEST(test_have) {
        for (unsigned c = 0; c <= CAP_LAST_CAP; c++)
                ck_assert(privilege_have(c) == ((effective() >> c) & 1));
}
END_TEST

static void assert_kernel_agrees(void) {
        struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK };
        long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

        if (fd < 0 && errno != EACCES)
                return; /* no events are allowed here */
        ck_assert(privilege_sees_kernel() == (fd >= 0));
        if (fd >= 0)
                (void) close((int) fd);
}

START_TEST(test_sees_kernel) {
        assert_kernel_agrees();
        if (geteuid() != 0)
                return;
        ck_assert_int_eq(seteuid(65534), 0); /* drops the effective capabilities */
        assert_kernel_agrees();
        ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

START_TEST(test_is_filtered) {
        if (syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0UL) < 0 && errno == EINVAL)
                ck_assert(!privilege_is_filtered());
        if (refuse_call(SYS_perf_event_open, EPERM) >= 0)
                ck_assert(privilege_is_filtered());
}
END_TEST

CHECK_MAIN("privilege", test_have, test_sees_kernel, test_is_filtered);

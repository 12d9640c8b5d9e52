/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One event: a descriptor of perf_event_open(2), its id, and its ioctls. All system calls go through EventOps, so that
 * tests can replace the kernel. There is no policy here: errors are returned unchanged. */

#include "event.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>

static int kernel_open(void *userdata, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags) {
        long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

        return fd < 0 ? -errno : (int) fd;
}

static int kernel_ioctl(void *userdata, int fd, unsigned long request, unsigned long argument) {
        return ioctl(fd, request, argument) < 0 ? -errno : 0;
}

const EventOps event_ops_kernel = { .open = kernel_open, .ioctl = kernel_ioctl };

static int event_ioctl(const Event *e, const EventOps *ops, unsigned long request, unsigned long argument) {
        return ops->ioctl(ops->userdata, e->fd, request, argument);
}

int event_open(Event *e, const EventOps *ops, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags) {
        _cleanup_close_ int fd = -EBADF;
        uint64_t id = 0;
        int r;

        fd = ops->open(ops->userdata, attr, pid, cpu, group_fd, flags);
        if (fd < 0)
                return fd;
        if (attr->read_format & PERF_FORMAT_ID) {
                r = ops->ioctl(ops->userdata, fd, PERF_EVENT_IOC_ID, (unsigned long) &id);
                if (r < 0)
                        return r;
        }

        e->fd = steal_fd(&fd);
        e->id = id;
        e->cpu = cpu;
        e->tid = flags & PERF_FLAG_PID_CGROUP ? -1 : pid;
        return 0;
}

void event_done(Event *e) {
        e->fd = safe_close(e->fd);
}

int event_enable(const Event *e, const EventOps *ops, bool enable) {
        return event_ioctl(e, ops, enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int event_set_output(const Event *e, const EventOps *ops, const Event *owner) {
        return event_ioctl(e, ops, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long) owner->fd);
}

int event_pause_output(const Event *e, const EventOps *ops, bool pause) {
        return event_ioctl(e, ops, PERF_EVENT_IOC_PAUSE_OUTPUT, pause);
}

/* The kernel returns only EINVAL: it reports the reason only for filters that are set through tracefs. */
int event_set_filter(const Event *e, const EventOps *ops, const char *filter, const char *name, Diagnosis *d) {
        int r = event_ioctl(e, ops, PERF_EVENT_IOC_SET_FILTER, (unsigned long) filter);

        if (r == -EINVAL)
                return diagnosis_set(d, r, "The kernel does not take the filter \"%s\" for %s: an unknown field, "
                                     "or a comparison that the field does not have", filter, name);
        if (r < 0)
                return diagnosis_set(d, r, "Setting the filter \"%s\" for %s failed: %s", filter, name, strerror(-r));
        return 0;
}

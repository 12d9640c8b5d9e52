/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel does not report which counters are free. Breakpoint registers are taken when an event is opened, so that a lack of
 * them is an error of perf_event_open(2). Counters of the PMU are shared in turns, and only a pinned group must have all of its
 * own at once: if they cannot be had it is in error, and reads as the end of a file. So each CPU gets a pinned group, and each of
 * its events has to have counted for as long as it was enabled.
 *
 * Invariant: a group is open as a whole or not at all. */

#include "counter-proof.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include "fd-file.h"
#include "parse-number.h"

static long watched; /* which this process never writes */

typedef struct Proof {
        const CounterProofOps *ops;
        struct perf_event_attr attr;
        int *fds; /* of the groups, one after the other; the first of each leads it */
        size_t n_fds;
} Proof;

/* An event reads as this with the read_format of proof_attr(). */
typedef struct ProofReading {
        uint64_t value;
        uint64_t enabled, running; /* ns */
} ProofReading;

static int kernel_open(void *userdata, struct perf_event_attr *attr, int cpu, int group_fd) {
        long fd = syscall(SYS_perf_event_open, attr, -1, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);

        return fd < 0 ? -errno : (int) fd;
}

static ssize_t kernel_read(void *userdata, int fd, void *buf, size_t size) {
        ssize_t n = read(fd, buf, size);

        return n < 0 ? -errno : n;
}

static const CounterProofOps kernel_ops = { .open = kernel_open, .read = kernel_read };

static void group_close(int *fds, size_t n) {
        for (size_t i = 0; i < n; i++)
                fds[i] = safe_close(fds[i]);
}

static void proof_done(Proof *p) {
        group_close(p->fds, p->n_fds);
        free(p->fds);
}

/* Branches, unlike cycles and instructions, have no counter of their own on any CPU, so that they need one of those that others
 * need too. */
static struct perf_event_attr proof_attr(CounterKind kind) {
        struct perf_event_attr attr = {
                .size = sizeof(attr),
                .type = PERF_TYPE_HARDWARE,
                .config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
                .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        };

        if (kind == COUNTER_BREAKPOINT) {
                attr.type = PERF_TYPE_BREAKPOINT;
                attr.config = 0;
                attr.bp_type = HW_BREAKPOINT_W;
                attr.bp_addr = (uintptr_t) &watched;
                attr.bp_len = sizeof(watched);
        }
        return attr;
}

/* Opens a leader, of instructions if the CPU does not count branches; its members are of the same. */
static int leader_open(const Proof *p, struct perf_event_attr *attr, int cpu) {
        int fd;

        attr->pinned = 1;
        fd = p->ops->open(p->ops->userdata, attr, cpu, -1);
        if (fd == -ENOENT && attr->type == PERF_TYPE_HARDWARE) {
                attr->config = PERF_COUNT_HW_INSTRUCTIONS;
                fd = p->ops->open(p->ops->userdata, attr, cpu, -1);
        }
        attr->pinned = 0; /* the kernel takes it of leaders only */
        return fd;
}

/* Opens n events as a group. Returns 1, 0 if the CPU does not have as many, or a negative errno. A group that is larger than the
 * PMU is an invalid one to the kernel. */
static int group_open(const Proof *p, int cpu, int *fds, unsigned n) {
        struct perf_event_attr attr = p->attr;
        int r = 0;

        for (unsigned i = 0; i < n && r >= 0; i++)
                r = fds[i] = i == 0 ? leader_open(p, &attr, cpu) : p->ops->open(p->ops->userdata, &attr, cpu, fds[0]);
        if (r >= 0)
                return 1;
        if (r == -ENOSPC || r == -EBUSY || (r == -EINVAL && fds[0] >= 0))
                r = 0;
        group_close(fds, n);
        return r;
}

/* Returns 1 if all of the group count, 0 if not, or a negative errno. */
static int group_counts(const Proof *p, const int *fds, unsigned n) {
        for (unsigned i = 0; i < n; i++) {
                ProofReading reading = {};
                ssize_t size = fds[i] < 0 ? 0 : p->ops->read(p->ops->userdata, fds[i], &reading, sizeof(reading));

                if (size < 0)
                        return (int) size;
                if ((size_t) size < sizeof(reading) || reading.running == 0 || reading.running != reading.enabled)
                        return 0;
        }
        return 1;
}

/* Returns how many events the largest group of less than n has that counts on the CPU, or a negative errno. */
static int proof_count_free(const Proof *p, int cpu, int *fds, unsigned n) {
        int r = 0;

        group_close(fds, n);
        while (r == 0 && --n > 0) {
                r = group_open(p, cpu, fds, n);
                if (r > 0)
                        r = group_counts(p, fds, n);
                group_close(fds, n);
        }
        return r < 0 ? r : (int) n;
}

/* Opens the groups of all CPUs. Those that have no such counters, or went offline, leave the list. */
static int proof_open(Proof *p, int *cpus, size_t *n_cpus, unsigned n) {
        size_t n_kept = 0;

        for (size_t i = 0; i < *n_cpus; i++) {
                int r = group_open(p, cpus[i], p->fds + n_kept * n, n);

                if (r == -ENOENT || r == -ENODEV || r == -EOPNOTSUPP)
                        continue;
                if (r < 0)
                        return r;
                cpus[n_kept++] = cpus[i];
        }
        *n_cpus = n_kept;
        return n_kept > 0 ? 0 : -ENODEV;
}

int counter_proof_run(CounterKind kind, unsigned n, const CounterProofOps *ops, CounterProof *ret) {
        _cleanup_(proof_done) Proof p = { .ops = ops ?: &kernel_ops, .attr = proof_attr(kind) };
        _cleanup_free_ char *list = NULL;
        _cleanup_free_ int *cpus = NULL;
        size_t n_cpus;
        int r = read_file("/sys/devices/system/cpu/online", 4096, &list, NULL);

        if (r >= 0)
                r = parse_cpu_list(list, &cpus, &n_cpus);
        if (r < 0)
                return r;
        p.fds = malloc(n_cpus * n * sizeof(int));
        if (!p.fds)
                return -ENOMEM;
        while (p.n_fds < n_cpus * n)
                p.fds[p.n_fds++] = -EBADF;
        r = proof_open(&p, cpus, &n_cpus, n);
        for (size_t i = 0; i < n_cpus && r >= 0; i++) {
                r = group_counts(&p, p.fds + i * n, n);
                if (r == 0) {
                        r = proof_count_free(&p, cpus[i], p.fds + i * n, n);
                        if (r < 0)
                                return r;
                        *ret = (CounterProof) { .cpu = cpus[i], .n_free = (unsigned) r };
                        return -EBUSY;
                }
        }
        return MIN_OF(r, 0);
}

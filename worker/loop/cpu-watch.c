/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Two things wake the recorder: the kernel's uevents of CPUs, which a filter in the kernel selects from all uevents,
 * and a jump of CLOCK_REALTIME, which every resume makes: a suspend takes all CPUs except the first offline and sends
 * no uevent. Both only say that something has changed. cpu_watch_look() finds out what, half a second later: it reads
 * which CPUs are online, and on which of these an event still runs. So a CPU that went and came back in
 * the meantime is noticed too. */

#include "cpu-watch.h"

#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "array.h"
#include "fd-file.h"
#include "parse-number.h"

#define UEVENTS_OF_KERNEL 1u /* multicast group */

typedef struct WatchedCpu {
        int cpu;
        int clock;        /* -EBADF: the CPU is offline */
        uint64_t enabled; /* the clock's time at the last read */
} WatchedCpu;

struct CpuWatch {
        Loop *loop;
        char *online;     /* path of the list */
        int uevents, jumps, timer;
        bool owns_uevents;
        bool again;       /* something changed while the timer runs */
        int (*open_clock)(int cpu);
        CpuWatchHandlers handlers;
        WatchedCpu *cpus; /* that have events or are to have some */
        size_t n_cpus;
        int *wanted;
        size_t n_wanted;
};

/* Returns a descriptor from which read(2) gets a count and the nanoseconds that an event has been enabled on a CPU. They stand
 * still once the kernel has taken the event off the CPU, also when that is online again; no system call reports that. -ENODEV:
 * the CPU is offline; other errors are those of perf_event_open(2). */
static int cpu_clock_open(int cpu) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
                .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
        };
        int fd = (int) syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

        return fd >= 0 ? fd : -errno;
}

CpuWatch *cpu_watch_free(CpuWatch *w) {
        if (!w)
                return NULL;
        loop_remove(w->loop, w->uevents);
        loop_remove(w->loop, w->jumps);
        if (w->timer >= 0)
                loop_remove_timer(w->loop, w->timer);
        if (w->owns_uevents)
                (void) safe_close(w->uevents);
        (void) safe_close(w->jumps);
        for (size_t i = 0; i < w->n_cpus; i++)
                (void) safe_close(w->cpus[i].clock);
        free(w->cpus);
        free(w->wanted);
        free(w->online);
        free(w);
        return NULL;
}

/* Passes messages that begin as "online@/devices/system/cpu/cpu3" or "offline@/devices/system/cpu/cpu3" do. Loaded words have
 * network byte order. */
static int uevents_filter(int fd) {
        struct sock_filter code[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6f6e6c69, 0, 2), /* "onli" */
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 23),
                BPF_JUMP(BPF_JMP | BPF_JA, 2, 0, 0),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6f66666c, 0, 3), /* "offl" */
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 24),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6370752f, 0, 1), /* "cpu/" */
                BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
                BPF_STMT(BPF_RET | BPF_K, 0),
        };
        const struct sock_fprog program = { .len = ELEMENTSOF(code), .filter = code };

        return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) < 0 ? -errno : 0;
}

static int uevents_open(void) {
        const struct sockaddr_nl group = { .nl_family = AF_NETLINK, .nl_groups = UEVENTS_OF_KERNEL };
        _cleanup_close_ int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);

        if (fd < 0 || bind(fd, (const struct sockaddr *) &group, sizeof(group)) < 0)
                return -errno;
        return steal_fd(&fd);
}

/* The descriptor becomes readable when CLOCK_REALTIME is set, which every resume does. */
static int clock_jumps_arm(int fd) {
        const struct itimerspec never = { .it_value.tv_sec = (time_t) 1 << 33 };

        return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) < 0 ? -errno : 0;
}

static bool cpus_contain(const int *cpus, size_t n, int cpu) {
        return ANY_OF(n, i, cpus[i] == cpu);
}

static int cpu_watch_read_online(const CpuWatch *w, int **ret, size_t *ret_n) {
        _cleanup_free_ char *text = NULL;
        int r = read_file(w->online, 65536, &text, NULL);

        if (r < 0)
                return r;
        text[strcspn(text, "\n")] = '\0';
        return parse_cpu_list(text, ret, ret_n);
}

/* Returns true if the event was on its CPU at some time since the last call. */
static bool watched_cpu_runs(WatchedCpu *c) {
        uint64_t values[2], before = c->enabled; /* count, time */

        if (c->clock < 0)
                return false;
        if (read(c->clock, values, sizeof(values)) == sizeof(values))
                c->enabled = values[1];
        return c->enabled != before;
}

static int cpu_watch_add(CpuWatch *w, int cpu) {
        if (ARRAY_RESERVE_NEXT(w->cpus, w->n_cpus) < 0)
                return -ENOMEM;
        w->cpus[w->n_cpus++] = (WatchedCpu) { .cpu = cpu, .clock = -EBADF };
        return 0;
}

/* Adds the online CPUs that are wanted and not in the list yet. */
static int cpu_watch_add_online(CpuWatch *w, const int *online, size_t n) {
        int r = 0;

        for (size_t i = 0; i < n && r >= 0; i++) {
                bool known = w->n_wanted > 0 && !cpus_contain(w->wanted, w->n_wanted, online[i]);

                for (size_t k = 0; k < w->n_cpus && !known; k++)
                        known = w->cpus[k].cpu == online[i];
                if (!known)
                        r = cpu_watch_add(w, online[i]);
        }
        return r;
}

static char *cpus_describe(const int *cpus, size_t n) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        (void) fputs(n == 1 ? "CPU " : "CPUs ", f);
        for (size_t i = 0, next; i < n; i = next) {
                for (next = i + 1; next < n && cpus[next] == cpus[next - 1] + 1;)
                        next++;
                (void) fprintf(f, "%s%d", i > 0 ? "," : "", cpus[i]);
                if (next > i + 1)
                        (void) fprintf(f, "-%d", cpus[next - 1]);
        }
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}

static int compare_cpus(const void *a, const void *b) {
        const int *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

static int cpus_report(int (*handler)(void *userdata, const char *cpus), void *userdata, int *cpus, size_t n) {
        _cleanup_free_ char *text = NULL;

        if (n == 0)
                return 0;
        qsort(cpus, n, sizeof(*cpus), compare_cpus);
        text = cpus_describe(cpus, n);
        return text ? handler(userdata, text) : -ENOMEM;
}

static void cpu_watch_renew_clock(const CpuWatch *w, WatchedCpu *c) {
        c->clock = safe_close(c->clock);
        c->clock = w->open_clock(c->cpu);
        c->enabled = 0;
}

/* CPUs that came have new events now, or are reported again after the next change. */
static void cpu_watch_note_come(const CpuWatch *w, const int *come, size_t n, bool recorded) {
        for (size_t i = 0; i < w->n_cpus; i++)
                if (cpus_contain(come, n, w->cpus[i].cpu)) {
                        if (recorded)
                                cpu_watch_renew_clock(w, w->cpus + i);
                        else
                                w->cpus[i].clock = safe_close(w->cpus[i].clock);
                }
}

static int cpu_watch_look(CpuWatch *w) {
        _cleanup_free_ int *online = NULL, *changed = NULL;
        size_t n = 0, n_gone = 0, n_come = 0;
        int r = cpu_watch_read_online(w, &online, &n), *come;

        if (r < 0) /* the next change tries again */
                return r == -ENOMEM ? r : 0;
        r = cpu_watch_add_online(w, online, n);
        if (r < 0)
                return r;
        changed = calloc(2 * w->n_cpus + 1, sizeof(int));
        if (!changed)
                return -ENOMEM;
        come = changed + w->n_cpus;
        for (size_t i = 0; i < w->n_cpus; i++) {
                WatchedCpu *c = w->cpus + i;
                bool is_online = cpus_contain(online, n, c->cpu), runs = watched_cpu_runs(c);

                if (is_online && !runs)
                        come[n_come++] = c->cpu;
                else if (!is_online && c->clock >= 0) {
                        changed[n_gone++] = c->cpu;
                        c->clock = safe_close(c->clock);
                }
        }
        r = cpus_report(w->handlers.gone, w->handlers.userdata, changed, n_gone);
        if (r >= 0) {
                r = cpus_report(w->handlers.come, w->handlers.userdata, come, n_come);
                cpu_watch_note_come(w, come, n_come, r > 0);
        }
        return MIN_OF(r, 0);
}

static int cpu_watch_on_settled(void *userdata, int fd, uint32_t events);

/* Reads the clocks, so that the look later sees which of them stand still. */
static int cpu_watch_wait_to_settle(CpuWatch *w) {
        if (w->timer >= 0) {
                w->again = true;
                return 0;
        }
        for (size_t i = 0; i < w->n_cpus; i++)
                (void) watched_cpu_runs(w->cpus + i);
        w->timer = loop_add_timer(w->loop, CPU_WATCH_SETTLE_USEC, false, cpu_watch_on_settled, w);
        return MIN_OF(w->timer, 0);
}

static int cpu_watch_on_settled(void *userdata, int fd, uint32_t events) {
        CpuWatch *w = userdata;
        bool again = w->again;
        int r;

        loop_remove_timer(w->loop, w->timer);
        w->timer = -EBADF;
        w->again = false;
        r = cpu_watch_look(w);
        return r >= 0 && again ? cpu_watch_wait_to_settle(w) : r;
}

static int cpu_watch_on_uevent(void *userdata, int fd, uint32_t events) {
        char message[64]; /* its content is not needed */

        while (recv(fd, message, sizeof(message), MSG_DONTWAIT) >= 0 || errno == ENOBUFS || errno == EINTR)
                ;
        return cpu_watch_wait_to_settle(userdata);
}

static int cpu_watch_on_jump(void *userdata, int fd, uint32_t events) {
        uint64_t n;

        (void) !read(fd, &n, sizeof(n)); /* fails with ECANCELED */
        (void) clock_jumps_arm(fd);
        return cpu_watch_wait_to_settle(userdata);
}

static int cpu_watch_copy_cpus(CpuWatch *w, const CpuWatchOptions *o) {
        int r = 0;

        for (size_t i = 0; i < o->n_recorded && r >= 0; i++)
                r = cpu_watch_add(w, o->recorded[i]);
        if (r < 0 || o->n_wanted == 0)
                return r;
        w->wanted = calloc(o->n_wanted, sizeof(int));
        if (!w->wanted)
                return -ENOMEM;
        memcpy(w->wanted, o->wanted, o->n_wanted * sizeof(int));
        w->n_wanted = o->n_wanted;
        return 0;
}

static int cpu_watch_open_clocks(const CpuWatch *w) {
        for (size_t i = 0; i < w->n_cpus; i++) {
                cpu_watch_renew_clock(w, w->cpus + i);
                if (w->cpus[i].clock < 0 && w->cpus[i].clock != -ENODEV)
                        return w->cpus[i].clock;
        }
        return 0;
}

static int cpu_watch_open_sources(CpuWatch *w, const CpuWatchOptions *o) {
        int r;

        w->owns_uevents = o->uevents < 0;
        w->uevents = w->owns_uevents ? uevents_open() : o->uevents;
        if (w->uevents < 0)
                return w->uevents;
        r = uevents_filter(w->uevents);
        if (r < 0)
                return r;
        w->jumps = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
        if (w->jumps < 0)
                return -errno;
        r = clock_jumps_arm(w->jumps);
        if (r >= 0)
                r = loop_add(w->loop, w->uevents, EPOLLIN, cpu_watch_on_uevent, w);
        return r < 0 ? r : loop_add(w->loop, w->jumps, EPOLLIN, cpu_watch_on_jump, w);
}

/* A recorder that took over has the CPUs of the previous one: more may have come online since. */
static int cpu_watch_look_for_more(CpuWatch *w) {
        _cleanup_free_ int *online = NULL;
        size_t before = w->n_cpus, n = 0;
        int r = cpu_watch_read_online(w, &online, &n);

        if (r >= 0)
                r = cpu_watch_add_online(w, online, n);
        return r < 0 || w->n_cpus == before ? r : cpu_watch_wait_to_settle(w);
}

int cpu_watch_new(Loop *loop, const CpuWatchOptions *o, const CpuWatchHandlers *handlers, CpuWatch **ret) {
        _cleanup_(cpu_watch_freep) CpuWatch *w = calloc(1, sizeof(*w));
        int r;

        if (!w)
                return -ENOMEM;
        *w = (CpuWatch) {
                .loop = loop, .uevents = -EBADF, .jumps = -EBADF, .timer = -EBADF, .handlers = *handlers,
                .open_clock = o->open_clock ?: cpu_clock_open,
        };
        w->online = path_join(o->root ?: "/sys", "devices/system/cpu/online");
        r = w->online ? cpu_watch_copy_cpus(w, o) : -ENOMEM;
        if (r >= 0)
                r = cpu_watch_open_clocks(w);
        if (r >= 0)
                r = cpu_watch_open_sources(w, o);
        if (r >= 0)
                r = cpu_watch_look_for_more(w);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}

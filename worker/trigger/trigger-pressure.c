/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A trigger of the kernel (Documentation/accounting/psi.rst): after "some THRESHOLD WINDOW" was written to a pressure
 * file, poll(2) reports POLLPRI, once a window at most; the trigger ends with the descriptor. Where writing is
 * refused, a timer reads the total twice a window instead: before Linux 6.5 writing takes CAP_SYS_RESOURCE, later a
 * window that is no multiple of 2 s does, and a service's sandbox has the control groups read-only.
 *
 * A control group's file hangs up when the group is removed; cgroup-watch.c reports one that comes with the same
 * name. */

#include "trigger-pressure.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include "cgroup.h"
#include "cgroup-watch.h"
#include "fd-file.h"
#include "format-text.h"
#include "log.h"
#include "parse-number.h"
#include "parse-pressure.h"
#include "string-table.h"

/* The total time that tasks had waited, at some time. */
typedef struct Reading {
        uint64_t total; /* µs */
        usec_t time;    /* CLOCK_MONOTONIC */
} Reading;

struct TriggerPressure {
        TriggerPressureOptions options;
        Loop *loop;
        char *root;          /* of the control groups */
        char *path;
        int fd;              /* -EBADF: the group does not exist */
        int timer;           /* to read the total; -EBADF: the kernel reports, or the group does not exist */
        Reading readings[2]; /* the last ones, the newer one first; a time of 0: none */
        char *names[2];      /* the group, for the watch */
        CGroupWatch *watch;
};

static const char *const pressure_resource_table[_PRESSURE_RESOURCE_MAX] = {
        [PRESSURE_CPU] = "cpu",
        [PRESSURE_MEMORY] = "memory",
        [PRESSURE_IO] = "io",
};

DEFINE_STRING_TABLE(pressure_resource, PressureResource);

void pressure_spec_done(PressureSpec *p) {
        free(p->cgroup);
        *p = (PressureSpec) {};
}

int pressure_spec_parse(const char *s, PressureSpec *ret, Diagnosis *d) {
        const char *colon = strchrnul(s, ':'), *pressure = colon + (*colon == ':'), *group = strchrnul(pressure, ':');
        _cleanup_free_ char *resource = strndup(s, (size_t) (colon - s));
        _cleanup_free_ char *amount = strndup(pressure, (size_t) (group - pressure));
        PressureSpec p = {};
        int r;

        if (!resource || !amount)
                return -ENOMEM;
        p.resource = pressure_resource_from_string(resource);
        if (p.resource < 0)
                return diagnosis_set(d, -EINVAL, "`%s' is none of cpu, memory, io, followed by a colon", resource);
        r = parse_pressure(amount, &p.threshold, &p.window, d);
        if (r < 0)
                return r;
        if (path_leads_up(group + (*group == ':')))
                return diagnosis_set(d, -EINVAL, "The control group \"%s\" has a \"..\" in it", group + 1);
        if (*group && group[1] && !(p.cgroup = strdup(group + 1)))
                return -ENOMEM;
        *ret = p;
        return 0;
}

static void pressure_close(TriggerPressure *t) {
        if (t->loop) {
                loop_remove(t->loop, t->fd);
                loop_remove_timer(t->loop, t->timer);
        }
        t->fd = safe_close(t->fd);
        t->timer = -EBADF;
}

TriggerPressure *trigger_pressure_free(TriggerPressure *t) {
        if (!t)
                return NULL;
        cgroup_watch_free(t->watch);
        pressure_close(t);
        free(t->path);
        free(t->root);
        free(t);
        return NULL;
}

/* "150ms in 1s, some avg10=4.61": the threshold, and the pressure now. */
static void pressure_describe(const TriggerPressure *t, char *ret, size_t size) {
        char threshold[32], window[32], now[256];
        ssize_t n = pread(t->fd, now, sizeof(now) - 1, 0);

        format_timespan(threshold, sizeof(threshold), t->options.spec->threshold);
        format_timespan(window, sizeof(window), t->options.spec->window);
        now[MAX_OF(n, (ssize_t) 0)] = '\0';
        now[strcspn(now, "\n")] = '\0';
        for (char *p = now, *space = strchr(p, ' '); space; space = NULL) /* "some avg10=N avg60=…" */
                space[1 + strcspn(space + 1, " ")] = '\0';
        (void) snprintf(ret, size, "%s in %s%s%s%s%s", threshold, window, t->options.spec->cgroup ? " of " : "",
                        t->options.spec->cgroup ?: "", *now ? ", " : "", now);
}

static int pressure_fire(TriggerPressure *t) {
        char detail[512];

        pressure_describe(t, detail, sizeof(detail));
        return t->options.fired(t->options.userdata, t->options.spec->resource, detail);
}

static int pressure_on_event(void *userdata, int fd, uint32_t events) {
        TriggerPressure *t = userdata;

        if (!(events & (EPOLLERR | EPOLLHUP)))
                return pressure_fire(t);
        pressure_close(t);
        return 0;
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=0" in the first line. -ENODEV: the group is gone. */
static int pressure_read_total(const TriggerPressure *t, uint64_t *ret) {
        char text[256], *total;
        ssize_t n = pread(t->fd, text, sizeof(text) - 1, 0);

        if (n < 0)
                return -errno;
        text[n] = '\0';
        text[strcspn(text, "\n")] = '\0';
        total = strstr(text, "total=");
        return total && startswith(text, "some ") ? parse_uint64(total + strlen("total="), ret) : -EBADMSG;
}

/* True if the share of time between the readings is at least that of the threshold in its window. */
static bool pressure_is_above(const PressureSpec *p, const Reading *since, const Reading *now) {
        return since->time > 0 && (now->total - since->total) * p->window >= p->threshold * (now->time - since->time);
}

static int pressure_on_time(void *userdata, int fd, uint32_t events) {
        TriggerPressure *t = userdata;
        Reading now = { .time = now_usec(CLOCK_MONOTONIC) };

        if (pressure_read_total(t, &now.total) < 0)
                return pressure_close(t), 0;
        if (pressure_is_above(t->options.spec, &t->readings[1], &now)) {
                t->readings[0] = now;
                t->readings[1] = (Reading) {}; /* the same time does not fire again */
                return pressure_fire(t);
        }
        t->readings[1] = t->readings[0];
        t->readings[0] = now;
        return 0;
}

static int pressure_refuse(const TriggerPressure *t, int r, Diagnosis *d) {
        const PressureSpec *p = t->options.spec;

        if (r == -EOPNOTSUPP || (r == -ENOENT && !p->cgroup))
                return diagnosis_set(d, r, "%s: this kernel does not account for pressure (psi=1 on its command line may help)",
                                     t->path);
        if (r == -ENOENT)
                return diagnosis_set(d, r, "%s: there is no such control group, or no pressure is accounted for in it", t->path);
        return diagnosis_set(d, r, "%s: %s", t->path, strerror(-r));
}

static int pressure_open_trigger(TriggerPressure *t) {
        const PressureSpec *p = t->options.spec;
        _cleanup_close_ int fd = open(t->path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        char text[64];
        int n, r;

        if (fd < 0)
                return -errno;
        n = snprintf(text, sizeof(text), "some %" PRIu64 " %" PRIu64, p->threshold, p->window);
        if (write(fd, text, (size_t) n + 1) < 0) /* the kernel wants the zero byte too */
                return -errno;
        r = loop_add(t->loop, fd, EPOLLPRI, pressure_on_event, t);
        if (r < 0)
                return r;
        t->fd = steal_fd(&fd);
        return 0;
}

static int pressure_begin_polling(TriggerPressure *t) {
        Reading first = { .time = now_usec(CLOCK_MONOTONIC) };
        int r;

        t->fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (t->fd < 0)
                return -errno;
        r = pressure_read_total(t, &first.total);
        if (r >= 0)
                r = t->timer = loop_add_timer(t->loop, t->options.spec->window / 2, true, pressure_on_time, t);
        if (r < 0) {
                pressure_close(t);
                return r;
        }
        t->readings[0] = first;
        t->readings[1] = (Reading) {};
        return 0;
}

static int pressure_open(TriggerPressure *t, Diagnosis *d) {
        int r = t->options.read_only ? -EPERM : pressure_open_trigger(t);

        if (r == -EPERM || r == -EACCES || r == -EROFS || r == -EINVAL)
                r = pressure_begin_polling(t);
        return r < 0 ? pressure_refuse(t, r, d) : 0;
}

static int pressure_on_group_gone(void *userdata, const char *name) {
        return 0;
}

static int pressure_on_group_come(void *userdata, const char *name) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        TriggerPressure *t = userdata;

        pressure_close(t); /* the hangup of the old file may not have been read yet */
        if (pressure_open(t, &d) < 0)
                log_warning("The pressure of %s is not watched any more: %s", name, d.sentence ?: "");
        return 0;
}

static int pressure_set_path(TriggerPressure *t, const char *directory, const char *before, const char *after) {
        t->path = format_text("%s%s%s%s", directory, before, pressure_resource_to_string(t->options.spec->resource), after);
        return t->path ? 0 : -ENOMEM;
}

static int pressure_find_group(TriggerPressure *t, Diagnosis *d) {
        const TriggerPressureOptions *o = &t->options;
        _cleanup_free_ char *directory = NULL;
        int r = 0;

        if (o->cgroup_root)
                t->root = strdup(o->cgroup_root);
        else
                r = cgroup_find_unified(NULL, &t->root);
        if (r == -ENOENT)
                return diagnosis_set(d, r, "pressure of control groups is kept in the unified hierarchy, which is not mounted");
        if (r >= 0 && !t->root)
                r = -ENOMEM;
        if (r >= 0)
                r = cgroup_path(t->root, o->spec->cgroup, &directory);
        if (r < 0)
                return r;
        return pressure_set_path(t, directory, "/", ".pressure");
}

int trigger_pressure_new(const TriggerPressureOptions *options, Loop *loop, TriggerPressure **ret, Diagnosis *d) {
        _cleanup_(trigger_pressure_freep) TriggerPressure *t = calloc(1, sizeof(*t));
        const CGroupWatchHandlers handlers = { .gone = pressure_on_group_gone, .come = pressure_on_group_come, .userdata = t };
        const PressureSpec *p = options->spec;
        int r = 0;

        if (!t)
                return -ENOMEM;
        t->options = *options;
        t->loop = loop;
        t->fd = t->timer = -EBADF;
        if (p->cgroup)
                r = pressure_find_group(t, d);
        else
                r = pressure_set_path(t, options->proc_root ?: "", "/proc/pressure/", "");
        if (r >= 0 && p->cgroup) {
                t->names[0] = p->cgroup;
                r = cgroup_watch_new(t->loop, t->root, t->names, NULL, &handlers, &t->watch);
        }
        if (r >= 0 && !(options->group_may_be_gone && p->cgroup && access(t->path, F_OK) < 0))
                r = pressure_open(t, d);
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}

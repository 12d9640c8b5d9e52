/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* epoll, signalfd and timerfd. Sources are found by descriptor number, so that a handler may remove any of them, also itself:
 * events of a removed descriptor later in the same batch are dropped. The loop sleeps without a timeout. */

#include "loop.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include "array.h"

#define LOOP_BATCH 64

typedef struct LoopSource {
        LoopHandler handler; /* NULL: no source on this descriptor */
        void *userdata;
        bool owned;          /* a timer */
} LoopSource;

struct Loop {
        int epoll_fd;
        int signal_fd;
        LoopHandler signal_handler;
        void *signal_userdata;
        LoopHandler after;
        void *after_userdata;
        LoopSource *sources; /* by descriptor */
        size_t n_sources;
        unsigned long wakeups;
        bool stop;
};

int loop_new(Loop **ret) {
        _cleanup_(loop_freep) Loop *l = calloc(1, sizeof(Loop));

        if (!l)
                return -ENOMEM;
        l->signal_fd = -EBADF;
        l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
        if (l->epoll_fd < 0)
                return -errno;
        *ret = steal_ptr(l);
        return 0;
}

Loop *loop_free(Loop *l) {
        if (!l)
                return NULL;
        for (size_t i = 0; i < l->n_sources; i++)
                if (l->sources[i].handler && l->sources[i].owned)
                        (void) close((int) i);
        free(l->sources);
        safe_close(l->signal_fd);
        safe_close(l->epoll_fd);
        free(l);
        return NULL;
}

static int loop_reserve_source(Loop *l, int fd) {
        size_t n = l->n_sources;

        if ((size_t) fd < n)
                return l->sources[fd].handler ? -EEXIST : 0;
        if (ARRAY_RESERVE(l->sources, l->n_sources, (size_t) fd + 1) < 0)
                return -ENOMEM;
        memset(l->sources + n, 0, (l->n_sources - n) * sizeof(LoopSource));
        return 0;
}

static int loop_add_source(Loop *l, int fd, uint32_t events, LoopHandler handler, void *userdata, bool owned) {
        struct epoll_event event = { .events = events, .data.fd = fd };
        int r = loop_reserve_source(l, fd);

        if (r < 0)
                return r;
        if (epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
                return -errno;
        l->sources[fd] = (LoopSource) { .handler = handler, .userdata = userdata, .owned = owned };
        return 0;
}

int loop_add(Loop *l, int fd, uint32_t events, LoopHandler handler, void *userdata) {
        return loop_add_source(l, fd, events, handler, userdata, false);
}

void loop_remove(Loop *l, int fd) {
        if (fd < 0 || (size_t) fd >= l->n_sources || !l->sources[fd].handler)
                return;
        (void) epoll_ctl(l->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
        l->sources[fd] = (LoopSource) {};
}

static int loop_read_signals(void *userdata, int fd, uint32_t events) {
        Loop *l = userdata;

        for (;;) {
                struct signalfd_siginfo info;
                ssize_t n = read(fd, &info, sizeof(info));
                int r;

                if (n < 0)
                        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
                if (n != sizeof(info))
                        return -EIO;
                r = l->signal_handler(l->signal_userdata, (int) info.ssi_signo, info.ssi_code <= 0 ? info.ssi_pid : 0);
                if (r < 0)
                        return r;
        }
}

int loop_add_signals(Loop *l, const int *signals, LoopHandler handler, void *userdata) {
        sigset_t mask;

        sigemptyset(&mask);
        for (const int *s = signals; *s > 0; s++)
                sigaddset(&mask, *s);
        if (sigprocmask(SIG_BLOCK, &mask, NULL) < 0)
                return -errno;
        l->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
        if (l->signal_fd < 0)
                return -errno;
        l->signal_handler = handler;
        l->signal_userdata = userdata;
        return loop_add(l, l->signal_fd, EPOLLIN, loop_read_signals, l);
}

int loop_look_for_signals(Loop *l) {
        return l->signal_fd >= 0 ? loop_read_signals(l, l->signal_fd, 0) : 0;
}

int loop_add_timer(Loop *l, usec_t usec, bool repeat, LoopHandler handler, void *userdata) {
        const struct timespec span = { (time_t) (usec / USEC_PER_SEC), (long) (usec % USEC_PER_SEC * NSEC_PER_USEC) };
        const struct itimerspec when = { .it_value = span, .it_interval = repeat ? span : (struct timespec) {} };
        _cleanup_close_ int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
        int r;

        if (fd < 0)
                return -errno;
        if (timerfd_settime(fd, 0, &when, NULL) < 0)
                return -errno;
        r = loop_add_source(l, fd, EPOLLIN, handler, userdata, true);
        if (r < 0)
                return r;
        return steal_fd(&fd);
}

void loop_remove_timer(Loop *l, int fd) {
        if (fd < 0)
                return;
        loop_remove(l, fd);
        (void) close(fd);
}

void loop_set_after(Loop *l, LoopHandler handler, void *userdata) {
        l->after = handler;
        l->after_userdata = userdata;
}

static int loop_dispatch(Loop *l, const struct epoll_event *event) {
        int fd = event->data.fd;
        LoopSource source = l->sources[fd];

        if (!source.handler)
                return 0;
        if (source.owned) {
                uint64_t expirations;

                if (read(fd, &expirations, sizeof(expirations)) != sizeof(expirations))
                        return 0;
        }
        return source.handler(source.userdata, fd, event->events);
}

static int loop_run_once(Loop *l) {
        struct epoll_event events[LOOP_BATCH];
        int n = epoll_wait(l->epoll_fd, events, LOOP_BATCH, -1);

        if (n < 0)
                return errno == EINTR ? 0 : -errno;
        l->wakeups++;
        for (int i = 0; i < n; i++) {
                int r = loop_dispatch(l, &events[i]);

                if (r < 0)
                        return r;
        }
        return l->after ? l->after(l->after_userdata, -EBADF, 0) : 0;
}

int loop_run(Loop *l) {
        l->stop = false;
        while (!l->stop) {
                int r = loop_run_once(l);

                if (r < 0)
                        return r;
        }
        return 0;
}

void loop_stop(Loop *l) {
        l->stop = true;
}

unsigned long loop_wakeups(const Loop *l) {
        return l->wakeups;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's records of loaded programs also come in the recorded rings, but those are read when they are half full,
 * and a program may be unloaded by then. So there is a separate event on each CPU, with a ring of one page that wakes
 * the recorder at its first byte. The ring's content is discarded: bpf_catalog_update() reads the programs. perf has a
 * thread for this. If such events or programs are not permitted, recording goes on without. */

#include "bpf-watch.h"

#include <sys/epoll.h>

#include "event.h"
#include "fd-file.h"
#include "format-text.h"
#include "parse-number.h"
#include "ring.h"

typedef struct WatchedCpu {
        Event event;
        Ring ring;
} WatchedCpu;

struct BpfWatch {
        Loop *loop;
        BpfCatalog *catalog;
        WatchedCpu *cpus;
        size_t n_cpus;
};

static int bpf_watch_on_program(void *userdata, int fd, uint32_t events) {
        BpfWatch *w = userdata;

        for (size_t i = 0; i < w->n_cpus; i++) {
                struct iovec segments[2];
                unsigned n;
                size_t bytes = w->cpus[i].event.fd == fd ? ring_read_begin(&w->cpus[i].ring, segments, &n) : 0;

                if (bytes > 0)
                        ring_consume(&w->cpus[i].ring, bytes);
        }
        if (events & (EPOLLHUP | EPOLLERR)) /* the CPU went offline */
                loop_remove(w->loop, fd);
        return bpf_catalog_update(w->catalog);
}

static int bpf_watch_add_cpu(BpfWatch *w, int cpu) {
        struct perf_event_attr attr = {
                .size = sizeof(attr),
                .type = PERF_TYPE_SOFTWARE,
                .config = PERF_COUNT_SW_DUMMY,
                .sample_id_all = true,
                .watermark = true,
                .wakeup_watermark = 1,
                .bpf_event = true,
        };
        WatchedCpu *c = w->cpus + w->n_cpus;
        int r;

        *c = (WatchedCpu) { .event = EVENT_EMPTY, .ring = RING_EMPTY };
        r = event_open(&c->event, &event_ops_kernel, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
        if (r >= 0)
                r = ring_map(&c->ring, c->event.fd, 1, false);
        if (r >= 0)
                r = loop_add(w->loop, c->event.fd, EPOLLIN, bpf_watch_on_program, w);
        if (r < 0) {
                ring_done(&c->ring);
                event_done(&c->event);
                return r;
        }
        w->n_cpus++;
        return 0;
}

static int bpf_watch_add_online(BpfWatch *w, const char *root) {
        _cleanup_free_ char *path = format_text("%s/sys/devices/system/cpu/online", root), *list = NULL;
        _cleanup_free_ int *cpus = NULL;
        size_t n = 0;
        int r;

        if (!path)
                return -ENOMEM;
        r = read_file(path, 4096, &list, NULL);
        if (r >= 0) {
                list[strcspn(list, "\n")] = '\0';
                r = parse_cpu_list(list, &cpus, &n);
        }
        if (r < 0)
                return r;
        w->cpus = calloc(n + 1, sizeof(*w->cpus));
        if (!w->cpus)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                r = bpf_watch_add_cpu(w, cpus[i]);
                if (r < 0 && r != -ENODEV) /* offline since */
                        return r;
        }
        return 0;
}

int bpf_watch_new(Loop *loop, BpfCatalog *catalog, const char *root, BpfWatch **ret) {
        _cleanup_(bpf_watch_freep) BpfWatch *w = NULL;
        uint32_t id = 0;
        int r = bpf_program_next(&id);

        *ret = NULL;
        if (r < 0 && r != -ENOENT) /* programs may not be read */
                return 0;
        w = calloc(1, sizeof(*w));
        if (!w)
                return -ENOMEM;
        w->loop = loop;
        w->catalog = catalog;
        r = bpf_watch_add_online(w, root);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        *ret = steal_ptr(w);
        return 0;
}

BpfWatch *bpf_watch_free(BpfWatch *w) {
        if (!w)
                return NULL;
        for (size_t i = 0; i < w->n_cpus; i++) {
                loop_remove(w->loop, w->cpus[i].event.fd);
                ring_done(&w->cpus[i].ring);
                event_done(&w->cpus[i].event);
        }
        free(w->cpus);
        free(w);
        return NULL;
}

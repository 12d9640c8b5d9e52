/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A window is a stream of perf.data in a file. The records of one are all newer than those of the window before, so each is
 * brought into the order of time by itself. What processes are, without a time, is in front of the first one; the kernel's maps
 * are this machine's, which running-code.h reads. A window's records have the layouts of its own attributes, whose order is that
 * of the first. */

#include "live-windows.h"

#include <perf-recorder/live-window.h>
#include <poll.h>
#include <stdalign.h>

#include "descriptor-set.h"
#include "map-record.h"
#include "sample.h"
#include "stop-signals.h"

void live_windows_done(LiveWindows *w) {
        perf_data_reader_free(w->reader);
        record_order_done(&w->order);
        for (size_t i = 0; i < w->n_members; i++)
                free(w->members[i].name);
        free(w->members);
        *w = (LiveWindows) LIVE_WINDOWS_EMPTY;
}

static int windows_receive(LiveWindows *w, PrWindowAnswer *ret, int *ret_fd) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
        struct iovec iov = { .iov_base = ret, .iov_len = sizeof(*ret) };
        struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
        struct pollfd p = { .fd = w->fd, .events = POLLIN };
        ssize_t n;

        while (stop_signals_number() == 0 && stop_signals_wait(&p, 1, NULL, w->waiting) <= 0)
                ;
        if (stop_signals_number() > 0)
                return -EINTR;
        n = recvmsg(w->fd, &mh, MSG_CMSG_CLOEXEC);
        w->gone = n <= 0;
        if (w->gone)
                return -ECONNRESET;
        return n == sizeof(*ret) && descriptors_of_message(&mh, ret_fd, 1) == 1 ? 0 : -EPROTO;
}

/* Asks for one window, whatever came before. */
static int windows_ask_for(LiveWindows *w, uint64_t since, bool whole, uint64_t *ret_until, PerfDataReader **ret) {
        const PrWindowRequest request = { .since_nsec = since, .whole = whole };
        _cleanup_close_ int fd = -EBADF;
        PrWindowAnswer answer;
        int r;

        if (send(w->fd, &request, sizeof(request), MSG_NOSIGNAL) < 0) {
                w->gone = true;
                return -ECONNRESET;
        }
        r = windows_receive(w, &answer, &fd);
        if (r < 0)
                return r;
        *ret_until = answer.until_nsec;
        return ret ? perf_data_reader_new_fd(fd, ret) : 0;
}

/* Events of the side band have no samples. */
static bool event_has_samples(const PerfDataEvent *e) {
        return e->attr.type != PERF_TYPE_SOFTWARE || e->attr.config != PERF_COUNT_SW_DUMMY;
}

int live_windows_open(LiveWindows *w, int fd, uint64_t last, const sigset_t *waiting) {
        uint64_t now = 0;
        const PerfDataEvent *events;
        size_t n;
        int r;

        w->fd = fd;
        w->waiting = waiting;
        r = windows_ask_for(w, UINT64_MAX, false, &now, NULL); /* of the time to come there is nothing */
        if (r >= 0)
                r = windows_ask_for(w, now > last ? now - last : 0, true, &w->until, &w->reader);
        if (r < 0)
                return r;
        w->duration = w->until - MIN_OF(now > last ? now - last : 0, w->until);
        n = perf_data_reader_events(w->reader, &events);
        w->members = calloc(n + 1, sizeof(*w->members));
        if (!w->members)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                SetMember *m = w->members + w->n_members;

                if (!event_has_samples(events + i))
                        continue;
                m->attr = events[i].attr;
                m->name = strdup(events[i].name ?: "unknown");
                if (!m->name)
                        return -ENOMEM;
                w->n_members++;
        }
        return w->n_members > 0 ? 0 : -ENODATA;
}

/* Returns the number of an event among those that have samples. */
static size_t windows_member(const LiveWindows *w, const PerfDataEvent *e) {
        const PerfDataEvent *events;
        size_t number = 0;

        (void) perf_data_reader_events(w->reader, &events);
        for (const PerfDataEvent *before = events; before < e; before++)
                number += event_has_samples(before);
        return number;
}

int live_windows_ask(LiveWindows *w, bool whole) {
        uint64_t since = w->until;
        const PerfDataEvent *events;
        size_t n, n_members = 0, size;
        const void *begin;
        int r;

        if (w->reader)
                return 0;
        r = windows_ask_for(w, since, whole, &w->until, &w->reader);
        if (r < 0)
                return r;
        w->missed = 0;
        if (perf_data_reader_feature(w->reader, PERF_FEATURE_SAMPLE_TIME, &begin, &size) >= 0 && size >= sizeof(since)) {
                memcpy(&w->missed, begin, sizeof(w->missed));
                w->missed = MAX_OF(MIN_OF(w->missed, w->until), since) - since;
        }
        w->duration = w->until - MIN_OF(since, w->until) - w->missed;
        n = perf_data_reader_events(w->reader, &events);
        for (size_t i = 0; i < n; i++)
                if (event_has_samples(events + i)) {
                        const struct perf_event_attr *before = &w->members[MIN_OF(n_members, w->n_members - 1)].attr;

                        if (events[i].attr.type != before->type || events[i].attr.config != before->config)
                                return -ESTALE;
                        n_members++;
                }
        return n_members == w->n_members ? 0 : -ESTALE;
}

static int windows_put(LiveWindows *w, TopSamples *s, const struct perf_event_header *record) {
        const PerfDataEvent *e = record->type < PERF_RECORD_USER_TYPE_START ? perf_data_reader_event_of(w->reader, record) : NULL;
        const PerfRecordMmap *map = (const void *) record;
        PerfSample sample = {};
        int r;

        if (!e || (record->type != PERF_RECORD_SAMPLE && !record_is_whole(record, 0)))
                return 0;
        r = (record->type == PERF_RECORD_SAMPLE ? sample_parse : sample_parse_trailer)(&e->attr, record, &sample);
        if (r == -EBADMSG)
                return 0;
        if (sample.time > 0 || record->type == PERF_RECORD_SAMPLE)
                return record_order_put(&w->order, &(OrderedRecord) { .time = sample.time, .record = record }, false);
        if ((record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2) && map->pid == MAP_RECORD_KERNEL_PID)
                return 0;
        return top_samples_take(s, record, &e->attr, 0);
}

int live_windows_take(LiveWindows *w, TopSamples *s) {
        const struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) }, *record;
        const OrderedRecord *next;
        uint64_t first = 0;
        size_t cursor = 0;
        int r = 0;

        while (r >= 0 && w->reader && (r = perf_data_reader_next(w->reader, &cursor, &record)) > 0)
                r = windows_put(w, s, record);
        if (r >= 0)
                r = record_order_finish(&w->order);
        while (r >= 0 && (next = record_order_next(&w->order))) {
                const PerfDataEvent *e = perf_data_reader_event_of(w->reader, next->record);

                if (first == 0 && next->record->type == PERF_RECORD_SAMPLE)
                        first = next->time;
                r = top_samples_take(s, next->record, &e->attr, windows_member(w, e));
        }
        if (!w->taken && first > 0 && first < w->until) /* so far memory reaches back */
                w->duration = MIN_OF(w->duration, w->until - first);
        w->taken = true;
        s->window.missed += w->missed;
        s->missed += w->missed;
        record_order_trim(&w->order);
        w->reader = perf_data_reader_free(w->reader);
        return r < 0 ? r : top_samples_take(s, &round, NULL, 0);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sends the descriptor set to the notification socket, as many descriptors at a time as a datagram takes, and never
 * waits: if the queue is full, or no daemon listens, a timer sends the rest, at growing intervals. A restarted daemon
 * asks for all of it (the word hand-over), so datagrams that were lost matter only until then. Each new or repeated
 * set has a generation of its own, by which the daemon knows datagrams that belong together;
 * lib/basic/descriptor-set.h has their format.
 *
 * The descriptors are borrowed. Only the file of HANDOVER_EVENTS belongs to the Handover; handover_update_enabled()
 * writes to it in place, since a successor reads it as it is when this process dies. */

#include "handover.h"

#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>
#include "descriptor-set.h"
#include "event-set-handover.h"
#include "fd-file.h"
#include "fnv.h"
#include "log.h"

#define RETRY_MIN_USEC (20 * USEC_PER_MSEC)
#define RETRY_MAX_USEC (10 * USEC_PER_SEC)

struct Handover {
        Loop *loop;
        Notifier *notifier;
        uint64_t hash;
        const EventSet *set; /* NULL: there is nothing to keep */
        DescriptorSet out;   /* of borrowed descriptors */
        size_t n_sent;
        uint64_t generation;
        int events_fd;       /* HANDOVER_EVENTS */
        int timer;
        bool is_given;       /* the daemon keeps a set, or will */
        usec_t retry;
        bool warned;
        void (*sent)(void *userdata); /* handover_when_sent() */
        void *sent_userdata;
};

uint64_t handover_hash(char *const *command_line) {
        uint64_t h = FNV_BEGIN;

        for (char *const *word = command_line; *word; word++)
                h = fnv_word(h, *word);
        return h;
}

int handover_new(Loop *loop, Notifier *notifier, char *const *command_line, Handover **ret) {
        const char *keeps = getenv(PR_KEEP_ENV);
        Handover *h;
        bool wanted = keeps && streq(keeps, "1") && notifier->fd >= 0;

        (void) unsetenv(PR_KEEP_ENV);
        if (!wanted)
                return 0;
        h = calloc(1, sizeof(Handover));
        if (!h)
                return -ENOMEM;
        *h = (Handover) {
                .loop = loop, .notifier = notifier, .hash = handover_hash(command_line), .events_fd = -EBADF, .timer = -EBADF,
                .generation = now_usec(CLOCK_BOOTTIME), /* differs from those of previous recorders */
        };
        *ret = h;
        return 0;
}

void handover_forget(Handover *h) {
        if (!h)
                return;
        loop_remove_timer(h->loop, h->timer);
        h->timer = -EBADF;
        descriptor_set_done(&h->out);
        h->sent = NULL;
        h->n_sent = 0;
        h->events_fd = safe_close(h->events_fd);
        h->set = NULL;
}

Handover *handover_free(Handover *h) {
        handover_forget(h);
        free(h);
        return NULL;
}

static int handover_write_events(Handover *h, const int *files) {
        HandoverHead head = { .magic = HANDOVER_MAGIC, .files = 1U << HANDOVER_EVENTS, .command_line = h->hash };
        _cleanup_free_ void *flat = NULL;
        size_t size;
        int r;

        for (HandoverFile f = HANDOVER_EVENTS + 1; f < _HANDOVER_FILE_MAX; f++)
                head.files |= files[f] >= 0 ? 1U << f : 0;
        r = event_set_flatten(h->set, &flat, &size);
        if (r < 0)
                return r;
        head.flat_size = (uint32_t) size;
        h->events_fd = open_memfd("perf-recorder-events", 0);
        if (h->events_fd < 0)
                return h->events_fd;
        r = write_all(h->events_fd, &head, sizeof(head));
        return r < 0 ? r : write_all(h->events_fd, flat, size);
}

static int handover_collect(Handover *h, const int *files) {
        size_t n = 1;
        int r = descriptor_set_reserve(&h->out, ++h->generation, _HANDOVER_FILE_MAX + h->set->n_events + h->set->n_rings);

        if (r < 0)
                return r;
        h->out.fds[0] = h->events_fd;
        for (HandoverFile f = HANDOVER_EVENTS + 1; f < _HANDOVER_FILE_MAX; f++)
                if (files[f] >= 0)
                        h->out.fds[n++] = files[f];
        h->out.n_fds = n + event_set_descriptors(h->set, h->out.fds + n, h->out.map_bytes + n);
        return 0;
}

static void handover_try_to_send(Handover *h);

static int handover_on_timer(void *userdata, int fd, uint32_t events) {
        Handover *h = userdata;

        loop_remove_timer(h->loop, h->timer);
        h->timer = -EBADF;
        handover_try_to_send(h);
        return 0;
}

/* No daemon listens, or there is no room: both may change. */
static bool handover_may_retry(int error) {
        return error == -EAGAIN || error == -ENOBUFS || error == -ETOOMANYREFS || error == -ENOENT || error == -ECONNREFUSED;
}

/* A set that can't be sent is not waited for: the daemon has closed what it had of the previous one. */
static void handover_is_sent(Handover *h) {
        void (*sent)(void *userdata) = steal_ptr(h->sent);

        if (sent)
                sent(h->sent_userdata);
}

void handover_when_sent(Handover *h, void (*sent)(void *userdata), void *userdata) {
        if (!h || h->timer < 0) {
                sent(userdata);
                return;
        }
        h->sent = sent;
        h->sent_userdata = userdata;
}

static void handover_try_to_send(Handover *h) {
        while (h->n_sent < h->out.n_fds) {
                ssize_t n = descriptor_set_send(&h->out, h->n_sent, NULL, h->notifier->fd,
                                                (const struct sockaddr *) &h->notifier->address, h->notifier->length);

                if (n < 0 && handover_may_retry((int) n)) {
                        int fd = loop_add_timer(h->loop, h->retry, false, handover_on_timer, h);

                        h->retry = MIN_OF(h->retry * 2, (usec_t) RETRY_MAX_USEC);
                        h->timer = fd < 0 ? -EBADF : fd;
                        return;
                }
                if (n < 0) {
                        if (!h->warned)
                                log_warning("The rings can't be handed over: %s", strerror((int) -n));
                        h->warned = true;
                        break;
                }
                h->n_sent += (size_t) n;
        }
        handover_is_sent(h);
}

void handover_withdraw(Handover *h) {
        if (!h)
                return;
        handover_is_sent(h);
        handover_forget(h);
        if (h->is_given)
                notifier_send(h->notifier, PR_NOTIFY_KEEP PR_NOTIFY_KEEP_NONE);
        h->is_given = false;
}

static void handover_begin_sending(Handover *h) {
        loop_remove_timer(h->loop, h->timer);
        h->timer = -EBADF;
        h->n_sent = 0;
        h->retry = RETRY_MIN_USEC;
        h->is_given = true;
        handover_try_to_send(h);
}

int handover_set(Handover *h, const EventSet *set, const int files[static _HANDOVER_FILE_MAX]) {
        void (*sent)(void *userdata);
        int r;

        if (!h)
                return 0;
        sent = h->sent;
        handover_forget(h);
        h->sent = sent;
        h->set = set;
        r = handover_write_events(h, files);
        if (r >= 0)
                r = handover_collect(h, files);
        if (r < 0) {
                handover_withdraw(h);
                return r;
        }
        handover_begin_sending(h);
        return 0;
}

void handover_again(Handover *h) {
        if (!h || !h->set)
                return;
        h->out.generation = ++h->generation;
        handover_begin_sending(h);
}

void handover_update_enabled(Handover *h) {
        uint8_t enabled[EVENT_SPECS_MAX + 1];
        size_t n, offset;

        if (!h || !h->set || h->events_fd < 0)
                return;
        n = event_set_flat_enabled(h->set, enabled, &offset);
        (void) !pwrite(h->events_fd, enabled, n, (off_t) (sizeof(HandoverHead) + offset));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A queue of the words that were written and not acked yet; an ack always belongs to the oldest. Acks carry no name, so
 * the queue is what keeps a late one from being taken for the answer to something else: words stay in it when nobody
 * waits for them any more, and those stay over a restart of the daemon too, as a bare number.
 *
 * A recorder that hangs costs one word in its FIFO however often it is pinged, since equal words at the end of the queue
 * share one ack. Both FIFOs are open for both directions and never block. perf ends its ack by a NUL byte too.
 *
 * The event loop sees all ack FIFOs as one epoll descriptor. A queue that is freed while a batch of them is worked on is struck
 * from it, since the kernel has reported it already. */

#include "control.h"

#include <sys/epoll.h>

#include <perf-recorder/control-words.h>

#include "array.h"

#define BATCH_MAX 64
#define OUTSTANDING_MAX 1024 /* each of a thousand triggers a second is a word; the FIFO takes what it takes */

typedef struct Word {
        char *text; /* NULL: written by a previous daemon */
        ControlWaiter *waiters;
} Word;

struct ControlAcks {
        int epoll_fd;
        sd_event_source *source;
        struct epoll_event *batch; /* of Controls; NULL: none is worked on */
        int n_batch;
};

struct Control {
        SessionFifos fifos;
        ControlAcks *acks; /* NULL: its acks are not read yet */
        Word *words; /* the oldest first */
        unsigned n_words;
        char partial[sizeof(PR_CONTROL_ACK)];
        size_t n_partial;
        ControlChanged changed;
        void *userdata;
};

struct ControlWaiter {
        Control *control;
        ControlWaiter *next;
        ControlDone done;
        void *userdata;
        usec_t since;
};

unsigned control_unawaited(const Control *c) {
        unsigned n = 0;

        for (unsigned i = 0; i < c->n_words; i++)
                n += !c->words[i].waiters;
        return n;
}

static void tell_changed(Control *c) {
        if (c->changed)
                c->changed(c->userdata);
}

/* Waiters are called after the queue is whole again: what they do may write the next word, or stop another one of these
 * from waiting, whose callback is then empty. */
static void tell_waiters(ControlWaiter *w, int error) {
        usec_t now = now_usec(CLOCK_MONOTONIC);

        while (w) {
                ControlWaiter told = *w;

                free(w);
                if (told.done)
                        told.done(error, now - told.since, told.userdata);
                w = told.next;
        }
}

static void ack_oldest(Control *c) {
        ControlWaiter *waiters;

        if (c->n_words == 0) /* somebody else wrote a word by hand: no waiter here is for its ack */
                return;
        waiters = c->words[0].waiters;
        free(c->words[0].text);
        c->n_words--;
        memmove(c->words, c->words + 1, c->n_words * sizeof(Word));
        if (!waiters)
                tell_changed(c);
        for (ControlWaiter *w = waiters; w; w = w->next)
                w->control = NULL;
        tell_waiters(waiters, 0);
}

/* Answers how many acks the bytes ended. A line that is too long or another word is no ack. */
static unsigned count_acks(Control *c, const char *data, size_t n) {
        unsigned acks = 0;

        for (size_t i = 0; i < n; i++)
                if (data[i] == '\n') {
                        acks += c->n_partial == 3 && memcmp(c->partial, PR_CONTROL_ACK, 3) == 0;
                        c->n_partial = 0;
                } else if (data[i] != '\0' && c->n_partial < sizeof(c->partial))
                        c->partial[c->n_partial++] = data[i];
        return acks;
}

static void read_acks(Control *c) {
        unsigned acks = 0;
        char data[256];
        ssize_t n;

        n = read(c->fifos.ack_fd, data, sizeof(data));
        if (n > 0)
                acks = count_acks(c, data, (size_t) n);
        /* No waiter frees the queue that calls it: a session loses it when its process has ended. */
        while (acks-- > 0)
                ack_oldest(c);
}

static int on_acks(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        struct epoll_event batch[BATCH_MAX];
        ControlAcks *a = userdata;

        a->n_batch = epoll_wait(fd, batch, BATCH_MAX, 0);
        a->batch = batch;
        for (int i = 0; i < a->n_batch; i++)
                if (batch[i].data.ptr)
                        read_acks(batch[i].data.ptr);
        a->batch = NULL;
        return 0;
}

ControlAcks *control_acks_free(ControlAcks *a) {
        if (!a)
                return NULL;
        sd_event_source_disable_unref(a->source);
        safe_close(a->epoll_fd);
        free(a);
        return NULL;
}

int control_acks_new(sd_event *event, ControlAcks **ret) {
        _cleanup_(control_acks_freep) ControlAcks *a = calloc(1, sizeof(ControlAcks));
        int r;

        if (!a)
                return -ENOMEM;
        a->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
        if (a->epoll_fd < 0)
                return -errno;
        r = sd_event_add_io(event, &a->source, a->epoll_fd, EPOLLIN, on_acks, a);
        if (r < 0)
                return r;
        *ret = steal_ptr(a);
        return 0;
}

static void unfollow_acks(Control *c) {
        if (!c->acks)
                return;
        for (int i = 0; c->acks->batch && i < c->acks->n_batch; i++)
                if (c->acks->batch[i].data.ptr == c)
                        c->acks->batch[i].data.ptr = NULL;
        (void) epoll_ctl(c->acks->epoll_fd, EPOLL_CTL_DEL, c->fifos.ack_fd, NULL);
}

Control *control_free(Control *c) {
        ControlWaiter *all = NULL, **end = &all;

        if (!c)
                return NULL;
        for (unsigned i = 0; i < c->n_words; i++) {
                *end = c->words[i].waiters;
                for (; *end; end = &(*end)->next)
                        (*end)->control = NULL;
                free(c->words[i].text);
        }
        unfollow_acks(c);
        session_fifos_close(&c->fifos);
        free(c->words);
        free(c);
        tell_waiters(all, -ESRCH);
        return NULL;
}

int control_new(ControlAcks *acks, SessionFifos *fifos, unsigned unawaited, ControlChanged changed, void *userdata, Control **ret) {
        struct epoll_event e = { .events = EPOLLIN };
        _cleanup_(control_freep) Control *c = NULL;

        c = calloc(1, sizeof(Control));
        if (!c) {
                session_fifos_close(fifos);
                return -ENOMEM;
        }
        *c = (Control){ .fifos = *fifos, .changed = changed, .userdata = userdata };
        *fifos = (SessionFifos) SESSION_FIFOS_EMPTY;
        c->words = calloc(MIN_OF(unawaited, (unsigned) OUTSTANDING_MAX) + 1, sizeof(Word));
        if (!c->words)
                return -ENOMEM;
        c->n_words = MIN_OF(unawaited, (unsigned) OUTSTANDING_MAX);
        e.data.ptr = c;
        if (epoll_ctl(acks->epoll_fd, EPOLL_CTL_ADD, c->fifos.ack_fd, &e) < 0)
                return -errno;
        c->acks = acks;
        *ret = steal_ptr(c);
        return 0;
}

static int write_word(Control *c, const char *word) {
        char line[PR_CONTROL_WORD_MAX];
        ssize_t n;
        int length;

        if (c->n_words >= OUTSTANDING_MAX)
                return -EBUSY;
        if (ARRAY_RESIZE(c->words, c->n_words + 1) < 0)
                return -ENOMEM;
        length = snprintf(line, sizeof(line), "%s\n", word);
        if (length < 0 || (size_t) length >= sizeof(line))
                return -EINVAL;
        c->words[c->n_words].text = strdup(word);
        if (!c->words[c->n_words].text)
                return -ENOMEM;
        n = write(c->fifos.control_fd, line, (size_t) length); /* at most PIPE_BUF: whole or not at all */
        if (n < 0) {
                int r = errno == EAGAIN ? -EBUSY : -errno;

                free(steal_ptr(c->words[c->n_words].text));
                return r;
        }
        c->words[c->n_words++].waiters = NULL;
        return 0;
}

int control_send(Control *c, const char *word, ControlDone done, void *userdata, ControlWaiter **ret) {
        ControlWaiter *w;
        bool shared;
        Word *last;
        int r;

        w = calloc(1, sizeof(ControlWaiter));
        if (!w)
                return -ENOMEM;
        last = c->n_words > 0 ? &c->words[c->n_words - 1] : NULL;
        shared = last && streq_ptr(last->text, word);
        if (!shared) {
                r = write_word(c, word);
                if (r < 0) {
                        free(w);
                        return r;
                }
                last = &c->words[c->n_words - 1];
        }
        *w = (ControlWaiter){
                .control = c,
                .next = last->waiters,
                .done = done,
                .userdata = userdata,
                .since = now_usec(CLOCK_MONOTONIC),
        };
        last->waiters = w;
        if (!w->next && shared)
                tell_changed(c);
        *ret = w;
        return 0;
}

ControlWaiter *control_waiter_free(ControlWaiter *w) {
        if (!w)
                return NULL;
        w->done = NULL;
        for (unsigned i = 0; w->control && i < w->control->n_words; i++)
                for (ControlWaiter **p = &w->control->words[i].waiters; *p; p = &(*p)->next)
                        if (*p == w) {
                                *p = w->next;
                                if (!w->control->words[i].waiters)
                                        tell_changed(w->control);
                                free(w);
                                return NULL;
                        }
        return NULL;
}

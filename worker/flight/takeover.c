/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder continues here where the previous one was killed. The kernel keeps events and rings as long as a process
 * has their descriptors and maps the rings: the daemon does (handover.c sent them). It passes the descriptors to this
 * process by a socket, which it filled before it started this process. Its other end stays open as long as the daemon
 * keeps the descriptors too, so that takeover_refuse() can wait until they are dropped.
 *
 * The first descriptors are memory files (HandoverFile). The first of these, HandoverHead and a flat EventSet, says
 * what all others are. takeover_new() reads it, takeover_events() makes the set, compares the events' ids, and brings
 * events and rings into the state that they were in or were about to get: enabled or not, and not paused.
 * flight_memory_take_over() reads the other files. Invariant: each file is right at every instruction of the process
 * that wrote it, since it may be killed at any.
 *
 * Descriptors that do not fit are refused as a whole, before new events are opened: two sets of rings may be more
 * locked memory than is allowed. The dump of what the rings hold is made later, as any other:
 * recorder_dump_of_predecessor(). */

#include "takeover.h"

#include <fcntl.h>
#include <poll.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>
#include "descriptor-set.h"
#include "event-set-handover.h"
#include "fd-file.h"
#include "log.h"
#include "parse-number.h"

#define DROP_WAIT_MSEC 1000

struct Takeover {
        Notifier *notifier;
        int socket_fd;
        DescriptorSet in;
        char *ended;
        char *block; /* HandoverHead and the flat EventSet */
        size_t block_size, n_files;
        int files[_HANDOVER_FILE_MAX];
};

Takeover *takeover_free(Takeover *t) {
        if (!t)
                return NULL;
        safe_close(t->socket_fd);
        descriptor_set_close(&t->in);
        free(t->ended);
        free(t->block);
        free(t);
        return NULL;
}

/* Waits until the daemon closes its end of the socket, but not for long: at worst the new rings do not fit beside the
 * old ones. */
void takeover_refuse(Takeover *t, const char *why) {
        struct pollfd p = { .fd = t->socket_fd, .events = POLLIN };

        log_warning("The previous recorder's rings can't be used: %s", why);
        descriptor_set_close(&t->in);
        for (HandoverFile f = 0; f < _HANDOVER_FILE_MAX; f++)
                t->files[f] = -EBADF;
        notifier_send(t->notifier, PR_NOTIFY_KEEP PR_NOTIFY_KEEP_NONE);
        (void) poll(&p, 1, DROP_WAIT_MSEC);
}

static int takeover_receive(Takeover *t) {
        _cleanup_free_ char *text = NULL;
        const char *line, *value = "";
        int r = descriptor_set_receive(&t->in, t->socket_fd, &text);

        if (r < 0)
                return r;
        line = strstr(text, "\n" PR_NOTIFY_KEEP_END);
        if (line)
                value = line + 1 + strlen(PR_NOTIFY_KEEP_END);
        t->ended = strndup(value, strcspn(value, "\n"));
        return t->ended ? 0 : -ENOMEM;
}

/* Reads the file once: another process may have it open, and could change it between two reads. */
static int takeover_read_block(Takeover *t) {
        if (t->in.n_fds == 0)
                return -ENODATA;
        if (lseek(t->in.fds[0], 0, SEEK_SET) < 0)
                return -errno;
        return read_fd(t->in.fds[0], EVENT_SET_FLAT_MAX + sizeof(HandoverHead), &t->block, &t->block_size);
}

static const char *takeover_check_block(Takeover *t, uint64_t hash) {
        HandoverHead head;

        if (t->block_size < sizeof(head))
                return "their description is not complete";
        memcpy(&head, t->block, sizeof(head));
        if (head.magic != HANDOVER_MAGIC || t->block_size - sizeof(head) != head.flat_size || !(head.files & 1U << HANDOVER_EVENTS))
                return "their description is of another version";
        /* it has options that the daemon adds, such as -m for DefaultBufferSize=, which the daemon does not compare */
        if (head.command_line != hash)
                return "the options are different";
        for (HandoverFile f = 0; f < _HANDOVER_FILE_MAX; f++)
                if (head.files & 1U << f) {
                        if (t->n_files == t->in.n_fds)
                                return "descriptors are missing";
                        t->files[f] = t->in.fds[t->n_files++];
                }
        return NULL;
}

static int takeover_open_socket(void) {
        const char *s = getenv(PR_TAKEOVER_ENV);
        int fd;

        if (!s || parse_int(s, &fd) < 0 || fd <= STDERR_FILENO)
                return -ENOENT;
        (void) unsetenv(PR_TAKEOVER_ENV);
        return fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 ? -errno : fd;
}

int takeover_new(Notifier *notifier, char *const *command_line, Takeover **ret) {
        _cleanup_(takeover_freep) Takeover *t = NULL;
        const char *wrong = NULL;
        int r, fd = takeover_open_socket();

        if (fd < 0)
                return 0;
        t = calloc(1, sizeof(Takeover));
        if (!t)
                return -ENOMEM;
        *t = (Takeover) { .notifier = notifier, .socket_fd = fd, .files = HANDOVER_FILES_NONE };
        r = takeover_receive(t);
        if (r >= 0)
                r = takeover_read_block(t);
        if (r < 0)
                wrong = strerror(-r);
        else
                wrong = takeover_check_block(t, handover_hash(command_line));
        if (wrong)
                takeover_refuse(t, wrong);
        else
                *ret = steal_ptr(t);
        return 0;
}

/* The previous recorder may have died in the middle of enabling or disabling its events, or while a ring was paused
 * for a copy. */
static int takeover_settle(EventSet *s) {
        int r = 0;

        for (size_t i = 0; i < s->n_events && r >= 0; i++) {
                const SetMember *m = &s->members[s->events[i].member];

                if (m->leader && s->events[i].fd >= 0)
                        r = event_enable(&s->events[i], &s->ops, m->enabled);
        }
        for (size_t i = 0; i < s->n_rings && r >= 0; i++)
                if (s->rings[i].overwrite)
                        r = event_set_pause(s, i, false);
        return r;
}

/* The kernel empties a ring that nobody maps. So what is mapped now has its content only if the daemon has it mapped still. */
static bool takeover_is_kept(const Takeover *t) {
        struct pollfd p = { .fd = t->socket_fd };

        return poll(&p, 1, 0) == 0;
}

int takeover_events(Takeover *t, const EventSpecs *specs, Lendings *ret_lendings, EventSet **ret) {
        _cleanup_(event_set_freep) EventSet *s = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r;

        r = event_set_take_over(specs, t->block + sizeof(HandoverHead), t->block_size - sizeof(HandoverHead),
                                t->in.fds + t->n_files, t->in.n_fds - t->n_files, NULL, ret_lendings, &s, &d);
        if (r >= 0 && !takeover_is_kept(t))
                r = diagnosis_set(&d, -ESTALE, "the daemon that kept them ended before they were taken over");
        if (r >= 0)
                r = takeover_settle(s);
        if (r == -ENOMEM)
                return r;
        if (r < 0) {
                s = event_set_free(s);
                takeover_refuse(t, d.sentence ?: strerror(-r));
                return -ESTALE;
        }
        *ret = steal_ptr(s);
        return 0;
}

int takeover_file(const Takeover *t, HandoverFile f) {
        return t->files[f];
}

const char *takeover_ended(const Takeover *t) {
        return t->ended;
}

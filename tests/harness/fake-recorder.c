/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder that records nothing: it has the control protocol, notifications, counters and output of a real one, so
 * that the daemon can be tested without perf events. It replaces perf-recorder-worker ($PERF_RECORDER_WORKER), or of
 * perf as a session's Recorder=.
 *
 * Words among its options control it, all others are ignored: --fake-quiet (no notifications, as perf), --fake-late=MS
 * (time until READY=1 and the first ack), --fake-exit=N (after READY=1), --fake-fail=TEXT (X_PERF_ERROR= and exit
 * status 1 before READY=1; --fake-errno=N adds ERRNO=, --fake-until=FILE fails only until that file exists),
 * --fake-slow=MS (from SIGTERM to its exit, with progress), --fake-rings=BYTES (of locked memory), --fake-line=TEXT
 * (on its output), --fake-deaf (makes progress at SIGTERM and goes on), --fake-full (finds the disk full when it exits), --fake-lost=N,
 * --fake-keep=N (hands N memory files over, the first two to be mapped, and takes over a previous recorder's, which
 * its output reports), --fake-refuse=TEXT (dumps and windows, by X_PERF_DUMP_ERROR=), --fake-dumpless (never answers for a dump),
 * --fake-dump-exit (exits when one is asked for), --fake-overwrite (the kernel overwrites its rings, which it has not read),
 * --fake-holds=KIND (has events of that kind of counters and no others, and with --fake-keep a file less while it is lent),
 * --fake-tells-counters (says that it has no events of other kinds), --fake-lendless (does not know what it is to lend something,
 * as an older one). */

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdalign.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/xattr.h>

#include <perf-recorder/control-words.h>
#include <perf-recorder/counters.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>

#include "counter-kind.h"
#include "descriptor-set.h"
#include "fd-file.h"
#include "parse-number.h"

#define LIFETIME_SEC 180 /* longer than any test, so that an aborted one leaves no process behind */

typedef struct Recorder {
        bool quiet, deaf, full, exits, dumpless, dump_exits, overwrites;
        unsigned slow_ms;
        PrCounters *counters;
        unsigned late_ms, lost, n_keep, ring_bytes;
        DescriptorSet kept;
        int status, control_fd, ack_fd, signal_fd;
        const char *error, *error_number, *until, *refusal;
        bool lendless;
        CounterKind holds; /* _COUNTER_KIND_INVALID: other events */
        unsigned lent;     /* kinds, whether it holds them or not */
        bool tells;        /* that it has no events of other kinds */
} Recorder;

static void notify(const Recorder *r, const char *text) {
        const char *path = getenv("NOTIFY_SOCKET");
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd;

        if (r->quiet || !path || strlen(path) >= sizeof(address.sun_path))
                return;
        strcpy(address.sun_path, path);
        fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0)
                return;
        (void) sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *) &address, sizeof(address));
        (void) close(fd);
}

static void hand_over(Recorder *r) {
        const char *path = getenv("NOTIFY_SOCKET");
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        size_t sent = 0;
        ssize_t n;
        int fd;

        if (r->n_keep == 0 || !path || strlen(path) >= sizeof(address.sun_path))
                return;
        strcpy(address.sun_path, path);
        fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        r->kept.generation++;
        while (sent < r->kept.n_fds) {
                n = descriptor_set_send(&r->kept, sent, NULL, fd, (struct sockaddr *) &address, sizeof(address));
                sent += n > 0 ? (size_t) n : 0;
                if (n < 0)
                        (void) usleep(1000);
        }
        (void) close(fd);
}

/* The first file has the number of takeovers. */
static void take_over(Recorder *r) {
        const char *number = getenv(PR_TAKEOVER_ENV);
        char *more = NULL;
        unsigned hands = 0;
        int fd;

        if (number && parse_int(number, &fd) >= 0 && descriptor_set_receive(&r->kept, fd, &more) >= 0) {
                if (pread(r->kept.fds[0], &hands, sizeof(hands), 0) == sizeof(hands))
                        hands++;
                printf("took over %zu, hands %u, %s\n", r->kept.n_fds, hands, strstr(more, PR_NOTIFY_KEEP_END) ?: "no reason");
        } else if (r->n_keep > 0 && descriptor_set_reserve(&r->kept, 1, r->n_keep) >= 0)
                for (unsigned i = 0; i < r->n_keep; i++) {
                        r->kept.fds[i] = open_memfd("fake", 8192);
                        r->kept.map_bytes[i] = i < 2 ? 8192 : 0;
                }
        if (r->kept.n_fds > 0)
                (void) !pwrite(r->kept.fds[0], &hands, sizeof(hands), 0);
        free(more);
}

static int open_control(Recorder *r, const char *value) {
        char control[256];
        const char *fifo = startswith(value, "fifo:"), *comma;

        comma = fifo ? strchr(fifo, ',') : NULL;
        if (!comma || (size_t) (comma - fifo) >= sizeof(control))
                return -EINVAL;
        snprintf(control, sizeof(control), "%.*s", (int) (comma - fifo), fifo);
        r->control_fd = open(control, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        r->ack_fd = open(comma + 1, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        return r->control_fd < 0 || r->ack_fd < 0 ? -errno : 0;
}

static int take_option(Recorder *r, const char *word) {
        const char *value;

        if ((value = startswith(word, "--control=")))
                return open_control(r, value);
        if (streq(word, "--fake-quiet"))
                r->quiet = true;
        else if (streq(word, "--fake-full"))
                r->full = true;
        else if (streq(word, "--fake-deaf"))
                r->deaf = true;
        else if (streq(word, "--fake-dumpless"))
                r->dumpless = true;
        else if (streq(word, "--fake-overwrite"))
                r->overwrites = true;
        else if (streq(word, "--fake-tells-counters"))
                r->tells = true;
        else if (streq(word, "--fake-lendless"))
                r->lendless = true;
        else if ((value = startswith(word, "--fake-holds=")))
                r->holds = counter_kind_from_string(value);
        else if (streq(word, "--fake-dump-exit"))
                r->dump_exits = true;
        else if ((value = startswith(word, "--fake-refuse=")))
                r->refusal = value;
        else if ((value = startswith(word, "--fake-late=")))
                return parse_uint(value, &r->late_ms);
        else if ((value = startswith(word, "--fake-slow=")))
                return parse_uint(value, &r->slow_ms);
        else if ((value = startswith(word, "--fake-keep=")))
                return parse_uint(value, &r->n_keep);
        else if ((value = startswith(word, "--fake-lost=")))
                return parse_uint(value, &r->lost);
        else if ((value = startswith(word, "--fake-exit="))) {
                r->exits = true;
                return parse_int(value, &r->status);
        } else if ((value = startswith(word, "--fake-fail=")))
                r->error = value;
        else if ((value = startswith(word, "--fake-errno=")))
                r->error_number = value;
        else if ((value = startswith(word, "--fake-until=")))
                r->until = value;
        else if ((value = startswith(word, "--fake-rings=")))
                return parse_uint(value, &r->ring_bytes);
        else if ((value = startswith(word, "--fake-line=")))
                puts(value);
        return 0;
}

static void fill_counters(Recorder *r) {
        const char *number = getenv(PR_COUNTERS_ENV);
        PrCounters *c;
        int fd;

        if (!number || parse_int(number, &fd) < 0)
                return;
        c = mmap(NULL, PR_COUNTERS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (c == MAP_FAILED)
                return;
        *c = (PrCounters){ .magic = PR_COUNTERS_MAGIC, .samples = c->samples + 42, .lost = r->lost, .ring_bytes = r->ring_bytes ?: 4096,
                            .overwritten = r->overwrites };
        r->counters = c;
}

/* Exits as a recorder does that writes a large file. */
static void end_slowly(const Recorder *r) {
        for (unsigned ms = 0; r->counters && ms < r->slow_ms; ms += 20) {
                r->counters->progress++;
                (void) usleep(20000);
        }
}

static void set_fact(int fd, const char *attribute, const char *word, const char *key, const char *ends) {
        const char *value = strstr(word, key);

        if (!value)
                return;
        value += strlen(key);
        (void) fsetxattr(fd, attribute, value, strcspn(value, ends), 0);
}

/* Writes it under another name first, as a real recorder does. Names count up from an old date. */
static void write_dump(const char *word, char name[static 64]) {
        int fd = open(".#perf.data", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        for (unsigned n = 1;; n++) {
                snprintf(name, 64, "perf.data.%016llu", 2001010100000000ULL + n);
                if (access(name, F_OK) < 0)
                        break;
        }
        (void) !write(fd, word, strlen(word));
        set_fact(fd, PR_DUMP_XATTR_TRIGGER, word, "trigger=", " ");
        set_fact(fd, PR_DUMP_XATTR_DETAIL, word, "detail=", "");
        (void) close(fd);
        (void) rename(".#perf.data", name);
}

static void dump(const Recorder *r, const char *argument) {
        char name[64], text[1024];
        int n = (int) strcspn(argument, " ");

        if (r->dump_exits)
                exit(3);
        if (r->dumpless)
                return;
        if (r->refusal)
                snprintf(text, sizeof(text), PR_NOTIFY_DUMP_ERROR "%s\n" PR_NOTIFY_DUMP_IDS "other %.*s", r->refusal, n, argument);
        else {
                write_dump(argument, name);
                snprintf(text, sizeof(text), PR_NOTIFY_DUMP "%s\n" PR_NOTIFY_DUMP_IDS "other %.*s", name, n, argument);
        }
        notify(r, text);
}

static bool holds_lent(const Recorder *r) {
        return r->holds >= 0 && (r->lent & 1u << r->holds);
}

static void tell_lent(const Recorder *r, const char *more) {
        char text[512], kinds[64] = "";

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++)
                if (r->lent & 1u << k)
                        snprintf(kinds + strlen(kinds), sizeof(kinds) - strlen(kinds), "%s%s", *kinds ? " " : "", counter_kind_to_string(k));
        snprintf(text, sizeof(text), "%s" PR_NOTIFY_LENT "%s\n" PR_NOTIFY_STATE "%s\n" PR_NOTIFY_CLOSED "%s%s%s", more, kinds,
                 holds_lent(r) ? "reserved" : "recording", holds_lent(r) ? counter_kind_to_string((CounterKind) r->holds) : "",
                 r->tells ? "\n" PR_NOTIFY_COUNTERS : "", r->tells && r->holds >= 0 ? counter_kind_to_string(r->holds) : "");
        notify(r, text);
}

/* Keeps a word in a file, since tests count the lines of its output. */
static void keep_word(const char *name, const char *word) {
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        (void) !write(fd, word, strlen(word));
        (void) close(fd);
}

/* A word, or a line of PR_LENT_ENV with PR_CONTROL_LEND before it. Returns false if it is another one. */
static bool take_lending(Recorder *r, const char *word) {
        bool held = holds_lent(r);

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++) {
                const char *lend = startswith(word, PR_CONTROL_LEND " "), *back = startswith(word, PR_CONTROL_RETURN " ");
                const char *rest = lend || back ? startswith(lend ?: back, counter_kind_to_string(k)) : NULL;

                if (!rest)
                        continue;
                r->lent = lend ? r->lent | 1u << k : r->lent & ~(1u << k);
                keep_word("lending", word);
                if (r->n_keep > 1 && held != holds_lent(r)) {
                        if (lend)
                                (void) close(r->kept.fds[--r->kept.n_fds]);
                        else
                                r->kept.fds[r->kept.n_fds++] = open_memfd("fake", 8192);
                        hand_over(r);
                }
                return true;
        }
        return false;
}

static void take_lent_environment(Recorder *r) {
        char *copy = strdup(getenv(PR_LENT_ENV) ?: ""), *rest = copy, *line;
        char word[PR_CONTROL_WORD_MAX];

        while (!r->lendless && rest && *rest && (line = strsep(&rest, "\n"))) {
                snprintf(word, sizeof(word), PR_CONTROL_LEND " %s", line);
                (void) take_lending(r, word);
        }
        free(copy);
}

/* Hands over a file that has the argument. */
static void open_window(const Recorder *r, const char *argument) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        char text[256];
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        struct iovec iov = { .iov_base = text };
        struct msghdr mh = { .msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &iov, .msg_iovlen = 1 };
        int n = (int) strcspn(argument, " "), fd, to;

        if (r->dump_exits)
                exit(3);
        if (r->dumpless)
                return;
        if (r->refusal) {
                snprintf(text, sizeof(text), PR_NOTIFY_WINDOW_ERROR "%.*s %s", n, argument, r->refusal);
                notify(r, text);
                return;
        }
        keep_word("window", argument + n + 1);
        fd = open("window", r->overwrites ? O_RDWR | O_CLOEXEC : O_RDONLY | O_CLOEXEC);
        iov.iov_len = (size_t) snprintf(text, sizeof(text), PR_NOTIFY_WINDOW "%.*s 77", n, argument);
        snprintf(address.sun_path, sizeof(address.sun_path), "%s", getenv("NOTIFY_SOCKET") ?: "");
        descriptors_to_message(&mh, control, &fd, 1);
        to = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        (void) sendmsg(to, &mh, MSG_NOSIGNAL);
        (void) close(to);
        (void) close(fd);
}

static void answer(Recorder *r, const char *word) {
        const char *argument = startswith(word, PR_CONTROL_SNAPSHOT " "), *window = startswith(word, PR_CONTROL_WINDOW " ");

        if (r->lendless && (startswith(word, PR_CONTROL_LEND) || startswith(word, PR_CONTROL_RETURN)))
                return;
        if (argument)
                dump(r, argument);
        if (window)
                open_window(r, window);
        if (startswith(word, PR_CONTROL_REASON " "))
                keep_word("reason", word);
        if (take_lending(r, word))
                tell_lent(r, "");
        if (streq(word, PR_CONTROL_DISABLE))
                notify(r, PR_NOTIFY_STATE "paused");
        else if (streq(word, PR_CONTROL_ENABLE))
                notify(r, PR_NOTIFY_STATE "recording");
        else if (streq(word, PR_CONTROL_HAND_OVER)) {
                puts("asked to hand over");
                hand_over(r);
        }
        (void) !write(r->ack_fd, PR_CONTROL_ACK, sizeof(PR_CONTROL_ACK)); /* with its NUL, as perf does */
}

static void take_words(Recorder *r) {
        static char line[PR_CONTROL_WORD_MAX];
        static size_t n;
        char c;

        while (read(r->control_fd, &c, 1) == 1)
                if (c != '\n' && n < sizeof(line) - 1)
                        line[n++] = c;
                else {
                        line[n] = '\0';
                        n = 0;
                        answer(r, line);
                }
}

/* Returns true when it is to exit. */
static bool take_signal(const Recorder *r) {
        struct signalfd_siginfo si;

        if (read(r->signal_fd, &si, sizeof(si)) != sizeof(si))
                return false;
        if (si.ssi_signo == SIGUSR2) {
                char name[64], text[256];

                if (r->refusal) {
                        snprintf(text, sizeof(text), PR_NOTIFY_DUMP_ERROR "%s", r->refusal);
                        notify(r, text);
                        return false;
                }
                notify(r, PR_NOTIFY_OUTPUT "/fake/perf.data.1");
                if (r->quiet && !r->dumpless)
                        write_dump("", name);
                puts("[ fake: dump ]");
                return false;
        }
        if (r->deaf && r->counters)
                r->counters->progress++;
        return !r->deaf;
}

static void loop(Recorder *r) {
        struct pollfd fds[] = { { .fd = r->signal_fd, .events = POLLIN }, { .fd = r->control_fd, .events = POLLIN } };

        while (poll(fds, ELEMENTSOF(fds), -1) >= 0) {
                if ((fds[0].revents & POLLIN) && take_signal(r)) {
                        take_words(r); /* a word may have come just before */
                        break;
                }
                if (fds[1].revents & POLLIN)
                        take_words(r);
        }
}

static bool is_ended_while_late(const Recorder *r) {
        struct pollfd p = { .fd = r->signal_fd, .events = POLLIN };

        return r->late_ms > 0 && poll(&p, 1, (int) r->late_ms) > 0 && take_signal(r);
}

static int open_signals(Recorder *r) {
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGUSR2);
        if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
                return -errno;
        r->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
        return r->signal_fd < 0 ? -errno : 0;
}

static int fail(const Recorder *r) {
        char text[4096];

        snprintf(text, sizeof(text), PR_NOTIFY_ERROR "%s\n" PR_NOTIFY_ERRNO "%s", r->error, r->error_number ?: "0");
        notify(r, text);
        fprintf(stderr, "fake-recorder: %s\n", r->error);
        return 1;
}

int main(int argc, char **argv) {
        Recorder r = { .control_fd = -EBADF, .ack_fd = -EBADF, .signal_fd = -EBADF, .holds = _COUNTER_KIND_INVALID };

        (void) alarm(LIFETIME_SEC);
        setlinebuf(stdout);
        for (int i = 1; i < argc; i++)
                if (take_option(&r, argv[i]) < 0) {
                        fprintf(stderr, "fake-recorder: bad option %s\n", argv[i]);
                        return 2;
                }
        if (r.error && (!r.until || access(r.until, F_OK) < 0))
                return fail(&r);
        if (open_signals(&r) < 0)
                return 2;
        fill_counters(&r);
        if (is_ended_while_late(&r))
                return 0;
        take_over(&r);
        hand_over(&r);
        take_lent_environment(&r);
        if (r.lendless)
                notify(&r, PR_NOTIFY_READY);
        else
                tell_lent(&r, PR_NOTIFY_READY "\n");
        if (!r.exits)
                loop(&r);
        descriptor_set_close(&r.kept);
        if (r.exits)
                return r.status;
        notify(&r, PR_NOTIFY_STOPPING);
        end_slowly(&r);
        if (r.full) {
                r.error = "The file can't be finished: No space left on device";
                r.error_number = "28";
                return fail(&r);
        }
        return 0;
}

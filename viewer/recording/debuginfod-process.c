/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The process is forked before the sandbox, and keeps no descriptor but its end of a pair of sockets: it knows nothing of
 * the recording but build ids, whose size it checks. It says how far a file is, which shows also that it lives. When the
 * other end is closed, it ends what it does within a second, and exits.
 *
 * libdebuginfod has its own limits (debuginfod_find_debuginfo(3)): those that the user did not set are set here, since its
 * own wait for a minute and a half. One server that does not answer would be waited for again for each binary, so the
 * first time is the last one. */

#include "debuginfod-process.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "descriptor-set.h"
#include "forked-process.h"
#include "parse-number.h"
#include "parse-time.h"
#include "progress.h"

#define LIBRARY      "libdebuginfod.so.1"
#define TIMEOUT      "10"         /* seconds in which a server must begin to answer */
#define RETRIES      "0"
#define TIME_MAX     "600"        /* seconds for a file */
#define BYTES_MAX    "2147483648" /* of a file */
#define MEMORY_MAX   (UINT64_C(512) << 20) /* bytes, besides what the process begins with */
#define STEP_BYTES 4096
#define GRACE        (5 * USEC_PER_SEC) /* how much longer than the library this process waits */
#define STEP         (USEC_PER_SEC / 5)
#define PROGRESS_FIRST USEC_PER_SEC
#define END_STEPS    50u          /* of 10 ms, for the process to exit */

typedef struct Question {
        uint8_t file, size, id[PERF_BUILD_ID_SIZE];
} Question;

typedef struct Answer {
        bool more; /* it is only said how far the file is */
        int error; /* 0: a descriptor comes with it */
        int64_t done, total; /* bytes; total 0: not known */
} Answer;

struct DebuginfodProcess {
        ForkedProcess process;
        int error;     /* why no more is asked for; 0: it is */
        usec_t limit;  /* how long nothing may come */
        bool drawn;
};

typedef struct debuginfod_client Client;
typedef int (*ProgressFunction)(Client *c, long done, long total);
typedef int (*FindFunction)(Client *c, const unsigned char *id, int size, char **ret_path);

typedef struct Library {
        Client *(*begin)(void);
        void (*end)(Client *c);
        void (*set_progress)(Client *c, ProgressFunction function);
        FindFunction find[_DEBUGINFOD_FILE_MAX];
} Library;

static bool library_load(Library *l) {
        const struct {
                const char *name;
                void **function;
        } table[] = {
                { "debuginfod_begin", (void **) &l->begin },
                { "debuginfod_end", (void **) &l->end },
                { "debuginfod_set_progressfn", (void **) &l->set_progress },
                { "debuginfod_find_debuginfo", (void **) &l->find[DEBUGINFOD_SYMBOLS] },
                { "debuginfod_find_executable", (void **) &l->find[DEBUGINFOD_BINARY] },
        };
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

        for (size_t i = 0; library && i < ELEMENTSOF(table); i++) {
                *table[i].function = dlsym(library, table[i].name);
                if (!*table[i].function)
                        return false;
        }
        return library;
}

static bool answer(const Answer *a, int file, int flags) {
        _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        struct iovec data = { .iov_base = (void *) a, .iov_len = sizeof(*a) };
        struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };

        if (file >= 0)
                descriptors_to_message(&message, control, &file, 1);
        return sendmsg(FORKED_PROCESS_SOCKET, &message, MSG_NOSIGNAL | flags) >= 0;
}

/* The library would take an end that it is asked for as an answer that the server has no such file, and remember that. */
static int note_progress(Client *c, long done, long total) {
        struct pollfd other = { .fd = FORKED_PROCESS_SOCKET };
        static usec_t last;
        usec_t now = now_usec(CLOCK_MONOTONIC);

        if (poll(&other, 1, 0) > 0 && other.revents & (POLLHUP | POLLERR))
                _exit(EXIT_FAILURE);
        if (now - last >= STEP)
                (void) answer(&(Answer) { .more = true, .done = MAX_OF(done, 0L), .total = MAX_OF(total, 0L) }, -EBADF,
                              MSG_DONTWAIT);
        last = now - last >= STEP ? now : last;
        return 0;
}

static void library_serve(const Library *l) {
        Client *client = l->begin();
        Question q;
        ssize_t n;

        if (!client || !answer(&(Answer) {}, -EBADF, 0))
                return;
        l->set_progress(client, note_progress);
        while ((n = TEMP_FAILURE_RETRY(recv(FORKED_PROCESS_SOCKET, &q, sizeof(q), 0))) > 0) {
                _cleanup_close_ int file = -EINVAL;

                if (n == sizeof(q) && q.file < _DEBUGINFOD_FILE_MAX && q.size >= 2 && q.size <= sizeof(q.id))
                        file = l->find[q.file](client, q.id, q.size, NULL);
                if (!answer(&(Answer) { .error = MIN_OF(file, 0) }, file, 0))
                        break;
        }
        l->end(client);
        _exit(EXIT_SUCCESS);
}

/* The library looks at the size that a server announces, and a server need not announce any: so files have a limit, too. */
static void set_limits(void) {
        const char *size;
        uint64_t limit;

        (void) setenv("DEBUGINFOD_TIMEOUT", TIMEOUT, 0);
        (void) setenv("DEBUGINFOD_RETRY_LIMIT", RETRIES, 0);
        (void) setenv("DEBUGINFOD_MAXTIME", TIME_MAX, 0);
        (void) setenv("DEBUGINFOD_MAXSIZE", BYTES_MAX, 0);
        size = getenv("DEBUGINFOD_MAXSIZE");
        (void) signal(SIGXFSZ, SIG_IGN);
        if (size && parse_uint64(size, &limit) >= 0)
                (void) setrlimit(RLIMIT_FSIZE, &(struct rlimit) { .rlim_cur = limit, .rlim_max = limit });
}

static void process_serve(void *userdata) {
        Library library;

        (void) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        (void) signal(SIGINT, SIG_IGN); /* the other end decides */
        set_limits();
        if (library_load(&library))
                library_serve(&library);
        else
                (void) answer(&(Answer) { .error = -EOPNOTSUPP }, -EBADF, 0);
}

/* Receives one answer. 0 or a negative errno, that of the answer too. */
static int process_receive(DebuginfodProcess *p, Answer *ret, int *ret_file) {
        _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        struct iovec data = { .iov_base = ret, .iov_len = sizeof(*ret) };
        struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
        ssize_t n = TEMP_FAILURE_RETRY(recvmsg(p->process.fd, &message, MSG_CMSG_CLOEXEC));

        *ret_file = -EBADF;
        if (n < 0)
                return -errno;
        (void) descriptors_of_message(&message, ret_file, 1);
        return n == sizeof(*ret) ? 0 : -ECONNRESET;
}

static void show_progress(DebuginfodProcess *p, const Answer *a, usec_t waited) {
        if (waited < PROGRESS_FIRST || isatty(STDERR_FILENO) <= 0)
                return;
        if (a->total > 0)
                (void) fprintf(stderr, "\rFetching symbols from debuginfod, %.1f of %.1f MiB\033[K", (double) a->done / (1 << 20),
                               (double) a->total / (1 << 20));
        else
                (void) fprintf(stderr, "\rFetching symbols from debuginfod, %" PRIu64 "s\033[K", waited / USEC_PER_SEC);
        p->drawn = true;
}

/* Waits for the file, as long as it gets further. The library may count its own steps where the size is not known. */
static int process_wait(DebuginfodProcess *p, int *ret_file) {
        usec_t begun = now_usec(CLOCK_MONOTONIC), moved = begun;
        Answer a = {};

        for (;;) {
                struct pollfd other = { .fd = p->process.fd, .events = POLLIN };
                int n = poll(&other, 1, (int) (STEP / USEC_PER_MSEC)), r;
                usec_t now = now_usec(CLOCK_MONOTONIC);
                int64_t done = a.done;

                if (progress_was_interrupted())
                        return -EINTR;
                if (n > 0) {
                        r = process_receive(p, &a, ret_file);
                        if (r < 0 || !a.more)
                                return r < 0 ? r : a.error < 0 ? a.error : *ret_file < 0 ? -ENOENT : 0;
                        *ret_file = safe_close(*ret_file);
                        if (a.done > done && (a.total > 0 || a.done - done >= STEP_BYTES))
                                moved = now;
                }
                if (now - moved > p->limit)
                        return -ETIME;
                show_progress(p, &a, now - begun);
        }
}

/* It is not waited for any longer: what it does may take that of a server. */
static void process_end(DebuginfodProcess *p) {
        const struct timespec step = { .tv_nsec = 10000000 };
        pid_t pid = p->process.pid;

        safe_close(p->process.fd);
        for (unsigned i = 0; pid > 0 && i < END_STEPS; i++) {
                if (waitpid(pid, NULL, WNOHANG) != 0)
                        pid = 0;
                else
                        (void) clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
        }
        p->process = (ForkedProcess) FORKED_PROCESS_EMPTY;
}

/* Begins, and waits for the library. */
static int process_start(DebuginfodProcess *p) {
        const ForkedPlan plan = { .serve = process_serve, .socket_type = SOCK_SEQPACKET, .memory = MEMORY_MAX };
        int file, r = forked_process_start(&p->process, &plan);
        Answer a = {};

        if (r < 0)
                return r;
        r = process_receive(p, &a, &file);
        (void) safe_close(file);
        return r < 0 ? r : a.error;
}

int debuginfod_process_new(DebuginfodProcess **ret) {
        const char *urls = getenv("DEBUGINFOD_URLS"), *timeout = getenv("DEBUGINFOD_TIMEOUT");
        DebuginfodProcess *p;
        unsigned seconds;
        int r;

        if (!urls || urls[strspn(urls, " ")] == '\0')
                return -ENOKEY;
        p = calloc(1, sizeof(*p));
        if (!p)
                return -ENOMEM;
        p->process = (ForkedProcess) FORKED_PROCESS_EMPTY;
        if (!timeout || parse_uint(timeout, &seconds) < 0)
                (void) parse_uint(TIMEOUT, &seconds);
        p->limit = seconds > 0 ? seconds * USEC_PER_SEC + GRACE : USEC_INFINITY;
        r = process_start(p);
        if (r < 0)
                debuginfod_process_free(p);
        else
                *ret = p;
        return MIN_OF(r, 0);
}

DebuginfodProcess *debuginfod_process_free(DebuginfodProcess *p) {
        if (!p)
                return NULL;
        process_end(p);
        free(p);
        return NULL;
}

static void give_up(DebuginfodProcess *p, int error) {
        p->error = error;
        if (error != -EINTR)
                (void) fprintf(stderr, "Servers of debuginfod are not asked for further files: %s\n", error == -ETIME ?
                               "they did not answer in time" : strerror(-error));
        process_end(p);
}

int debuginfod_process_fetch(DebuginfodProcess *p, const BuildId *id, DebuginfodFile file) {
        Question q = { .file = (uint8_t) file, .size = id->size };
        int fd = -EBADF, r;

        if (p->error < 0)
                return p->error;
        if (id->size < 2 || id->size > sizeof(q.id))
                return -ENOENT;
        memcpy(q.id, id->bytes, id->size);
        r = send(p->process.fd, &q, sizeof(q), MSG_NOSIGNAL) < 0 ? -errno : process_wait(p, &fd);
        if (p->drawn)
                (void) fputs("\r\033[K", stderr);
        p->drawn = false;
        if (r < 0)
                fd = safe_close(fd);
        if (r < 0 && r != -ENOENT && r != -EFBIG) /* otherwise the servers may have other files */
                give_up(p, r);
        return r < 0 ? r : fd;
}

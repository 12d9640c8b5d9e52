/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* __cxa_demangle() of the C++ ABI. Only the C++ library has it, which a C program does not need otherwise, so it is
 * loaded when the first such name comes up.
 *
 * It has no limits, and every part that a name refers to twice doubles: 250 bytes become half a gigabyte, 310 bytes
 * never finish. Names are those of any program that was recorded. So the library runs in a process of its own, which
 * has little memory and little time for each name; if a name ends that process, the next one gets a new one, a few
 * times. */

#include "demangle.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY "libstdc++.so.6"
#define MEMORY_MAX ((rlim_t) 32 << 20) /* bytes, besides what the process begins with */
#define TIME_MAX_USEC 100000           /* of the processor, for one name */
#define ENDS_MAX 16u                   /* of processes; after these no name is demangled */

typedef char *(*Demangle)(const char *name, char *buffer, size_t *size, int *ret_status);

/* The first byte of an answer; what is readable follows. */
typedef enum Answer {
        ANSWER_NONE = 'n',
        ANSWER_NAME = 'y',
} Answer;

static struct {
        pthread_mutex_t lock;
        int fd; /* of the process; -EBADF: there is none */
        pid_t pid;
        unsigned ends;
} demangler = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -EBADF };

/* Rust's first scheme puts a hash behind the name, "…::h0123456789abcdef". */
static void cut_hash(char *name) {
        size_t n = strlen(name);

        if (n > 19 && strncmp(name + n - 19, "::h", 3) == 0 && strspn(name + n - 16, "0123456789abcdef") == 16)
                name[n - 19] = '\0';
}

/* Returns the bytes that count as the process's data: its limit is these and a little more. */
static rlim_t data_size(void) {
        unsigned long long pages = 0;
        FILE *f = fopen("/proc/self/statm", "re");

        if (f && fscanf(f, "%*u %*u %*u %*u %*u %llu", &pages) != 1)
                pages = 0;
        if (f)
                (void) fclose(f);
        return (rlim_t) pages * (rlim_t) sysconf(_SC_PAGESIZE);
}

static void demangler_limit(void) {
        const rlim_t memory = data_size() + MEMORY_MAX;
        sigset_t none;

        (void) setrlimit(RLIMIT_DATA, &(struct rlimit) { memory, memory });
        (void) setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
        (void) signal(SIGPROF, SIG_DFL);
        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
}

static void demangler_answer(int fd, const char *readable) {
        char text[1 + DEMANGLE_MAX] = { ANSWER_NONE };
        size_t n = readable ? strlen(readable) : 0;

        if (n > 0 && n <= DEMANGLE_MAX) {
                text[0] = ANSWER_NAME;
                memcpy(text + 1, readable, n);
        }
        (void) send(fd, text, text[0] == ANSWER_NAME ? n + 1 : 1, MSG_NOSIGNAL);
}

/* Answers names until the other end is closed. */
static _Noreturn void demangler_serve(int fd) {
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        Demangle demangle_name = library ? (Demangle) dlsym(library, "__cxa_demangle") : NULL;
        char name[DEMANGLE_NAME_MAX + 1];
        ssize_t n;

        demangler_limit();
        while ((n = recv(fd, name, sizeof(name) - 1, 0)) > 0) {
                char *readable = NULL;
                int status;

                name[n] = '\0';
                (void) setitimer(ITIMER_PROF, &(struct itimerval) { .it_value.tv_usec = TIME_MAX_USEC }, NULL);
                if (demangle_name)
                        readable = demangle_name(name, NULL, NULL, &status);
                demangler_answer(fd, readable);
                free(readable);
        }
        _exit(EXIT_SUCCESS);
}

/* Runs in the new process. It closes every descriptor that it inherits: a pager waits for the end of what is written
 * to it. */
static _Noreturn void demangler_run(int fd) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);

        if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
            dup2(fd, STDERR_FILENO + 1) < 0 || close_range(STDERR_FILENO + 2, ~0u, 0) < 0)
                _exit(EXIT_FAILURE);
        demangler_serve(STDERR_FILENO + 1);
}

static int demangler_start(void) {
        int fds[2];

        if (demangler.fd >= 0)
                return 0;
        if (demangler.ends >= ENDS_MAX)
                return -ECHILD;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
                return -errno;
        demangler.pid = fork();
        if (demangler.pid == 0)
                demangler_run(fds[1]);
        demangler.fd = fds[0];
        fds[1] = safe_close(fds[1]);
        if (demangler.pid < 0)
                demangler.fd = safe_close(demangler.fd);
        return demangler.pid < 0 ? -errno : 0;
}

static void demangler_reap(void) {
        demangler.fd = safe_close(demangler.fd);
        (void) waitpid(demangler.pid, NULL, 0);
        demangler.ends++;
}

/* Returns the bytes in buffer; 0: the name has no other form. */
static size_t demangler_ask(const char *name, size_t size, char buffer[static 1 + DEMANGLE_MAX]) {
        ssize_t n;

        if (demangler_start() < 0)
                return 0;
        n = send(demangler.fd, name, size, MSG_NOSIGNAL);
        if (n > 0)
                n = TEMP_FAILURE_RETRY(recv(demangler.fd, buffer, 1 + DEMANGLE_MAX, 0));
        if (n <= 0)
                demangler_reap();
        return n > 1 && buffer[0] == ANSWER_NAME ? (size_t) n - 1 : 0;
}

char *demangle(const char *name) {
        char buffer[1 + DEMANGLE_MAX], *readable;
        size_t n = strlen(name);

        if (!startswith(name, "_Z") || n > DEMANGLE_NAME_MAX)
                return strdup(name);
        (void) pthread_mutex_lock(&demangler.lock);
        n = demangler_ask(name, n, buffer);
        (void) pthread_mutex_unlock(&demangler.lock);
        if (n == 0)
                return strdup(name);
        readable = strndup(buffer + 1, n);
        if (readable)
                cut_hash(readable);
        return readable;
}

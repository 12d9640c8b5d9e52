/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Calls are shown some time after they were made: /proc may say by then what came later. It is asked about what is not known
 * otherwise, and believed about a new descriptor only if it has the kind that the call makes. */

#include "call-descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>

#include "array.h"
#include "call-options.h"
#include "format-text.h"
#include "parse-number.h"

static void call_process_close(CallProcess *p, size_t slot) {
        if (slot >= p->n)
                return;
        free(p->descriptors[slot].name);
        p->descriptors[slot] = (CallDescriptor) {};
}

static void call_process_done(CallProcess *p) {
        for (size_t i = 0; i < p->n; i++)
                call_process_close(p, i);
        free(p->descriptors);
        *p = (CallProcess) { .pid = p->pid };
}

void call_descriptors_done(CallDescriptors *d) {
        for (size_t i = 0; i < d->n; i++)
                call_process_done(d->processes + i);
        free(d->processes);
        hash_index_done(&d->by_pid);
        *d = (CallDescriptors) { .live = d->live };
}

static uint64_t call_process_hash_of(const void *owner, uintptr_t entry) {
        return hash_mix(0, ((const CallDescriptors *) owner)->processes[entry - 1].pid);
}

static CallProcess *call_descriptors_find(CallDescriptors *d, uint32_t pid) {
        uint64_t hash = hash_mix(0, pid);
        uintptr_t found = HASH_INDEX_FIND(&d->by_pid, hash, entry, d->processes[entry - 1].pid == pid);

        if (found > 0)
                return d->processes + found - 1;
        if (ARRAY_RESERVE(d->processes, d->allocated, d->n + 1) < 0)
                return NULL;
        d->processes[d->n++] = (CallProcess) { .pid = pid };
        if (hash_index_add(&d->by_pid, hash, d->n, call_process_hash_of, d) < 0) {
                d->n--;
                return NULL;
        }
        return d->processes + d->n - 1;
}

/* Returns the place of a descriptor, which is made; NULL: it has none, or there is no memory. */
static CallDescriptor *call_process_at(CallProcess *p, int fd) {
        size_t slot = fd == AT_FDCWD ? 0 : (size_t) fd + 1;

        if ((fd < 0 && fd != AT_FDCWD) || slot > CALL_DESCRIPTORS_MAX || ARRAY_RESERVE(p->descriptors, p->allocated, slot + 1) < 0)
                return NULL;
        while (p->n <= slot)
                p->descriptors[p->n++] = (CallDescriptor) {};
        return p->descriptors + slot;
}

/* Returns a new string, which /proc has; NULL: there is none. */
static char *read_descriptor(uint32_t pid, int fd) {
        _cleanup_free_ char *path = fd == AT_FDCWD ? format_text("/proc/%" PRIu32 "/cwd", pid) :
                                    format_text("/proc/%" PRIu32 "/fd/%d", pid, fd);
        char target[PATH_MAX];
        ssize_t n = path ? readlink(path, target, sizeof(target)) : -1;

        return n > 0 ? strndup(target, (size_t) n) : NULL;
}

const char *call_descriptors_name(CallDescriptors *d, uint32_t pid, int fd) {
        CallProcess *p = call_descriptors_find(d, pid);
        CallDescriptor *at = p ? call_process_at(p, fd) : NULL;

        if (!at)
                return NULL;
        if (!at->name && !at->asked && d->live) {
                at->name = read_descriptor(pid, fd);
                at->asked = true;
        }
        return at->name;
}

int call_descriptors_learn(CallDescriptors *d, uint32_t pid) {
        _cleanup_free_ char *path = format_text("/proc/%" PRIu32 "/fd", pid);
        _cleanup_closedir_ DIR *directory = path ? opendir(path) : NULL;
        const struct dirent *entry;

        (void) call_descriptors_name(d, pid, AT_FDCWD);
        while (directory && (entry = readdir(directory))) {
                unsigned fd;

                if (parse_uint(entry->d_name, &fd) >= 0 && fd < CALL_DESCRIPTORS_MAX)
                        (void) call_descriptors_name(d, pid, (int) fd);
        }
        return path ? 0 : -ENOMEM;
}

int call_descriptors_fork(CallDescriptors *d, uint32_t parent, uint32_t pid) {
        CallProcess *child = call_descriptors_find(d, pid), *from = call_descriptors_find(d, parent);

        child = call_descriptors_find(d, pid); /* the second may have moved it */
        if (!child || !from)
                return -ENOMEM;
        call_process_done(child);
        if (from->n == 0)
                return 0;
        if (ARRAY_RESERVE(child->descriptors, child->allocated, from->n) < 0)
                return -ENOMEM;
        for (child->n = 0; child->n < from->n; child->n++) {
                CallDescriptor *to = child->descriptors + child->n;

                *to = from->descriptors[child->n];
                to->name = to->name ? strdup(to->name) : NULL;
                to->asked = to->name != NULL;
        }
        return 0;
}

void call_descriptors_forget(CallDescriptors *d, uint32_t pid) {
        CallProcess *p = call_descriptors_find(d, pid);

        if (p)
                call_process_done(p);
}

/* Calls that make a descriptor: what /proc says of it begins with these words. */
static const struct {
        const char *call, *name;
        bool numbered; /* the name ends in a number */
} makers[] = {
        { "accept", "socket", true },
        { "accept4", "socket", true },
        { "epoll_create", "anon_inode:[eventpoll]", false },
        { "epoll_create1", "anon_inode:[eventpoll]", false },
        { "eventfd", "anon_inode:[eventfd]", false },
        { "eventfd2", "anon_inode:[eventfd]", false },
        { "inotify_init", "anon_inode:inotify", false },
        { "inotify_init1", "anon_inode:inotify", false },
        { "perf_event_open", "anon_inode:[perf_event]", false },
        { "pidfd_open", "anon_inode:[pidfd]", false },
        { "pipe", "pipe", true },
        { "pipe2", "pipe", true },
        { "signalfd", "anon_inode:[signalfd]", false },
        { "signalfd4", "anon_inode:[signalfd]", false },
        { "socket", "socket", true },
        { "socketpair", "socket", true },
        { "timerfd_create", "anon_inode:[timerfd]", false },
};

/* Puts the name of a new descriptor in its place; name: a new string, or NULL, which is taken. */
static int call_process_open(CallProcess *p, int fd, char *name, bool close_on_exec) {
        CallDescriptor *at = call_process_at(p, fd);

        if (!at) {
                free(name);
                return fd >= 0 && fd < CALL_DESCRIPTORS_MAX ? -ENOMEM : 0;
        }
        free(at->name);
        *at = (CallDescriptor) { .name = name, .close_on_exec = close_on_exec };
        return 0;
}

bool call_descriptors_are_numbered(const SyscallSignature *s) {
        return ANY_OF(ELEMENTSOF(makers), i, makers[i].numbered && streq(makers[i].call, s->name));
}

/* Returns the name of a descriptor that a call has made, a new string; NULL: it is not known. inode: 0: not known. */
static char *made_name(const CallDescriptors *d, uint32_t pid, int fd, const char *call, uint64_t inode) {
        for (size_t i = 0; i < ELEMENTSOF(makers); i++) {
                char *name = NULL;

                if (!streq(makers[i].call, call))
                        continue;
                if (makers[i].numbered && inode > 0)
                        return format_text("%s:[%" PRIu64 "]", makers[i].name, inode);
                if (makers[i].numbered && d->live)
                        name = read_descriptor(pid, fd);
                if (name && startswith(name, makers[i].name) && name[strlen(makers[i].name)] == ':')
                        return name;
                free(name);
                return strdup(makers[i].name);
        }
        return NULL;
}

/* Returns the name of the file that a path means, a new string; NULL: it is not known. */
static char *file_name(CallDescriptors *d, uint32_t pid, int directory, const CallMemory *memory, unsigned argument) {
        _cleanup_free_ char *text = NULL, *path = NULL;
        const char *base;
        char *real;

        for (size_t i = 0; memory && i < memory->n && !text; i++)
                if (memory->pieces[i].argument == argument && !memory->pieces[i].cut)
                        text = strndup((const char *) memory->pieces[i].bytes, memory->pieces[i].size);
        if (!text)
                return NULL;
        base = *text == '/' ? "" : call_descriptors_name(d, pid, directory);
        if (!base)
                return NULL;
        if (startswith(text, "/proc/self/")) /* ours is another one */
                path = format_text("/proc/%" PRIu32 "/%s", pid, text + strlen("/proc/self/"));
        else
                path = *text == '/' ? strdup(text) : format_text("%s/%s", streq(base, "/") ? "" : base, text);
        real = d->live && path ? realpath(path, NULL) : NULL;
        return real ?: steal_ptr(path);
}

/* Flags of O_CLOEXEC are the same in all calls that have them. */
static bool closes_on_exec(const SyscallSignature *s, const Call *c) {
        uint64_t flag;

        if (constant_value(CONSTANTS_OPEN, "O_CLOEXEC", &flag) < 0)
                return false;
        for (unsigned i = 0; i < SYSCALL_MAX_ARGUMENTS; i++)
                if (s->arguments[i].kind == ARGUMENT_FLAGS || s->arguments[i].kind == ARGUMENT_ENUM)
                        if (startswith(s->arguments[i].name, "flags") || startswith(s->arguments[i].name, "type"))
                                return c->arguments[i] & flag;
        return false;
}

static int follow_open(CallDescriptors *d, uint32_t pid, const SyscallSignature *s, const Call *c, const CallMemory *memory) {
        bool at = s->arguments[0].kind == ARGUMENT_DIRFD;
        char *name = s->arguments[at].kind == ARGUMENT_PATH ?
                     file_name(d, pid, at ? (int) c->arguments[0] : AT_FDCWD, memory, at) :
                     made_name(d, pid, (int) c->result, s->name, memory ? memory->inodes[0] : 0);
        CallProcess *p = call_descriptors_find(d, pid);

        if (!p) {
                free(name);
                return -ENOMEM;
        }
        return call_process_open(p, (int) c->result, name, closes_on_exec(s, c));
}

/* pipe(2) and socketpair(2), whose descriptors are in memory. */
static int follow_pair(CallDescriptors *d, uint32_t pid, const SyscallSignature *s, const Call *c, const CallMemory *memory) {
        int fds[2], r = 0;

        for (size_t i = 0; memory && i < memory->n; i++) {
                if (s->arguments[memory->pieces[i].argument].kind != ARGUMENT_FD_PAIR_OUT || memory->pieces[i].size < sizeof(fds))
                        continue;
                memcpy(fds, memory->pieces[i].bytes, sizeof(fds));
                for (size_t k = 0; r >= 0 && k < 2; k++) {
                        CallProcess *p = fds[k] >= 0 ? call_descriptors_find(d, pid) : NULL;

                        if (p)
                                r = call_process_open(p, fds[k], made_name(d, pid, fds[k], s->name, memory->inodes[k]),
                                                      closes_on_exec(s, c));
                }
        }
        return r;
}

static int follow_dup(CallDescriptors *d, uint32_t pid, const Call *c, bool close_on_exec) {
        const char *name = c->arguments[0] == (uint64_t) c->result ? NULL : call_descriptors_name(d, pid, (int) c->arguments[0]);
        CallProcess *p = call_descriptors_find(d, pid);

        if (!p)
                return -ENOMEM;
        if (c->arguments[0] == (uint64_t) c->result)
                return 0;
        return call_process_open(p, (int) c->result, name ? strdup(name) : NULL, close_on_exec);
}

static int follow_fcntl(CallDescriptors *d, uint32_t pid, const Call *c) {
        const char *command = constant_name(CONSTANTS_FCNTL, (uint32_t) c->arguments[1]);
        CallProcess *p = call_descriptors_find(d, pid);
        uint64_t slot = (uint32_t) c->arguments[0] + UINT64_C(1);

        if (!p)
                return -ENOMEM;
        if (command && startswith(command, "F_DUPFD"))
                return follow_dup(d, pid, c, streq(command, "F_DUPFD_CLOEXEC"));
        if (command && streq(command, "F_SETFD") && slot < p->n)
                p->descriptors[slot].close_on_exec = c->arguments[2] & FD_CLOEXEC;
        return 0;
}

static void follow_close(CallProcess *p, uint64_t first, uint64_t last) {
        for (uint64_t i = first; i <= last && i + 1 < p->n; i++)
                call_process_close(p, (size_t) i + 1);
}

static int follow_directory(CallDescriptors *d, uint32_t pid, const SyscallSignature *s, const Call *c, const CallMemory *memory) {
        const char *name = streq(s->name, "fchdir") ? call_descriptors_name(d, pid, (int) c->arguments[0]) : NULL;
        char *copy = name ? strdup(name) : file_name(d, pid, AT_FDCWD, memory, 0);
        CallProcess *p = call_descriptors_find(d, pid);

        if (!p) {
                free(copy);
                return -ENOMEM;
        }
        return call_process_open(p, AT_FDCWD, copy, false);
}

int call_descriptors_follow(CallDescriptors *d, uint32_t pid, SyscallAbi abi, const Call *c, const CallMemory *memory) {
        const SyscallSignature *s = call_descriptors_want(abi, c->number) ? syscall_signature(abi, c->number) : NULL;
        CallProcess *p = s ? call_descriptors_find(d, pid) : NULL;

        if (!s)
                return 0;
        if (!p)
                return -ENOMEM;
        if (streq(s->name, "close") && c->since > 0) /* it closes even where it fails later */
                follow_close(p, c->arguments[0], c->arguments[0]);
        if (call_failed(c) || c->since == 0)
                return 0;
        for (size_t i = 1; startswith(s->name, "execve") && i < p->n; i++)
                if (p->descriptors[i].close_on_exec)
                        call_process_close(p, i);
        if (streq(s->name, "close_range"))
                follow_close(p, c->arguments[0], c->arguments[1]);
        else if (startswith(s->name, "dup"))
                return follow_dup(d, pid, c, closes_on_exec(s, c));
        else if (startswith(s->name, "fcntl"))
                return follow_fcntl(d, pid, c);
        else if (startswith(s->name, "pipe") || streq(s->name, "socketpair"))
                return follow_pair(d, pid, s, c, memory);
        else if (streq(s->name, "chdir") || streq(s->name, "fchdir"))
                return follow_directory(d, pid, s, c, memory);
        else if (s->result == RESULT_FD)
                return follow_open(d, pid, s, c, memory);
        return 0;
}

bool call_descriptors_want(SyscallAbi abi, uint32_t number) {
        static const char *const names[] = { "close", "close_range", "execve", "execveat", "fcntl", "fcntl64", "pipe", "pipe2",
                                             "socketpair", "chdir", "fchdir" };
        const SyscallSignature *s = syscall_signature(abi, number);

        return s && (s->result == RESULT_FD || ANY_OF(ELEMENTSOF(names), i, streq(names[i], s->name)));
}

bool call_descriptors_are_results(SyscallAbi abi, uint32_t number) {
        const SyscallSignature *s = syscall_signature(abi, number);

        return s && !ANY_OF(SYSCALL_MAX_ARGUMENTS, i,
                            s->arguments[i].kind == ARGUMENT_FD || s->arguments[i].kind == ARGUMENT_DIRFD);
}

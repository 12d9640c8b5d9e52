/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Landlock takes away all rights on files but reading below some places; seccomp lets only the system calls pass that reading
 * files, computing and the demangler's process need. Any other call fails with EPERM, so that a library which tries one goes on.
 * The demangler is forked behind this, and is as restricted. */

#include "sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "strv.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* as gcc does */
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
/* The leak checker traces, which is forbidden here: it would wait for ever. Called by the runtime of the sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
        return "detect_leaks=0";
}
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Rights of later versions than the headers may know. */
#define ACCESS_REFER    (UINT64_C(1) << 13)
#define ACCESS_TRUNCATE (UINT64_C(1) << 14)
#define ACCESS_IOCTL    (UINT64_C(1) << 15)
#define ACCESS_FIRST    ((UINT64_C(1) << 13) - 1)
#define ACCESS_READ     (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

#define KERNELS_MAX 64u /* files in /boot */

static uint64_t rights_of_version(int version) {
        return ACCESS_FIRST | (version >= 2 ? ACCESS_REFER : 0) | (version >= 3 ? ACCESS_TRUNCATE : 0) |
               (version >= 5 ? ACCESS_IOCTL : 0);
}

/* A place that does not exist, or that may not be opened, has no names. */
static int allow_reading(int ruleset, const char *place) {
        _cleanup_close_ int fd = open(place, O_PATH | O_CLOEXEC);
        struct landlock_path_beneath_attr beneath = { .allowed_access = ACCESS_READ, .parent_fd = fd };
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return 0;
        if (!S_ISDIR(st.st_mode))
                beneath.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | (S_ISCHR(st.st_mode) ? LANDLOCK_ACCESS_FS_WRITE_FILE : 0);
        return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) < 0 ? -errno : 0;
}

/* Returns 1; 0: there is none: the kernel does not have it, or a container's filter of system calls does not know it. */
static int restrict_files(const char *const *places) {
        int version = (int) syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
        struct landlock_ruleset_attr attr = { .handled_access_fs = rights_of_version(version) };
        _cleanup_close_ int ruleset = -EBADF;
        int r = 0;

        if (version < 0)
                return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM ? 0 : -errno;
        ruleset = (int) syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
        if (ruleset < 0)
                return -errno;
        for (; r >= 0 && places && *places; places++)
                r = allow_reading(ruleset, *places);
        if (r < 0)
                return r;
        return syscall(SYS_landlock_restrict_self, ruleset, 0) < 0 ? -errno : 1;
}

#ifdef ARCHITECTURE
/* glibc, libelf and zstd call these to read files, have memory, and run a thread or a child. */
static const int allowed[] = {
        SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_lseek, SYS_close, SYS_close_range, SYS_dup, SYS_dup3,
        SYS_openat, SYS_openat2, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_readlinkat, SYS_getdents64,
        SYS_fgetxattr,
        SYS_faccessat, SYS_faccessat2, SYS_getcwd, SYS_uname, SYS_sysinfo,
        SYS_memfd_create, /* memory only: nothing can be executed */
        SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk,
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_setitimer, SYS_ppoll,
        SYS_exit, SYS_exit_group, SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_wait4, SYS_waitid,
        SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_sched_getaffinity, SYS_sched_yield,
        SYS_clock_gettime, SYS_clock_nanosleep, SYS_getrandom, SYS_ftruncate, SYS_socketpair, SYS_recvfrom,
        SYS_recvmsg,
#ifdef __x86_64__
        SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_poll, SYS_fork, SYS_vfork, SYS_arch_prctl,
#endif
};

#define NAMESPACES \
        (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define ALLOW  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

/* stdio asks whether it writes to a terminal, and how wide that is; other requests could type into it. */
static const struct sock_filter filter_ioctl[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TCGETS, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCGWINSZ, 0, 1),
        ALLOW,
        REFUSE,
};

/* The demangler limits itself, and no other process. */
static const struct sock_filter filter_prlimit[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
        ALLOW,
        REFUSE,
};

/* A thread or a child, without namespaces of its own. */
static const struct sock_filter filter_clone[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 1, 0),
        ALLOW,
        REFUSE,
};

#define ALLOW_COMMAND(command, ahead) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (command), (ahead), 0)

/* F_SETOWN and F_SETSIG would have the kernel send any signal to any process of the user. */
static const struct sock_filter filter_fcntl[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 10),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        ALLOW_COMMAND(F_DUPFD, 6),
        ALLOW_COMMAND(F_DUPFD_CLOEXEC, 5),
        ALLOW_COMMAND(F_GETFD, 4),
        ALLOW_COMMAND(F_SETFD, 3),
        ALLOW_COMMAND(F_GETFL, 2),
        ALLOW_COMMAND(F_ADD_SEALS, 1),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GET_SEALS, 0, 1),
        ALLOW,
        REFUSE,
};

/* Only to the other end: with an address, one of a pair of sockets for datagrams reaches any such socket, as the journal's. */
static const struct sock_filter filter_sendto[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 0, 6),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4]) + sizeof(uint32_t)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
        ALLOW,
        REFUSE,
};

static void append(struct sock_filter *filter, unsigned short *n, const struct sock_filter *part, size_t size) {
        memcpy(filter + *n, part, size * sizeof(*part));
        *n = (unsigned short) (*n + size);
}

/* A process without names computes with the descriptors and the memory that it has. Sanitizers need some more. */
static const int allowed_closed[] = {
        SYS_recvmsg, SYS_pread64, SYS_lseek, SYS_close, SYS_fstat,
#ifdef SYS_newfstatat
        SYS_newfstatat, /* fstat() of some C libraries; with a name it is an answer about a file, not its content */
#endif
        SYS_mmap, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_exit, SYS_exit_group, SYS_futex, SYS_rt_sigreturn,
        SYS_restart_syscall,
#ifdef __SANITIZE_ADDRESS__
        SYS_write, SYS_mprotect, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_getpid, SYS_gettid, SYS_sched_yield,
        SYS_clock_gettime,
#endif
};

#define ADD_STATEMENT(filter, n, ...) ((filter)[(n)++] = (struct sock_filter) __VA_ARGS__)

static void append_start(struct sock_filter *filter, unsigned short *n) {
        ADD_STATEMENT(filter, *n, BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
        ADD_STATEMENT(filter, *n, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
        ADD_STATEMENT(filter, *n, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
        ADD_STATEMENT(filter, *n, BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
}

static void append_calls(struct sock_filter *filter, unsigned short *n, const int *calls, size_t n_calls) {
        for (size_t i = 0; i < n_calls; i++) {
                ADD_STATEMENT(filter, *n, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned) calls[i], 0, 1));
                ADD_STATEMENT(filter, *n, ALLOW);
        }
}

static int restrict_calls(void) {
        struct sock_filter filter[4 + ELEMENTSOF(filter_ioctl) + ELEMENTSOF(filter_prlimit) + ELEMENTSOF(filter_clone) +
                                  ELEMENTSOF(filter_fcntl) + ELEMENTSOF(filter_sendto) + 2 * ELEMENTSOF(allowed) + 8];
        struct sock_fprog program = { .filter = filter };
        unsigned short n = 0;

        append_start(filter, &n);
        append(filter, &n, filter_ioctl, ELEMENTSOF(filter_ioctl));
        append(filter, &n, filter_prlimit, ELEMENTSOF(filter_prlimit));
        append(filter, &n, filter_clone, ELEMENTSOF(filter_clone));
        append(filter, &n, filter_fcntl, ELEMENTSOF(filter_fcntl));
        append(filter, &n, filter_sendto, ELEMENTSOF(filter_sendto));
        append_calls(filter, &n, allowed, ELEMENTSOF(allowed));
        /* its flags are in memory, where a filter cannot look; the C library then calls clone() */
        ADD_STATEMENT(filter, n, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
        ADD_STATEMENT(filter, n, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
        ADD_STATEMENT(filter, n, REFUSE);
        program.len = n;
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) < 0 ? -errno : 0;
}

/* By prctl(2), which is for one thread: systemd's set of calls for services (@system-service) lacks seccomp(2) in some
 * versions. */
static int restrict_to_descriptors(void) {
        struct sock_filter filter[4 + ELEMENTSOF(filter_sendto) + 2 * ELEMENTSOF(allowed_closed) + 1];
        struct sock_fprog program = { .filter = filter };
        unsigned short n = 0;

        append_start(filter, &n);
        append(filter, &n, filter_sendto, ELEMENTSOF(filter_sendto));
        append_calls(filter, &n, allowed_closed, ELEMENTSOF(allowed_closed));
        ADD_STATEMENT(filter, n, REFUSE);
        program.len = n;
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0 ? -errno : 0;
}
#else
static int restrict_calls(void) {
        return -ENOSYS;
}

static int restrict_to_descriptors(void) {
        return -ENOSYS;
}
#endif

/* A service's own filter may refuse Landlock, which adds nothing that the filter here needs. */
int sandbox_close(void) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
                return -errno;
        (void) restrict_files(NULL);
        return restrict_to_descriptors();
}

int sandbox_enter(const char *const *places, bool *ret_landlock) {
        int r;

        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
                return -errno;
        r = restrict_files(places);
        if (r < 0)
                return r;
        *ret_landlock = r > 0;
        return restrict_calls();
}

/* Beside the kernels' own files there are initial file systems, which may hold secrets. */
static int list_kernels(char ***places) {
        _cleanup_closedir_ DIR *boot = opendir("/boot");
        const struct dirent *entry;
        unsigned n = 0;
        int r = 0;

        while (r >= 0 && boot && n < KERNELS_MAX && (entry = readdir(boot)))
                if (startswith(entry->d_name, "vmlinux-")) {
                        r = strv_extendf(places, "/boot/%s", entry->d_name);
                        n++;
                }
        return r;
}

int sandbox_list_places(char ***places) {
        static const char *const files[] = {
                "/proc/kallsyms", "/sys/kernel/notes", "/sys/module", "/var/lib", "/proc/self/fd", "/proc/self/statm",
                "/etc/ld.so.cache", "/dev/null",
        };
        static const char *const without[] = { ".", "..", "boot", "dev", "etc", "lost+found", "proc", "root", "run", "sys", "var" };
        _cleanup_closedir_ DIR *root = opendir("/");
        const char *home = secure_getenv("HOME");
        const struct dirent *entry;
        int r = 0;

        if (!root)
                return -errno;
        while (r >= 0 && (entry = readdir(root))) {
                bool left_out = false;

                for (size_t i = 0; i < ELEMENTSOF(without); i++)
                        left_out = left_out || streq(entry->d_name, without[i]);
                if (!left_out)
                        r = strv_extendf(places, "/%s", entry->d_name);
        }
        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(files); i++)
                r = strv_extend(places, files[i]);
        if (r >= 0 && home && *home == '/')
                r = strv_extend(places, home);
        return r < 0 ? r : list_kernels(places);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Landlock takes away all rights on files but reading below some places; seccomp lets only the system calls pass that reading
 * files, computing and the demangler's process need, and opening files only to read them. Any other call fails with EPERM, so that
 * a library which tries one goes on. Root becomes a user who owns nothing, and may only read. The demangler is forked behind this,
 * and is as restricted.
 *
 * Invariant: no file can be changed by its name, with any of the three alone. */

#include "sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "format-text.h"
#include "process-rights.h"
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

/* Rights of later versions than the headers may know. */
#define ACCESS_REFER    (UINT64_C(1) << 13)
#define ACCESS_TRUNCATE (UINT64_C(1) << 14)
#define ACCESS_IOCTL    (UINT64_C(1) << 15)
#define ACCESS_FIRST    ((UINT64_C(1) << 13) - 1)
#define ACCESS_READ     (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

/* ncurses finds the descriptions of terminals there, and in the home directory. */
static const char *const terminal_places[] = { "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo" };

#define KERNELS_MAX 64u /* files in /boot */

/* To read what root may read, and the addresses in /proc/kallsyms. */
#define RIGHTS (PROCESS_CAPABILITY(CAP_DAC_READ_SEARCH) | PROCESS_CAPABILITY(CAP_SYSLOG))

/* By this process, or the one that forked it. */
static bool sandbox_entered;

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
                beneath.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
        return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) < 0 ? -errno : 0;
}

static int allow_reading_terminals(int ruleset) {
        const char *home = secure_getenv("HOME");
        _cleanup_free_ char *own = home && *home == '/' ? format_text("%s/.terminfo", home) : NULL;
        int r = own ? allow_reading(ruleset, own) : 0;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(terminal_places); i++)
                r = allow_reading(ruleset, terminal_places[i]);
        return r;
}

/* Returns 1; 0: there is none: the kernel does not have it, or a container's filter of system calls does not know it. */
static int restrict_files(const char *const *places, unsigned flags) {
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
        if (r >= 0 && flags & SANDBOX_TERMINAL)
                r = allow_reading_terminals(ruleset);
        if (r < 0)
                return r;
        return syscall(SYS_landlock_restrict_self, ruleset, 0) < 0 ? -errno : 1;
}

/* glibc, libelf and zstd call these to read files, have memory, and run a thread or a child. */
static const int allowed[] = {
        SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek), SCMP_SYS(close),
        SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(ftruncate),
        SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(statfs),
        SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
        SCMP_SYS(getdents64), SCMP_SYS(fgetxattr), SCMP_SYS(getcwd), SCMP_SYS(uname), SCMP_SYS(sysinfo),
        SCMP_SYS(memfd_create), /* memory only: nothing can be executed */
        SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(brk),
        SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(setitimer),
        SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(futex), SCMP_SYS(set_robust_list),
        SCMP_SYS(rseq), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(wait4), SCMP_SYS(waitid), SCMP_SYS(arch_prctl),
        SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
        SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield), SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(getrandom),
        SCMP_SYS(socketpair), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg),
        SCMP_SYS(restart_syscall), /* the kernel goes on with a call that waited when the process was stopped */
};

/* ncurses and the loop of a browser wait by these. */
static const int allowed_terminal[] = {
        SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(nanosleep), SCMP_SYS(rt_sigtimedwait),
};

/* A process without names computes with the descriptors and the memory that it has. Sanitizers need some more. */
static const int allowed_closed[] = {
        SCMP_SYS(recvmsg), SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(fstat),
        SCMP_SYS(newfstatat), /* fstat() of some C libraries; with a name it is an answer about a file, not its content */
        SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk), SCMP_SYS(exit), SCMP_SYS(exit_group),
        SCMP_SYS(futex), SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
#ifdef __SANITIZE_ADDRESS__
        SCMP_SYS(write), SCMP_SYS(mprotect), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(sigaltstack),
        SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(sched_yield), SCMP_SYS(clock_gettime),
#endif
};

#define NAMESPACES \
        (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* Opening changes no file without these; O_TMPFILE shares a bit with O_DIRECTORY. */
#define OPEN_CHANGES (O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

/* Calls that are allowed with some arguments only. */
typedef struct AllowedCall {
        int call;
        struct scmp_arg_cmp argument;
} AllowedCall;

static const AllowedCall allowed_if[] = {
        { SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, OPEN_CHANGES, 0) },
        { SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, OPEN_CHANGES, 0) },
        /* stdio asks whether it writes to a terminal, and how wide that is; other requests could type into it */
        { SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TCGETS) },
        { SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TIOCGWINSZ) },
        { SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0) }, /* the demangler limits itself, and no other process */
        { SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, NAMESPACES, 0) }, /* a thread or a child, without namespaces of its own */
        /* F_SETOWN and F_SETSIG would have the kernel send any signal to any process of the user */
        { SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_DUPFD) },
        { SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_DUPFD_CLOEXEC) },
        { SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GETFD) },
        { SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_SETFD) },
        { SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GETFL) },
        { SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_ADD_SEALS) },
        { SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GET_SEALS) },
};

/* The mode of a terminal, and what was typed and not read; nothing that types into it. */
static const AllowedCall allowed_terminal_if[] = {
        { SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TCSETS) },
        { SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TCSETSW) },
        { SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TCSETSF) },
        { SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, TCFLSH) },
};

static int allow_calls(scmp_filter_ctx filter, const int *calls, size_t n) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
        return r;
}

static int allow_calls_if(scmp_filter_ctx filter, const AllowedCall *calls, size_t n) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, calls[i].call, 1, &calls[i].argument);
        return r;
}

/* kill() and raise() of SIGTSTP stop this process, as Ctrl-Z does others. Its children may stop it, too, and that is all. */
static int allow_drawing(scmp_filter_ctx filter) {
        const struct scmp_arg_cmp own = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t) getpid());
        int r = allow_calls(filter, allowed_terminal, ELEMENTSOF(allowed_terminal));

        if (r >= 0)
                r = allow_calls_if(filter, allowed_terminal_if, ELEMENTSOF(allowed_terminal_if));
        if (r >= 0)
                r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 2, own, SCMP_A1(SCMP_CMP_EQ, SIGTSTP));
        if (r >= 0)
                r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 2, own, SCMP_A2(SCMP_CMP_EQ, SIGTSTP));
        return r;
}

/* A filter that refuses all calls but sending to the other end: with an address, one of a pair of sockets for datagrams would reach
 * any such socket, as the journal's. */
static int filter_new(scmp_filter_ctx *ret) {
        scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
        int r = filter ? seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) : -ENOMEM;

        if (r == -EINVAL) /* the library can't ask the kernel where seccomp(2) is refused: the thread is killed, as by default */
                r = 0;
        if (r >= 0)
                r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 1, SCMP_A4(SCMP_CMP_EQ, 0));
        *ret = filter;
        return r;
}

static int restrict_calls(unsigned flags) {
        scmp_filter_ctx filter;
        int r = filter_new(&filter);

        if (r >= 0)
                r = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
        if (r == -EOPNOTSUPP) /* see restrict_to_descriptors(); this process has one thread anyway */
                r = 0;
        if (r >= 0)
                r = allow_calls(filter, allowed, ELEMENTSOF(allowed));
        if (r >= 0)
                r = allow_calls_if(filter, allowed_if, ELEMENTSOF(allowed_if));
        if (r >= 0 && flags & SANDBOX_TERMINAL)
                r = allow_drawing(filter);
        if (r >= 0) /* its flags are in memory, where a filter cannot look; the C library then calls clone() */
                r = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
        if (r >= 0)
                r = seccomp_load(filter);
        seccomp_release(filter);
        return r;
}

/* For one thread: systemd's set of calls for services (@system-service) lacks seccomp(2) in some versions, and the library then
 * calls prctl(2). */
static int restrict_to_descriptors(void) {
        scmp_filter_ctx filter;
        int r = filter_new(&filter);

        if (r >= 0)
                r = allow_calls(filter, allowed_closed, ELEMENTSOF(allowed_closed));
        if (r >= 0)
                r = seccomp_load(filter);
        seccomp_release(filter);
        return r;
}

/* A service's own filter may refuse Landlock, which adds nothing that the filter here needs. */
int sandbox_close(void) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
                return -errno;
        (void) restrict_files(NULL, 0);
        return restrict_to_descriptors();
}

int sandbox_enter(const char *const *places, unsigned flags, bool *ret_landlock) {
        int r;

        if (sandbox_entered)
                return *ret_landlock = true, 0;
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
                return -errno;
        r = restrict_files(places, flags);
        if (r < 0)
                return r;
        *ret_landlock = r > 0;
        (void) process_give_up_rights(RIGHTS);
        r = restrict_calls(flags);
        sandbox_entered = r >= 0;
        return r;
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

        if (sandbox_entered)
                return 0;
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each test restricts a child, since that is for good; whatever is refused is refused to a child of that, too. */

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "perfdata-test.h"
#include "sandbox.h"
#include "strv.h"

#define NO_FORK 98
#define NO_SANDBOX 100

static char *allowed, *outside;

/* Here, and in a child. */
static int run_both(int (*f)(void)) {
        int r = f(), status;
        pid_t pid = fork();

        if (pid == 0)
                _exit(f());
        if (pid < 0 || waitpid(pid, &status, 0) != pid)
                return NO_FORK;
        return r != 0 || !WIFEXITED(status) ? r : WEXITSTATUS(status);
}

/* Returns the exit status of what runs in the sandbox; TEST_SKIPPED: the kernel has no Landlock. */
static int run_inside(const char *const *places, int (*f)(void), bool needs_landlock) {
        bool landlock = false;
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                int r = sandbox_enter(places, 0, &landlock);

                _exit(r < 0 ? NO_SANDBOX : needs_landlock && !landlock ? TEST_SKIPPED : run_both(f));
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status), "status %x", (unsigned) status);
        return WEXITSTATUS(status);
}

static void expect_refused(int (*f)(void), bool needs_landlock) {
        const char *places[] = { test_directory(), "/usr", NULL };
        int status = run_inside(places, f, needs_landlock);

        ck_assert_msg(status == 0 || status == TEST_SKIPPED, "step %d was not refused as expected", status);
}

/* Returns whether a descriptor was refused for lack of rights. */
static bool refused(int fd) {
        return fd < 0 && (errno == EACCES || errno == EPERM);
}

static int try_writing(void) {
        if (!refused(open(allowed, O_WRONLY)))
                return 1;
        if (!refused(open(allowed, O_RDONLY | O_TRUNC)))
                return 2;
        if (!refused(open(outside, O_WRONLY | O_CREAT, 0600)) || !refused(open(allowed, O_RDWR)))
                return 3;
        if (!refused(open(allowed, 3 | O_TRUNC)) || !refused(openat(AT_FDCWD, allowed, 3 | O_TRUNC))) /* needs no right to read */
                return 7;
        if (!refused(open("/tmp", O_TMPFILE | O_RDWR, 0600)) || !refused(open("/dev/null", O_WRONLY)))
                return 8;
        if (open(allowed, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) < 0 || open("/usr", O_RDONLY | O_DIRECTORY) < 0)
                return 9;
        if (!refused(unlink(allowed)))
                return 4;
        if (!refused(mkdir("/tmp/sandbox-was-left", 0700)))
                return 5;
        return !refused(rename(allowed, outside)) ? 6 : 0;
}

static int try_connecting(void) {
        static const int families[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET };

        for (size_t i = 0; i < ELEMENTSOF(families); i++)
                if (!refused(socket(families[i], SOCK_STREAM, 0)) || errno != EPERM)
                        return (int) i + 1;
        return 0;
}

static int try_executing(void) {
        char *const words[] = { (char *) "true", NULL };

        (void) execv("/bin/true", words);
        if (errno != EPERM && errno != EACCES)
                return 1;
        (void) fexecve(STDIN_FILENO, words, words);
        return errno == EPERM || errno == EACCES ? 0 : 2;
}

static int try_tracing(void) {
        struct rlimit limit;

        if (ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0 || errno != EPERM)
                return 1;
        if (kill(getppid(), 0) == 0 || errno != EPERM)
                return 2;
        if (syscall(SYS_tgkill, getppid(), getppid(), 0) == 0 || errno != EPERM)
                return 3;
        return prlimit(getppid(), RLIMIT_CORE, NULL, &limit) == 0 || errno != EPERM ? 4 : 0;
}

static int try_namespaces(void) {
        static const int flags[] = { CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID };
        struct rlimit limit;
        pid_t pid;

        for (size_t i = 0; i < ELEMENTSOF(flags); i++) {
                if (unshare(flags[i]) == 0 || errno != EPERM)
                        return 1;
                if (syscall(SYS_clone, flags[i] | SIGCHLD, NULL, NULL, NULL, NULL) >= 0 || errno != EPERM)
                        return 2;
        }
        if (getrlimit(RLIMIT_CORE, &limit) < 0)
                return 3;
        pid = fork();
        if (pid == 0)
                _exit(0);
        return pid < 0 || waitpid(pid, NULL, 0) != pid ? 4 : 0;
}

static int try_reading_outside(void) {
        _cleanup_close_ int fd = open(allowed, O_RDONLY | O_CLOEXEC);

        if (fd < 0)
                return 1;
        if (!refused(open("/etc/passwd", O_RDONLY)))
                return 2;
        if (!refused(open("/proc/self/environ", O_RDONLY)))
                return 3;
        return !refused(open("/", O_RDONLY | O_DIRECTORY)) ? 4 : 0;
}

#define CALL(name) { #name, SYS_##name }
static const struct {
        const char *name;
        long number;
} refused_calls[] = {
        CALL(execve), CALL(execveat), CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev), CALL(kcmp),
        CALL(kill), CALL(tkill), CALL(tgkill), CALL(rt_sigqueueinfo), CALL(pidfd_open), CALL(pidfd_getfd),
        CALL(pidfd_send_signal), CALL(io_uring_setup), CALL(io_uring_enter), CALL(io_uring_register), CALL(bpf),
        CALL(perf_event_open), CALL(userfaultfd), CALL(socket), CALL(connect), CALL(bind), CALL(listen), CALL(accept),
        CALL(accept4), CALL(sendmsg), CALL(sendmmsg), CALL(setsockopt), CALL(mount), CALL(umount2),
        CALL(pivot_root), CALL(chroot), CALL(chdir), CALL(fchdir), CALL(open_tree), CALL(move_mount), CALL(fsopen),
        CALL(mount_setattr), CALL(setns), CALL(unshare), CALL(open_by_handle_at), CALL(mknodat), CALL(mkdirat),
        CALL(unlinkat), CALL(renameat2), CALL(linkat), CALL(symlinkat), CALL(fchmod), CALL(fchmodat), CALL(fchown),
        CALL(fchownat), CALL(utimensat), CALL(truncate), CALL(fallocate), CALL(setxattr), CALL(fsetxattr),
        CALL(fremovexattr), CALL(sendfile), CALL(splice), CALL(tee), CALL(vmsplice), CALL(copy_file_range),
        CALL(pwrite64), CALL(inotify_init1), CALL(fanotify_init), CALL(quotactl), CALL(swapon), CALL(acct),
        CALL(syslog), CALL(add_key), CALL(keyctl), CALL(request_key), CALL(init_module), CALL(finit_module),
        CALL(delete_module), CALL(kexec_load), CALL(reboot), CALL(setuid), CALL(setresuid), CALL(setgid),
        CALL(setgroups), CALL(capset), CALL(prctl), CALL(seccomp), CALL(personality), CALL(setpriority),
        CALL(sched_setaffinity), CALL(sched_setscheduler), CALL(ioprio_set), CALL(setpgid), CALL(setsid),
        CALL(shmget), CALL(shmat), CALL(semget), CALL(msgget), CALL(mq_open), CALL(timer_create), CALL(clock_settime),
        CALL(settimeofday), CALL(adjtimex), CALL(sethostname), CALL(memfd_secret), CALL(landlock_restrict_self),
};

static int try_each_call(void) {
        for (size_t i = 0; i < ELEMENTSOF(refused_calls); i++)
                if (syscall(refused_calls[i].number, -1, -1, -1, -1, -1, -1) != -1 || errno != EPERM) {
                        (void) fprintf(stderr, "%s was not refused: %s\n", refused_calls[i].name, strerror(errno));
                        return 1;
                }
        return 0;
}

static int try_executing_memory(void) {
        static const char program[] = "#!/bin/sh\n";
        char *const words[] = { (char *) "memory", NULL };
        int fd = (int) syscall(SYS_memfd_create, "program", 0);

        if (fd < 0 || write(fd, program, strlen(program)) < 0)
                return 1;
        (void) fexecve(fd, words, words);
        if (errno != EPERM && errno != EACCES)
                return 2;
        (void) syscall(SYS_execveat, fd, "", words, words, AT_EMPTY_PATH);
        return errno == EPERM ? 0 : 3;
}

static int try_typing(void) {
        char c = 'x';

        if (ioctl(STDIN_FILENO, TIOCSTI, &c) == 0 || errno != EPERM)
                return 1;
        return ioctl(STDIN_FILENO, FIONBIO, &c) == 0 || errno != EPERM ? 2 : 0;
}

static struct sockaddr_un listener = { .sun_family = AF_UNIX };
static int listener_fd = -EBADF;

/* A socket for datagrams may send to any other, though it is one of a pair. */
static int try_sending(void) {
        int fds[2];

        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) < 0)
                return 1;
        if (sendto(fds[0], "x", 1, 0, (const struct sockaddr *) &listener, sizeof(listener)) >= 0 || errno != EPERM)
                return 2;
        if (sendto(listener_fd, "x", 1, 0, (const struct sockaddr *) &listener, sizeof(listener)) >= 0 ||
            errno != EPERM)
                return 3;
        return send(fds[0], "x", 1, 0) == 1 ? 0 : 4;
}

/* The kernel sends a signal to the owner of a descriptor when that can be read or written. */
static int try_owning(void) {
        struct f_owner_ex owner = { .type = F_OWNER_PID, .pid = getppid() };
        int fds[2];

        if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0)
                return 1;
        if (fcntl(fds[0], F_SETOWN, getppid()) == 0 || errno != EPERM)
                return 2;
        if (fcntl(fds[0], F_SETOWN_EX, &owner) == 0 || errno != EPERM)
                return 3;
        if (fcntl(fds[0], F_SETSIG, SIGKILL) == 0 || errno != EPERM)
                return 4;
        if (fcntl(fds[0], F_SETFL, O_ASYNC) == 0 || errno != EPERM)
                return 5;
        return fcntl(fds[0], F_GETFL) >= 0 && fcntl(fds[0], F_DUPFD_CLOEXEC, 3) >= 0 ? 0 : 6;
}

static char *symlink_out;
static int etc = -EBADF; /* a descriptor that was opened before */

/* With the viewer's own places. */
static int try_reading_secrets(void) {
        static const char *const paths[] = {
                "/etc/shadow", "/etc/passwd", "/etc/ssl/openssl.cnf", "/root", "/run/systemd",
                "/run/dbus/system_bus_socket", "/var/log", "/var/spool", "/var/tmp", "/boot", "/dev/mem", "/dev/kmsg",
                "/dev/random", "/proc/self/environ", "/proc/self/mem", "/proc/self/maps",
                "/proc/self/root/etc/passwd", "/proc/1/environ", "/proc/1/cmdline", "/proc/meminfo",
                "/sys/kernel/btf/vmlinux", "/sys/class", "/proc/sys/kernel/hostname",
        };

        for (size_t i = 0; i < ELEMENTSOF(paths); i++)
                if (open(paths[i], O_RDONLY | O_NONBLOCK) >= 0 ||
                    (errno != EACCES && errno != ENOENT && errno != ELOOP)) {
                        (void) fprintf(stderr, "%s was not refused: %s\n", paths[i], strerror(errno));
                        return 1;
                }
        if (!refused(open("/etc/passwd", O_RDONLY)) || !refused(open("/proc/self/environ", O_RDONLY)))
                return 2;
        if (!refused(open(symlink_out, O_RDONLY)) || !refused(openat(etc, "passwd", O_RDONLY)))
                return 3;
        if (!refused(open("/proc/self/fd/../environ", O_RDONLY)) || !refused(open("/usr/../etc/passwd", O_RDONLY)))
                return 4;
        return open("/usr/bin", O_RDONLY | O_DIRECTORY) >= 0 && open(allowed, O_RDONLY) >= 0 ? 0 : 5;
}

#ifdef __x86_64__
/* getpid() of a program of 32 bits. */
static int call_as_other_architecture(void) {
        long r;

        __asm__ volatile("int $0x80" : "=a"(r) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
        return r > 0 ? 1 : 2;
}

/* getpid() of a program whose pointers have 32 bits. */
static int call_by_other_number(void) {
        return syscall(SYS_getpid | 0x40000000) > 0 ? 1 : 2;
}

static int enter_for_good(void) {
        bool landlock;

        return sandbox_enter(NULL, 0, &landlock);
}

static void expect_killed(int (*enter)(void), int (*call)(void)) {
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                (void) signal(SIGSEGV, SIG_DFL); /* a kernel that runs no such program has this in the way, and a sanitizer handles it */
                _exit(enter() < 0 ? NO_SANDBOX : call());
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFSIGNALED(status), "status %x", (unsigned) status);
}
#endif

static void prepare(void) {
        allowed = test_path("allowed");
        outside = test_path("new");
        test_write_file(allowed, "x", 1);
}

START_TEST(no_writing) {
        prepare();
        expect_refused(try_writing, false);
}
END_TEST

START_TEST(no_connecting) {
        expect_refused(try_connecting, false);
}
END_TEST

START_TEST(no_executing) {
        expect_refused(try_executing, false);
}
END_TEST

START_TEST(no_tracing) {
        expect_refused(try_tracing, false);
}
END_TEST

START_TEST(no_namespaces) {
        expect_refused(try_namespaces, false);
}
END_TEST

START_TEST(no_reading_outside) {
        prepare();
        expect_refused(try_reading_outside, true);
}
END_TEST

START_TEST(no_other_calls) {
        expect_refused(try_each_call, false);
        expect_refused(try_executing_memory, false);
        expect_refused(try_typing, false);
}
END_TEST

START_TEST(no_other_architecture) {
#ifdef __x86_64__
        expect_killed(enter_for_good, call_as_other_architecture);
        expect_killed(enter_for_good, call_by_other_number);
        expect_killed(sandbox_close, call_as_other_architecture);
        expect_killed(sandbox_close, call_by_other_number);
#endif
}
END_TEST

START_TEST(no_sending) {
        (void) snprintf(listener.sun_path + 1, sizeof(listener.sun_path) - 1, "%s", test_directory());
        listener_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        ck_assert_int_eq(bind(listener_fd, (const struct sockaddr *) &listener, sizeof(listener)), 0);
        expect_refused(try_sending, false);
        expect_refused(try_owning, false);
        ck_assert_int_eq(recv(listener_fd, (char[2]) {}, 1, MSG_DONTWAIT), -1);
        listener_fd = safe_close(listener_fd);
}
END_TEST

/* The viewer's sandbox allows these for its places and its demangler. */
static int try_naming(void) {
        static const long numbers[] = {
                SYS_openat, SYS_openat2, SYS_readlinkat, SYS_getdents64, SYS_statx, SYS_faccessat, SYS_statfs, SYS_memfd_create,
                SYS_clone, SYS_clone3, SYS_wait4, SYS_socketpair, SYS_fcntl, SYS_ioctl, SYS_prlimit64, SYS_ftruncate, SYS_dup3,
                SYS_writev,
#ifdef __x86_64__
                SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_readlink, SYS_fork, SYS_vfork,
#endif
        };

        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (syscall(numbers[i], -1, -1, -1, -1, -1, -1) != -1 || errno != EPERM)
                        return (int) i + 1;
        return 0;
}

static int try_closed(void) {
        char byte = 0;
        int r;

        if (sandbox_close() < 0)
                return NO_SANDBOX;
        r = try_naming();
        if (r == 0)
                r = try_each_call() == 0 ? 0 : 90;
        if (r == 0 && (sendto(listener_fd, "x", 1, 0, (const struct sockaddr *) &listener, sizeof(listener)) >= 0 ||
                       errno != EPERM))
                r = 92;
        if (r == 0 && (pread(etc, &byte, 1, 0) != 1 || send(listener_fd, &byte, 1, 0) != 1))
                r = 93;
        return r;
}

START_TEST(descriptors_only) {
        int pair[2], status;
        char byte;
        pid_t pid;

        etc = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
        ck_assert_int_ge(etc, 0);
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
        listener_fd = pair[0];
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                _exit(try_closed());
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned) status);
        ck_assert_int_eq(recv(pair[1], &byte, 1, MSG_DONTWAIT), 1);
        (void) close(pair[0]);
        (void) close(pair[1]);
        etc = safe_close(etc);
}
END_TEST

/* The filter of a container that is older than the kernel; with_seccomp: of a service, which refuses seccomp(2), too. */
static int refuse_landlock(bool with_seccomp) {
        struct sock_filter filter[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 1, 0),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, with_seccomp ? SYS_seccomp : SYS_landlock_create_ruleset, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        const struct sock_fprog program = { .len = ELEMENTSOF(filter), .filter = filter };

        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
                return -errno;
        return 0;
}

static void expect_refused_without_landlock(int (*try)(void), bool without_seccomp) {
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                bool landlock = true;

                _exit(refuse_landlock(without_seccomp) < 0 ? TEST_SKIPPED :
                      sandbox_enter(NULL, 0, &landlock) < 0 ? 90 : landlock ? 91 : try());
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(status == 0, "status %x", (unsigned) status);
}

START_TEST(without_landlock) {
        prepare();
        for (unsigned i = 0; i < 2; i++) {
                expect_refused_without_landlock(try_executing, i > 0);
                expect_refused_without_landlock(try_writing, i > 0);
        }
}
END_TEST

static int terminal = -EBADF;
static volatile sig_atomic_t stops;

static void count_stop(int sig) {
        stops++;
}

static bool refused_kill(pid_t pid, int sig) {
        return kill(pid, sig) < 0 && errno == EPERM;
}

/* A browser sets the mode of its terminal, and stops itself. */
static int try_drawing(void) {
        static const int when[] = { TCSANOW, TCSADRAIN, TCSAFLUSH };
        struct termios mode;
        char c = 'x';

        if (tcgetattr(terminal, &mode) < 0)
                return 1;
        for (size_t i = 0; i < ELEMENTSOF(when); i++) {
                mode.c_lflag ^= ECHO;
                if (tcsetattr(terminal, when[i], &mode) < 0)
                        return 2;
        }
        if (tcflush(terminal, TCIFLUSH) < 0)
                return 3;
        if (ioctl(terminal, TIOCSTI, &c) == 0 || errno != EPERM)
                return 4;
        if (ioctl(terminal, TIOCSCTTY, 0) == 0 || errno != EPERM)
                return 5;
        (void) signal(SIGTSTP, count_stop);
        if (raise(SIGTSTP) != 0 || kill(getpid(), SIGTSTP) < 0 || stops != 2)
                return 6;
        if (!refused_kill(getpid(), 0) || !refused_kill(getpid(), SIGTERM) || !refused_kill(getppid(), SIGTSTP) ||
            !refused_kill(0, SIGTSTP) || !refused_kill(-1, SIGTSTP))
                return 7;
        if (syscall(SYS_tgkill, getpid(), getpid(), SIGTERM) == 0 || errno != EPERM)
                return 8;
        if (syscall(SYS_tgkill, getppid(), getppid(), SIGTSTP) == 0 || errno != EPERM)
                return 9;
        return try_connecting() != 0 ? 10 : 0;
}

static int try_reading_terminals(void) {
        return open("/lib/terminfo", O_RDONLY | O_DIRECTORY) < 0 && errno != ENOENT ? 1 :
                !refused(open("/etc/passwd", O_RDONLY)) ? 2 :
                !refused(open("/lib", O_RDONLY | O_DIRECTORY)) ? 3 : 0;
}

static int run_drawing(unsigned flags, int (*f)(void)) {
        bool landlock;
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                _exit(sandbox_enter(NULL, flags, &landlock) < 0 ? NO_SANDBOX : f != try_drawing && !landlock ? TEST_SKIPPED : f());
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status), "status %x", (unsigned) status);
        return WEXITSTATUS(status);
}

START_TEST(terminals) {
        int other, status;

        ck_assert_int_eq(openpty(&other, &terminal, NULL, NULL, NULL), 0);
        ck_assert_int_eq(run_drawing(SANDBOX_TERMINAL, try_drawing), 0);
        ck_assert_int_eq(run_drawing(0, try_drawing), 2);
        status = run_drawing(SANDBOX_TERMINAL, try_reading_terminals);
        ck_assert_msg(status == 0 || status == TEST_SKIPPED, "status %d", status);
        terminal = safe_close(terminal);
        (void) close(other);
}
END_TEST

/* It stops by its own signal, and a wait goes on when it is continued. */
START_TEST(stopping) {
        bool landlock;
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                (void) setpgid(0, 0); /* a group whose parent is elsewhere can be stopped */
                if (sandbox_enter(NULL, SANDBOX_TERMINAL, &landlock) < 0 || raise(SIGTSTP) != 0)
                        _exit(1);
                _exit(poll(NULL, 0, 200) != 0 ? 2 : 0);
        }
        ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
        ck_assert_msg(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTSTP, "status %x", (unsigned) status);
        ck_assert_int_eq(kill(pid, SIGCONT), 0);
        (void) usleep(50000);
        ck_assert_int_eq(kill(pid, SIGSTOP), 0);
        ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
        ck_assert_msg(WIFSTOPPED(status), "status %x", (unsigned) status);
        ck_assert_int_eq(kill(pid, SIGCONT), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned) status);
}
END_TEST

static int try_entering_again(void) {
        _cleanup_strv_free_ char **places = NULL;
        bool landlock = false;
        int r = sandbox_list_places(&places);

        if (r < 0 || places)
                return 20;
        return sandbox_enter((const char *const[]) { "/", NULL }, SANDBOX_TERMINAL, &landlock) < 0 || !landlock ? 21 : try_writing();
}

START_TEST(entering_twice) {
        prepare();
        expect_refused(try_entering_again, false);
}
END_TEST

START_TEST(no_secrets) {
        _cleanup_strv_free_ char **places = NULL;
        int status;

        prepare();
        symlink_out = test_path("symlink");
        ck_assert_int_eq(symlink("/etc/passwd", symlink_out), 0);
        etc = open("/etc", O_PATH | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_ge(etc, 0);
        (void) unsetenv("HOME");
        ck_assert_ok(sandbox_list_places(&places));
        ck_assert_ok(strv_extend(&places, test_directory()));
        status = run_inside((const char *const *) places, try_reading_secrets, true);
        ck_assert_msg(status == 0 || status == TEST_SKIPPED, "step %d was not refused as expected", status);
}
END_TEST

TEST_RUN("sandbox", no_writing, no_connecting, no_executing, no_tracing, no_namespaces, no_reading_outside, without_landlock,
         no_other_calls, no_other_architecture, no_sending, descriptors_only, terminals, stopping, entering_twice, no_secrets);

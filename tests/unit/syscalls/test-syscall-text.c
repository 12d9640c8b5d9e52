/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The lines are those of strace 6.1 and of perf trace 6.1 for the same calls, but for descriptors, pointers and times; where they were not
 * right, a comment says so. */

#include "check-main.h"
#include "syscall-text.h"

static const char *descriptor_name(void *userdata, int fd) {
        return fd == 3 ? "/etc/ld.so.cache" : fd == -100 ? "/root" : fd == 9 ? "/tmp/<\n>" : NULL;
}

static const char *thread_name(void *userdata, uint32_t tid) {
        return tid == 77 ? "true" : NULL;
}

typedef struct TestCall {
        const char *name;
        uint64_t arguments[SYSCALL_MAX_ARGUMENTS];
        SyscallMemory memory[3];
        size_t n_memory;
        bool returned;
        int64_t result;
        SyscallAbi abi;
} TestCall;

static void put_call(TextBuffer *b, const TestCall *t, SyscallStyle style) {
        SyscallTextOptions o = { .style = style, .descriptor_names = true };
        int number = syscall_number(t->abi, t->name);
        SyscallCall c = {
                .abi = t->abi, .number = number >= 0 ? (uint32_t) number : 999, .returned = t->returned, .result = t->result,
                .memory = t->memory, .n_memory = t->n_memory, .descriptor_name = descriptor_name, .thread_name = thread_name,
        };

        memcpy(c.arguments, t->arguments, sizeof(c.arguments));
        syscall_put_name(b, c.abi, c.number);
        text_buffer_putc(b, '(');
        syscall_put_arguments(b, &c, &o);
        text_buffer_puts(b, ") = ");
        syscall_put_result(b, &c, &o);
        text_buffer_putc(b, '\0');
}

/* Compares a call in both styles. NULL: not compared. */
static void check_call(const TestCall *t, const char *strace, const char *perf) {
        _cleanup_(text_buffer_done) TextBuffer s = {}, p = {};

        put_call(&s, t, SYSCALL_STYLE_STRACE);
        put_call(&p, t, SYSCALL_STYLE_PERF);
        if (strace)
                ck_assert_str_eq(s.data, strace);
        if (perf)
                ck_assert_str_eq(p.data, perf);
}

#define TEXT(argument, text) { argument, false, sizeof(text), (const uint8_t *) (text) }
#define BYTES(argument, text) { argument, false, sizeof(text) - 1, (const uint8_t *) (text) }
#define CALL(name, ...) (&(TestCall) { name, { __VA_ARGS__ }, .returned = true })
#define WITH(name, result_, memory_, ...) (&(TestCall) { name, { __VA_ARGS__ }, { memory_ }, 1, true, result_ })
#define RETURNS(name, result_, ...) (&(TestCall) { name, { __VA_ARGS__ }, .returned = true, .result = result_ })
#define X_PATH TEXT(1, "/nonexist/x")
#define CWD UINT64_MAX - 99

START_TEST(files) {
        check_call(WITH("openat", 3, TEXT(1, "/etc/ld.so.cache"), CWD, 0x1000, 02000000, 0),
                   "openat(AT_FDCWD</root>, \"/etc/ld.so.cache\", O_RDONLY|O_CLOEXEC) = 3</etc/ld.so.cache>",
                   "openat(dfd: CWD, filename: \"/etc/ld.so.cache\", flags: RDONLY|CLOEXEC) = 3");
        check_call(WITH("openat", -2, X_PATH, CWD, 0x1000, 0102, 0600),
                   "openat(AT_FDCWD</root>, \"/nonexist/x\", O_RDWR|O_CREAT, 0600) = -1 ENOENT (No such file or directory)",
                   "openat(dfd: CWD, filename: \"/nonexist/x\", flags: RDWR|CREAT, mode: IRUSR|IWUSR) = -1 ENOENT (No such file or directory)");
        check_call(RETURNS("openat", 5, CWD, 0x7f0000001000, 0, 0), "openat(AT_FDCWD</root>, 0x7f0000001000, O_RDONLY) = 5",
                   "openat(dfd: CWD, filename: 0x7f0000001000, flags: RDONLY) = 5");
        check_call(WITH("openat", -2, X_PATH, 0xffffff9c, 0x1000, 0102, 0600),
                   "openat(AT_FDCWD</root>, \"/nonexist/x\", O_RDWR|O_CREAT, 0600) = -1 ENOENT (No such file or directory)", NULL);
        check_call(RETURNS("chmod", -2, 0x1000, 04755), "chmod(0x1000, 04755) = -1 ENOENT (No such file or directory)",
                   "chmod(filename: 0x1000, mode: IRUGO|IXUGO|ISUID|IWUSR) = -1 ENOENT (No such file or directory)");
        check_call(RETURNS("mknod", -2, 0x1000, 010644, 0), "mknod(0x1000, S_IFIFO|0644) = -1 ENOENT (No such file or directory)",
                   "mknod(filename: 0x1000, mode: IRUGO|IFIFO|IWUSR) = -1 ENOENT (No such file or directory)");
        check_call(CALL("mknod", 0x1000, 020600, 0x103), "mknod(0x1000, S_IFCHR|0600, makedev(0x1, 0x3)) = 0", NULL);
        check_call(RETURNS("access", -2, 0x1000, 7), "access(0x1000, R_OK|W_OK|X_OK) = -1 ENOENT (No such file or directory)",
                   "access(filename: 0x1000, mode: RWX) = -1 ENOENT (No such file or directory)");
        check_call(RETURNS("access", -2, 0x1000, 0), "access(0x1000, F_OK) = -1 ENOENT (No such file or directory)",
                   "access(filename: 0x1000) = -1 ENOENT (No such file or directory)");
        check_call(RETURNS("lseek", 0, 0, (uint64_t) -5, 1), "lseek(0, -5, SEEK_CUR) = 0", "lseek(offset: -5, whence: CUR) = 0");
        check_call(RETURNS("lseek", -22, 0, 7, 9), "lseek(0, 7, 0x9 /* SEEK_??? */) = -1 EINVAL (Invalid argument)",
                   "lseek(offset: 7, whence: 9) = -1 EINVAL (Invalid argument)");
        check_call(CALL("umask", 0777), "umask(0777) = 000", NULL);
        check_call(RETURNS("umask", 022, 0), "umask(000) = 022", "umask() = 18");
        check_call(CALL("flock", 3, 6), "flock(3</etc/ld.so.cache>, LOCK_EX|LOCK_NB) = 0",
                   "flock(fd: 3</etc/ld.so.cache>, cmd: EX|NB) = 0");
        /* perf trace 6.1 puts numbers here. */
        check_call(CALL("newfstatat", CWD, 0x1000, 0x2000, 0x100),
                   "newfstatat(AT_FDCWD</root>, 0x1000, 0x2000, AT_SYMLINK_NOFOLLOW) = 0",
                   "newfstatat(dfd: CWD, filename: 0x1000, statbuf: 0x2000, flag: SYMLINK_NOFOLLOW) = 0");
        check_call(CALL("statx", CWD, 0x1000, 0x100, 0x7ff, 0x2000),
                   "statx(AT_FDCWD</root>, 0x1000, AT_STATX_SYNC_AS_STAT|AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, 0x2000) = 0", NULL);
}
END_TEST

START_TEST(descriptors) {
        check_call(RETURNS("dup2", 50, 3, 50), "dup2(3</etc/ld.so.cache>, 50) = 50", "dup2(oldfd: 3</etc/ld.so.cache>, newfd: 50) = 50");
        check_call(CALL("close", 9), "close(9</tmp/\\74\\n\\76>) = 0", NULL);
        check_call(RETURNS("fcntl", 02, 5, 3), "fcntl(5, F_GETFL) = 0x2 (flags O_RDWR)", "fcntl(fd: 5, cmd: GETFL) = RDWR");
        check_call(RETURNS("fcntl", 1, 5, 1), "fcntl(5, F_GETFD) = 0x1 (flags FD_CLOEXEC)", "fcntl(fd: 5, cmd: GETFD) = CLOEXEC");
        check_call(RETURNS("fcntl", 0, 5, 1), "fcntl(5, F_GETFD) = 0", NULL);
        check_call(CALL("fcntl", 5, 2, 1), "fcntl(5, F_SETFD, FD_CLOEXEC) = 0", "fcntl(fd: 5, cmd: SETFD, arg: CLOEXEC) = 0");
        check_call(CALL("fcntl", 0, 4, 04000), "fcntl(0, F_SETFL, O_RDONLY|O_NONBLOCK) = 0",
                   "fcntl(cmd: SETFL, arg: RDONLY|NONBLOCK) = 0");
        check_call(RETURNS("fcntl", 3, 5, 1030, 5), "fcntl(5, F_DUPFD_CLOEXEC, 5) = 3</etc/ld.so.cache>",
                   "fcntl(fd: 5, cmd: DUPFD_CLOEXEC, arg: 5) = 3");
        check_call(RETURNS("ioctl", -25, 5, 0x5401, 0x1000), "ioctl(5, TCGETS, 0x1000) = -1 ENOTTY (Inappropriate ioctl for device)",
                   "ioctl(fd: 5, cmd: TCGETS, arg: 0x1000) = -1 ENOTTY (Inappropriate ioctl for device)");
        check_call(CALL("ioctl", 5, 0x12345678, 0x1000), "ioctl(5, _IOC(_IOC_NONE, 0x56, 0x78, 0x1234), 0x1000) = 0",
                   "ioctl(fd: 5, cmd: (NONE, 0x56, 0x78, 0x1234), arg: 0x1000) = 0");
        check_call(CALL("pipe2", 0x1000, 02004000), "pipe2(0x1000, O_NONBLOCK|O_CLOEXEC) = 0", NULL);
        check_call(WITH("pipe2", 0, BYTES(0, "\3\0\0\0\5\0\0\0"), 0x1000, 0), "pipe2([3</etc/ld.so.cache>, 5], 0) = 0", NULL);
        check_call(CALL("epoll_ctl", 6, 1, 3, 0x1000), "epoll_ctl(6, EPOLL_CTL_ADD, 3</etc/ld.so.cache>, 0x1000) = 0",
                   "epoll_ctl(epfd: 6, op: ADD, fd: 3</etc/ld.so.cache>, event: 0x1000) = 0");
        check_call(WITH("poll", 0, BYTES(0, "\5\0\0\0\1\0\0\0"), 0x1000, 1, 1), "poll([{fd=5, events=POLLIN}], 1, 1) = 0 (Timeout)",
                   "poll(ufds: [{ .fd: 5, .events: IN }], nfds: 1, timeout_msecs: 1) = 0 (Timeout)");
}
END_TEST

START_TEST(buffers) {
        static const char elf[] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0";

        check_call(WITH("read", 832, BYTES(1, elf), 3, 0x1000, 832),
                   "read(3</etc/ld.so.cache>, \"\\177ELF\\2\\1\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\3\\0>\\0\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\"..., 832) = 832",
                   NULL);
        check_call(WITH("write", 5, BYTES(1, "\227\305\301Y\254"), 1, 0x1000, 5), "write(1, \"\\227\\305\\301Y\\254\", 5) = 5", NULL);
        check_call(WITH("write", 4, BYTES(1, "a\0" "7\0"), 1, 0x1000, 4), "write(1, \"a\\0007\\0\", 4) = 4", NULL);
        check_call(WITH("write", 6, BYTES(1, "\"\\\t\n\r\v"), 1, 0x1000, 6), "write(1, \"\\\"\\\\\\t\\n\\r\\v\", 6) = 6",
                   "write(fd: 1, buf: \"\\\"\\\\\\t\\n\\r\\v\", count: 6) = 6");
        check_call(WITH("write", 5, BYTES(1, "\xc3\xa4\xc2\x9b\xff"), 1, 0x1000, 5),
                   "write(1, \"\\303\\244\\302\\233\\377\", 5) = 5", "write(fd: 1, buf: \"\xc3\xa4\\302\\233\\377\", count: 5) = 5");
        check_call(WITH("read", 0, BYTES(1, "old"), 5, 0x1000, 5), "read(5, \"\", 5) = 0", NULL);
        check_call(WITH("read", -9, BYTES(1, "old"), 5, 0x1000, 5), "read(5, 0x1000, 5) = -1 EBADF (Bad file descriptor)", NULL);
        check_call(WITH("getcwd", 12, TEXT(0, "/tmp/w/h-tr"), 0x1000, 4096), "getcwd(\"/tmp/w/h-tr\", 4096) = 12", NULL);
        check_call(WITH("execve", 0, BYTES(1, "ls\0/etc\0"), 0x1000, 0x2000, 0x3000), "execve(0x1000, [\"ls\", \"/etc\"], 0x3000) = 0", NULL);
}
END_TEST

START_TEST(memory) {
        check_call(RETURNS("mmap", 0x7f698a27f000, 0, 8192, 3, 0x22, (uint64_t) -1, 0),
                   "mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f698a27f000",
                   "mmap(len: 8192, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS) = 0x7f698a27f000");
        check_call(RETURNS("mmap", 0x7f698a24d000, 0x7f698a24d000, 110592, 5, 0x812, 4, 0x7000),
                   "mmap(0x7f698a24d000, 110592, PROT_READ|PROT_EXEC, MAP_PRIVATE|MAP_FIXED|MAP_DENYWRITE, 4, 0x7000) = 0x7f698a24d000",
                   "mmap(addr: 0x7f698a24d000, len: 110592, prot: READ|EXEC, flags: PRIVATE|FIXED|DENYWRITE, fd: 4, off: 0x7000) = 0x7f698a24d000");
        check_call(RETURNS("brk", 0x56032ca97000, 0), "brk(NULL) = 0x56032ca97000", "brk() = 0x56032ca97000");
        check_call(RETURNS("madvise", -22, 0x1000, 4096, 4), "madvise(0x1000, 4096, MADV_DONTNEED) = -1 EINVAL (Invalid argument)",
                   "madvise(start: 0x1000, len_in: 4096, behavior: MADV_DONTNEED) = -1 EINVAL (Invalid argument)");
        check_call(RETURNS("mremap", -22, 0x1000, 4096, 8192, 1, 0), "mremap(0x1000, 4096, 8192, MREMAP_MAYMOVE) = -1 EINVAL (Invalid argument)",
                   "mremap(addr: 0x1000, old_len: 4096, new_len: 8192, flags: MAYMOVE) = -1 EINVAL (Invalid argument)");
        check_call(CALL("mprotect", 0x1000, 4096, 0), "mprotect(0x1000, 4096, PROT_NONE) = 0", "mprotect(start: 0x1000, len: 4096, prot: NONE) = 0");
}
END_TEST

START_TEST(processes) {
        check_call(RETURNS("clone", 77, 0x01200011, 0, 0, 0x7f0000, 0),
                   "clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7f0000) = 77",
                   "clone(clone_flags: CHILD_CLEARTID|CHILD_SETTID|CHLD, child_tidptr: 0x7f0000) = 77 (true)");
        check_call(RETURNS("wait4", 77, (uint64_t) -1, 0x1000, 1, 0), "wait4(-1, 0x1000, WNOHANG, NULL) = 77",
                   "wait4(upid: -1, stat_addr: 0x1000, options: NOHANG) = 77 (true)");
        check_call(RETURNS("kill", -3, 77, 9), "kill(77, SIGKILL) = -1 ESRCH (No such process)",
                   "kill(pid: 77 (true), sig: KILL) = -1 ESRCH (No such process)");
        check_call(CALL("exit_group", 1), "exit_group(1) = ?", "exit_group(error_code: 1) = ?");
        check_call(CALL("set_robust_list", 0x1000, 24), "set_robust_list(0x1000, 24) = 0", "set_robust_list(head: 0x1000, len: 24) = 0");
        check_call(CALL("arch_prctl", 0x1002, 0x1000), "arch_prctl(ARCH_SET_FS, 0x1000) = 0", "arch_prctl(option: SET_FS, arg2: 0x1000) = 0");
        check_call(WITH("prctl", 0, TEXT(1, "name"), 15, 0x1000), "prctl(PR_SET_NAME, \"name\") = 0", NULL);
        check_call(CALL("prctl", 1, 9), "prctl(PR_SET_PDEATHSIG, SIGKILL) = 0", "prctl(option: SET_PDEATHSIG, arg2: KILL) = 0");
        check_call(CALL("prctl", 38, 1), "prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) = 0", NULL);
        check_call(CALL("unshare", 0x20000), "unshare(CLONE_NEWNS) = 0", NULL);
        check_call(CALL("chown", 0x1000, UINT64_MAX, 1000), "chown(0x1000, -1, 1000) = 0", "chown(filename: 0x1000, user: -1, group: 1000) = 0");
        check_call(WITH("getrlimit", 0, BYTES(1, "\0\0\200\0\0\0\0\0\377\377\377\377\377\377\377\377"), 3, 0x1000),
                   "getrlimit(RLIMIT_STACK, {rlim_cur=8192*1024, rlim_max=RLIM64_INFINITY}) = 0", NULL);
}
END_TEST

START_TEST(signals) {
        check_call(CALL("rt_sigaction", 10, 0x1000, 0x2000, 8), "rt_sigaction(SIGUSR1, 0x1000, 0x2000, 8) = 0",
                   "rt_sigaction(sig: USR1, act: 0x1000, oact: 0x2000, sigsetsize: 8) = 0");
        check_call(CALL("rt_sigaction", 34, 0, 0x2000, 8), "rt_sigaction(SIGRT_2, NULL, 0x2000, 8) = 0",
                   "rt_sigaction(sig: 0x22, oact: 0x2000, sigsetsize: 8) = 0");
        check_call(WITH("rt_sigprocmask", 0, BYTES(1, "\40\0\0\0\0\0\0\0"), 1, 0x1000, 0, 8), "rt_sigprocmask(SIG_UNBLOCK, [ABRT], NULL, 8) = 0",
                   NULL);
        check_call(CALL("rt_sigprocmask", 0, 0x1000, 0, 8), NULL, "rt_sigprocmask(how: BLOCK, nset: 0x1000, sigsetsize: 8) = 0");
}
END_TEST

START_TEST(futexes) {
        check_call(CALL("futex", 0x1000, 129, 1, 5, 6, 7), "futex(0x1000, FUTEX_WAKE_PRIVATE, 1) = 0",
                   "futex(uaddr: 0x1000, op: WAKE|PRIVATE_FLAG, val: 1) = 0");
        check_call(RETURNS("futex", -11, 0x1000, 0x189, 0, 0x2000, 0, 0xffffffff),
                   "futex(0x1000, FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME, 0, 0x2000, FUTEX_BITSET_MATCH_ANY) = -1 EAGAIN (Resource temporarily unavailable)",
                   "futex(uaddr: 0x1000, op: WAIT_BITSET|PRIVATE_FLAG|CLOCK_REALTIME, utime: 0x2000, val3: MATCH_ANY) = -1 EAGAIN (Resource temporarily unavailable)");
        check_call(WITH("futex", -110, BYTES(3, "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"), 0x1000, 0, 2, 0x2000),
                   "futex(0x1000, FUTEX_WAIT, 2, {tv_sec=1, tv_nsec=2}) = -1 ETIMEDOUT (Connection timed out)",
                   "futex(uaddr: 0x1000, op: WAIT, val: 2, utime: { .tv_sec: 1, .tv_nsec: 2 }) = -1 ETIMEDOUT (Connection timed out)");
}
END_TEST

START_TEST(sockets) {
        check_call(RETURNS("socket", 4, 1, 02000002, 0), "socket(AF_UNIX, SOCK_DGRAM|SOCK_CLOEXEC, 0) = 4", NULL);
        check_call(RETURNS("socket", 4, 16, 3, 0), "socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) = 4", NULL);
        check_call(RETURNS("socket", 8, 2, 1, 6), "socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 8", "socket(family: INET, type: STREAM, protocol: TCP) = 8");
        check_call(WITH("connect", -111, BYTES(1, "\2\0\0\120\177\0\0\1\0\0\0\0\0\0\0\0"), 4, 0x1000, 16),
                   "connect(4, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"127.0.0.1\")}, 16) = -1 ECONNREFUSED (Connection refused)",
                   "connect(fd: 4, uservaddr: { .family: INET, port: 80, addr: 127.0.0.1 }, addrlen: 16) = -1 ECONNREFUSED (Connection refused)");
        check_call(CALL("setsockopt", 4, 1, 2, 0x1000, 4), "setsockopt(4, SOL_SOCKET, SO_REUSEADDR, 0x1000, 4) = 0", NULL);
        check_call(CALL("getsockopt", 4, 6, 1, 0x1000, 0x2000), "getsockopt(4, SOL_TCP, TCP_NODELAY, 0x1000, 0x2000) = 0", NULL);
        check_call(RETURNS("sendto", -88, 5, 0x1000, 5, 0x4000, 0, 0),
                   "sendto(5, 0x1000, 5, MSG_NOSIGNAL, NULL, 0) = -1 ENOTSOCK (Socket operation on non-socket)",
                   "sendto(fd: 5, buff: 0x1000, len: 5, flags: NOSIGNAL) = -1 ENOTSOCK (Socket operation on non-socket)");
        check_call(CALL("shutdown", 4, 1), "shutdown(4, SHUT_WR) = 0", NULL);
}
END_TEST

START_TEST(results) {
        TestCall running = { "read", { 3, 0x1000, 5 } };

        check_call(&running, "read(3</etc/ld.so.cache>, 0x1000, 5) = ?", "read(fd: 3</etc/ld.so.cache>, buf: 0x1000, count: 5) = ?");
        check_call(RETURNS("pause", -514), "pause() = ? ERESTARTNOHAND (To be restarted if no handler)", NULL);
        check_call(RETURNS("read", -512, 5, 0x1000, 1), "read(5, 0x1000, 1) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)", NULL);
        check_call(RETURNS("read", -513, 5, 0x1000, 1), "read(5, 0x1000, 1) = ? ERESTARTNOINTR (To be restarted)", NULL);
        check_call(RETURNS("nanosleep", -516, 0x1000, 0), "nanosleep(0x1000, NULL) = ? ERESTART_RESTARTBLOCK (Interrupted by signal)", NULL);
        check_call(RETURNS("read", -4000, 5, 0x1000, 1), "read(5, 0x1000, 1) = -1 (errno 4000)", NULL);
        check_call(RETURNS("no such", -38, 1, 2, 0, 4, 5, 6), "syscall_0x3e7(0x1, 0x2, 0, 0x4, 0x5, 0x6) = -1 ENOSYS (Function not implemented)",
                   "syscall_0x3e7(arg1: 0x1, arg2: 0x2, arg4: 0x4, arg5: 0x5, arg6: 0x6) = -1 ENOSYS (Function not implemented)");
}
END_TEST

/* Numbers and flags as strace 6.1 puts them, which are not in the order of their bits everywhere. */
START_TEST(forms) {
        check_call(CALL("rseq", 0x7f0000, 32, 0, 0x53053053), "rseq(0x7f0000, 0x20, 0, 0x53053053) = 0", NULL);
        check_call(RETURNS("open", -2, 0x1000, 02204002), "open(0x1000, O_RDWR|O_NONBLOCK|O_CLOEXEC|O_DIRECTORY) = -1 ENOENT (No such file or directory)",
                   NULL);
        check_call(RETURNS("socket", 4, 2, 02004001, 6), "socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, IPPROTO_TCP) = 4",
                   "socket(family: INET, type: STREAM|NONBLOCK|CLOEXEC, protocol: TCP) = 4");
        check_call(CALL("getrusage", UINT64_MAX, 0x1000), "getrusage(RUSAGE_CHILDREN, 0x1000) = 0", NULL);
        check_call(RETURNS("shmget", -2, 0, 4096, 0600), "shmget(IPC_PRIVATE, 4096, 0600) = -1 ENOENT (No such file or directory)", NULL);
        check_call(RETURNS("shmget", -2, 0x1234, 4096, 0600), "shmget(0x1234, 4096, 0600) = -1 ENOENT (No such file or directory)", NULL);
        check_call(CALL("semctl", 1, 0, 16, 0), "semctl(1, 0, SETVAL, NULL) = 0", NULL);
        check_call(CALL("unlinkat", 5, 0x1000, 0x200), "unlinkat(5, 0x1000, AT_REMOVEDIR) = 0", NULL);
        check_call(CALL("membarrier", 8, 0, 0), "membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) = 0", NULL);
        check_call(CALL("preadv2", 5, 0x1000, 1, 7, 0, 1), "preadv2(5, 0x1000, 1, 7, RWF_HIPRI) = 0", NULL);
        check_call(CALL("pidfd_open", 77, 04000), "pidfd_open(77, PIDFD_NONBLOCK) = 0", NULL);
        check_call(CALL("fcntl", 5, 6, 0), "fcntl(5, F_SETLK, NULL) = 0", NULL);
        check_call(CALL("fcntl", 5, 1024, 1), "fcntl(5, F_SETLEASE, F_WRLCK) = 0", NULL);
        check_call(CALL("fcntl", 5, 1033, 3), "fcntl(5, F_ADD_SEALS, F_SEAL_SEAL|F_SEAL_SHRINK) = 0", NULL);
        check_call(CALL("ioctl", 5, 0x5451, 7), "ioctl(5, FIOCLEX) = 0", NULL);
        check_call(CALL("prctl", 36, 1, 2, 3), "prctl(PR_SET_CHILD_SUBREAPER, 1) = 0", NULL);
        check_call(CALL("prctl", 24, 7, 2, 3), "prctl(PR_CAPBSET_DROP, CAP_SETUID) = 0", NULL);
        check_call(CALL("prctl", 22, 2, 0x1000, 3), "prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0x1000) = 0", NULL);
        check_call(CALL("prctl", 3, 7, 8), "prctl(PR_GET_DUMPABLE) = 0", NULL);
        check_call(WITH("setsockopt", 0, BYTES(3, "\1\0\0\0"), 4, 1, 2, 0x1000, 4), "setsockopt(4, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0", NULL);
        check_call(WITH("setsockopt", 0, BYTES(3, "eth0"), 4, 1, 25, 0x1000, 4), "setsockopt(4, SOL_SOCKET, SO_BINDTODEVICE, \"eth0\", 4) = 0", NULL);
        check_call(WITH("getsockopt", 0, BYTES(3, "\157\0\0\0"), 4, 1, 4, 0x1000, 0x2000), "getsockopt(4, SOL_SOCKET, SO_ERROR, [111], 0x2000) = 0", NULL);
        check_call(CALL("setsockopt", 4, 17, 1, 0x1000, 4), "setsockopt(4, SOL_UDP, UDP_CORK, 0x1000, 4) = 0", NULL);
        check_call(WITH("wait4", 77, BYTES(1, "\0\3\0\0"), 77, 0x1000, 0, 0), "wait4(77, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0, NULL) = 77", NULL);
        check_call(WITH("wait4", 0, BYTES(1, "\0\0\0\0"), 77, 0x1000, 1, 0), "wait4(77, 0x1000, WNOHANG, NULL) = 0", NULL);
        check_call(RETURNS("nanosleep", 0, 0x1000, 0x2000), "nanosleep(0x1000, 0x2000) = 0", NULL);
        check_call(RETURNS("flistxattr", 10, 5, 0x1000, 0), "flistxattr(5, 0x1000, 0) = 10", NULL);
        check_call(WITH("getcwd", 41, BYTES(0, "/tmp/a-long-name-of-a-folder/another-one"), 0x1000, 4096),
                   "getcwd(\"/tmp/a-long-name-of-a-folder/another-one\", 4096) = 41", NULL);
        check_call(WITH("getgroups", 2, BYTES(1, "\0\0\0\0\5\0\0\0"), 65536, 0x1000), "getgroups(65536, [0, 5]) = 2", NULL);
        check_call(WITH("sched_getaffinity", 8, BYTES(2, "\5\0\0\0\0\0\0\1"), 0, 128, 0x1000), "sched_getaffinity(0, 128, [0 2 56]) = 8", NULL);
        check_call(RETURNS("mknod", -2, 0x1000, 0107644, 0), "mknod(0x1000, S_IFREG|S_ISUID|S_ISGID|S_ISVTX|0644) = -1 ENOENT (No such file or directory)", NULL);
}
END_TEST

static void check_parts(const TestCall *t, const char *begin, const char *end) {
        int number = syscall_number(t->abi, t->name);
        SyscallCall c = { .abi = t->abi, .number = (uint32_t) number, .returned = true, .result = t->result };
        _cleanup_(text_buffer_done) TextBuffer b = {}, e = {};

        memcpy(c.arguments, t->arguments, sizeof(c.arguments));
        syscall_put_arguments(&b, &c, &(SyscallTextOptions) { .style = SYSCALL_STYLE_STRACE, .part = SYSCALL_PART_BEGIN });
        syscall_put_arguments(&e, &c, &(SyscallTextOptions) { .style = SYSCALL_STYLE_STRACE, .part = SYSCALL_PART_END });
        text_buffer_putc(&b, '\0');
        text_buffer_putc(&e, '\0');
        ck_assert_str_eq(b.data, begin);
        ck_assert_str_eq(e.data, end);
        ck_assert_int_eq(syscall_has_end_part(&c), *end != '\0');
}

/* Lines that others interrupt have what the kernel writes, and what is behind that, in the line of the call's end. */
START_TEST(parts) {
        check_parts(CALL("read", 3, 0x1000, 5), "3, ", "0x1000, 5");
        check_parts(CALL("write", 3, 0x1000, 5), "3, 0x1000, 5", "");
        check_parts(CALL("getpid", 0), "", "");
        check_parts(CALL("getrandom", 0x1000, 8, 1), "", "0x1000, 8, GRND_NONBLOCK");
        check_parts(CALL("wait4", 77, 0, 0, 0), "77, ", "NULL, 0, NULL");
        check_parts(CALL("newfstatat", 3, 0x1000, 0x2000, 0), "3, 0x1000, ", "0x2000, 0");
        check_parts(CALL("rt_sigprocmask", 0, 0x1000, 0, 8), "SIG_BLOCK, 0x1000, ", "NULL, 8");
        check_parts(CALL("poll", 0x1000, 1, 5), "0x1000, 1, 5", "");
        check_parts(CALL("clone", 0x01200011, 0, 0, 0x7f0000, 0), "child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD",
                    ", child_tidptr=0x7f0000");
        check_parts(CALL("clone3", 0x1000, 88), "0x1000", ", 88");
}
END_TEST

/* Flags and orders that are not the same everywhere. */
START_TEST(other_machines) {
        TestCall arm = { "openat", { CWD, 0x1000, 040000 }, .abi = SYSCALL_AARCH64 };

        check_call(&arm, "openat(AT_FDCWD</root>, 0x1000, O_RDONLY|O_DIRECTORY) = ?", NULL);
        arm.arguments[2] = 0100000;
        check_call(&arm, "openat(AT_FDCWD</root>, 0x1000, O_RDONLY|O_NOFOLLOW) = ?", NULL);
        arm.arguments[2] = 0200000;
        check_call(&arm, "openat(AT_FDCWD</root>, 0x1000, O_RDONLY|O_DIRECT) = ?", NULL);
        arm.arguments[2] = 0400000;
        check_call(&arm, "openat(AT_FDCWD</root>, 0x1000, O_RDONLY|O_LARGEFILE) = ?", NULL);
        check_call(&(TestCall) { "clone", { 0x00080011, 0, 0, 0x5000 }, .abi = SYSCALL_AARCH64 },
                   "clone(child_stack=NULL, flags=CLONE_SETTLS|SIGCHLD, tls=0x5000) = ?", NULL);
#ifdef __x86_64__
        check_call(&(TestCall) { "brk", { 0xffffffff00001000 }, .abi = SYSCALL_I386, .returned = true, .result = 0xfffffff4 },
                   "brk(0x1000) = -1 ENOMEM (Cannot allocate memory)", NULL);
#endif
}
END_TEST

CHECK_MAIN("syscall-text", files, descriptors, buffers, memory, processes, signals, futexes, sockets, results, forms, parts, other_machines);

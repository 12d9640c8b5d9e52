/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The texts are those of strace 6.1; perf's style is that of structures in perf trace. */

#include <time.h>

#include "check-main.h"
#include "syscall-structure.h"

#define VIEW(text) ((MemoryView) { (const uint8_t *) (text), sizeof(text) - 1 })

static void check_as(SyscallStyle style, SyscallAbi abi, ArgumentKind kind, MemoryView m, size_t count, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer b = {};
        StructureText t = { &b, style, abi, abi != SYSCALL_I386 };

        if (!structure_put(&t, kind, m, count)) {
                ck_assert_uint_eq(b.n, 0);
                text_buffer_puts(&b, "nothing");
        }
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, expected);
}

static void check_strace(ArgumentKind kind, MemoryView m, const char *expected) {
        check_as(SYSCALL_STYLE_STRACE, SYSCALL_X86_64, kind, m, 1, expected);
}

static void check_perf(ArgumentKind kind, MemoryView m, const char *expected) {
        check_as(SYSCALL_STYLE_PERF, SYSCALL_X86_64, kind, m, 1, expected);
}

START_TEST(addresses) {
        MemoryView inet6 = VIEW("\12\0\0\65\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0");
        MemoryView named = VIEW("\1\0/run/x\0y"), abstract = VIEW("\1\0\0bus"), netlink = VIEW("\20\0\0\0\5\0\0\0\1\0\0\0");

        check_strace(ARGUMENT_SOCKADDR, inet6,
                     "{sa_family=AF_INET6, sin6_port=htons(53), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, \"::1\", &sin6_addr), "
                     "sin6_scope_id=0}");
        check_perf(ARGUMENT_SOCKADDR, inet6, "{ .family: INET6, port: 53, addr: ::1 }");
        check_strace(ARGUMENT_SOCKADDR, named, "{sa_family=AF_UNIX, sun_path=\"/run/x\"}");
        check_strace(ARGUMENT_SOCKADDR, abstract, "{sa_family=AF_UNIX, sun_path=@\"bus\"}");
        check_perf(ARGUMENT_SOCKADDR, abstract, "{ .family: UNIX, path: @\"bus\" }");
        check_strace(ARGUMENT_SOCKADDR, netlink, "{sa_family=AF_NETLINK, nl_pid=5, nl_groups=00000001}");
        check_strace(ARGUMENT_SOCKADDR, VIEW("\0\0\0\0"), "{sa_family=AF_UNSPEC, sa_data=\"\\0\\0\"}");
        check_strace(ARGUMENT_SOCKADDR, VIEW("\2\0\0"), "{sa_family=AF_INET, sa_data=\"\\0\"}");
        check_strace(ARGUMENT_SOCKADDR, VIEW("\1\0"), "{sa_family=AF_UNIX}");
        check_strace(ARGUMENT_SOCKADDR, VIEW("\1"), "nothing");
}
END_TEST

START_TEST(times) {
        MemoryView one = VIEW("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0");
        MemoryView two = VIEW("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\377\377\377\77\0\0\0\0");

        (void) setenv("TZ", "UTC", true);
        tzset();
        check_strace(ARGUMENT_TIMESPEC, one, "{tv_sec=1, tv_nsec=2}");
        check_perf(ARGUMENT_TIMEVAL, one, "{ .tv_sec: 1, .tv_usec: 2 }");
        check_as(SYSCALL_STYLE_STRACE, SYSCALL_I386, ARGUMENT_TIMESPEC, VIEW("\1\0\0\0\377\377\377\377"), 1, "{tv_sec=1, tv_nsec=-1}");
        check_strace(ARGUMENT_TIMESPEC, VIEW("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0"), "nothing");
        check_strace(ARGUMENT_TIMESPECS, two, "[{tv_sec=1, tv_nsec=2} /* 1970-01-01T00:00:01.000000002+0000 */, UTIME_NOW]");
        check_strace(ARGUMENT_ITIMERVAL, two, "{it_interval={tv_sec=1, tv_usec=2}, it_value={tv_sec=0, tv_usec=1073741823}}");
}
END_TEST

START_TEST(signals) {
        check_strace(ARGUMENT_SIGSET, VIEW("\0\0\0\0\0\0\0\0"), "[]");
        check_strace(ARGUMENT_SIGSET, VIEW("\2\100\0\200\2\0\0\0"), "[INT TERM RTMIN RT_2]");
        check_strace(ARGUMENT_SIGSET, VIEW("\377\376\373\377\377\377\377\377"), "~[KILL STOP]");
        check_strace(ARGUMENT_SIGACTION,
                     VIEW("\0\20\0\0\0\0\0\0\0\0\0\24\0\0\0\0\0\40\0\0\0\0\0\0\2\0\0\0\0\0\0\0"),
                     "{sa_handler=0x1000, sa_mask=[INT], sa_flags=SA_RESTORER|SA_RESTART, sa_restorer=0x2000}");
        check_strace(ARGUMENT_SIGACTION, VIEW("\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
                     "{sa_handler=SIG_IGN, sa_mask=[], sa_flags=0}");
}
END_TEST

START_TEST(arrays) {
        MemoryView vectors = VIEW("\0\20\0\0\0\0\0\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        MemoryView events = VIEW("\1\0\0\0\4\0\0\0\0\0\0\0");

        check_as(SYSCALL_STYLE_STRACE, SYSCALL_X86_64, ARGUMENT_IOVEC, vectors, 2,
                 "[{iov_base=0x1000, iov_len=4}, {iov_base=NULL, iov_len=0}]");
        check_as(SYSCALL_STYLE_STRACE, SYSCALL_X86_64, ARGUMENT_IOVEC, vectors, 3,
                 "[{iov_base=0x1000, iov_len=4}, {iov_base=NULL, iov_len=0}, ...]");
        check_as(SYSCALL_STYLE_STRACE, SYSCALL_X86_64, ARGUMENT_IOVEC, vectors, 0, "[]");
        check_strace(ARGUMENT_EPOLL_EVENTS_OUT, events, "[{events=EPOLLIN, data={u32=4, u64=4}}]");
        check_strace(ARGUMENT_EPOLL_EVENT, events, "{events=EPOLLIN, data={u32=4, u64=4}}");
        check_as(SYSCALL_STYLE_STRACE, SYSCALL_AARCH64, ARGUMENT_EPOLL_EVENT, VIEW("\1\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0"), 1,
                 "{events=EPOLLIN, data={u32=4, u64=4}}");
        check_strace(ARGUMENT_OPEN_HOW, VIEW("\0\0\10\0\0\0\0\0\0\0\0\0\0\0\0\0\10\0\0\0\0\0\0\0"),
                     "{flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_BENEATH}");
        check_strace(ARGUMENT_POINTER, events, "nothing");
}
END_TEST

START_TEST(processes) {
        static const uint64_t arguments[11] = { 0x3d0f00, 0, 0x7000, 0x7000, 0, 0x8000, 0x9000, 0xa000 }, stack[3] = { 0x1000, 2, 8192 };
        static const uint64_t info[14] = { 5, 1, 2, 3, 100, 50, 10, 20, 0, 0, 0xabcd0007, 0, 0, 0xabcdabcd00000001 };
        char names[128] = "Linux";

        memcpy(names + 65, "web", 3);
        check_strace(ARGUMENT_STATUS_OUT, VIEW("\0\3\0\0"), "[{WIFEXITED(s) && WEXITSTATUS(s) == 3}]");
        check_strace(ARGUMENT_STATUS_OUT, VIEW("\11\0\0\0"), "[{WIFSIGNALED(s) && WTERMSIG(s) == SIGKILL}]");
        check_strace(ARGUMENT_STATUS_OUT, VIEW("\213\0\0\0"), "[{WIFSIGNALED(s) && WTERMSIG(s) == SIGSEGV && WCOREDUMP(s)}]");
        check_strace(ARGUMENT_STATUS_OUT, VIEW("\177\23\0\0"), "[{WIFSTOPPED(s) && WSTOPSIG(s) == SIGSTOP}]");
        check_strace(ARGUMENT_STATUS_OUT, VIEW("\377\377\0\0"), "[{WIFCONTINUED(s)}]");
        check_strace(ARGUMENT_CLONE_ARGS, ((MemoryView) { (const uint8_t *) arguments, sizeof(arguments) }),
                     "{flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_SYSVSEM|CLONE_SETTLS|CLONE_PARENT_SETTID|"
                     "CLONE_CHILD_CLEARTID, child_tid=0x7000, parent_tid=0x7000, exit_signal=0, stack=0x8000, stack_size=0x9000, tls=0xa000}");
        check_strace(ARGUMENT_STACK, ((MemoryView) { (const uint8_t *) stack, sizeof(stack) }), "{ss_sp=0x1000, ss_flags=SS_DISABLE, ss_size=8192}");
        check_strace(ARGUMENT_SYSINFO_OUT, ((MemoryView) { (const uint8_t *) info, sizeof(info) }),
                     "{uptime=5, loads=[1, 2, 3], totalram=100, freeram=50, sharedram=10, bufferram=20, totalswap=0, freeswap=0, procs=7, "
                     "totalhigh=0, freehigh=0, mem_unit=1}");
        check_strace(ARGUMENT_UTSNAME_OUT, ((MemoryView) { (const uint8_t *) names, sizeof(names) }), "{sysname=\"Linux\", nodename=\"web\", ...}");
}
END_TEST

CHECK_MAIN("syscall-structure", addresses, times, signals, arrays, processes);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A table: each call's arguments, as SYSCALL_DEFINE names them. A call is found by its name, since calls of the same name have the
 * same arguments in all ABIs; clone(2) alone has two orders. Invariant: the rows are in the order of their names (bytes). */

#include "syscall-signature.h"

#define CALL(name, result, groups, ...) { #name, RESULT_##result, groups, { __VA_ARGS__ } }
#define IN_FILE SYSCALL_IN_FILE
#define IN_DESC SYSCALL_IN_DESC
#define IN_NETWORK SYSCALL_IN_NETWORK
#define IN_PROCESS SYSCALL_IN_PROCESS
#define IN_MEMORY SYSCALL_IN_MEMORY
#define IN_SIGNAL SYSCALL_IN_SIGNAL
#define IN_IPC SYSCALL_IN_IPC
#define NOT_IN_DESC SYSCALL_NOT_IN_DESC

#define NUMBER(name) { #name, ARGUMENT_NUMBER }
#define UNSIGNED(name) { #name, ARGUMENT_UNSIGNED }
#define OFFSET(name) { #name, ARGUMENT_OFFSET }
#define SIZE(name) { #name, ARGUMENT_SIZE }
#define HEX(name) { #name, ARGUMENT_HEX }
#define POINTER(name) { #name, ARGUMENT_POINTER }
#define POINTER_OUT(name) { #name, ARGUMENT_POINTER_OUT }
#define FD(name) { #name, ARGUMENT_FD }
#define DIRFD(name) { #name, ARGUMENT_DIRFD }
#define PATH(name) { #name, ARGUMENT_PATH }
#define STRING(name) { #name, ARGUMENT_STRING }
#define STRINGS(name) { #name, ARGUMENT_STRINGS }
#define ACCESS(name) { #name, ARGUMENT_ACCESS }
#define CLONE(name) { #name, ARGUMENT_CLONE }
#define IOCTL(name) { #name, ARGUMENT_IOCTL }
#define MODE(name) { #name, ARGUMENT_MODE }
#define FILE_MODE(name) { #name, ARGUMENT_FILE_MODE }
#define DEVICE(name) { #name, ARGUMENT_DEVICE }
#define SIGNAL(name) { #name, ARGUMENT_SIGNAL }
#define PID(name) { #name, ARGUMENT_PID }
#define ID(name) { #name, ARGUMENT_ID }
#define TIMESPEC(name) { #name, ARGUMENT_TIMESPEC }
#define TIMESPEC_OUT(name) { #name, ARGUMENT_TIMESPEC_OUT }
#define TIMESPECS(name) { #name, ARGUMENT_TIMESPECS }
#define TIMEVAL(name) { #name, ARGUMENT_TIMEVAL }
#define TIMEVAL_OUT(name) { #name, ARGUMENT_TIMEVAL_OUT }
#define TIMEVALS(name) { #name, ARGUMENT_TIMEVALS }
#define ITIMERSPEC(name) { #name, ARGUMENT_ITIMERSPEC }
#define ITIMERSPEC_OUT(name) { #name, ARGUMENT_ITIMERSPEC_OUT }
#define ITIMERVAL(name) { #name, ARGUMENT_ITIMERVAL }
#define ITIMERVAL_OUT(name) { #name, ARGUMENT_ITIMERVAL_OUT }
#define SIGACTION(name) { #name, ARGUMENT_SIGACTION }
#define SIGACTION_OUT(name) { #name, ARGUMENT_SIGACTION_OUT }
#define RLIMIT(name) { #name, ARGUMENT_RLIMIT }
#define RLIMIT_OUT(name) { #name, ARGUMENT_RLIMIT_OUT }
#define EPOLL_EVENT(name) { #name, ARGUMENT_EPOLL_EVENT }
#define EPOLL_EVENTS_OUT(name) { #name, ARGUMENT_EPOLL_EVENTS_OUT }
#define FD_PAIR_OUT(name) { #name, ARGUMENT_FD_PAIR_OUT }
#define INT_OUT(name) { #name, ARGUMENT_INT_OUT }
#define LOCK(name) { #name, ARGUMENT_LOCK }
#define STATUS_OUT(name) { #name, ARGUMENT_STATUS_OUT }
#define IDS_OUT(name, length) { #name, ARGUMENT_IDS_OUT, 0, length }
#define CPUS(name, length) { #name, ARGUMENT_CPUS, 0, length }
#define CPUS_OUT(name, length) { #name, ARGUMENT_CPUS_OUT, 0, length }
#define UTSNAME_OUT(name) { #name, ARGUMENT_UTSNAME_OUT }
#define SYSINFO_OUT(name) { #name, ARGUMENT_SYSINFO_OUT }
#define STACK(name) { #name, ARGUMENT_STACK }
#define STACK_OUT(name) { #name, ARGUMENT_STACK_OUT }
#define CLONE_ARGS(name, length) { #name, ARGUMENT_CLONE_ARGS, 0, length }
#define STAT_OUT(name) { #name, ARGUMENT_STAT_OUT }
#define STATX_OUT(name) { #name, ARGUMENT_STATX_OUT }
#define OPEN_HOW(name) { #name, ARGUMENT_OPEN_HOW }
#define BUFFER(name, length) { #name, ARGUMENT_BUFFER, 0, length }
#define BUFFER_OUT(name, length) { #name, ARGUMENT_BUFFER_OUT, 0, length }
#define TEXT_OUT(name, length) { #name, ARGUMENT_TEXT_OUT, 0, length }
#define SOCKADDR(name, length) { #name, ARGUMENT_SOCKADDR, 0, length }
#define SOCKADDR_OUT(name, length) { #name, ARGUMENT_SOCKADDR_OUT, 0, length }
#define SIGSET(name, length) { #name, ARGUMENT_SIGSET, 0, length }
#define SIGSET_OUT(name, length) { #name, ARGUMENT_SIGSET_OUT, 0, length }
#define IOVEC(name, length) { #name, ARGUMENT_IOVEC, 0, length }
#define POLLFD(name, length) { #name, ARGUMENT_POLLFD, 0, length }
#define FLAGS(name, set) { #name, ARGUMENT_FLAGS, CONSTANTS_##set }
#define ENUM(name, set) { #name, ARGUMENT_ENUM, CONSTANTS_##set }
#define IPC_FLAGS(name, set) { #name, ARGUMENT_IPC_FLAGS, CONSTANTS_##set }

static const SyscallSignature signatures[] = {
        CALL(_llseek, NUMBER, 0, FD(fd), HEX(offset_high), HEX(offset_low), POINTER(result), ENUM(whence, SEEK)),
        CALL(_newselect, TIMEOUT, IN_DESC, NUMBER(n), POINTER(inp), POINTER(outp), POINTER(exp), POINTER(tvp)),
        CALL(accept, FD, IN_NETWORK | NOT_IN_DESC, FD(fd), SOCKADDR_OUT(upeer_sockaddr, 2), INT_OUT(upeer_addrlen)),
        CALL(accept4, FD, IN_NETWORK | NOT_IN_DESC, FD(fd), SOCKADDR_OUT(upeer_sockaddr, 2), INT_OUT(upeer_addrlen),
             FLAGS(flags, SOCK)),
        CALL(access, NUMBER, 0, PATH(filename), ACCESS(mode)),
        CALL(acct, NUMBER, 0, PATH(name)),
        CALL(add_key, NUMBER, 0, STRING(_type), STRING(_description), BUFFER(_payload, 3), SIZE(plen), NUMBER(ringid)),
        CALL(adjtimex, NUMBER, 0, POINTER_OUT(txc_p)),
        CALL(alarm, NUMBER, 0, UNSIGNED(seconds)),
        CALL(arch_prctl, NUMBER, 0, ENUM(option, ARCH), POINTER(arg2)),
        CALL(bind, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), SOCKADDR(umyaddr, 2), NUMBER(addrlen)),
        CALL(bpf, NUMBER, IN_DESC, ENUM(cmd, BPF), POINTER(uattr), SIZE(size)),
        CALL(brk, POINTER, IN_MEMORY, POINTER(brk)),
        CALL(cachestat, NUMBER, 0, FD(fd), POINTER(cstat_range), POINTER(cstat), HEX(flags)),
        CALL(capget, NUMBER, 0, POINTER(header), POINTER_OUT(dataptr)),
        CALL(capset, NUMBER, 0, POINTER(header), POINTER(data)),
        CALL(chdir, NUMBER, 0, PATH(filename)),
        CALL(chmod, NUMBER, 0, PATH(filename), MODE(mode)),
        CALL(chown, NUMBER, 0, PATH(filename), ID(user), ID(group)),
        CALL(chown32, NUMBER, 0, PATH(filename), ID(user), ID(group)),
        CALL(chroot, NUMBER, 0, PATH(filename)),
        CALL(clock_adjtime, NUMBER, 0, ENUM(which_clock, CLOCK), POINTER_OUT(utx)),
        CALL(clock_getres, NUMBER, 0, ENUM(which_clock, CLOCK), TIMESPEC_OUT(tp)),
        CALL(clock_gettime, NUMBER, 0, ENUM(which_clock, CLOCK), TIMESPEC_OUT(tp)),
        CALL(clock_gettime64, NUMBER, 0, ENUM(which_clock, CLOCK), TIMESPEC_OUT(tp)),
        CALL(clock_nanosleep, NUMBER, 0, ENUM(which_clock, CLOCK), FLAGS(flags, TIMER), TIMESPEC(rqtp), POINTER_OUT(rmtp)),
        CALL(clock_nanosleep_time64, NUMBER, 0, ENUM(which_clock, CLOCK), FLAGS(flags, TIMER), TIMESPEC(rqtp),
             POINTER_OUT(rmtp)),
        CALL(clock_settime, NUMBER, 0, ENUM(which_clock, CLOCK), TIMESPEC(tp)),
        CALL(clone, PID, IN_PROCESS, CLONE(clone_flags), POINTER(newsp), POINTER(parent_tidptr), POINTER(child_tidptr),
             POINTER(tls)),
        CALL(clone3, PID, IN_PROCESS, CLONE_ARGS(uargs, 1), SIZE(size)),
        CALL(clone_backwards, PID, 0, CLONE(clone_flags), POINTER(newsp), POINTER(parent_tidptr), POINTER(tls),
             POINTER(child_tidptr)),
        CALL(close, NUMBER, 0, FD(fd)),
        CALL(close_range, NUMBER, 0, UNSIGNED(fd), UNSIGNED(max_fd), FLAGS(flags, CLOSE_RANGE)),
        CALL(connect, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), SOCKADDR(uservaddr, 2), NUMBER(addrlen)),
        CALL(copy_file_range, NUMBER, 0, FD(fd_in), POINTER(off_in), FD(fd_out), POINTER(off_out), SIZE(len), UNSIGNED(flags)),
        CALL(creat, FD, 0, PATH(pathname), MODE(mode)),
        CALL(delete_module, NUMBER, 0, STRING(name_user), FLAGS(flags, OPEN_CREATED)),
        CALL(dup, FD, 0, FD(fildes)),
        CALL(dup2, FD, 0, FD(oldfd), FD(newfd)),
        CALL(dup3, FD, 0, FD(oldfd), FD(newfd), FLAGS(flags, OPEN_CREATED)),
        CALL(epoll_create, FD, 0, SIZE(size)),
        CALL(epoll_create1, FD, 0, FLAGS(flags, EPOLL_CREATE)),
        CALL(epoll_ctl, NUMBER, 0, FD(epfd), ENUM(op, EPOLL_CTL), FD(fd), EPOLL_EVENT(event)),
        CALL(epoll_pwait, NUMBER, 0, FD(epfd), EPOLL_EVENTS_OUT(events), NUMBER(maxevents), NUMBER(timeout), SIGSET(sigmask,
             5), SIZE(sigsetsize)),
        CALL(epoll_pwait2, NUMBER, 0, FD(epfd), EPOLL_EVENTS_OUT(events), NUMBER(maxevents), TIMESPEC(timeout),
             SIGSET(sigmask, 5), SIZE(sigsetsize)),
        CALL(epoll_wait, NUMBER, 0, FD(epfd), EPOLL_EVENTS_OUT(events), NUMBER(maxevents), NUMBER(timeout)),
        CALL(eventfd, FD, 0, UNSIGNED(count)),
        CALL(eventfd2, FD, 0, UNSIGNED(count), FLAGS(flags, EFD)),
        CALL(execve, NUMBER, IN_PROCESS, PATH(filename), STRINGS(argv), POINTER(envp)),
        CALL(execveat, NUMBER, IN_PROCESS, DIRFD(fd), PATH(filename), STRINGS(argv), POINTER(envp), FLAGS(flags, AT)),
        CALL(exit, NONE, IN_PROCESS, NUMBER(error_code)),
        CALL(exit_group, NONE, IN_PROCESS, NUMBER(error_code)),
        CALL(faccessat, NUMBER, 0, DIRFD(dfd), PATH(filename), ACCESS(mode)),
        CALL(faccessat2, NUMBER, 0, DIRFD(dfd), PATH(filename), ACCESS(mode), FLAGS(flags, AT_ACCESS)),
        CALL(fadvise64, NUMBER, 0, FD(fd), OFFSET(offset), SIZE(len), ENUM(advice, FADVISE)),
        CALL(fallocate, NUMBER, 0, FD(fd), FLAGS(mode, FALLOCATE), OFFSET(offset), OFFSET(len)),
        CALL(fanotify_init, FD, 0, FLAGS(flags, FANOTIFY_INIT), FLAGS(event_f_flags, OPEN)),
        CALL(fanotify_mark, NUMBER, 0, FD(fanotify_fd), FLAGS(flags, FANOTIFY_MARK), HEX(mask), DIRFD(dfd), PATH(pathname)),
        CALL(fchdir, NUMBER, 0, FD(fd)),
        CALL(fchmod, NUMBER, 0, FD(fd), MODE(mode)),
        CALL(fchmodat, NUMBER, 0, DIRFD(dfd), PATH(filename), MODE(mode)),
        CALL(fchmodat2, NUMBER, 0, DIRFD(dfd), PATH(filename), MODE(mode), FLAGS(flags, AT)),
        CALL(fchown, NUMBER, 0, FD(fd), ID(user), ID(group)),
        CALL(fchown32, NUMBER, 0, FD(fd), ID(user), ID(group)),
        CALL(fchownat, NUMBER, 0, DIRFD(dfd), PATH(filename), ID(user), ID(group), FLAGS(flag, AT)),
        CALL(fcntl, NUMBER, 0, FD(fd), ENUM(cmd, FCNTL), LOCK(arg)),
        CALL(fcntl64, NUMBER, 0, FD(fd), ENUM(cmd, FCNTL), LOCK(arg)),
        CALL(fdatasync, NUMBER, 0, FD(fd)),
        CALL(fgetxattr, NUMBER, 0, FD(fd), STRING(name), BUFFER_OUT(value, 3), SIZE(size)),
        CALL(file_getattr, NUMBER, 0, DIRFD(dfd), PATH(filename), POINTER(ufattr), SIZE(usize), HEX(at_flags)),
        CALL(file_setattr, NUMBER, 0, DIRFD(dfd), PATH(filename), POINTER(ufattr), SIZE(usize), HEX(at_flags)),
        CALL(finit_module, NUMBER, 0, FD(fd), STRING(uargs), FLAGS(flags, MODULE_INIT)),
        CALL(flistxattr, NUMBER, 0, FD(fd), BUFFER_OUT(list, 2), SIZE(size)),
        CALL(flock, NUMBER, 0, FD(fd), FLAGS(cmd, FLOCK)),
        CALL(fork, PID, IN_PROCESS),
        CALL(fremovexattr, NUMBER, 0, FD(fd), STRING(name)),
        CALL(fsconfig, NUMBER, IN_FILE, FD(fd), ENUM(cmd, FSCONFIG), STRING(_key), POINTER(_value), NUMBER(aux)),
        CALL(fsetxattr, NUMBER, 0, FD(fd), STRING(name), BUFFER(value, 3), SIZE(size), FLAGS(flags, XATTR)),
        CALL(fsmount, FD, 0, FD(fs_fd), FLAGS(flags, FSMOUNT), FLAGS(attr_flags, MOUNT_ATTR)),
        CALL(fsopen, FD, 0, STRING(_fs_name), FLAGS(flags, FSOPEN)),
        CALL(fspick, FD, 0, DIRFD(dfd), PATH(path), FLAGS(flags, FSPICK)),
        CALL(fstat, NUMBER, 0, FD(fd), STAT_OUT(statbuf)),
        CALL(fstat64, NUMBER, 0, FD(fd), STAT_OUT(statbuf)),
        CALL(fstatat64, NUMBER, 0, DIRFD(dfd), PATH(filename), STAT_OUT(statbuf), FLAGS(flag, AT)),
        CALL(fstatfs, NUMBER, 0, FD(fd), POINTER_OUT(buf)),
        CALL(fstatfs64, NUMBER, 0, FD(fd), SIZE(sz), POINTER_OUT(buf)),
        CALL(fsync, NUMBER, 0, FD(fd)),
        CALL(ftruncate, NUMBER, 0, FD(fd), OFFSET(length)),
        CALL(ftruncate64, NUMBER, 0, FD(fd), HEX(length_low), HEX(length_high)),
        CALL(futex, NUMBER, 0, POINTER(uaddr), FLAGS(op, FUTEX), UNSIGNED(val), TIMESPEC(utime), POINTER(uaddr2), HEX(val3)),
        CALL(futex_requeue, NUMBER, 0, POINTER(waiters), HEX(flags), NUMBER(nr_wake), NUMBER(nr_requeue)),
        CALL(futex_time64, NUMBER, 0, POINTER(uaddr), FLAGS(op, FUTEX), NUMBER(val), TIMESPEC(utime), POINTER(uaddr2),
             HEX(val3)),
        CALL(futex_wait, NUMBER, 0, POINTER(uaddr), HEX(val), HEX(mask), HEX(flags), TIMESPEC(timeout), ENUM(clockid, CLOCK)),
        CALL(futex_waitv, NUMBER, 0, POINTER(waiters), UNSIGNED(nr_futexes), HEX(flags), TIMESPEC(timeout), ENUM(clockid,
             CLOCK)),
        CALL(futex_wake, NUMBER, 0, POINTER(uaddr), HEX(mask), NUMBER(nr), HEX(flags)),
        CALL(futimesat, NUMBER, 0, DIRFD(dfd), PATH(filename), TIMEVALS(utimes)),
        CALL(get_mempolicy, NUMBER, IN_MEMORY, POINTER_OUT(policy), POINTER(nmask), SIZE(maxnode), POINTER(addr), HEX(flags)),
        CALL(get_robust_list, NUMBER, 0, NUMBER(pid), POINTER_OUT(head_ptr), POINTER(len_ptr)),
        CALL(get_thread_area, NUMBER, 0, POINTER(u_info)),
        CALL(getcpu, NUMBER, 0, POINTER_OUT(cpup), POINTER(nodep), POINTER(unused)),
        CALL(getcwd, NUMBER, IN_FILE, TEXT_OUT(buf, 1), SIZE(size)),
        CALL(getdents, NUMBER, 0, FD(fd), POINTER_OUT(dirent), UNSIGNED(count)),
        CALL(getdents64, NUMBER, 0, FD(fd), POINTER_OUT(dirent), UNSIGNED(count)),
        CALL(getegid, ID, 0),
        CALL(getegid32, ID, 0),
        CALL(geteuid, ID, 0),
        CALL(geteuid32, ID, 0),
        CALL(getgid, ID, 0),
        CALL(getgid32, ID, 0),
        CALL(getgroups, NUMBER, 0, NUMBER(gidsetsize), IDS_OUT(grouplist, 0)),
        CALL(getitimer, NUMBER, 0, ENUM(which, ITIMER), ITIMERVAL_OUT(value)),
        CALL(getpeername, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), SOCKADDR_OUT(usockaddr, 2), INT_OUT(usockaddr_len)),
        CALL(getpgid, PID, 0, PID(pid)),
        CALL(getpgrp, PID, 0),
        CALL(getpid, PID, 0),
        CALL(getppid, PID, 0),
        CALL(getpriority, NUMBER, 0, ENUM(which, PRIO), NUMBER(who)),
        CALL(getrandom, NUMBER, 0, BUFFER_OUT(ubuf, 1), SIZE(len), FLAGS(flags, GRND)),
        CALL(getresgid, NUMBER, 0, POINTER_OUT(rgidp), POINTER(egidp), POINTER(sgidp)),
        CALL(getresuid, NUMBER, 0, POINTER_OUT(ruidp), POINTER(euidp), POINTER(suidp)),
        CALL(getrlimit, NUMBER, 0, ENUM(resource, RLIMIT), RLIMIT_OUT(rlim)),
        CALL(getrusage, NUMBER, 0, ENUM(who, RUSAGE), POINTER_OUT(ru)),
        CALL(getsid, PID, 0, PID(pid)),
        CALL(getsockname, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), SOCKADDR_OUT(usockaddr, 2), INT_OUT(usockaddr_len)),
        CALL(getsockopt, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), ENUM(level, SOCKET_LEVEL), ENUM(optname, SOCKET_OPTION),
             INT_OUT(optval), INT_OUT(optlen)),
        CALL(gettid, PID, 0),
        CALL(gettimeofday, NUMBER, 0, TIMEVAL_OUT(tv), POINTER(tz)),
        CALL(getuid, ID, 0),
        CALL(getuid32, ID, 0),
        CALL(getxattr, NUMBER, 0, PATH(pathname), STRING(name), BUFFER_OUT(value, 3), SIZE(size)),
        CALL(getxattrat, NUMBER, 0, DIRFD(dfd), PATH(pathname), HEX(at_flags), POINTER(name), POINTER(uargs), SIZE(usize)),
        CALL(init_module, NUMBER, 0, BUFFER(umod, 1), SIZE(len), STRING(uargs)),
        CALL(inotify_add_watch, NUMBER, 0, FD(fd), PATH(pathname), FLAGS(mask, INOTIFY)),
        CALL(inotify_init, FD, 0),
        CALL(inotify_init1, FD, 0, FLAGS(flags, INOTIFY_INIT)),
        CALL(inotify_rm_watch, NUMBER, 0, FD(fd), NUMBER(wd)),
        CALL(io_cancel, NUMBER, 0, POINTER(ctx_id), POINTER(iocb), POINTER(result)),
        CALL(io_destroy, NUMBER, IN_MEMORY, POINTER(ctx)),
        CALL(io_getevents, NUMBER, 0, POINTER(ctx_id), OFFSET(min_nr), OFFSET(nr), POINTER_OUT(events), TIMESPEC(timeout)),
        CALL(io_pgetevents, NUMBER, 0, POINTER(ctx_id), OFFSET(min_nr), OFFSET(nr), POINTER_OUT(events), TIMESPEC(timeout),
             POINTER(usig)),
        CALL(io_setup, NUMBER, IN_MEMORY, UNSIGNED(nr_events), POINTER_OUT(ctxp)),
        CALL(io_submit, NUMBER, 0, POINTER(ctx_id), OFFSET(nr), POINTER(iocbpp)),
        CALL(io_uring_enter, NUMBER, IN_SIGNAL, FD(fd), UNSIGNED(to_submit), UNSIGNED(min_complete), FLAGS(flags, IORING_ENTER),
             POINTER(argp), SIZE(argsz)),
        CALL(io_uring_register, NUMBER, IN_MEMORY, FD(fd), ENUM(opcode, IORING_REGISTER), POINTER(arg), UNSIGNED(nr_args)),
        CALL(io_uring_setup, FD, 0, UNSIGNED(entries), POINTER_OUT(params)),
        CALL(ioctl, NUMBER, 0, FD(fd), IOCTL(cmd), POINTER(arg)),
        CALL(ioperm, NUMBER, 0, HEX(from), HEX(num), NUMBER(turn_on)),
        CALL(iopl, NUMBER, 0, UNSIGNED(level)),
        CALL(ioprio_get, NUMBER, 0, ENUM(which, IOPRIO_WHO), NUMBER(who)),
        CALL(ioprio_set, NUMBER, 0, ENUM(which, IOPRIO_WHO), NUMBER(who), NUMBER(ioprio)),
        CALL(kcmp, NUMBER, 0, PID(pid1), PID(pid2), ENUM(type, KCMP), SIZE(idx1), SIZE(idx2)),
        CALL(kexec_file_load, NUMBER, 0, FD(kernel_fd), FD(initrd_fd), SIZE(cmdline_len), POINTER(cmdline_ptr), HEX(flags)),
        CALL(kexec_load, NUMBER, 0, HEX(entry), SIZE(nr_segments), POINTER(segments), HEX(flags)),
        CALL(keyctl, NUMBER, 0, ENUM(option, KEYCTL), HEX(arg2), HEX(arg3), HEX(arg4), HEX(arg5)),
        CALL(kill, NUMBER, IN_PROCESS | IN_SIGNAL, PID(pid), SIGNAL(sig)),
        CALL(landlock_add_rule, NUMBER, 0, FD(ruleset_fd), NUMBER(rule_type), POINTER(rule_attr), HEX(flags)),
        CALL(landlock_create_ruleset, FD, 0, POINTER(attr), SIZE(size), HEX(flags)),
        CALL(landlock_restrict_self, NUMBER, 0, FD(ruleset_fd), HEX(flags)),
        CALL(lchown, NUMBER, 0, PATH(filename), ID(user), ID(group)),
        CALL(lchown32, NUMBER, 0, PATH(filename), ID(user), ID(group)),
        CALL(lgetxattr, NUMBER, 0, PATH(pathname), STRING(name), BUFFER_OUT(value, 3), SIZE(size)),
        CALL(link, NUMBER, 0, PATH(oldname), PATH(newname)),
        CALL(linkat, NUMBER, 0, DIRFD(olddfd), PATH(oldname), DIRFD(newdfd), PATH(newname), FLAGS(flags, AT)),
        CALL(listen, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), NUMBER(backlog)),
        CALL(listmount, NUMBER, 0, POINTER(req), POINTER(mnt_ids), SIZE(nr_mnt_ids), HEX(flags)),
        CALL(listxattr, NUMBER, 0, PATH(pathname), BUFFER_OUT(list, 2), SIZE(size)),
        CALL(listxattrat, NUMBER, 0, DIRFD(dfd), PATH(pathname), HEX(at_flags), POINTER(list), SIZE(size)),
        CALL(llistxattr, NUMBER, 0, PATH(pathname), BUFFER_OUT(list, 2), SIZE(size)),
        CALL(lookup_dcookie, NUMBER, 0, UNSIGNED(cookie64), POINTER(buf), SIZE(len)),
        CALL(lremovexattr, NUMBER, 0, PATH(pathname), STRING(name)),
        CALL(lseek, NUMBER, 0, FD(fd), OFFSET(offset), ENUM(whence, SEEK)),
        CALL(lsetxattr, NUMBER, 0, PATH(pathname), STRING(name), BUFFER(value, 3), SIZE(size), FLAGS(flags, XATTR)),
        CALL(lsm_get_self_attr, NUMBER, 0, UNSIGNED(attr), POINTER(ctx), POINTER(size), HEX(flags)),
        CALL(lsm_list_modules, NUMBER, 0, POINTER(ids), POINTER(size), HEX(flags)),
        CALL(lsm_set_self_attr, NUMBER, 0, UNSIGNED(attr), POINTER(ctx), SIZE(size), HEX(flags)),
        CALL(lstat, NUMBER, 0, PATH(filename), STAT_OUT(statbuf)),
        CALL(lstat64, NUMBER, 0, PATH(filename), STAT_OUT(statbuf)),
        CALL(madvise, NUMBER, IN_MEMORY, POINTER(start), SIZE(len_in), ENUM(behavior, MADVISE)),
        CALL(map_shadow_stack, POINTER, 0, POINTER(addr), SIZE(size), HEX(flags)),
        CALL(mbind, NUMBER, IN_MEMORY, POINTER(start), SIZE(len), ENUM(mode, MPOL), POINTER(nmask), SIZE(maxnode), HEX(flags)),
        CALL(membarrier, NUMBER, 0, ENUM(cmd, MEMBARRIER), HEX(flags), NUMBER(cpu_id)),
        CALL(memfd_create, FD, 0, STRING(uname), FLAGS(flags, MFD)),
        CALL(memfd_secret, FD, 0, FLAGS(flags, OPEN_CREATED)),
        CALL(migrate_pages, NUMBER, IN_MEMORY, PID(pid), SIZE(maxnode), POINTER(old_nodes), POINTER(new_nodes)),
        CALL(mincore, NUMBER, IN_MEMORY, POINTER(start), SIZE(len), POINTER_OUT(vec)),
        CALL(mkdir, NUMBER, 0, PATH(pathname), MODE(mode)),
        CALL(mkdirat, NUMBER, 0, DIRFD(dfd), PATH(pathname), MODE(mode)),
        CALL(mknod, NUMBER, 0, PATH(filename), FILE_MODE(mode), DEVICE(dev)),
        CALL(mknodat, NUMBER, 0, DIRFD(dfd), PATH(filename), FILE_MODE(mode), DEVICE(dev)),
        CALL(mlock, NUMBER, IN_MEMORY, POINTER(start), SIZE(len)),
        CALL(mlock2, NUMBER, IN_MEMORY, POINTER(start), SIZE(len), FLAGS(flags, MLOCK)),
        CALL(mlockall, NUMBER, IN_MEMORY, FLAGS(flags, MCL)),
        CALL(mmap, POINTER, IN_MEMORY, POINTER(addr), SIZE(len), FLAGS(prot, PROT), FLAGS(flags, MAP), FD(fd), HEX(off)),
        CALL(mmap2, POINTER, IN_MEMORY, POINTER(addr), SIZE(len), FLAGS(prot, PROT), FLAGS(flags, MAP), FD(fd), HEX(pgoff)),
        CALL(modify_ldt, NUMBER, 0, NUMBER(func), POINTER(ptr), SIZE(bytecount)),
        CALL(mount, NUMBER, 0, PATH(dev_name), PATH(dir_name), STRING(type), FLAGS(flags, MOUNT), POINTER(data)),
        CALL(mount_setattr, NUMBER, 0, DIRFD(dfd), PATH(path), FLAGS(flags, AT), POINTER(uattr), SIZE(usize)),
        CALL(move_mount, NUMBER, 0, DIRFD(from_dfd), PATH(from_pathname), DIRFD(to_dfd), PATH(to_pathname), FLAGS(flags,
             MOVE_MOUNT)),
        CALL(move_pages, NUMBER, IN_MEMORY, PID(pid), SIZE(nr_pages), POINTER(pages), POINTER(nodes), POINTER(status),
             HEX(flags)),
        CALL(mprotect, NUMBER, IN_MEMORY, POINTER(start), SIZE(len), FLAGS(prot, PROT)),
        CALL(mq_getsetattr, NUMBER, 0, FD(mqdes), POINTER(u_mqstat), POINTER(u_omqstat)),
        CALL(mq_notify, NUMBER, 0, FD(mqdes), POINTER(u_notification)),
        CALL(mq_open, FD, 0, STRING(u_name), FLAGS(oflag, OPEN), MODE(mode), POINTER(u_attr)),
        CALL(mq_timedreceive, NUMBER, 0, FD(mqdes), BUFFER_OUT(u_msg_ptr, 2), SIZE(msg_len), POINTER(u_msg_prio),
             TIMESPEC(u_abs_timeout)),
        CALL(mq_timedsend, NUMBER, 0, FD(mqdes), BUFFER(u_msg_ptr, 2), SIZE(msg_len), UNSIGNED(msg_prio),
             TIMESPEC(u_abs_timeout)),
        CALL(mq_unlink, NUMBER, 0, STRING(u_name)),
        CALL(mremap, POINTER, IN_MEMORY, POINTER(addr), SIZE(old_len), SIZE(new_len), FLAGS(flags, MREMAP), POINTER(new_addr)),
        CALL(mseal, NUMBER, 0, POINTER(start), SIZE(len), HEX(flags)),
        CALL(msgctl, NUMBER, IN_IPC, NUMBER(msqid), ENUM(cmd, IPC), POINTER(buf)),
        CALL(msgget, NUMBER, IN_IPC, ENUM(key, IPC_KEY), IPC_FLAGS(msgflg, IPC_GET)),
        CALL(msgrcv, NUMBER, IN_IPC, NUMBER(msqid), POINTER(msgp), SIZE(msgsz), OFFSET(msgtyp), FLAGS(msgflg, MSGRCV)),
        CALL(msgsnd, NUMBER, IN_IPC, NUMBER(msqid), POINTER(msgp), SIZE(msgsz), FLAGS(msgflg, IPC_GET)),
        CALL(msync, NUMBER, IN_MEMORY, POINTER(start), SIZE(len), FLAGS(flags, MSYNC)),
        CALL(munlock, NUMBER, IN_MEMORY, POINTER(start), SIZE(len)),
        CALL(munlockall, NUMBER, IN_MEMORY),
        CALL(munmap, NUMBER, IN_MEMORY, POINTER(addr), SIZE(len)),
        CALL(name_to_handle_at, NUMBER, 0, DIRFD(dfd), PATH(name), POINTER_OUT(handle), POINTER(mnt_id), FLAGS(flag, AT)),
        CALL(nanosleep, NUMBER, 0, TIMESPEC(rqtp), POINTER_OUT(rmtp)),
        CALL(newfstatat, NUMBER, 0, DIRFD(dfd), PATH(filename), STAT_OUT(statbuf), FLAGS(flag, AT)),
        CALL(nfsservctl, NUMBER, 0),
        CALL(nice, NUMBER, 0, NUMBER(increment)),
        CALL(open, FD, 0, PATH(filename), FLAGS(flags, OPEN), MODE(mode)),
        CALL(open_by_handle_at, FD, 0, FD(mountdirfd), POINTER(handle), FLAGS(flags, OPEN)),
        CALL(open_tree, FD, 0, DIRFD(dfd), PATH(filename), FLAGS(flags, OPEN_TREE)),
        CALL(open_tree_attr, FD, 0, DIRFD(dfd), PATH(filename), FLAGS(flags, OPEN_TREE), POINTER(uattr), SIZE(usize)),
        CALL(openat, FD, 0, DIRFD(dfd), PATH(filename), FLAGS(flags, OPEN), MODE(mode)),
        CALL(openat2, FD, 0, DIRFD(dfd), PATH(filename), OPEN_HOW(how), SIZE(usize)),
        CALL(pause, NUMBER, IN_SIGNAL),
        CALL(perf_event_open, FD, 0, POINTER(attr_uptr), NUMBER(pid), NUMBER(cpu), FD(group_fd), FLAGS(flags, PERF_FLAG)),
        CALL(personality, NUMBER, 0, HEX(personality)),
        CALL(pidfd_getfd, FD, 0, FD(pidfd), NUMBER(fd), HEX(flags)),
        CALL(pidfd_open, FD, 0, PID(pid), FLAGS(flags, PIDFD)),
        CALL(pidfd_send_signal, NUMBER, IN_PROCESS | IN_SIGNAL, FD(pidfd), SIGNAL(sig), POINTER(info), HEX(flags)),
        CALL(pipe, NUMBER, IN_DESC, FD_PAIR_OUT(fildes)),
        CALL(pipe2, NUMBER, IN_DESC, FD_PAIR_OUT(fildes), FLAGS(flags, OPEN_CREATED)),
        CALL(pivot_root, NUMBER, 0, PATH(new_root), PATH(put_old)),
        CALL(pkey_alloc, NUMBER, 0, HEX(flags), FLAGS(init_val, PKEY)),
        CALL(pkey_free, NUMBER, 0, NUMBER(pkey)),
        CALL(pkey_mprotect, NUMBER, IN_MEMORY, POINTER(start), SIZE(len), FLAGS(prot, PROT), NUMBER(pkey)),
        CALL(poll, TIMEOUT, IN_DESC, POLLFD(ufds, 1), UNSIGNED(nfds), NUMBER(timeout_msecs)),
        CALL(ppoll, TIMEOUT, IN_DESC, POLLFD(ufds, 1), UNSIGNED(nfds), TIMESPEC(tsp), SIGSET(sigmask, 4), SIZE(sigsetsize)),
        CALL(prctl, NUMBER, 0, ENUM(option, PRCTL), STRING(arg2), HEX(arg3), HEX(arg4), HEX(arg5)),
        CALL(pread64, NUMBER, 0, FD(fd), BUFFER_OUT(buf, 2), SIZE(count), OFFSET(pos)),
        CALL(preadv, NUMBER, 0, FD(fd), IOVEC(vec, 2), SIZE(vlen), OFFSET(pos_l), OFFSET(pos_h)),
        CALL(preadv2, NUMBER, 0, FD(fd), IOVEC(vec, 2), SIZE(vlen), OFFSET(pos_l), OFFSET(pos_h), FLAGS(flags, RWF)),
        CALL(prlimit64, NUMBER, 0, PID(pid), ENUM(resource, RLIMIT), RLIMIT(new_rlim), RLIMIT_OUT(old_rlim)),
        CALL(process_madvise, NUMBER, 0, FD(pidfd), IOVEC(vec, 2), SIZE(vlen), ENUM(behavior, MADVISE), HEX(flags)),
        CALL(process_mrelease, NUMBER, 0, FD(pidfd), HEX(flags)),
        CALL(process_vm_readv, NUMBER, 0, PID(pid), IOVEC(lvec, 2), SIZE(liovcnt), IOVEC(rvec, 4), SIZE(riovcnt), HEX(flags)),
        CALL(process_vm_writev, NUMBER, 0, PID(pid), IOVEC(lvec, 2), SIZE(liovcnt), IOVEC(rvec, 4), SIZE(riovcnt), HEX(flags)),
        CALL(pselect6, TIMEOUT, IN_DESC, NUMBER(n), POINTER(inp), POINTER(outp), POINTER(exp), TIMESPEC(tsp), POINTER(sig)),
        CALL(ptrace, NUMBER, 0, ENUM(request, PTRACE), PID(pid), POINTER(addr), HEX(data)),
        CALL(pwrite64, NUMBER, 0, FD(fd), BUFFER(buf, 2), SIZE(count), OFFSET(pos)),
        CALL(pwritev, NUMBER, 0, FD(fd), IOVEC(vec, 2), SIZE(vlen), OFFSET(pos_l), OFFSET(pos_h)),
        CALL(pwritev2, NUMBER, 0, FD(fd), IOVEC(vec, 2), SIZE(vlen), OFFSET(pos_l), OFFSET(pos_h), FLAGS(flags, RWF)),
        CALL(quotactl, NUMBER, 0, UNSIGNED(cmd), PATH(special), ID(id), POINTER(addr)),
        CALL(quotactl_fd, NUMBER, 0, FD(fd), UNSIGNED(cmd), ID(id), POINTER(addr)),
        CALL(read, NUMBER, 0, FD(fd), BUFFER_OUT(buf, 2), SIZE(count)),
        CALL(readahead, NUMBER, 0, FD(fd), OFFSET(offset), SIZE(count)),
        CALL(readlink, NUMBER, 0, PATH(path), BUFFER_OUT(buf, 2), SIZE(bufsiz)),
        CALL(readlinkat, NUMBER, 0, DIRFD(dfd), PATH(pathname), BUFFER_OUT(buf, 3), SIZE(bufsiz)),
        CALL(readv, NUMBER, 0, FD(fd), IOVEC(vec, 2), SIZE(vlen)),
        CALL(reboot, NUMBER, 0, HEX(magic1), HEX(magic2), ENUM(cmd, REBOOT), POINTER(arg)),
        CALL(recvfrom, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), BUFFER_OUT(ubuf, 2), SIZE(size), FLAGS(flags, MSG),
             SOCKADDR_OUT(addr, 5),
             INT_OUT(addr_len)),
        CALL(recvmmsg, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), POINTER_OUT(mmsg), SIZE(vlen), FLAGS(flags, MSG),
             TIMESPEC(timeout)),
        CALL(recvmsg, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), POINTER_OUT(msg), FLAGS(flags, MSG)),
        CALL(remap_file_pages, NUMBER, IN_MEMORY, POINTER(start), SIZE(size), FLAGS(prot, PROT), HEX(pgoff), FLAGS(flags, MAP)),
        CALL(removexattr, NUMBER, 0, PATH(pathname), STRING(name)),
        CALL(removexattrat, NUMBER, 0, DIRFD(dfd), PATH(pathname), HEX(at_flags), POINTER(name)),
        CALL(rename, NUMBER, 0, PATH(oldname), PATH(newname)),
        CALL(renameat, NUMBER, 0, DIRFD(olddfd), PATH(oldname), DIRFD(newdfd), PATH(newname)),
        CALL(renameat2, NUMBER, 0, DIRFD(olddfd), PATH(oldname), DIRFD(newdfd), PATH(newname), FLAGS(flags, RENAME)),
        CALL(request_key, NUMBER, 0, STRING(_type), STRING(_description), STRING(_callout_info), NUMBER(destringid)),
        CALL(restart_syscall, NUMBER, 0),
        CALL(rmdir, NUMBER, 0, PATH(pathname)),
        CALL(rseq, NUMBER, 0, POINTER(rseq), HEX(rseq_len), HEX(flags), HEX(sig)),
        CALL(rt_sigaction, NUMBER, IN_SIGNAL, SIGNAL(sig), SIGACTION(act), SIGACTION_OUT(oact), SIZE(sigsetsize)),
        CALL(rt_sigpending, NUMBER, IN_SIGNAL, SIGSET_OUT(uset, 1), SIZE(sigsetsize)),
        CALL(rt_sigprocmask, NUMBER, IN_SIGNAL, ENUM(how, SIGHOW), SIGSET(nset, 3), SIGSET_OUT(oset, 3), SIZE(sigsetsize)),
        CALL(rt_sigqueueinfo, NUMBER, IN_PROCESS | IN_SIGNAL, PID(pid), SIGNAL(sig), POINTER(uinfo)),
        CALL(rt_sigreturn, NUMBER, IN_SIGNAL),
        CALL(rt_sigsuspend, NUMBER, IN_SIGNAL, SIGSET(unewset, 1), SIZE(sigsetsize)),
        CALL(rt_sigtimedwait, NUMBER, IN_SIGNAL, SIGSET(uthese, 3), POINTER_OUT(uinfo), TIMESPEC(uts), SIZE(sigsetsize)),
        CALL(rt_tgsigqueueinfo, NUMBER, IN_PROCESS | IN_SIGNAL, PID(tgid), PID(pid), SIGNAL(sig), POINTER(uinfo)),
        CALL(sched_get_priority_max, NUMBER, 0, ENUM(policy, SCHED)),
        CALL(sched_get_priority_min, NUMBER, 0, ENUM(policy, SCHED)),
        CALL(sched_getaffinity, NUMBER, 0, PID(pid), SIZE(len), CPUS_OUT(user_mask_ptr, 1)),
        CALL(sched_getattr, NUMBER, 0, PID(pid), POINTER_OUT(uattr), UNSIGNED(usize), HEX(flags)),
        CALL(sched_getparam, NUMBER, 0, PID(pid), POINTER_OUT(param)),
        CALL(sched_getscheduler, NUMBER, 0, PID(pid)),
        CALL(sched_rr_get_interval, NUMBER, 0, PID(pid), TIMESPEC_OUT(interval)),
        CALL(sched_setaffinity, NUMBER, 0, PID(pid), SIZE(len), CPUS(user_mask_ptr, 1)),
        CALL(sched_setattr, NUMBER, 0, PID(pid), POINTER(uattr), HEX(flags)),
        CALL(sched_setparam, NUMBER, 0, PID(pid), POINTER(param)),
        CALL(sched_setscheduler, NUMBER, 0, PID(pid), ENUM(policy, SCHED), POINTER(param)),
        CALL(sched_yield, NUMBER, 0),
        CALL(seccomp, NUMBER, 0, ENUM(op, SECCOMP), FLAGS(flags, SECCOMP_FLAGS), POINTER(uargs)),
        CALL(select, TIMEOUT, IN_DESC, NUMBER(n), POINTER(inp), POINTER(outp), POINTER(exp), TIMEVAL(tvp)),
        CALL(semctl, NUMBER, IN_IPC, NUMBER(semid), NUMBER(semnum), ENUM(cmd, SEMCTL), POINTER(arg)),
        CALL(semget, NUMBER, IN_IPC, ENUM(key, IPC_KEY), NUMBER(nsems), IPC_FLAGS(semflg, IPC_GET)),
        CALL(semop, NUMBER, IN_IPC, NUMBER(semid), POINTER(tsops), UNSIGNED(nsops)),
        CALL(semtimedop, NUMBER, IN_IPC, NUMBER(semid), POINTER(tsops), UNSIGNED(nsops), TIMESPEC(timeout)),
        CALL(sendfile, NUMBER, IN_NETWORK, FD(out_fd), FD(in_fd), POINTER(offset), SIZE(count)),
        CALL(sendfile64, NUMBER, IN_NETWORK, FD(out_fd), FD(in_fd), POINTER(offset), SIZE(count)),
        CALL(sendmmsg, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), POINTER(mmsg), SIZE(vlen), FLAGS(flags, MSG)),
        CALL(sendmsg, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), POINTER(msg), FLAGS(flags, MSG)),
        CALL(sendto, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), BUFFER(buff, 2), SIZE(len), FLAGS(flags, MSG), SOCKADDR(addr, 5),
             NUMBER(addr_len)),
        CALL(set_mempolicy, NUMBER, IN_MEMORY, ENUM(mode, MPOL), POINTER(nmask), SIZE(maxnode)),
        CALL(set_mempolicy_home_node, NUMBER, IN_MEMORY, POINTER(start), SIZE(len), HEX(home_node), HEX(flags)),
        CALL(set_robust_list, NUMBER, 0, POINTER(head), SIZE(len)),
        CALL(set_thread_area, NUMBER, 0, POINTER(u_info)),
        CALL(set_tid_address, PID, 0, POINTER(tidptr)),
        CALL(setdomainname, NUMBER, 0, BUFFER(name, 1), SIZE(len)),
        CALL(setfsgid, NUMBER, 0, ID(gid)),
        CALL(setfsuid, NUMBER, 0, ID(uid)),
        CALL(setgid, NUMBER, 0, ID(gid)),
        CALL(setgid32, NUMBER, 0, ID(gid)),
        CALL(setgroups, NUMBER, 0, NUMBER(gidsetsize), POINTER(grouplist)),
        CALL(sethostname, NUMBER, 0, BUFFER(name, 1), SIZE(len)),
        CALL(setitimer, NUMBER, 0, ENUM(which, ITIMER), ITIMERVAL(value), ITIMERVAL_OUT(ovalue)),
        CALL(setns, NUMBER, 0, FD(fd), FLAGS(flags, NAMESPACES)),
        CALL(setpgid, NUMBER, 0, PID(pid), PID(pgid)),
        CALL(setpriority, NUMBER, 0, ENUM(which, PRIO), NUMBER(who), NUMBER(niceval)),
        CALL(setregid, NUMBER, 0, ID(rgid), ID(egid)),
        CALL(setresgid, NUMBER, 0, ID(rgid), ID(egid), ID(sgid)),
        CALL(setresuid, NUMBER, 0, ID(ruid), ID(euid), ID(suid)),
        CALL(setreuid, NUMBER, 0, ID(ruid), ID(euid)),
        CALL(setrlimit, NUMBER, 0, ENUM(resource, RLIMIT), RLIMIT(rlim)),
        CALL(setsid, PID, 0),
        CALL(setsockopt, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), ENUM(level, SOCKET_LEVEL), ENUM(optname, SOCKET_OPTION),
             BUFFER(optval,
             4), NUMBER(optlen)),
        CALL(settimeofday, NUMBER, 0, TIMEVAL(tv), POINTER(tz)),
        CALL(setuid, NUMBER, 0, ID(uid)),
        CALL(setuid32, NUMBER, 0, ID(uid)),
        CALL(setxattr, NUMBER, 0, PATH(pathname), STRING(name), BUFFER(value, 3), SIZE(size), FLAGS(flags, XATTR)),
        CALL(setxattrat, NUMBER, 0, DIRFD(dfd), PATH(pathname), HEX(at_flags), POINTER(name), POINTER(uargs), SIZE(usize)),
        CALL(shmat, POINTER, IN_MEMORY | IN_IPC, NUMBER(shmid), POINTER(shmaddr), FLAGS(shmflg, SHMAT)),
        CALL(shmctl, NUMBER, IN_IPC, NUMBER(shmid), ENUM(cmd, IPC), POINTER(buf)),
        CALL(shmdt, NUMBER, IN_MEMORY | IN_IPC, POINTER(shmaddr)),
        CALL(shmget, NUMBER, IN_IPC, ENUM(key, IPC_KEY), SIZE(size), IPC_FLAGS(shmflg, IPC_GET)),
        CALL(shutdown, NUMBER, IN_NETWORK | NOT_IN_DESC, FD(fd), ENUM(how, SHUT)),
        CALL(sigaltstack, NUMBER, IN_SIGNAL, STACK(uss), STACK_OUT(uoss)),
        CALL(signalfd, FD, IN_SIGNAL, FD(ufd), SIGSET(user_mask, 2), SIZE(sizemask)),
        CALL(signalfd4, FD, IN_SIGNAL, FD(ufd), SIGSET(user_mask, 2), SIZE(sizemask), FLAGS(flags, SFD)),
        CALL(sigreturn, NUMBER, IN_SIGNAL),
        CALL(socket, FD, IN_NETWORK | NOT_IN_DESC, ENUM(family, FAMILY), FLAGS(type, SOCK), ENUM(protocol, IPPROTO)),
        CALL(socketcall, NUMBER, IN_NETWORK, NUMBER(call), POINTER(args)),
        CALL(socketpair, NUMBER, IN_NETWORK, ENUM(family, FAMILY), FLAGS(type, SOCK), ENUM(protocol, IPPROTO),
             FD_PAIR_OUT(usockvec)),
        CALL(splice, NUMBER, 0, FD(fd_in), POINTER(off_in), FD(fd_out), POINTER(off_out), SIZE(len), FLAGS(flags, SPLICE)),
        CALL(stat, NUMBER, 0, PATH(filename), STAT_OUT(statbuf)),
        CALL(stat64, NUMBER, 0, PATH(filename), STAT_OUT(statbuf)),
        CALL(statfs, NUMBER, 0, PATH(pathname), POINTER_OUT(buf)),
        CALL(statfs64, NUMBER, 0, PATH(pathname), SIZE(sz), POINTER_OUT(buf)),
        CALL(statmount, NUMBER, 0, POINTER(req), POINTER(buf), SIZE(bufsize), HEX(flags)),
        CALL(statx, NUMBER, 0, DIRFD(dfd), PATH(filename), FLAGS(flags, AT_STATX), FLAGS(mask, STATX), STATX_OUT(buffer)),
        CALL(swapoff, NUMBER, 0, PATH(specialfile)),
        CALL(swapon, NUMBER, 0, PATH(specialfile), FLAGS(swap_flags, SWAP)),
        CALL(symlink, NUMBER, 0, PATH(oldname), PATH(newname)),
        CALL(symlinkat, NUMBER, 0, PATH(oldname), DIRFD(newdfd), PATH(newname)),
        CALL(sync, NUMBER, 0),
        CALL(sync_file_range, NUMBER, 0, FD(fd), OFFSET(offset), OFFSET(nbytes), FLAGS(flags, SYNC_FILE_RANGE)),
        CALL(sync_file_range2, NUMBER, 0, FD(fd), FLAGS(flags, SYNC_FILE_RANGE), HEX(offset), HEX(nbytes)),
        CALL(syncfs, NUMBER, 0, FD(fd)),
        CALL(sysfs, NUMBER, 0, NUMBER(option), HEX(arg1), HEX(arg2)),
        CALL(sysinfo, NUMBER, 0, SYSINFO_OUT(info)),
        CALL(syslog, NUMBER, 0, NUMBER(type), POINTER(buf), SIZE(len)),
        CALL(tee, NUMBER, 0, FD(fdin), FD(fdout), SIZE(len), FLAGS(flags, SPLICE)),
        CALL(tgkill, NUMBER, IN_PROCESS | IN_SIGNAL, PID(tgid), PID(pid), SIGNAL(sig)),
        CALL(time, NUMBER, 0, POINTER_OUT(tloc)),
        CALL(timer_create, NUMBER, 0, ENUM(which_clock, CLOCK), POINTER(timer_event_spec), INT_OUT(created_timer_id)),
        CALL(timer_delete, NUMBER, 0, NUMBER(timer_id)),
        CALL(timer_getoverrun, NUMBER, 0, NUMBER(timer_id)),
        CALL(timer_gettime, NUMBER, 0, NUMBER(timer_id), ITIMERSPEC_OUT(setting)),
        CALL(timer_settime, NUMBER, 0, NUMBER(timer_id), FLAGS(flags, TIMER), ITIMERSPEC(new_setting),
             ITIMERSPEC_OUT(old_setting)),
        CALL(timerfd_create, FD, 0, ENUM(clockid, CLOCK), FLAGS(flags, TFD)),
        CALL(timerfd_gettime, NUMBER, 0, FD(ufd), ITIMERSPEC_OUT(otmr)),
        CALL(timerfd_settime, NUMBER, 0, FD(ufd), FLAGS(flags, TFD_TIMER), ITIMERSPEC(utmr), ITIMERSPEC_OUT(otmr)),
        CALL(times, NUMBER, 0, POINTER_OUT(tbuf)),
        CALL(tkill, NUMBER, IN_PROCESS | IN_SIGNAL, PID(pid), SIGNAL(sig)),
        CALL(truncate, NUMBER, 0, PATH(path), OFFSET(length)),
        CALL(truncate64, NUMBER, 0, PATH(path), HEX(length_low), HEX(length_high)),
        CALL(ugetrlimit, NUMBER, 0, ENUM(resource, RLIMIT), POINTER_OUT(rlim)),
        CALL(umask, MODE, 0, MODE(mask)),
        CALL(umount2, NUMBER, 0, PATH(name), FLAGS(flags, UMOUNT)),
        CALL(uname, NUMBER, 0, UTSNAME_OUT(name)),
        CALL(unlink, NUMBER, 0, PATH(pathname)),
        CALL(unlinkat, NUMBER, 0, DIRFD(dfd), PATH(pathname), FLAGS(flag, AT)),
        CALL(unshare, NUMBER, 0, FLAGS(unshare_flags, UNSHARE)),
        CALL(uselib, NUMBER, 0, PATH(library)),
        CALL(userfaultfd, FD, 0, FLAGS(flags, OPEN_CREATED)),
        CALL(ustat, NUMBER, 0, DEVICE(dev), POINTER_OUT(ubuf)),
        CALL(utime, NUMBER, 0, PATH(filename), POINTER(times)),
        CALL(utimensat, NUMBER, 0, DIRFD(dfd), PATH(filename), TIMESPECS(utimes), FLAGS(flags, AT)),
        CALL(utimes, NUMBER, 0, PATH(filename), TIMEVALS(utimes)),
        CALL(vfork, PID, IN_PROCESS),
        CALL(vhangup, NUMBER, 0),
        CALL(vmsplice, NUMBER, 0, FD(fd), IOVEC(uiov, 2), SIZE(nr_segs), FLAGS(flags, SPLICE)),
        CALL(wait4, PID, IN_PROCESS, PID(upid), STATUS_OUT(stat_addr), FLAGS(options, WAIT), POINTER(ru)),
        CALL(waitid, NUMBER, IN_PROCESS, ENUM(which, IDTYPE), PID(upid), POINTER_OUT(infop), FLAGS(options, WAIT), POINTER(ru)),
        CALL(waitpid, PID, IN_PROCESS, PID(pid), STATUS_OUT(stat_addr), FLAGS(options, WAIT)),
        CALL(write, NUMBER, 0, FD(fd), BUFFER(buf, 2), SIZE(count)),
        CALL(writev, NUMBER, 0, FD(fd), IOVEC(vec, 2), SIZE(vlen)),
};

#define SIGNATURES_KNOWN 512u /* numbers; a line asks several times for the same */

static int compare_signature(const void *name, const void *signature) {
        return strcmp(name, ((const SyscallSignature *) signature)->name);
}

const SyscallSignature *syscall_signature_by_name(const char *name) {
        return bsearch(name, signatures, ELEMENTSOF(signatures), sizeof(*signatures), compare_signature);
}

const SyscallSignature *syscall_signature(SyscallAbi abi, uint32_t number) {
        static const SyscallSignature *known[SYSCALL_ABI_MAX][SIGNATURES_KNOWN]; /* that were found before */
        const char *name = syscall_name(abi, number);
        const SyscallSignature *s;

        abi = syscall_abi_of(abi, &number);
        if (!name || (number < SIGNATURES_KNOWN && known[abi][number]))
                return name ? known[abi][number] : NULL;
        if (abi != SYSCALL_X86_64 && streq(name, "clone"))
                name = "clone_backwards"; /* CONFIG_CLONE_BACKWARDS of the kernel */
        s = syscall_signature_by_name(name);
        if (number < SIGNATURES_KNOWN)
                known[abi][number] = s;
        return s;
}

unsigned syscall_signature_groups(const SyscallSignature *s) {
        unsigned groups = s->groups;

        for (unsigned i = 0; i < SYSCALL_MAX_ARGUMENTS; i++)
                if (s->arguments[i].kind == ARGUMENT_PATH)
                        groups |= SYSCALL_IN_FILE;
                else if (s->arguments[i].kind == ARGUMENT_FD || s->arguments[i].kind == ARGUMENT_DIRFD)
                        groups |= SYSCALL_IN_DESC;
        if (s->result == RESULT_FD)
                groups |= SYSCALL_IN_DESC;
        return groups & SYSCALL_NOT_IN_DESC ? groups & ~(unsigned) (SYSCALL_IN_DESC | SYSCALL_NOT_IN_DESC) : groups;
}

/* Sizes of structures: with 32-bit and 64-bit words. 0: the size depends on other arguments, or there is no memory. */
static const uint8_t structure_sizes[ARGUMENT_KIND_MAX][2] = {
        [ARGUMENT_TIMESPEC] = { 8, 16 },    [ARGUMENT_TIMESPEC_OUT] = { 8, 16 },    [ARGUMENT_TIMESPECS] = { 16, 32 },
        [ARGUMENT_TIMEVAL] = { 8, 16 },     [ARGUMENT_TIMEVAL_OUT] = { 8, 16 },     [ARGUMENT_TIMEVALS] = { 16, 32 },
        [ARGUMENT_ITIMERSPEC] = { 16, 32 }, [ARGUMENT_ITIMERSPEC_OUT] = { 16, 32 }, [ARGUMENT_ITIMERVAL] = { 16, 32 },
        [ARGUMENT_SIGACTION] = { 20, 32 },  [ARGUMENT_SIGACTION_OUT] = { 20, 32 },  [ARGUMENT_ITIMERVAL_OUT] = { 16, 32 },
        [ARGUMENT_RLIMIT] = { 8, 16 },      [ARGUMENT_RLIMIT_OUT] = { 8, 16 },      [ARGUMENT_EPOLL_EVENT] = { 12, 16 },
        [ARGUMENT_FD_PAIR_OUT] = { 8, 8 },  [ARGUMENT_INT_OUT] = { 4, 4 },          [ARGUMENT_OPEN_HOW] = { 24, 24 },
        [ARGUMENT_STATUS_OUT] = { 4, 4 },   [ARGUMENT_UTSNAME_OUT] = { 128, 128 },  [ARGUMENT_SYSINFO_OUT] = { 56, 112 },
        [ARGUMENT_LOCK] = { 0, 24 },        [ARGUMENT_STACK] = { 12, 24 },      [ARGUMENT_STACK_OUT] = { 12, 24 },
        [ARGUMENT_SOCKADDR_OUT] = { 128, 128 }, /* struct sockaddr_storage */
        [ARGUMENT_STAT_OUT] = { 56, 56 },       [ARGUMENT_STATX_OUT] = { 48, 48 }, /* up to the file's size */
};

bool argument_kind_is_written(ArgumentKind kind) {
        switch (kind) {
        case ARGUMENT_POINTER_OUT:
        case ARGUMENT_BUFFER_OUT:
        case ARGUMENT_TEXT_OUT:
        case ARGUMENT_SOCKADDR_OUT:
        case ARGUMENT_TIMESPEC_OUT:
        case ARGUMENT_TIMEVAL_OUT:
        case ARGUMENT_ITIMERSPEC_OUT:
        case ARGUMENT_ITIMERVAL_OUT:
        case ARGUMENT_SIGSET_OUT:
        case ARGUMENT_SIGACTION_OUT:
        case ARGUMENT_RLIMIT_OUT:
        case ARGUMENT_EPOLL_EVENTS_OUT:
        case ARGUMENT_FD_PAIR_OUT:
        case ARGUMENT_INT_OUT:
        case ARGUMENT_STATUS_OUT:
        case ARGUMENT_IDS_OUT:
        case ARGUMENT_CPUS_OUT:
        case ARGUMENT_UTSNAME_OUT:
        case ARGUMENT_SYSINFO_OUT:
        case ARGUMENT_STACK_OUT:
        case ARGUMENT_STAT_OUT:
        case ARGUMENT_STATX_OUT:
                return true;
        default:
                return false;
        }
}

bool syscall_signature_is_wide(const SyscallSignature *s, SyscallAbi abi) {
        return abi != SYSCALL_I386 || strstr(s->name, "time64");
}

ArgumentMemory syscall_argument_memory(const SyscallSignature *s, SyscallAbi abi, unsigned i) {
        const SyscallArgument *a = &s->arguments[i];
        bool written = argument_kind_is_written(a->kind);
        uint8_t unit = structure_sizes[a->kind][syscall_signature_is_wide(s, abi)];

        if (a->kind == ARGUMENT_EPOLL_EVENT && abi == SYSCALL_X86_64)
                unit = 12; /* it is packed there */
        if (unit > 0)
                return (ArgumentMemory) { ARGUMENT_MEMORY_FIXED, 0, written, unit };
        switch (a->kind) {
        case ARGUMENT_PATH:
        case ARGUMENT_STRING:
                return (ArgumentMemory) { ARGUMENT_MEMORY_TEXT, 0, false, 1 };
        case ARGUMENT_STRINGS:
                return (ArgumentMemory) { ARGUMENT_MEMORY_STRINGS, 0, false, 1 };
        case ARGUMENT_BUFFER_OUT:
        case ARGUMENT_TEXT_OUT:
                return (ArgumentMemory) { ARGUMENT_MEMORY_RESULT, a->length, true, 1 };
        case ARGUMENT_BUFFER:
        case ARGUMENT_SOCKADDR:
        case ARGUMENT_SIGSET:
        case ARGUMENT_SIGSET_OUT:
                return (ArgumentMemory) { ARGUMENT_MEMORY_COUNTED, a->length, written, 1 };
        case ARGUMENT_IOVEC:
                return (ArgumentMemory) { ARGUMENT_MEMORY_COUNTED, a->length, false, abi != SYSCALL_I386 ? 16 : 8 };
        case ARGUMENT_CPUS:
        case ARGUMENT_CLONE_ARGS:
                return (ArgumentMemory) { ARGUMENT_MEMORY_COUNTED, a->length, false, 1 };
        case ARGUMENT_CPUS_OUT:
                return (ArgumentMemory) { ARGUMENT_MEMORY_RESULT, a->length, true, 1 };
        case ARGUMENT_IDS_OUT:
                return (ArgumentMemory) { ARGUMENT_MEMORY_RESULT, a->length, true, 4 };
        case ARGUMENT_POLLFD:
                return (ArgumentMemory) { ARGUMENT_MEMORY_COUNTED, a->length, false, 8 };
        case ARGUMENT_EPOLL_EVENTS_OUT:
                return (ArgumentMemory) { ARGUMENT_MEMORY_RESULT, 2, true, abi == SYSCALL_AARCH64 ? 16 : 12 }; /* maxevents */
        default:
                return (ArgumentMemory) {};
        }
}

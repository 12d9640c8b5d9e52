/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The sets of constants: a name; the bits that are one number in a set of flags; what perf trace leaves out at the beginning of
 * their names; the headers that have them; which of the constants of these headers belong to the set, and which of those do
 * not (POSIX extended regular expressions). make-constants.awk reads these lines, too. If two names of
 * a set have the same value, the first counts: the others are left out here where that matters. */

CONSTANTS(ACCESS, 0, "", "unistd.h", "^[RWXF]_OK$", "^$")
CONSTANTS(ARCH, 0, "ARCH_", "asm/prctl.h", "^ARCH_", "^$")
CONSTANTS(AT, 0, "AT_", "linux/fcntl.h", "^AT_(SYMLINK_NOFOLLOW|REMOVEDIR|SYMLINK_FOLLOW|NO_AUTOMOUNT|EMPTY_PATH|RECURSIVE)$", "^$")
CONSTANTS(AT_ACCESS, 0, "AT_", "linux/fcntl.h", "^AT_(SYMLINK_NOFOLLOW|EACCESS|EMPTY_PATH)$", "^$")
CONSTANTS(AT_FDCWD, 0, "AT_FD", "linux/fcntl.h", "^AT_FDCWD$", "^$")
CONSTANTS(AT_STATX, 0x6000, "AT_", "linux/fcntl.h", "^AT_(SYMLINK_NOFOLLOW|SYMLINK_FOLLOW|NO_AUTOMOUNT|EMPTY_PATH|"
          "STATX_.*)$", "_TYPE$")
CONSTANTS(AT_UNLINK, 0, "AT_", "linux/fcntl.h", "^AT_REMOVEDIR$", "^$")
CONSTANTS(BPF, 0, "BPF_", "linux/bpf.h", "^BPF_((MAP|PROG)_(CREATE|LOAD|FREEZE|QUERY|ATTACH|DETACH|TEST_RUN|GET_.*|"
          "BIND_MAP)|MAP_.*_(ELEM|BATCH)|OBJ_(PIN|GET.*)|RAW_TRACEPOINT_OPEN|BTF_(LOAD|GET_.*)|TASK_FD_QUERY|LINK_(CREATE|"
          "UPDATE|DETACH|GET_.*)|ENABLE_STATS|ITER_CREATE)$", "^$")
CONSTANTS(CAPABILITY, 0, "CAP_", "linux/capability.h", "^CAP_[A-Z0-9_]+$", "^CAP_LAST_CAP$")
CONSTANTS(CLOCK, 0, "CLOCK_", "linux/time.h", "^CLOCK_", "^$")
CONSTANTS(CLONE, 0, "CLONE_", "linux/sched.h", "^CLONE_", "^CLONE_(ARGS_SIZE|DETACHED|NEWTIME|CLEAR_SIGHAND|INTO_CGROUP)")
CONSTANTS(CLOSE_RANGE, 0, "CLOSE_RANGE_", "linux/close_range.h", "^CLOSE_RANGE_", "^$")
CONSTANTS(EFD, 0, "EFD_", "sys/eventfd.h", "^EFD_", "^$")
CONSTANTS(EPOLL, 0, "EPOLL", "linux/eventpoll.h", "^EPOLL[A-Z]", "^$")
CONSTANTS(EPOLL_CREATE, 0, "EPOLL_", "linux/eventpoll.h", "^EPOLL_CLOEXEC$", "^$")
CONSTANTS(EPOLL_CTL, 0, "EPOLL_CTL_", "linux/eventpoll.h", "^EPOLL_CTL_", "^$")
CONSTANTS(ERRNO, 0, "", "linux/errno.h asm/errno.h", "^E[A-Z0-9]+$",
          "^E(WOULDBLOCK|DEADLOCK|NOTSUP|POLL[A-Z]+|CHO(E|K|NL|CTL|PRT|KE)?|XT[AB]|XTPROC)$")
CONSTANTS(FADVISE, 0, "POSIX_FADV_", "linux/fadvise.h", "^POSIX_FADV_", "^$")
CONSTANTS(FALLOCATE, 0, "FALLOC_FL_", "linux/falloc.h", "^FALLOC_FL_", "^$")
CONSTANTS(FAMILY, 0, "AF_", "sys/socket.h", "^AF_", "^AF_(LOCAL|FILE|ROUTE|MAX)$")
CONSTANTS(FANOTIFY_INIT, 0xc, "FAN_", "linux/fanotify.h", "^FAN_(CLOEXEC|NONBLOCK|CLASS_.*|UNLIMITED_.*|ENABLE_AUDIT|"
          "REPORT_.*)$", "^$")
CONSTANTS(FANOTIFY_MARK, 0, "FAN_MARK_", "linux/fanotify.h", "^FAN_MARK_", "^FAN_MARK_INODE$")
CONSTANTS(FCNTL, 0, "F_", "linux/fcntl.h", "^F_[A-Z]", "^F_((RD|WR|UN|EX|SH)LCK|LINUX_SPECIFIC_BASE|OWNER_.*|SEAL_.*)$")
CONSTANTS(FD, 0, "FD_", "linux/fcntl.h", "^FD_CLOEXEC$", "^$")
CONSTANTS(FLOCK, 0, "LOCK_", "linux/fcntl.h", "^LOCK_(SH|EX|NB|UN)$", "^$")
CONSTANTS(FILE_LOCK, 0, "F_", "linux/fcntl.h", "^F_(RD|WR|UN)LCK$", "^$")
CONSTANTS(FSCONFIG, 0, "FSCONFIG_", "linux/mount.h", "^FSCONFIG_", "^$")
CONSTANTS(FSMOUNT, 0, "FSMOUNT_", "linux/mount.h", "^FSMOUNT_", "^$")
CONSTANTS(FSOPEN, 0, "FSOPEN_", "linux/mount.h", "^FSOPEN_", "^$")
CONSTANTS(FSPICK, 0, "FSPICK_", "linux/mount.h", "^FSPICK_", "^$")
CONSTANTS(FUTEX, 0x7f, "FUTEX_", "linux/futex.h", "^FUTEX_((FD|(CMP_)?REQUEUE|WAKE_OP|(UN|TRY)?LOCK_PI2?|(WAIT|"
          "WAKE)(_BITSET)?|(WAIT|CMP)_REQUEUE_PI)|PRIVATE_FLAG|CLOCK_REALTIME)$", "^$")
CONSTANTS(FUTEX_BITSET, 0, "FUTEX_BITSET_", "linux/futex.h", "^FUTEX_BITSET_MATCH_ANY$", "^$")
CONSTANTS(FUTEX_FLAGS, 0, "FUTEX_", "linux/futex.h", "^FUTEX_CLOCK_REALTIME$", "^$")
CONSTANTS(GRND, 0, "GRND_", "linux/random.h", "^GRND_", "^$")
CONSTANTS(IDTYPE, 0, "P_", "linux/wait.h", "^P_(ALL|PID|PGID|PIDFD)$", "^$")
CONSTANTS(INOTIFY, 0, "IN_", "linux/inotify.h", "^IN_", "^IN_(CLOSE|MOVE|ALL_EVENTS|CLOEXEC|NONBLOCK)$")
CONSTANTS(INOTIFY_INIT, 0, "IN_", "linux/inotify.h", "^IN_(CLOEXEC|NONBLOCK)$", "^$")
CONSTANTS(IOCTL, 0, "", "asm/ioctls.h asm/termbits.h linux/serial.h linux/fs.h linux/sockios.h linux/random.h "
          "linux/perf_event.h linux/kd.h linux/vt.h linux/rtc.h linux/if_tun.h linux/loop.h linux/fiemap.h",
          "^(TC[GSXF][A-Z0-9]+|TCSB.*|TIO[CS].*|FIO.*|SIOC.*|BLK[A-Z0-9]+|FS_IOC_.*|FI(BMAP|GETBSZ|FREEZE|THAW|TRIM|CLONE|"
          "CLONERANGE|DEDUPERANGE)|RND[A-Z]+|PERF_EVENT_IOC_[A-Z_]+|KD[GS].*|GIO_.*|PIO_.*|VT_[GSAORD].*|RTC_(RD|SET|AIE|"
          "UIE|PIE|IRQ|WKALM|EPOCH|VL).*|TUN(SET|GET|ATTACH|DETACH).*|LOOP_(SET|CLR|GET|CHANGE|CTL|CONFIGURE).*)$",
          "^(TIOCPKT_.*|TIOCM_.*|TIOCSER_TEMT|FIOQSIZE_.*|TIOCINQ|SIOC(DEVPRIVATE|PROTOPRIVATE)|TCS(ANOW|ADRAIN|AFLUSH)|"
          "TC[A-Z]+OFF|SIOCINQ|SIOCOUTQ|PERF_EVENT_IOC_FLAG_.*|RND_.*)$")
CONSTANTS(IOPRIO_WHO, 0, "IOPRIO_WHO_", "linux/ioprio.h", "^IOPRIO_WHO_", "^$")
CONSTANTS(IORING_ENTER, 0, "IORING_ENTER_", "linux/io_uring.h", "^IORING_ENTER_", "^$")
CONSTANTS(IORING_REGISTER, 0, "IORING_", "linux/io_uring.h", "^IORING_(UN)?REGISTER_", "^IORING_REGISTER_(LAST|FILES_SKIP|USE_.*)$")
CONSTANTS(IPC, 0, "IPC_", "linux/ipc.h", "^IPC_(RMID|SET|STAT|INFO)$", "^$")
CONSTANTS(IPC_GET, 0, "IPC_", "linux/ipc.h linux/shm.h", "^(IPC_(CREAT|EXCL|NOWAIT)|SHM_(HUGETLB|NORESERVE))$", "^$")
CONSTANTS(IPC_KEY, 0, "", "linux/ipc.h", "^IPC_PRIVATE$", "^$")
CONSTANTS(IPPROTO, 0, "IPPROTO_", "netinet/in.h", "^IPPROTO_", "^IPPROTO_(MAX|HOPOPTS)$")
CONSTANTS(ITIMER, 0, "ITIMER_", "linux/time.h", "^ITIMER_", "^$")
CONSTANTS(KCMP, 0, "KCMP_", "linux/kcmp.h", "^KCMP_", "^KCMP_TYPES$")
CONSTANTS(KEYCTL, 0, "KEYCTL_", "linux/keyctl.h", "^KEYCTL_", "^KEYCTL_(CAPS|SUPPORTS|MOVE_EXCL).*")
CONSTANTS(MADVISE, 0, "", "linux/mman.h", "^MADV_", "^$")
CONSTANTS(MAP, 0x0f, "MAP_", "linux/mman.h", "^MAP_", "^MAP_(TYPE|FILE|ANON|HUGE_.*|UNINITIALIZED)$")
CONSTANTS(MCL, 0, "MCL_", "linux/mman.h", "^MCL_", "^$")
CONSTANTS(MEMBARRIER, 0, "MEMBARRIER_CMD_", "linux/membarrier.h", "^MEMBARRIER_CMD_", "^MEMBARRIER_CMD_(SHARED|FLAG_.*)$")
CONSTANTS(MFD, 0, "MFD_", "linux/memfd.h", "^MFD_", "^MFD_HUGE_")
CONSTANTS(MLOCK, 0, "MLOCK_", "linux/mman.h", "^MLOCK_", "^$")
CONSTANTS(MODE, 0170000, "S_", "sys/stat.h", "^S_IF[A-Z]+$", "^S_IFMT$")
CONSTANTS(MODULE_INIT, 0, "MODULE_INIT_", "linux/module.h", "^MODULE_INIT_", "^$")
CONSTANTS(MOUNT, 0, "MS_", "linux/mount.h", "^MS_", "^MS_(RMT_MASK|MGC_.*|KERNMOUNT|NOSEC|BORN|ACTIVE|NOUSER|VERBOSE|"
          "SUBMOUNT|NOREMOTELOCK)$")
CONSTANTS(MOUNT_ATTR, 0x70, "MOUNT_ATTR_", "linux/mount.h", "^MOUNT_ATTR_", "^MOUNT_ATTR_(_ATIME|SIZE_.*)$")
CONSTANTS(MOVE_MOUNT, 0, "MOVE_MOUNT_", "linux/mount.h", "^MOVE_MOUNT_", "^MOVE_MOUNT__")
CONSTANTS(MPOL, 0, "MPOL_", "linux/mempolicy.h", "^MPOL_(DEFAULT|PREFERRED.*|BIND|INTERLEAVE|WEIGHTED_INTERLEAVE|LOCAL)$", "^$")
CONSTANTS(MREMAP, 0, "MREMAP_", "linux/mman.h", "^MREMAP_", "^$")
CONSTANTS(MSG, 0, "MSG_", "sys/socket.h", "^MSG_", "^MSG_TRYHARD$")
CONSTANTS(MSGRCV, 0, "", "linux/ipc.h linux/msg.h", "^(IPC_NOWAIT|MSG_(NOERROR|EXCEPT|COPY))$", "^$")
CONSTANTS(MSYNC, 0, "MS_", "asm/mman.h", "^MS_(ASYNC|INVALIDATE|SYNC)$", "^$")
CONSTANTS(NAMESPACES, 0, "CLONE_", "linux/sched.h", "^CLONE_NEW[A-Z]+$", "^$")
CONSTANTS(NETLINK, 0, "NETLINK_", "linux/netlink.h", "^NETLINK_(ROUTE|UNUSED|USERSOCK|FIREWALL|SOCK_DIAG|NFLOG|XFRM|SELINUX|"
          "ISCSI|AUDIT|FIB_LOOKUP|CONNECTOR|NETFILTER|IP6_FW|DNRTMSG|KOBJECT_UEVENT|GENERIC|SCSITRANSPORT|ECRYPTFS|RDMA|"
          "CRYPTO|SMC)$", "^$")
CONSTANTS(OPEN, 03, "O_", "linux/fcntl.h", "^(O_[A-Z]+|FASYNC)$", "^O_NDELAY$")
CONSTANTS(OPEN_CREATED, 0, "O_", "linux/fcntl.h", "^O_(CLOEXEC|NONBLOCK|DIRECT|EXCL|TRUNC)$", "^$")
CONSTANTS(OPEN_TREE, 0, "", "linux/fcntl.h linux/mount.h", "^(OPEN_TREE_.*|AT_(SYMLINK_NOFOLLOW|NO_AUTOMOUNT|EMPTY_PATH|"
          "RECURSIVE))$", "^$")
CONSTANTS(PERF_FLAG, 0, "PERF_FLAG_", "linux/perf_event.h", "^PERF_FLAG_", "^$")
CONSTANTS(PIDFD, 0, "PIDFD_", "linux/pidfd.h", "^PIDFD_NONBLOCK$", "^$")
CONSTANTS(PKEY, 0, "PKEY_", "asm/mman.h", "^PKEY_DISABLE_", "^$")
CONSTANTS(POLL, 0, "POLL", "asm/poll.h", "^POLL[A-Z]+$", "^POLL(FREE|_.*)$")
CONSTANTS(PRCTL, 0, "PR_", "linux/prctl.h", "^PR_(SET|GET|CAPBSET|CAP_AMBIENT|SVE|SME|MCE_KILL|TASK_PERF_EVENTS|PAC|"
          "SCHED_CORE|MPX)", "^PR_(SET_MM_.*|MCE_KILL_(CLEAR|SET|LATE|EARLY|DEFAULT)|CAP_AMBIENT_.*|PAC_AP.*|SCHED_CORE_.*|"
          "(SVE|SME)_(SET_VL_ONEXEC|VL_.*)|SET_PTRACER_ANY)$")
CONSTANTS(PRIO, 0, "PRIO_", "linux/resource.h", "^PRIO_(PROCESS|PGRP|USER)$", "^$")
CONSTANTS(PROT, 0, "PROT_", "linux/mman.h", "^PROT_", "^$")
CONSTANTS(PTRACE, 0, "PTRACE_", "linux/ptrace.h asm/ptrace-abi.h", "^PTRACE_[A-Z]",
          "^PTRACE_(EVENT.*|O_.*|PEEKSIGINFO_SHARED|SYSCALL_INFO_.*|EVENTMSG_.*|SECCOMP_GET_METADATA_.*)$")
CONSTANTS(REBOOT, 0, "LINUX_REBOOT_CMD_", "linux/reboot.h", "^LINUX_REBOOT_CMD_", "^$")
CONSTANTS(RENAME, 0, "RENAME_", "linux/fs.h", "^RENAME_", "^$")
CONSTANTS(RESOLVE, 0, "RESOLVE_", "linux/openat2.h", "^RESOLVE_", "^$")
CONSTANTS(RLIMIT, 0, "RLIMIT_", "linux/resource.h", "^RLIMIT_", "^$")
CONSTANTS(RUSAGE, 0, "RUSAGE_", "linux/resource.h", "^RUSAGE_", "^RUSAGE_BOTH$")
CONSTANTS(RWF, 0, "RWF_", "linux/fs.h", "^RWF_", "^RWF_SUPPORTED$")
CONSTANTS(SA, 0, "SA_", "asm/signal.h", "^SA_", "^SA_(NOMASK|ONESHOT|X32_ABI|IA32_ABI)$")
CONSTANTS(SCHED, 0, "SCHED_", "linux/sched.h", "^SCHED_(NORMAL|FIFO|RR|BATCH|IDLE|DEADLINE|EXT|RESET_ON_FORK)$", "^$")
CONSTANTS(SECCOMP, 0, "SECCOMP_", "linux/seccomp.h", "^SECCOMP_(SET_MODE|GET)_", "^$")
CONSTANTS(SECCOMP_FLAGS, 0, "SECCOMP_FILTER_FLAG_", "linux/seccomp.h", "^SECCOMP_FILTER_FLAG_", "^$")
CONSTANTS(SEEK, 0, "SEEK_", "linux/fs.h", "^SEEK_", "^SEEK_MAX$")
CONSTANTS(SEAL, 0, "F_", "linux/fcntl.h", "^F_SEAL_", "^$")
CONSTANTS(SECCOMP_MODE, 0, "SECCOMP_MODE_", "linux/seccomp.h", "^SECCOMP_MODE_", "^$")
CONSTANTS(SEMCTL, 0, "", "linux/ipc.h linux/sem.h", "^(IPC_(RMID|SET|STAT|INFO)|(GET|SET)(PID|VAL|ALL|NCNT|ZCNT)|"
          "SEM_(STAT|INFO|STAT_ANY))$", "^$")
CONSTANTS(SFD, 0, "SFD_", "linux/signalfd.h", "^SFD_", "^$")
CONSTANTS(SHMAT, 0, "SHM_", "linux/shm.h", "^SHM_(RDONLY|RND|REMAP|EXEC)$", "^$")
CONSTANTS(SHUT, 0, "SHUT_", "sys/socket.h", "^SHUT_", "^$")
CONSTANTS(SI, 0, "SI_", "asm/siginfo.h", "^SI_(USER|KERNEL|QUEUE|TIMER|MESGQ|ASYNCIO|SIGIO|TKILL|DETHREAD|ASYNCNL)$", "^$")
CONSTANTS(SI_BUS, 0, "BUS_", "asm/siginfo.h", "^BUS_[A-Z]+", "^$")
CONSTANTS(SI_CLD, 0, "CLD_", "asm/siginfo.h", "^CLD_[A-Z]+", "^$")
CONSTANTS(SI_FPE, 0, "FPE_", "asm/siginfo.h", "^FPE_[A-Z]+", "^$")
CONSTANTS(SI_ILL, 0, "ILL_", "asm/siginfo.h", "^ILL_[A-Z]+", "^$")
CONSTANTS(SI_POLL, 0, "POLL_", "asm/siginfo.h", "^POLL_[A-Z]+", "^$")
CONSTANTS(SI_SEGV, 0, "SEGV_", "asm/siginfo.h", "^SEGV_[A-Z]+", "^$")
CONSTANTS(SI_SYS, 0, "SYS_", "asm/siginfo.h", "^SYS_(SECCOMP|USER_DISPATCH)$", "^$")
CONSTANTS(SI_TRAP, 0, "TRAP_", "asm/siginfo.h", "^TRAP_[A-Z]+", "^$")
CONSTANTS(SIGHOW, 0, "SIG_", "asm/signal.h", "^SIG_(BLOCK|UNBLOCK|SETMASK)$", "^$")
CONSTANTS(SIGNAL, 0, "SIG", "asm/signal.h", "^SIG[A-Z0-9]+$", "^SIG(RTMIN|RTMAX|STKSZ|IOT|POLL|UNUSED|CLD|LOST|SWI)$")
CONSTANTS(SOCK, 0x0f, "SOCK_", "sys/socket.h", "^SOCK_", "^SOCK_(MAX|TYPE_MASK)$")
CONSTANTS(SOCKET_LEVEL, 0, "SOL_", "sys/socket.h netinet/in.h netinet/tcp.h netinet/udp.h", "^SOL_", "^$")
CONSTANTS(SOCKET_OPTION, 0, "SO_", "sys/socket.h", "^SO_", "^SO_(GET_FILTER|.*_(OLD|NEW))$")
CONSTANTS(SOCKET_OPTION_IP, 0, "IP_", "netinet/in.h", "^IP_[A-Z]", "^IP_(PMTUDISC_.*|DEFAULT_.*|MAX_.*|RECVRETOPTS)$")
CONSTANTS(SOCKET_OPTION_IPV6, 0, "IPV6_", "netinet/in.h", "^IPV6_[A-Z0-9]",
          "^IPV6_(PMTUDISC_.*|RTHDR_.*|(RX)?(HOP|DST)OPTS_.*|JOIN_GROUP|LEAVE_GROUP)$")
CONSTANTS(SOCKET_OPTION_TCP, 0, "TCP_", "netinet/tcp.h", "^TCP_",
          "^TCP_(ESTABLISHED|SYN_.*|FIN_.*|TIME_.*|CLOSE.*|LAST_ACK|LISTEN|CLOSING|CA_.*|.*_QUEUE|QUEUES_NR|COOKIE_.*|"
          "S_DATA_.*|MD5SIG_.*|REPAIR_(ON|OFF.*)|.*MSS_.*|.*_MAX.*|.*_MAX)$")
CONSTANTS(SOCKET_OPTION_NETLINK, 0, "NETLINK_", "linux/netlink.h", "^NETLINK_((ADD|DROP)_MEMBERSHIP|PKTINFO|BROADCAST_ERROR|"
          "NO_ENOBUFS|LISTEN_ALL_NSID|LIST_MEMBERSHIPS|CAP_ACK|EXT_ACK|GET_STRICT_CHK)$", "^$")
CONSTANTS(SOCKET_OPTION_UDP, 0, "UDP_", "netinet/udp.h", "^UDP_[A-Z0-9_]+$", "^UDP_(ENCAP_.+)$")
CONSTANTS(SPLICE, 0, "SPLICE_F_", "fcntl.h", "^SPLICE_F_", "^$")
CONSTANTS(SS, 0, "SS_", "linux/signal.h", "^SS_(ONSTACK|DISABLE|AUTODISARM)$", "^$")
CONSTANTS(STATX, 0, "STATX_", "linux/stat.h", "^STATX_", "^STATX_(ATTR_.*|_RESERVED)$")
CONSTANTS(SWAP, 0, "SWAP_FLAG_", "sys/swap.h", "^SWAP_FLAG_(PREFER|DISCARD)$", "^$")
CONSTANTS(SYNC_FILE_RANGE, 0, "SYNC_FILE_RANGE_", "linux/fs.h", "^SYNC_FILE_RANGE_", "^SYNC_FILE_RANGE_WRITE_AND_WAIT$")
CONSTANTS(TFD, 0, "TFD_", "linux/timerfd.h", "^TFD_(CLOEXEC|NONBLOCK)$", "^$")
CONSTANTS(TFD_TIMER, 0, "TFD_TIMER_", "linux/timerfd.h", "^TFD_TIMER_[AC]", "^$")
CONSTANTS(TIMER, 0, "TIMER_", "linux/time.h", "^TIMER_ABSTIME$", "^$")
CONSTANTS(UMOUNT, 0, "", "sys/mount.h", "^(MNT_(FORCE|DETACH|EXPIRE)|UMOUNT_NOFOLLOW)$", "^$")
CONSTANTS(UNSHARE, 0, "CLONE_", "linux/sched.h", "^CLONE_(FS|FILES|SIGHAND|THREAD|SYSVSEM|NEW[A-Z]+)$", "^$")
CONSTANTS(WAIT, 0, "W", "linux/wait.h", "^(W(NOHANG|STOPPED|EXITED|CONTINUED|NOWAIT)|__W(NOTHREAD|ALL|CLONE))$", "^$")
CONSTANTS(XATTR, 0, "XATTR_", "linux/xattr.h", "^XATTR_(CREATE|REPLACE)$", "^$")

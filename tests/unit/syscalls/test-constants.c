/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "constants.h"

static void check_flags(ConstantSet set, uint64_t value, bool short_names, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        (void) constant_put_flags(&b, set, value, short_names);
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, expected);
}

START_TEST(names) {
        uint64_t value;

        ck_assert_str_eq(constant_name(CONSTANTS_SEEK, 1), "SEEK_CUR");
        ck_assert_ptr_null(constant_name(CONSTANTS_SEEK, 9));
        ck_assert_ptr_null(constant_name(CONSTANTS_NONE, 0));
        ck_assert_str_eq(constant_short_name(CONSTANTS_SEEK, "SEEK_CUR"), "CUR");
        ck_assert_str_eq(constant_name(CONSTANTS_ERRNO, 11), "EAGAIN");
        ck_assert_str_eq(constant_name(CONSTANTS_ERRNO, 2), "ENOENT");
        ck_assert_str_eq(constant_name(CONSTANTS_IOCTL, 0x5401), "TCGETS");
        ck_assert_str_eq(constant_name(CONSTANTS_IOCTL, 0x5413), "TIOCGWINSZ");
        ck_assert_str_eq(constant_name(CONSTANTS_IOCTL, 0x80045430), "TIOCGPTN");
        ck_assert_str_eq(constant_name(CONSTANTS_IOCTL, 0x541b), "FIONREAD");
        ck_assert_str_eq(constant_name(CONSTANTS_FAMILY, 1), "AF_UNIX");
        ck_assert_str_eq(constant_name(CONSTANTS_SIGNAL, 6), "SIGABRT");
        ck_assert_str_eq(constant_name(CONSTANTS_SIGNAL, 29), "SIGIO");
        ck_assert_str_eq(constant_name(CONSTANTS_SI, UINT64_MAX - 5), "SI_TKILL");
        ck_assert_str_eq(constant_name(CONSTANTS_SI_CLD, 3), "CLD_DUMPED");
        ck_assert_str_eq(constant_name(CONSTANTS_BPF, 5), "BPF_PROG_LOAD");
        ck_assert_str_eq(constant_name(CONSTANTS_SOCKET_OPTION_TCP, 1), "TCP_NODELAY");
        ck_assert_int_eq(constant_value(CONSTANTS_OPEN, "O_CREAT", &value), 0);
        ck_assert_uint_eq(value, 0100);
        ck_assert_int_eq(constant_value(CONSTANTS_OPEN, "O_NOTHING", &value), -ENOENT);
}
END_TEST

START_TEST(flags) {
        check_flags(CONSTANTS_OPEN, 0, false, "O_RDONLY");
        check_flags(CONSTANTS_OPEN, 02000000, true, "RDONLY|CLOEXEC");
        check_flags(CONSTANTS_OPEN, 02000102 | UINT64_C(1) << 40, false, "O_RDWR|O_CREAT|O_CLOEXEC|0x10000000000");
        check_flags(CONSTANTS_OPEN, 04010001, false, "O_WRONLY|O_SYNC");
        check_flags(CONSTANTS_OPEN, 020200002, false, "O_RDWR|O_TMPFILE");
        check_flags(CONSTANTS_OPEN, 3, false, "O_ACCMODE");
        check_flags(CONSTANTS_OPEN, 02200000, false, "O_RDONLY|O_CLOEXEC|O_DIRECTORY");
        check_flags(CONSTANTS_OPEN, 02200000, true, "RDONLY|DIRECTORY|CLOEXEC");
        check_flags(CONSTANTS_SA, 0x5c000004, false, "SA_RESTORER|SA_ONSTACK|SA_RESTART|SA_NODEFER|SA_SIGINFO");
        check_flags(CONSTANTS_MAP, 0x24022, false, "MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE|MAP_STACK");
        check_flags(CONSTANTS_WAIT, 0x20000006, false, "WEXITED|WSTOPPED|__WNOTHREAD");
        check_flags(CONSTANTS_PROT, 0, false, "PROT_NONE");
        check_flags(CONSTANTS_PROT, 3, true, "READ|WRITE");
        check_flags(CONSTANTS_MAP, 0x22, false, "MAP_PRIVATE|MAP_ANONYMOUS");
        check_flags(CONSTANTS_MAP, 0x812, true, "PRIVATE|FIXED|DENYWRITE");
        check_flags(CONSTANTS_MSG, 0, false, "0");
        check_flags(CONSTANTS_SOCK, 02000002, false, "SOCK_DGRAM|SOCK_CLOEXEC");
        check_flags(CONSTANTS_AT_STATX, 0x100, false, "AT_STATX_SYNC_AS_STAT|AT_SYMLINK_NOFOLLOW");
        check_flags(CONSTANTS_STATX, 0x7ff, false, "STATX_BASIC_STATS");
        check_flags(CONSTANTS_EPOLL, 0x80000001, false, "EPOLLIN|EPOLLET");
        check_flags(CONSTANTS_NONE, 5, false, "0x5");
}
END_TEST

/* A header that was not found, or a pattern that fits nothing, would leave a set empty: one number of each that has been in the kernel
 * for long. */
START_TEST(no_set_is_empty) {
        static const ConstantSet of_another_machine[] = { CONSTANTS_ARCH, CONSTANTS_NONE };

        for (int set = CONSTANTS_NONE + 1; set < CONSTANTS_MAX; set++) {
                _cleanup_(text_buffer_done) TextBuffer b = {};
                bool found = set == (int) of_another_machine[0];

                for (unsigned bit = 0; !found && bit < 32; bit++)
                        found = constant_put_flags(&b, (ConstantSet) set, UINT64_C(1) << bit, false);
                for (uint64_t number = 0; !found && number < 0x10000; number++)
                        found = constant_name((ConstantSet) set, number) != NULL;
                found = found || constant_name((ConstantSet) set, UINT32_MAX) || constant_name((ConstantSet) set, (uint64_t) -100);
                ck_assert_msg(found, "set %d has no constant", set);
        }
}
END_TEST

CHECK_MAIN("constants", names, flags, no_set_is_empty);

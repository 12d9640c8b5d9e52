/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A directory replaces /sys, a pair of sockets the kernel's uevents, and pipes the clocks: the pipe of a CPU whose
 * events run is full of times, that of one whose events were removed is empty. */

#include "cpu-watch.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "check-main.h"
#include "fd-file.h"
#include "scratch.h"
#include "stop-loop.h"

#define CPUS 4

static struct {
        char *root;
        Loop *loop;
        CpuWatch *watch;
        int uevents[2];
        int clocks[CPUS]; /* the read ends that were returned last */
        char told[256];   /* "-CPUS" and "+CPUS" */
        int answer;
} test;

static int on_gone(void *userdata, const char *cpus) {
        size_t n = strlen(test.told);

        (void) snprintf(test.told + n, sizeof(test.told) - n, "-%s;", cpus);
        return 0;
}

static int on_come(void *userdata, const char *cpus) {
        size_t n = strlen(test.told);

        (void) snprintf(test.told + n, sizeof(test.told) - n, "+%s;", cpus);
        return test.answer;
}

static void set_online(const char *list) {
        _cleanup_free_ char *path = path_join(test.root, "devices/system/cpu/online");
        FILE *f = fopen(path, "we");

        ck_assert_ptr_nonnull(f);
        (void) fprintf(f, "%s\n", list);
        ck_assert_int_eq(fclose(f), 0);
}

static int open_clock(int cpu) {
        int fds[2];

        ck_assert_int_lt(cpu, CPUS);
        ck_assert_int_eq(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
        for (uint64_t i = 1; i <= 64; i++) {
                const uint64_t values[2] = { 0, i * 1000 };

                ck_assert_int_eq(write(fds[1], values, sizeof(values)), sizeof(values));
        }
        ck_assert_int_eq(close(fds[1]), 0);
        (void) safe_close(test.clocks[cpu]);
        test.clocks[cpu] = fcntl(fds[0], F_DUPFD_CLOEXEC, 3);
        return fds[0];
}

/* Does what the kernel does to the events of a CPU that goes offline. */
static void stop_clock(int cpu) {
        char buffer[4096];

        while (read(test.clocks[cpu], buffer, sizeof(buffer)) > 0)
                ;
}

static void send_uevent(const char *text) {
        ck_assert_int_eq(send(test.uevents[1], text, strlen(text) + 1, 0), (ssize_t) strlen(text) + 1);
}

static void assert_told(const char *expected) {
        int timer = loop_add_timer(test.loop, CPU_WATCH_SETTLE_USEC + 400 * USEC_PER_MSEC, false, stop_loop, test.loop);

        ck_assert_int_ge(timer, 0);
        test.told[0] = '\0';
        ck_assert_int_eq(loop_run(test.loop), 0);
        loop_remove_timer(test.loop, timer);
        ck_assert_str_eq(test.told, expected);
}

static void setup(const char *online) {
        _cleanup_free_ char *folder = NULL;

        test.root = scratch_new();
        test.answer = 1;
        for (size_t i = 0; i < CPUS; i++)
                test.clocks[i] = -EBADF;
        folder = path_join(test.root, "devices/system/cpu");
        ck_assert_int_eq(make_directories(folder, 0755), 0);
        set_online(online);
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, test.uevents), 0);
        ck_assert_int_eq(loop_new(&test.loop), 0);
}

static void watch(const int *wanted, size_t n_wanted, size_t n_recorded) {
        static const int recorded[CPUS] = { 0, 1, 2, 3 };
        const CpuWatchHandlers handlers = { .gone = on_gone, .come = on_come };
        const CpuWatchOptions options = {
                .recorded = recorded, .n_recorded = n_recorded, .wanted = wanted, .n_wanted = n_wanted, .root = test.root,
                .uevents = test.uevents[0], .open_clock = open_clock,
        };

        ck_assert_int_eq(cpu_watch_new(test.loop, &options, &handlers, &test.watch), 0);
}

static void teardown(void) {
        test.watch = cpu_watch_free(test.watch);
        test.loop = loop_free(test.loop);
        for (size_t i = 0; i < CPUS; i++)
                (void) safe_close(test.clocks[i]);
        (void) safe_close(test.uevents[0]);
        (void) safe_close(test.uevents[1]);
        scratch_done(&test.root);
}

START_TEST(test_goes_and_comes) {
        setup("0-3");
        watch(NULL, 0, 4);
        stop_clock(2);
        set_online("0-1,3");
        send_uevent("offline@/devices/system/cpu/cpu2");
        assert_told("-CPU 2;");
        set_online("0-3");
        send_uevent("online@/devices/system/cpu/cpu2");
        assert_told("+CPU 2;");
        send_uevent("online@/devices/system/cpu/cpu2");
        assert_told("");
        teardown();
}
END_TEST

/* CPUs go and come back before we check, as in a suspend. */
START_TEST(test_went_and_came) {
        setup("0-3");
        watch(NULL, 0, 4);
        for (int i = 1; i < CPUS; i++)
                stop_clock(i);
        send_uevent("online@/devices/system/cpu/cpu1");
        assert_told("+CPUs 1-3;");
        teardown();
}
END_TEST

START_TEST(test_new_ones) {
        setup("0-1");
        watch(NULL, 0, 2);
        set_online("0-1,3");
        send_uevent("online@/devices/system/cpu/cpu3");
        assert_told("+CPU 3;");
        set_online("0-3");
        send_uevent("online@/devices/system/cpu/cpu2");
        assert_told("+CPU 2;");
        teardown();
}
END_TEST

/* Only the CPUs of -C count. */
START_TEST(test_those_that_are_wanted) {
        setup("0-1");
        watch((int[]) { 1, 3 }, 2, 2);
        set_online("0-3");
        send_uevent("online@/devices/system/cpu/cpu3");
        assert_told("+CPU 3;");
        teardown();
}
END_TEST

/* A recorder has taken over from one that recorded fewer CPUs. */
START_TEST(test_before_the_watch) {
        setup("0-3");
        watch(NULL, 0, 2);
        assert_told("+CPUs 2-3;");
        teardown();
}
END_TEST

START_TEST(test_not_recorded_yet) {
        setup("0-3");
        watch(NULL, 0, 4);
        test.answer = 0;
        stop_clock(1);
        send_uevent("online@/devices/system/cpu/cpu1");
        assert_told("+CPU 1;");
        test.answer = 1;
        send_uevent("online@/devices/system/cpu/cpu0");
        assert_told("+CPU 1;");
        send_uevent("online@/devices/system/cpu/cpu0");
        assert_told("");
        teardown();
}
END_TEST

START_TEST(test_other_uevents) {
        setup("0-3");
        watch(NULL, 0, 4);
        stop_clock(1);
        send_uevent("add@/devices/pci0000:00/0000:00:14.0/usb1");
        send_uevent("online@/devices/system/memory/memory32");
        send_uevent("on");
        assert_told("");
        teardown();
}
END_TEST

CHECK_MAIN("cpu-watch", test_goes_and_comes, test_went_and_came, test_new_ones, test_those_that_are_wanted, test_before_the_watch,
          test_not_recorded_yet, test_other_uevents);

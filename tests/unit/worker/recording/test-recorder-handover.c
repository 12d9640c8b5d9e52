/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program is killed, and another one continues with its rings: the test is the daemon that kept them. */

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>
#include <sched.h>
#include <stdalign.h>
#include <sys/mount.h>

#include "cgroup.h"
#include "descriptor-set.h"
#include "fd-file.h"
#include "run-worker.h"
#include "xattr.h"

#define LINE "-e cpu-clock -F 1000 -a -m 64K --overwrite"

static DescriptorSet kept;
static void *mapped[1024];
static int kept_fd = -EBADF; /* the daemon's end of the socket, which is open as long as it keeps them */

/* Reads messages up to the one with that text, and keeps their descriptors. */
static void await_keeping(const char *text) {
        usec_t deadline = now_usec(CLOCK_MONOTONIC) + TIMEOUT;
        char buffer[DESCRIPTOR_TEXT_MAX + 1] = "";

        while (!strstr(buffer, text)) {
                alignas(struct cmsghdr) char control[CMSG_SPACE(DESCRIPTOR_BATCH_MAX * sizeof(int))];
                struct iovec iov = { .iov_base = buffer, .iov_len = DESCRIPTOR_TEXT_MAX };
                struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
                struct pollfd p = { .fd = run.notify_fd, .events = POLLIN };
                int fds[DESCRIPTOR_BATCH_MAX];
                DescriptorBatch batch;
                ssize_t size;
                size_t n;

                ck_assert_msg(now_usec(CLOCK_MONOTONIC) < deadline, "%s does not come", text);
                (void) poll(&p, 1, 1000);
                size = recvmsg(run.notify_fd, &mh, MSG_CMSG_CLOEXEC);
                if (size < 0)
                        continue;
                buffer[size] = '\0';
                n = descriptors_of_message(&mh, fds, DESCRIPTOR_BATCH_MAX);
                if (descriptor_batch_parse(buffer, &batch) < 0)
                        continue;
                if (descriptor_set_take(&kept, &batch, fds, n) != 1)
                        continue;
                for (size_t i = 0; i < kept.n_fds && i < ELEMENTSOF(mapped); i++)
                        if (kept.map_bytes[i] > 0) {
                                mapped[i] = mmap(NULL, (size_t) kept.map_bytes[i], PROT_READ, MAP_SHARED, kept.fds[i], 0);
                                ck_assert_ptr_ne(mapped[i], MAP_FAILED);
                        }
        }
}

static void start_keeping(const char *line) {
        ck_assert_int_eq(setenv(PR_KEEP_ENV, "1", 1), 0);
        start(line);
}

static void kill_it(void) {
        ck_assert_int_eq(kill(run.pid, SIGKILL), 0);
        (void) end();
}

/* Starts the next recorder with all kept descriptors except the last n. */
static void start_successor(const char *line, size_t n) {
        DescriptorSet given = kept;
        char number[16];
        size_t sent = 0;
        int pair[2];

        given.n_fds -= n;
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
        ck_assert_int_eq(fcntl(pair[0], F_SETFD, FD_CLOEXEC), 0);
        while (sent < given.n_fds) {
                ssize_t k = descriptor_set_send(&given, sent, sent == 0 ? PR_NOTIFY_KEEP_END "PID 7 ended: so" : NULL, pair[0], NULL, 0);

                ck_assert_int_gt(k, 0);
                sent += (size_t) k;
        }
        snprintf(number, sizeof(number), "%d", pair[1]);
        ck_assert_int_eq(setenv(PR_TAKEOVER_ENV, number, 1), 0);
        start_keeping(line);
        ck_assert_int_eq(unsetenv(PR_TAKEOVER_ENV), 0);
        safe_close(kept_fd);
        kept_fd = pair[0];
        safe_close(pair[1]);
}

/* Kills the recorder, and waits for its successor's dump of what it left. */
static void succeed(const char *line) {
        kill_it();
        start_successor(line, 0);
        await_keeping("READY=1");
        await_keeping(PR_NOTIFY_DUMP);
}

/* Returns the path of a finished dump, counted from the oldest. */
static char *nth_dump(size_t n) {
        _cleanup_strv_free_ char **names = data_files();
        char *name;

        for (size_t i = 0; names && names[i]; i++)
                for (size_t k = i + 1; names[k]; k++)
                        if (strcmp(names[k], names[i]) < 0) {
                                char *other = names[i];

                                names[i] = names[k];
                                names[k] = other;
                        }
        ck_assert_uint_gt(strv_length(names), n);
        name = strdup(names[n]);
        return name;
}

static void assert_output(const char *part) {
        _cleanup_free_ char *text = output();

        ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in: %s", part, text);
}

START_TEST(test_samples_of_before_and_after) {
        _cleanup_free_ char *first = NULL, *second = NULL;
        char text[64] = "";
        usec_t killed;

        start_keeping(LINE);
        await_keeping("READY=1");
        ck_assert_uint_gt(kept.n_fds, 3);
        (void) usleep(200000);
        killed = now_usec(CLOCK_REALTIME);
        succeed(LINE);
        first = nth_dump(0);
        ck_assert_int_gt(getxattr(first, PR_DUMP_XATTR_TRIGGER, text, sizeof(text) - 1), 0);
        ck_assert_str_eq(text, PR_TRIGGER_RECORDER);
        memset(text, 0, sizeof(text));
        ck_assert_int_gt(getxattr(first, PR_DUMP_XATTR_DETAIL, text, sizeof(text) - 1), 0);
        ck_assert_str_eq(text, "PID 7 ended: so");
        ck_assert_uint_lt(xattr_number(first, PR_DUMP_XATTR_FIRST), killed);
        ck_assert_uint_gt(xattr_number(first, PR_DUMP_XATTR_LAST), killed);
        ck_assert_uint_gt(count_samples(first), 150);

        (void) usleep(100000);
        say("snapshot x trigger=calendar\n");
        await_keeping(PR_NOTIFY_DUMP);
        second = nth_dump(1);
        ck_assert_uint_gt(count_samples(second), 50);
        ck_assert_uint_ge(xattr_number(second, PR_DUMP_XATTR_FIRST) + 2000, xattr_number(first, PR_DUMP_XATTR_LAST));
        stop();
}
END_TEST

/* Checks that an earlier requested dump takes no samples from the dump for the failure, which counts as automatic, and
 * that the successor too knows the samples that no dump has. */
static void check_marks(const char *line) {
        _cleanup_free_ char *asked = NULL, *failure = NULL, *fresh = NULL, *automatic = NULL, *all = NULL;
        uint64_t n;

        start_keeping(line);
        await_keeping("READY=1");
        (void) usleep(200000);
        say("snapshot a\n");
        await_keeping(PR_NOTIFY_DUMP);
        asked = nth_dump(0);
        n = count_samples(asked);
        (void) usleep(50000);
        succeed(line);
        failure = nth_dump(1);
        ck_assert_uint_gt(count_samples(failure), n);
        ck_assert_uint_eq(xattr_number(failure, PR_DUMP_XATTR_FIRST) / 1000, xattr_number(asked, PR_DUMP_XATTR_FIRST) / 1000);
        (void) usleep(50000);
        say("snapshot b new=1\n");
        await_keeping(PR_NOTIFY_DUMP);
        fresh = nth_dump(2);
        ck_assert_uint_ge(xattr_number(fresh, PR_DUMP_XATTR_FIRST) + 2000, xattr_number(failure, PR_DUMP_XATTR_LAST));
        succeed(line); /* now the marks are at different places */
        automatic = nth_dump(3);
        ck_assert_uint_gt(count_samples(automatic), count_samples(fresh));
        ck_assert_uint_ge(xattr_number(automatic, PR_DUMP_XATTR_FIRST) + 2000, xattr_number(failure, PR_DUMP_XATTR_LAST));
        say("snapshot c\n");
        await_keeping(PR_NOTIFY_DUMP);
        all = nth_dump(4);
        ck_assert_uint_ge(count_samples(all), count_samples(failure) + count_samples(automatic));
        stop();
}

START_TEST(test_marks) {
        check_marks("-e cpu-clock -F 1000 -a -m 1M --overwrite");
}
END_TEST

START_TEST(test_marks_of_history) {
        check_marks("-e cpu-clock -F 1000 -a -m 64K -M 4M");
}
END_TEST

/* Returns whether samples, which have header, IP, TID, TIME, are in the order of time and after *last, which moves
 * on. */
static bool goes_on(const char *path, uint64_t *last) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;
        bool ok = true;

        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &r), 0);
        while (perf_data_reader_next(r, &cursor, &h) > 0) {
                uint64_t time;

                if (h->type != PERF_RECORD_SAMPLE)
                        continue;
                memcpy(&time, (const uint8_t *) h + 24, sizeof(time));
                ok = ok && time > *last;
                *last = time;
        }
        return ok;
}

/* The program is killed at any moment, many times: its history continues, and no sample is in two dumps. */
START_TEST(test_history) {
        static const char line[] = "-e cpu-clock -c 200000 -C 0 -m 16K -M 1M";
        uint64_t last = 0, counted = 0;

        start_keeping(line);
        await_keeping("READY=1");
        for (unsigned i = 0; i < 6; i++) {
                _cleanup_free_ char *path = NULL;
                usec_t killed;

                (void) usleep(50000 + 7001 * i);
                await_samples(counted + 1);
                killed = now_usec(CLOCK_REALTIME);
                counted = run.counters->samples;
                succeed(line);
                ck_assert_uint_ge(run.counters->samples, counted);
                path = nth_dump(i);
                ck_assert(goes_on(path, &last));
                ck_assert_uint_lt(xattr_number(path, PR_DUMP_XATTR_FIRST), killed);
                ck_assert_uint_gt(xattr_number(path, PR_DUMP_XATTR_LAST), killed);
                ck_assert_uint_eq(xattr_number(path, PR_DUMP_XATTR_SAMPLES), count_samples(path));
        }
        assert_output("Taking over from the previous recorder");
        stop();
}
END_TEST

#define LENT_LINE "-e cpu-clock -e '{mem:0x1000:w,cpu-clock}' -F 1000 -a -m 64K --overwrite"

static void lend_and_kill(void) {
        start_keeping(LENT_LINE);
        await_keeping("READY=1");
        say("lend breakpoint gdb\n");
        await_keeping(PR_NOTIFY_LENT "breakpoint");
        kill_it();
}

static void assert_lent(const char *dump, const char *part) {
        char fact[256] = "";

        ck_assert_int_gt(getxattr(dump, PR_DUMP_XATTR_LENT, fact, sizeof(fact) - 1), 0);
        ck_assert_msg(strstr(fact, part) != NULL, "%s", fact);
}

/* Counters that the recorder had lent stay lent, and the next one takes them back. */
START_TEST(test_lent) {
        _cleanup_free_ char *first = NULL, *second = NULL;

        lend_and_kill();
        ck_assert_int_eq(setenv(PR_LENT_ENV, "breakpoint gdb", 1), 0);
        start_successor(LENT_LINE, 0);
        ck_assert_int_eq(unsetenv(PR_LENT_ENV), 0);
        await_keeping(PR_NOTIFY_LENT "breakpoint\n" PR_NOTIFY_STATE "recording");
        await_keeping(PR_NOTIFY_DUMP);
        first = nth_dump(0);
        assert_lent(first, " 0 breakpoint gdb");
        say("return breakpoint\n");
        await_keeping(PR_NOTIFY_LENT "\n");
        say("snapshot x\n");
        await_keeping(PR_NOTIFY_DUMP);
        second = nth_dump(1);
        assert_lent(second, " breakpoint gdb");
        stop();
}
END_TEST

/* It was given back while no recorder ran. */
START_TEST(test_lent_no_more) {
        lend_and_kill();
        start_successor(LENT_LINE, 0);
        await_keeping("READY=1");
        await_keeping(PR_NOTIFY_LENT "\n");
        stop();
}
END_TEST

/* It was lent while no recorder ran. */
START_TEST(test_lent_since) {
        start_keeping(LENT_LINE);
        await_keeping("READY=1");
        kill_it();
        ck_assert_int_eq(setenv(PR_LENT_ENV, "breakpoint gdb", 1), 0);
        start_successor(LENT_LINE, 0);
        ck_assert_int_eq(unsetenv(PR_LENT_ENV), 0);
        await_keeping(PR_NOTIFY_LENT "breakpoint\n" PR_NOTIFY_STATE "recording");
        stop();
}
END_TEST

static size_t count_dumps(void) {
        _cleanup_strv_free_ char **names = data_files();

        return strv_length(names);
}

/* The last dump does not fit (a limit on the size of files replaces the full disk): the next one has the samples. */
START_TEST(test_after_an_end_without_space) {
        const struct rlimit full = { 1, RLIM_INFINITY };
        _cleanup_free_ char *first = NULL;
        usec_t ended;

        start_keeping(LINE);
        await_keeping("READY=1");
        (void) usleep(200000);
        ck_assert_int_eq(prlimit(run.pid, RLIMIT_FSIZE, &full, NULL), 0);
        ended = now_usec(CLOCK_REALTIME);
        ck_assert_int_eq(kill(run.pid, SIGTERM), 0);
        ck_assert_int_ne(end(), 0);
        ck_assert_uint_eq(count_dumps(), 0);
        start_successor(LINE, 0);
        await_keeping("READY=1");
        await_keeping(PR_NOTIFY_DUMP);
        first = nth_dump(0);
        ck_assert_uint_lt(xattr_number(first, PR_DUMP_XATTR_FIRST), ended);
        (void) usleep(100000);
        stop();
        ck_assert_uint_gt(count_dumps(), 1); /* its events are enabled */
}
END_TEST

/* Hides CPUs: with another file in place of the list of online ones, the recorder opens events on the first only. */
static bool hide_cpus(void) {
        const char *path = "/sys/devices/system/cpu/online";

        if (sysconf(_SC_NPROCESSORS_ONLN) < 2 || unshare(CLONE_NEWNS) < 0)
                return false;
        scratch_write_text(run.dir, "online", "0\n");
        return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) >= 0 && mount("online", path, NULL, MS_BIND, NULL) >= 0;
}

static size_t count_rings(void) {
        size_t n = 0;

        for (size_t i = 0; i < kept.n_fds; i++)
                n += kept.map_bytes[i] > 0;
        return n;
}

/* CPUs come online while no recorder runs: the successor opens its events again, on all of them, and hands those over;
 * their samples are in the dump of its own successor. */
START_TEST(test_opened_again) {
        static const char line[] = "-e cpu-clock -F 1000 -a -m 64K --overwrite --switch-output";
        _cleanup_free_ char *before = NULL, *last = NULL;
        size_t n_rings;
        usec_t killed;

        if (!hide_cpus())
                return;
        keep_cpus_busy();
        ck_assert_int_eq(setenv(PR_SESSION_ENV, "cpu", 1), 0); /* all files have their facts */
        start_keeping(line);
        await_keeping("READY=1");
        n_rings = count_rings();
        ck_assert_int_eq(umount("/sys/devices/system/cpu/online"), 0);
        (void) usleep(100000);
        succeed(line);
        while (count_rings() <= n_rings)
                await_keeping(PR_NOTIFY_KEEP);
        before = nth_dump(1); /* of the old events */
        assert_output("came online and is recorded from now on");
        ck_assert_uint_gt(count_rings(), n_rings);
        (void) usleep(200000);
        killed = now_usec(CLOCK_REALTIME);
        succeed(line);
        last = nth_dump(2);
        ck_assert_uint_gt(count_samples(last), 250); /* of two CPUs, in 200 ms at least */
        ck_assert_uint_ge(xattr_number(last, PR_DUMP_XATTR_FIRST) + 2000, xattr_number(before, PR_DUMP_XATTR_LAST));
        ck_assert_uint_lt(xattr_number(last, PR_DUMP_XATTR_FIRST), killed);
        ck_assert_uint_gt(xattr_number(last, PR_DUMP_XATTR_LAST), killed);
        stop();
}
END_TEST

/* Makes a control group with a process that keeps a CPU busy; false: none can be made here. */
static bool make_busy_group(const char *directory, pid_t *ret) {
        _cleanup_free_ char *procs = path_join(directory, "cgroup.procs");

        if (mkdir(directory, 0755) < 0) {
                (void) fprintf(stderr, "left out: %s: %s\n", directory, strerror(errno));
                return false;
        }
        *ret = fork();
        ck_assert_int_ge(*ret, 0);
        if (*ret > 0)
                return true;
        if (write_all(open(procs, O_WRONLY | O_CLOEXEC), "0", 1) < 0)
                _exit(1);
        keep_cpu_busy(0);
}

static void remove_busy_group(const char *directory, pid_t pid) {
        (void) kill(pid, SIGKILL);
        (void) waitpid(pid, NULL, 0);
        for (unsigned left = 1000; rmdir(directory) < 0 && errno == EBUSY && left > 0; left--)
                (void) usleep(1000); /* until the kernel has removed the last process */
}

/* Its control group is replaced while no recorder runs, as that of a unit is which is restarted: what the old group left is
 * dumped, and the new group is recorded. With gone it is there again only after the successor has begun. */
static void check_replaced_group(bool gone) {
        _cleanup_free_ char *directory = NULL, *line = NULL, *before = NULL, *after = NULL;
        usec_t replaced;
        char name[64];
        pid_t pid;

        snprintf(name, sizeof(name), "test-recorder-handover-%d", getpid());
        ck_assert_int_eq(cgroup_path(NULL, name, &directory), 0);
        if (!make_busy_group(directory, &pid))
                return;
        ck_assert_int_eq(setenv(PR_SESSION_ENV, "group", 1), 0); /* all files have their facts */
        ck_assert_int_gt(asprintf(&line, "-e cpu-clock -F 1000 -a -G %s -m 64K --overwrite --switch-output", name), 0);
        start_keeping(line);
        await_keeping("READY=1");
        (void) usleep(300000);
        kill_it();
        remove_busy_group(directory, pid);
        replaced = now_usec(CLOCK_REALTIME);
        if (!gone)
                ck_assert(make_busy_group(directory, &pid));
        start_successor(line, 0);
        await_keeping("READY=1");
        await_keeping(PR_NOTIFY_DUMP);
        before = nth_dump(0);
        ck_assert_uint_lt(xattr_number(before, PR_DUMP_XATTR_LAST), replaced);
        ck_assert_uint_gt(count_samples(before), 20);
        if (gone)
                ck_assert(make_busy_group(directory, &pid));
        await_keeping(PR_NOTIFY_KEEP); /* the new events */
        (void) usleep(300000);
        say("snapshot x\n");
        await_keeping(PR_NOTIFY_DUMP);
        after = nth_dump(1);
        ck_assert_uint_gt(count_samples(after), 20);
        ck_assert_uint_gt(xattr_number(after, PR_DUMP_XATTR_FIRST), replaced);
        stop();
        remove_busy_group(directory, pid);
}

/* It is replaced while the recorder runs. */
START_TEST(test_a_control_group_that_restarts) {
        _cleanup_free_ char *directory = NULL, *line = NULL, *dump = NULL;
        char name[64];
        pid_t pid;

        snprintf(name, sizeof(name), "test-recorder-restart-%d.service", getpid());
        ck_assert_int_eq(cgroup_path(NULL, name, &directory), 0);
        if (!make_busy_group(directory, &pid))
                return;
        ck_assert_int_eq(setenv(PR_SESSION_ENV, "group", 1), 0);
        ck_assert_int_gt(asprintf(&line, "-e cpu-clock -F 1000 -a -G %s -m 64K --overwrite --switch-output", name), 0);
        start(line);
        await("READY=1");
        (void) usleep(300000);
        remove_busy_group(directory, pid);
        ck_assert(make_busy_group(directory, &pid));
        await("X_PERF_OUTPUT=");
        dump = nth_dump(0);
        assert_xattr(dump, PR_DUMP_XATTR_TRIGGER, PR_TRIGGER_UNIT_RESTART);
        assert_xattr(dump, PR_DUMP_XATTR_DETAIL, name);
        ck_assert_uint_gt(count_samples(dump), 20);
        stop();
        remove_busy_group(directory, pid);
}
END_TEST

START_TEST(test_a_control_group_that_is_another_one) {
        check_replaced_group(false);
}
END_TEST

START_TEST(test_a_control_group_that_is_gone) {
        check_replaced_group(true);
}
END_TEST

START_TEST(test_disabled_stays_so) {
        start_keeping(LINE);
        await_keeping("READY=1");
        say("disable\n");
        kill_it();
        start_successor(LINE, 0);
        await_keeping(PR_NOTIFY_STATE "paused");
        say("enable\n");
        await_keeping(PR_NOTIFY_STATE "recording");
        stop();
}
END_TEST

START_TEST(test_asked_to_hand_over) {
        uint64_t generation;

        start_keeping(LINE);
        await_keeping("READY=1");
        generation = kept.generation;
        say("hand-over\n");
        await_keeping(PR_NOTIFY_KEEP);
        ck_assert_uint_ne(kept.generation, generation);
        stop();
}
END_TEST

START_TEST(test_what_does_not_fit) {
        start_keeping(LINE);
        await_keeping("READY=1");
        kill_it();
        start_successor(LINE, 1);
        await_keeping(PR_NOTIFY_KEEP PR_NOTIFY_KEEP_NONE);
        await_keeping("READY=1");
        assert_output("The previous recorder's rings can't be used: There are ");
        kill_it();
        start_successor(LINE " -g", 0);
        await_keeping("READY=1");
        assert_output("The previous recorder's rings can't be used: the options are different");
        stop();
}
END_TEST

START_TEST(test_one_that_streams_keeps_nothing) {
        start_keeping("-e cpu-clock -F 1000 -a -m 64K");
        await_keeping("READY=1");
        ck_assert_uint_eq(kept.n_fds, 0);
        say("hand-over\n");
        stop();
}
END_TEST

RECORDER_MAIN("recorder-handover", test_samples_of_before_and_after, test_after_an_end_without_space, test_marks,
              test_marks_of_history, test_history, test_lent, test_lent_no_more, test_lent_since, test_opened_again,
              test_a_control_group_that_restarts, test_a_control_group_that_is_another_one, test_a_control_group_that_is_gone, test_disabled_stays_so,
              test_asked_to_hand_over, test_what_does_not_fit, test_one_that_streams_keeps_nothing);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The descriptors that are kept for a recorder's successor; memory files replace the events. */

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "check-main.h"
#include "fd-file.h"
#include "kept-rings.h"

#define PAGE 4096

static KeptRings *kept;

static void setup(void) {
        kept = NULL;
}

static void teardown(void) {
        kept = kept_rings_free(kept);
}

/* Takes a message with this text and n files of size bytes. */
static int take(const char *text, size_t n, size_t size, size_t n_max, pid_t sender) {
        int fds[DESCRIPTOR_BATCH_MAX], r;
        DescriptorBatch b;

        ck_assert_int_eq(descriptor_batch_parse(text, &b), 0);
        for (size_t i = 0; i < n; i++)
                fds[i] = open_memfd("test", size);
        r = kept_rings_take(&kept, sender, &b, fds, n, n_max);
        for (size_t i = 0; i < n; i++)
                safe_close(fds[i]);
        return r;
}

static size_t n_descriptors(void) {
        size_t n = 0;

        for (int fd = 0; fd < 4096; fd++)
                n += fcntl(fd, F_GETFD) >= 0;
        return n;
}

START_TEST(test_whole) {
        size_t before = n_descriptors();

        ck_assert(!kept_rings_are_whole(kept));
        ck_assert_int_eq(take("X_PERF_KEEP=1 0 3\nX_PERF_KEEP_MAP=1:8192", 2, 8192, 100, getpid()), 0);
        ck_assert(!kept_rings_are_whole(kept));
        ck_assert_int_eq(take("X_PERF_KEEP=1 2 3\nX_PERF_KEEP_MAP=2:20480", 1, 20480, 100, getpid()), 1);
        ck_assert(kept_rings_are_whole(kept));
        ck_assert_uint_eq(kept_rings_bytes(kept), PAGE + 4 * PAGE); /* without the control pages */
        ck_assert_uint_eq(kept_rings_n_descriptors(kept), 3);
        ck_assert_uint_eq(n_descriptors(), before + 3);
        kept = kept_rings_free(kept);
        ck_assert_uint_eq(n_descriptors(), before);
}
END_TEST

START_TEST(test_the_next_one_takes_its_place_when_it_is_whole) {
        size_t before = n_descriptors();

        ck_assert_int_eq(take("X_PERF_KEEP=1 0 2\nX_PERF_KEEP_MAP=0:8192", 2, 8192, 100, getpid()), 1);
        ck_assert_int_eq(take("X_PERF_KEEP=2 0 2\nX_PERF_KEEP_MAP=0:16384", 1, 16384, 100, getpid()), 0);
        ck_assert_uint_eq(kept_rings_bytes(kept), PAGE);
        ck_assert_int_eq(take("X_PERF_KEEP=3 0 1\nX_PERF_KEEP_MAP=0:16384", 1, 16384, 100, getpid()), 1);
        ck_assert_uint_eq(kept_rings_bytes(kept), 3 * PAGE);
        ck_assert_uint_eq(n_descriptors(), before + 1);
        ck_assert_int_eq(take("X_PERF_KEEP=4 0 0", 0, 0, 100, getpid()), 1);
        ck_assert_ptr_null(kept);
        ck_assert_uint_eq(n_descriptors(), before);
}
END_TEST

START_TEST(test_limits) {
        static char text[64];

        ck_assert_int_eq(take("X_PERF_KEEP=1 0 3", 3, 1, 2, getpid()), -EMFILE);
        ck_assert_int_eq(take("X_PERF_KEEP=1 0 1\nX_PERF_KEEP_MAP=0:8192", 1, 8192, 2, getpid()), 1);
        ck_assert_int_eq(take("X_PERF_KEEP=2 0 3", 3, 1, 2, getpid()), -EMFILE);
        ck_assert_int_eq(take("X_PERF_KEEP=2 1 2", 2, 1, 2, getpid()), -EBADMSG); /* more than it announces */
        ck_assert(kept_rings_are_whole(kept)); /* the kept ones stay */
        snprintf(text, sizeof(text), "X_PERF_KEEP=5 0 %d", DESCRIPTORS_MAX);
        ck_assert_int_eq(take(text, 1, 1, DESCRIPTORS_MAX, getpid()), 0); /* a sender that announces so many has
                                                                           * them */
        ck_assert(kept_rings_are_whole(kept));
}
END_TEST

START_TEST(test_what_can_not_be_mapped) {
        int fds[2];
        DescriptorBatch b;

        ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
        ck_assert_int_eq(descriptor_batch_parse("X_PERF_KEEP=1 0 2\nX_PERF_KEEP_MAP=0:8192", &b), 0);
        ck_assert_int_eq(kept_rings_take(&kept, getpid(), &b, fds, 2, 100), -ENODEV);
        ck_assert_int_lt(fds[0], 0);
        ck_assert(!kept_rings_are_whole(kept));
}
END_TEST

START_TEST(test_a_sender_that_is_gone) {
        pid_t pid = fork();

        if (pid == 0)
                _exit(0);
        ck_assert_int_eq(waitid(P_PID, (id_t) pid, NULL, WEXITED | WNOWAIT), 0);
        ck_assert_int_eq(take("X_PERF_KEEP=1 0 1\nX_PERF_KEEP_MAP=0:8192", 1, 8192, 100, pid), -ESRCH); /* a zombie */
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        ck_assert_int_eq(take("X_PERF_KEEP=1 0 1\nX_PERF_KEEP_MAP=0:8192", 1, 8192, 100, pid), -ESRCH);
        ck_assert(!kept_rings_are_whole(kept));
}
END_TEST

/* 64 CPUs with 10 events and rings of both kinds, four memory files before them. */
START_TEST(test_a_large_machine) {
        _cleanup_(descriptor_set_close) DescriptorSet s = {}, got = {};
        _cleanup_free_ char *more = NULL;
        struct stat st;
        size_t sent = 0;
        int fd = -EBADF;

        ck_assert_int_eq(descriptor_set_reserve(&s, 9, 4 + 640), 0);
        for (size_t i = 0; i < s.n_fds; i++) {
                s.fds[i] = open_memfd("test", 4 * PAGE + i);
                s.map_bytes[i] = i >= 4 && (i - 4) % 10 < 2 ? 4 * PAGE : 0;
        }
        while (sent < s.n_fds) {
                DescriptorBatch b = { .generation = 9, .first = sent, .total = s.n_fds };
                size_t n = MIN_OF(s.n_fds - sent, (size_t) DESCRIPTOR_BATCH_MAX);
                int fds[DESCRIPTOR_BATCH_MAX];

                for (size_t i = 0; i < n; i++) {
                        fds[i] = dup(s.fds[sent + i]);
                        if (s.map_bytes[sent + i] > 0) {
                                b.maps[b.n_maps].index = sent + i;
                                b.maps[b.n_maps++].bytes = s.map_bytes[sent + i];
                        }
                }
                sent += n;
                ck_assert_int_eq(kept_rings_take(&kept, getpid(), &b, fds, n, 1000), sent == s.n_fds);
        }
        ck_assert_uint_eq(kept_rings_bytes(kept), 128 * 3 * PAGE);
        ck_assert_int_eq(kept_rings_give(kept, "PID 1 ended:\nwell", &fd), 0);
        ck_assert_int_eq(descriptor_set_receive(&got, fd, &more), 0);
        ck_assert_ptr_nonnull(strstr(more, "X_PERF_KEEP_END=PID 1 ended:"));
        ck_assert_ptr_null(strstr(more, "well"));
        ck_assert_uint_eq(got.n_fds, 644);
        for (size_t i = 0; i < got.n_fds; i++) {
                ck_assert_uint_eq(got.map_bytes[i], s.map_bytes[i]);
                ck_assert_int_eq(fstat(got.fds[i], &st), 0);
                ck_assert_int_eq(st.st_size, 4 * PAGE + (off_t) i);
        }
        /* The successor notices when they are dropped. */
        kept = kept_rings_free(kept);
        ck_assert_int_eq(recv(fd, &st, sizeof(st), 0), 0);
        safe_close(fd);
}
END_TEST

/* Opens an event of this process, with an overwrite ring of two pages. -1: not allowed here. */
static int open_event(void **ret_ring) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = 100000,
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME, .write_backward = 1, .exclude_kernel = 1,
        };
        int fd = (int) syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

        if (fd >= 0) {
                *ret_ring = mmap(NULL, 3 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
                ck_assert_ptr_ne(*ret_ring, MAP_FAILED);
        }
        return fd;
}

START_TEST(test_how_full_overwrite_rings_are) {
        _cleanup_free_ RingFill *rings = NULL;
        uint64_t samples, n_samples = 0;
        int fds[2] = { -EBADF, open_memfd("test", 3 * PAGE) };
        const struct perf_event_mmap_page *page;
        DescriptorBatch b;
        void *ring;
        size_t n;

        fds[0] = open_event(&ring);
        if (fds[0] < 0) {
                (void) fprintf(stderr, "not tested: perf_event_open(2) is not allowed here: %s\n", strerror(errno));
                safe_close(fds[1]);
                return;
        }
        page = ring;
        ck_assert_int_eq(descriptor_batch_parse("X_PERF_KEEP=1 0 2\nX_PERF_KEEP_MAP=0:12288 1:12288", &b), 0);
        ck_assert_int_eq(kept_rings_take(&kept, getpid(), &b, fds, 2, 100), 1);
        while (-__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) < 4 * PAGE)
                ;
        rings = kept_rings_fill(kept, &n, &samples);
        ck_assert_ptr_nonnull(rings);
        ck_assert_uint_eq(n, 1); /* the file is not an event */
        ck_assert_uint_eq(rings[0].size, 2 * PAGE);
        ck_assert_uint_ge(rings[0].written, 4 * PAGE);
        n_samples = rings[0].written / 24; /* a header, an address, a time; few other records */
        ck_assert_uint_le(samples, n_samples);
        ck_assert_uint_ge(samples, n_samples / 2);
        (void) munmap(ring, 3 * PAGE);
}
END_TEST

CHECK_MAIN_WITH("kept-rings", setup, teardown, test_whole, test_the_next_one_takes_its_place_when_it_is_whole, test_limits,
                test_what_can_not_be_mapped, test_a_sender_that_is_gone, test_a_large_machine, test_how_full_overwrite_rings_are);

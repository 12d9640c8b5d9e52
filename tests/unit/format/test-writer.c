/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "perfdata-test.h"
#include "reader.h"

static PerfDataWriter *new_writer_with(const char *path, PerfDataWriterOptions options) {
        PerfDataWriter *w = NULL;

        options.events = test_events(&options.n_events);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &options, &w));
        return w;
}

static PerfDataWriter *new_writer(const char *path) {
        return new_writer_with(path, (PerfDataWriterOptions) {});
}

static FeatureTable *new_features(size_t size_of_tracing_data) {
        _cleanup_free_ void *large = calloc(1, size_of_tracing_data + 1);
        FeatureTable *t = NULL;

        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_version(t, "1.0"));
        if (size_of_tracing_data > 0)
                ck_assert_ok(feature_table_put(t, PERF_FEATURE_TRACING_DATA, large, size_of_tracing_data));
        return t;
}

static size_t count_records(const char *path) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *record;
        size_t cursor = 0, n = 0;
        int q;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        while ((q = perf_data_reader_next(r, &cursor, &record)) == 1)
                n++;
        ck_assert_int_eq(q, 0);
        return n;
}

static bool exists(const char *path) {
        return access(path, F_OK) == 0;
}

static size_t count_files(void) {
        _cleanup_free_ char *list = test_command("ls -A %s | wc -l", test_directory());

        return strtoul(list, NULL, 10);
}

START_TEST(there_whole_or_not_at_all) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("perf.data");
        _cleanup_feature_table_free_ FeatureTable *t = new_features(0);
        PerfDataWriter *w = new_writer(path);
        struct stat st;

        test_put_recording(&b, "/bin/demo");
        ck_assert_ok(test_append(w, &b));
        ck_assert(!exists(path));
        perf_data_writer_free(w);
        ck_assert_uint_eq(count_files(), 0);

        w = new_writer(path);
        ck_assert_ok(test_append(w, &b));
        ck_assert_uint_eq(perf_data_writer_data_size(w), b.size);
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq((uint64_t) st.st_size, perf_data_writer_file_size(w));
        ck_assert_uint_eq(st.st_mode & 07777, 0600);
        ck_assert_int_le(st.st_blocks * 512, st.st_size + 16384); /* the reserve was released */
        ck_assert_int_eq(test_append(w, &b), -EBADFD);
        ck_assert_int_eq(perf_data_writer_finish(w, t, NULL, NULL), -EBADFD);
        perf_data_writer_free(w);
        ck_assert_uint_eq(count_files(), 1);
        ck_assert_uint_eq(count_records(path), 11);
        ck_assert_int_eq(unlink(path), 0);
}
END_TEST

/* The features end before them. */
START_TEST(facts_at_the_end) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("perf.data"), *end = NULL;
        _cleanup_feature_table_free_ FeatureTable *t = new_features(100);
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = new_writer(path);
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const void *data;
        struct stat st;
        size_t size;

        test_put_recording(&b, "/bin/demo");
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_put_fact(w, "user.t.why", "because", 7));
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
        ck_assert_int_eq(perf_data_writer_put_fact(w, "user.t.why", "late", 4), -EBADFD);
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq((uint64_t) st.st_size, perf_data_writer_file_size(w));
        end = test_command("tail -c 35 %s | tr '\\n' '|'", path);
        ck_assert_ptr_nonnull(strstr(end, "user.t.why=because|00000013perffct|"));
        ck_assert_uint_eq(count_records(path), 11);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        ck_assert_ok(perf_data_reader_feature(r, PERF_FEATURE_TRACING_DATA, &data, &size));
        ck_assert_uint_eq(size, 100);
        ck_assert(!perf_data_reader_is_cut(r));
        ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(names) {
        _cleanup_free_ char *path = test_path("perf.data"), *old = test_path("perf.data.old"), *other = test_path("perf.data.2026");
        PerfDataWriter *w = new_writer(path);

        ck_assert_int_eq(perf_data_writer_finish(w, NULL, "../x", NULL), -EINVAL);
        ck_assert_int_eq(perf_data_writer_finish(w, NULL, "..", NULL), -EINVAL);
        ck_assert_int_eq(perf_data_writer_finish(w, NULL, "", NULL), -EINVAL);
        ck_assert_ok(perf_data_writer_finish(w, NULL, "perf.data.2026", NULL));
        perf_data_writer_free(w);
        ck_assert(!exists(path) && exists(other));

        test_write_file(path, "first", 5);
        test_write_file(old, "older", 5);
        w = new_writer_with(path, (PerfDataWriterOptions) { .keep_old = true });
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        perf_data_writer_free(w);
        ck_assert_uint_eq(count_records(path), 0);
        {
                _cleanup_free_ char *text = test_read_file(old, NULL);

                ck_assert_str_eq(text, "first");
        }
        w = new_writer(path); /* and without */
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        perf_data_writer_free(w);
        {
                _cleanup_free_ char *text = test_read_file(old, NULL);

                ck_assert_str_eq(text, "first");
        }
        free(test_command("rm %s/perf.data*", test_directory()));
}
END_TEST

START_TEST(what_is_not_replaced) {
        _cleanup_free_ char *device = test_path("device"), *directory = test_path("directory"), *link = test_path("link"),
                            *target = test_path("target"), *text = NULL;
        PerfDataWriter *w = NULL;

        ck_assert_int_eq(symlink("/dev/null", device), 0);
        ck_assert_int_eq(mkdir(directory, 0700), 0);
        ck_assert_int_eq(perf_data_writer_new(AT_FDCWD, device, &(PerfDataWriterOptions) {}, &w), -EBADFD);
        ck_assert_int_eq(perf_data_writer_new(AT_FDCWD, "/dev/null", &(PerfDataWriterOptions) {}, &w), -EBADFD);
        ck_assert_int_eq(perf_data_writer_new(AT_FDCWD, directory, &(PerfDataWriterOptions) {}, &w), -EISDIR);
        ck_assert_int_eq(perf_data_writer_new(AT_FDCWD, "/no/such/directory/x", &(PerfDataWriterOptions) {}, &w), -ENOENT);
        ck_assert_ptr_null(w);

        test_write_file(target, "kept", 4); /* a link is replaced, its target is not written */
        ck_assert_int_eq(symlink(target, link), 0);
        w = new_writer(link);
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        perf_data_writer_free(w);
        text = test_read_file(target, NULL);
        ck_assert_str_eq(text, "kept");
        ck_assert_uint_eq(count_records(link), 0);
        free(test_command("rm -r %s/*", test_directory()));
}
END_TEST

START_TEST(many_segments) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("segments");
        struct iovec segments[3000];
        PerfDataWriter *w = new_writer(path);
        size_t n = 0;

        for (size_t i = 0; i < 3000; i++)
                ck_assert_ok(record_put_comm(&b, 1, (uint32_t) i, "name", 0, NULL));
        segments[n++] = (struct iovec) {}; /* an empty one */
        for (size_t at = 0; at < b.size; at += 40, n++)
                segments[n] = (struct iovec) { b.data + at, MIN_OF((size_t) 40, b.size - at) };
        ck_assert_ok(perf_data_writer_append(w, segments, n));
        ck_assert_ok(perf_data_writer_append(w, segments, 0));
        ck_assert_uint_eq(perf_data_writer_data_size(w), b.size);
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        perf_data_writer_free(w);
        ck_assert_uint_eq(count_records(path), 3000);
        ck_assert_int_eq(unlink(path), 0);
}
END_TEST

/* Writes fail halfway at a limit that is lifted later. */
START_TEST(a_short_write_leaves_nothing) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("limit");
        PerfDataWriter *w = new_writer(path);
        struct rlimit limit = { .rlim_cur = 100000, .rlim_max = RLIM_INFINITY };
        size_t appended = 0, refused = 0;

        ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
        test_put_recording(&b, "/bin/demo");
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        for (size_t i = 0; i < 400; i++) {
                uint64_t before = perf_data_writer_data_size(w);
                int r = test_append(w, &b);

                ck_assert(r == 0 || r == -EFBIG);
                ck_assert_uint_eq(perf_data_writer_data_size(w), r == 0 ? before + b.size : before);
                appended += r == 0;
                refused += r < 0;
        }
        ck_assert_uint_gt(appended, 50);
        ck_assert_uint_gt(refused, 50);
        limit.rlim_cur = RLIM_INFINITY;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        perf_data_writer_free(w);
        ck_assert_uint_eq(count_records(path), 11 * (appended + 1));
        ck_assert_int_eq(unlink(path), 0);
}
END_TEST

static bool mount_small_disk(const char *path, const char *options) {
        return mkdir(path, 0700) == 0 && unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
               mount("tmpfs", path, "tmpfs", 0, options) == 0;
}

/* Fills the disk to its last page with another file. */
static void fill_disk(const char *path) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        static const char page[4096];

        while (write(fd, page, sizeof(page)) > 0)
                ;
        ck_assert_int_eq(errno, ENOSPC);
}

START_TEST(a_full_disk) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *disk = test_path("disk"), *path = test_path("disk/perf.data"), *filler = test_path("disk/filler");
        _cleanup_feature_table_free_ FeatureTable *t = new_features(100000), *too_large = new_features(4000000);
        const struct iovec *none = NULL;
        PerfDataWriter *w, *second = NULL;
        size_t appended = 0;
        uint64_t left_out;
        int r;

        if (!mount_small_disk(disk, "size=1m")) {
                (void) fprintf(stderr, "a_full_disk: may not mount, left out\n");
                return;
        }
        test_put_recording(&b, "/bin/demo");
        w = new_writer(path);
        while ((r = test_append(w, &b)) == 0)
                appended++;
        ck_assert_int_eq(r, -ENOSPC);
        fill_disk(filler);
        ck_assert_int_eq(test_append(w, &b), -ENOSPC);
        ck_assert_int_eq(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) {}, &second), -ENOSPC);
        ck_assert_ok(perf_data_writer_append(w, none, 0));

        ck_assert_int_eq(unlink(filler), 0); /* space again */
        ck_assert_ok(truncate(path, 0) < 0 ? 0 : -EEXIST);
        fill_disk(filler);
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, &left_out)); /* from the reserve */
        ck_assert_uint_eq(left_out, 0);
        perf_data_writer_free(w);
        ck_assert_uint_eq(count_records(path), 11 * appended);

        ck_assert_int_eq(unlink(path), 0); /* another one continues when there is space again */
        w = new_writer(path);
        fill_disk(filler);
        appended = 0;
        while ((r = test_append(w, &b)) == 0)
                appended++;
        ck_assert_int_eq(r, -ENOSPC);
        ck_assert_int_eq(unlink(filler), 0);
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, too_large, NULL, &left_out));
        ck_assert_uint_eq(left_out, UINT64_C(1) << PERF_FEATURE_TRACING_DATA);
        perf_data_writer_free(w);
        ck_assert_uint_eq(count_records(path), 11 * (appended + 1));
        ck_assert_int_eq(umount2(disk, MNT_DETACH), 0);
}
END_TEST

/* Appending and syncing to the disk both count as progress. */
START_TEST(progress_is_counted) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("perf.data");
        uint64_t progress = 0, before;
        PerfDataWriter *w = new_writer_with(path, (PerfDataWriterOptions) { .progress = &progress });

        test_put_recording(&b, "/bin/demo");
        before = progress;
        ck_assert_ok(test_append(w, &b));
        ck_assert_uint_gt(progress, before);
        before = progress;
        perf_data_writer_expect_finish(w);
        ck_assert_uint_gt(progress, before);
        before = progress;
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        ck_assert_uint_gt(progress, before);
        perf_data_writer_free(w);
}
END_TEST

TEST_RUN("writer", there_whole_or_not_at_all, facts_at_the_end, names, progress_is_counted, what_is_not_replaced, many_segments, a_short_write_leaves_nothing, a_full_disk);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A program is compiled, and samples in it are made up; what the viewer shows of them is read as the browser does. */

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "made-program.h"
#include "scratch.h"
#include "top-annotate.h"
#include "top-samples-made.h"

#define PID 4194305u /* more than there can be */
#define START UINT64_C(0x7f0000000000)

static const char source[] =
        "int counted;\n"
        "__attribute__((noinline)) void work(int n) {\n"
        "        for (int i = 0; i < n; i++)\n"
        "                counted += i ^ n;\n"
        "}\n"
        "int main(void) { work(3); return 0; }\n";

static const TopOptions options;

static void make_process(TopSamples *s, uint32_t pid, const char *comm, const char *path, const char *file) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordMap map = { .pid = pid, .tid = pid, .start = START, .length = 0x100000, .protection = PROT_EXEC,
                          .misc = PERF_RECORD_MISC_USER, .path = path };
        struct stat st;

        if (file && stat(file, &st) == 0) {
                map.major = major(st.st_dev);
                map.minor = minor(st.st_dev);
                map.inode = st.st_ino;
        }
        ck_assert_int_eq(record_put_comm(&b, pid, pid, comm, PERF_RECORD_MISC_COMM_EXEC, NULL), 0);
        made_take(s, b.data);
        record_buffer_reset(&b);
        ck_assert_int_eq(record_put_mmap2(&b, &map, NULL), 0);
        made_take(s, b.data);
}

/* Four samples in work(), at two places, and others. */
static char *made_samples(TopSamples *s, const char *name, uint64_t *ret_work) {
        char *program = made_program(name, source, "-g -fcf-protection=none");

        if (!program)
                exit(TEST_SKIPPED);
        *ret_work = made_offset(program, "work");
        ck_assert_int_eq(top_samples_init(s, &options, true, &made_member, 1), 0);
        make_process(s, PID, "demo", program, program);
        make_process(s, PID + 1, "other", program, program);
        for (int i = 0; i < 3; i++)
                made_take_sample(s, PID, START + *ret_work, PERF_RECORD_MISC_USER, 1001);
        made_take_sample(s, PID, START + *ret_work + 2, PERF_RECORD_MISC_USER, 9009);
        made_take_sample(s, PID, START + made_offset(program, "main"), PERF_RECORD_MISC_USER, 50000);
        made_take_sample(s, PID + 1, START + *ret_work, PERF_RECORD_MISC_USER, 9009 - 3003);
        ck_assert_int_eq(top_samples_name(s), 0);
        return program;
}

/* Returns the text of a command that was run. */
static char *text_of(BrowserText *text) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        struct pollfd p = { .fd = text->fd, .events = POLLIN };
        int r;

        while ((r = text->read(text->state, &out)) > 0)
                ck_assert_int_eq(poll(&p, 1, 30000), 1);
        ck_assert_int_eq(r, 0);
        text->done(text->state);
        text_buffer_putc(&out, '\0');
        return strdup(out.data);
}

static char *annotated(const TopSamples *s, const BrowseChoice *choice, const char *function) {
        BrowserText text;

        (void) setenv("PERF_RECORDER_VIEW", VIEWER, true);
        (void) setenv("ASAN_OPTIONS", "detect_leaks=0", true); /* the sandbox refuses what that needs */
        ck_assert_int_eq(top_annotate(s, &(BrowserSubject) { .choice = choice, .function = function }, &text), 0);
        return text_of(&text);
}

static void expect_share(const char *text, double share, uint64_t address) {
        char line[64];

        (void) snprintf(line, sizeof(line), "%8.2f :   %" PRIx64 ":", share, address);
        ck_assert_msg(strstr(text, line), "'%s' in\n%s", line, text);
}

START_TEST(shares) {
        _cleanup_free_ char *program = NULL, *all = NULL, *some = NULL;
        BrowseChoice choice = {};
        uint64_t work;
        TopSamples s;

        program = made_samples(&s, "shares", &work);
        all = annotated(&s, &choice, "work");
        ck_assert_ptr_nonnull(strstr(all, "shares for cpu-clock (5 samples, percent: local period)\n"));
        ck_assert_ptr_nonnull(strstr(all, "for (int i = 0; i < n; i++)\n"));
        expect_share(all, 50, work);
        expect_share(all, 50, work + 2);
        ck_assert_ptr_null(strstr(all, "main"));
        /* only those of the browser's choice */
        choice.zooms[choice.n_zooms++] = (SampleZoom) { .kind = ZOOM_COMMAND, .text = (char *) "demo" };
        sample_zoom_bind(choice.zooms, s.table, &s.names);
        some = annotated(&s, &choice, "work");
        ck_assert_ptr_nonnull(strstr(some, "(4 samples, percent: local period)\n"));
        expect_share(some, 25, work);
        expect_share(some, 75, work + 2);
        top_samples_done(&s);
}
END_TEST

/* A file that took the place of the one that runs has other code. */
START_TEST(replaced) {
        _cleanup_free_ char *program = NULL, *another = NULL, *text = NULL;
        uint64_t work;
        TopSamples s;

        program = made_samples(&s, "replaced", &work);
        another = made_program("another", source, "-O2");
        ck_assert_int_eq(rename(another, program), 0);
        text = annotated(&s, &(BrowseChoice) {}, "work");
        ck_assert_str_eq(text, "Functions of replaced cannot be shown: the file was removed or replaced since it was mapped\n");
        top_samples_done(&s);
}
END_TEST

START_TEST(gone) {
        _cleanup_free_ char *program = NULL, *text = NULL;
        uint64_t work;
        TopSamples s;

        program = made_samples(&s, "gone", &work);
        ck_assert_int_eq(unlink(program), 0);
        text = annotated(&s, &(BrowseChoice) {}, "work");
        ck_assert_str_eq(text, "Functions of gone cannot be shown: the file is not here\n");
        top_samples_done(&s);
}
END_TEST

START_TEST(without_code) {
        _cleanup_free_ char *generated = NULL, *none = NULL, *map = NULL;
        static const char names[] = "7f0000000000 100 made\n";
        TopSamples s;

        ck_assert_int_gt(asprintf(&map, "/tmp/perf-%u.map", PID + 2), 0);
        test_write_file(map, names, strlen(names));
        ck_assert_int_eq(top_samples_init(&s, &options, true, &made_member, 1), 0);
        make_process(&s, PID + 2, "demo", "//anon", NULL);
        made_take_sample(&s, PID + 2, START + 1, PERF_RECORD_MISC_USER, 1);
        ck_assert_int_eq(top_samples_name(&s), 0);
        (void) unlink(map);
        generated = annotated(&s, &(BrowseChoice) {}, "made");
        ck_assert_msg(strstr(generated, "cannot be shown: its code was in memory only\n"), "%s", generated);
        none = annotated(&s, &(BrowseChoice) {}, "caller");
        ck_assert_str_eq(none, "No sample hit caller itself\n");
        top_samples_done(&s);
}
END_TEST

/* The file system is one that only another process has. */
START_TEST(container) {
        _cleanup_free_ char *program = made_program("inside", source, "-g -fcf-protection=none"), *place = test_path("mounted"),
                            *inside = NULL, *outside = NULL, *code = NULL, *text = NULL;
        uint64_t work;
        size_t size;
        TopSamples s;
        pid_t pid;
        int ready[2];

        if (!program)
                exit(TEST_SKIPPED);
        work = made_offset(program, "work");
        code = test_read_file(program, &size);
        inside = path_join(place, "inside");
        ck_assert_int_eq(pipe(ready), 0);
        pid = fork();
        if (pid == 0) {
                if (scratch_mount_ramfs(place))
                        test_write_file(inside, code, size);
                (void) close(ready[0]);
                (void) close(ready[1]);
                (void) pause();
                _exit(EXIT_FAILURE);
        }
        (void) close(ready[1]);
        (void) read(ready[0], &(char) { 0 }, 1); /* its end */
        ck_assert_int_gt(asprintf(&outside, "/proc/%d/root%s", pid, inside), 0);
        if (access(outside, F_OK) == 0) {
                ck_assert_int_eq(top_samples_init(&s, &options, true, &made_member, 1), 0);
                make_process(&s, (uint32_t) pid, "demo", inside, outside);
                made_take_sample(&s, (uint32_t) pid, START + work, PERF_RECORD_MISC_USER, 1000);
                ck_assert_int_eq(top_samples_name(&s), 0);
                text = annotated(&s, &(BrowseChoice) {}, "work");
                expect_share(text, 100, work);
                top_samples_done(&s);
        }
        (void) close(ready[0]);
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

/* Nothing of it stays when the text is left, and a viewer that is not there is said to be so. */
START_TEST(processes) {
        _cleanup_free_ char *program = NULL, *script = test_path("view"), *none = NULL;
        static const char sleeping[] = "#!/bin/sh\necho so far\nexec sleep 600\n";
        BrowserSubject subject = { .choice = &(BrowseChoice) {}, .function = "work" };
        _cleanup_(text_buffer_done) TextBuffer out = {};
        BrowserText text;
        uint64_t work;
        TopSamples s;

        program = made_samples(&s, "processes", &work);
        test_write_file(script, sleeping, strlen(sleeping));
        ck_assert_int_eq(chmod(script, 0755), 0);
        (void) setenv("PERF_RECORDER_VIEW", script, true);
        ck_assert_int_eq(top_annotate(&s, &subject, &text), 0);
        for (int i = 0; i < 3000 && out.n == 0; i++) {
                ck_assert_int_eq(text.read(text.state, &out), 1);
                (void) usleep(10000);
        }
        ck_assert(out.n == 7 && memcmp(out.data, "so far\n", 7) == 0);
        text.done(text.state);
        ck_assert(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
        (void) setenv("PERF_RECORDER_VIEW", "/no/such/program", true);
        ck_assert_int_eq(top_annotate(&s, &subject, &text), 0);
        none = text_of(&text);
        ck_assert_str_eq(none, "/no/such/program, which shows code, cannot be run: No such file or directory\n");
        top_samples_done(&s);
}
END_TEST

TEST_RUN("top-annotate", shares, replaced, gone, without_code, container, processes);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Verbs print in a child of a process that has counted a recording what the program prints alone. */

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "captured-verb.h"
#include "counted-samples.h"
#include "made-program.h"
#include "parse-time.h"
#include "process-limits.h"
#include "sandbox.h"
#include "strv.h"
#include "verb-annotate.h"
#include "verb-flamegraph.h"
#include "verb-report.h"
#include "verb-script.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define PREFIX "ASAN_OPTIONS=detect_leaks=0 " VIEWER " "
#define WAIT_MSEC 30000

static int read_all(CapturedVerb *c) {
        int r;

        while ((r = captured_verb_read(c)) > 0) {
                struct pollfd fd = { .fd = captured_verb_fd(c), .events = POLLIN };

                if (poll(&fd, 1, WAIT_MSEC) != 1)
                        return -ETIMEDOUT;
        }
        return r;
}

static int print_both(int argc, char **argv) {
        char c;

        (void) fprintf(stderr, "an error\n");
        (void) printf("%d %s %s\n", argc, argv[0], argv[1]);
        return isatty(STDOUT_FILENO) || read(STDIN_FILENO, &c, 1) != 0 || argv[argc] ? 99 : 3;
}

START_TEST(text_and_errors) {
        _cleanup_(captured_verb_done) CapturedVerb c = {};
        char *words[] = { (char *) "both", (char *) "x", NULL };

        ck_assert_int_eq(captured_verb_fd(&c), -EBADF);
        ck_assert_ok(captured_verb_start(&c, print_both, words, NULL));
        ck_assert_int_ge(captured_verb_fd(&c), 3);
        ck_assert_int_eq(read_all(&c), 0);
        ck_assert_int_eq(captured_verb_fd(&c), -EBADF);
        ck_assert_int_eq(captured_verb_read(&c), 0);
        ck_assert_int_eq(c.status, 3);
        ck_assert(!c.cut);
        ck_assert_uint_eq(c.text.n, strlen("2 both x\n"));
        ck_assert_mem_eq(c.text.data, "2 both x\n", c.text.n);
        ck_assert_uint_eq(c.errors.n, strlen("an error\n"));
        ck_assert_mem_eq(c.errors.data, "an error\n", c.errors.n);
        ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
}
END_TEST

static int print_much(int argc, char **argv) {
        static char piece[1 << 20];
        unsigned long long left = strtoull(argv[1], NULL, 10);

        memset(piece, 'x', sizeof(piece));
        for (size_t n; left > 0; left -= n) {
                n = MIN_OF(left, (unsigned long long) sizeof(piece));
                (void) fwrite(piece, 1, n, stdout);
        }
        return 0;
}

static void capture_much(size_t size, bool cut) {
        _cleanup_(captured_verb_done) CapturedVerb c = {};
        char number[32], *words[] = { (char *) "much", number, NULL };

        (void) snprintf(number, sizeof(number), "%zu", size);
        ck_assert_ok(captured_verb_start(&c, print_much, words, NULL));
        ck_assert_int_eq(read_all(&c), 0);
        ck_assert_uint_eq(c.text.n, MIN_OF(size, CAPTURED_TEXT_MAX));
        ck_assert_int_eq(c.cut, cut);
        ck_assert_int_eq(c.text.data[c.text.n - 1], 'x');
        ck_assert(cut || c.status == 0);
        ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
}

START_TEST(much_text) {
        capture_much(CAPTURED_TEXT_MAX, false);
        capture_much(CAPTURED_TEXT_MAX + 1, true);
        capture_much(SIZE_MAX, true);
}
END_TEST

static int crash(int argc, char **argv) {
        (void) printf("begun\n");
        (void) fflush(stdout);
        (void) signal(SIGABRT, SIG_DFL);
        abort();
}

static int compute(int argc, char **argv) {
        volatile unsigned n = 0;

        for (;;)
                n++;
        return (int) n;
}

/* A child that computes, and one that prints, end when they are not read any more. */
START_TEST(ends) {
        _cleanup_(captured_verb_done) CapturedVerb c = {}, endless = {};
        char *words[] = { (char *) "much", (char *) "999999999999", NULL };
        usec_t begin;

        ck_assert_ok(captured_verb_start(&c, crash, words, NULL));
        ck_assert_int_eq(read_all(&c), 0);
        ck_assert_int_eq(c.status, -EPROTO);
        ck_assert_uint_eq(c.text.n, strlen("begun\n"));
        captured_verb_done(&c);
        ck_assert_ok(captured_verb_start(&c, compute, words, NULL));
        ck_assert_ok(captured_verb_start(&endless, print_much, words, NULL));
        ck_assert_int_eq(captured_verb_read(&c), 1);
        (void) usleep(50000);
        ck_assert_int_eq(captured_verb_read(&endless), 1);
        begin = now_usec(CLOCK_MONOTONIC);
        captured_verb_done(&c);
        captured_verb_done(&endless);
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 5 * USEC_PER_SEC);
        ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
}
END_TEST

static int secret = -EBADF;
static int recording_fd = -EBADF;

static int look_around(int argc, char **argv) {
        sigset_t blocked;
        struct sigaction action;

        if (fcntl(secret, F_GETFD) >= 0 || (recording_fd >= 0 && fcntl(recording_fd, F_GETFD) < 0))
                return 1;
        for (int fd = 3; fd < 256; fd++)
                if (fd != recording_fd && fcntl(fd, F_GETFD) >= 0)
                        return 2;
        if (sigprocmask(SIG_BLOCK, NULL, &blocked) < 0 || sigismember(&blocked, SIGTERM) != 0)
                return 3;
        if (sigaction(SIGWINCH, NULL, &action) < 0 || action.sa_handler != SIG_DFL)
                return 4;
        return sigaction(SIGPIPE, NULL, &action) < 0 || action.sa_handler != SIG_DFL ? 5 : 0;
}

static void on_signal(int sig) {
}

START_TEST(nothing_of_the_parent) {
        _cleanup_(captured_verb_done) CapturedVerb c = {};
        RecordingInput in = RECORDING_INPUT_EMPTY;
        const RecordingInputs inputs = { .inputs = &in, .n = 1 };
        char *words[] = { (char *) "look", NULL };
        sigset_t blocked;

        secret = open("/dev/null", O_RDONLY);
        ck_assert_int_ge(secret, 0);
        in.fd = recording_fd = fcntl(secret, F_DUPFD_CLOEXEC, 40);
        (void) signal(SIGWINCH, on_signal);
        (void) signal(SIGPIPE, SIG_IGN);
        (void) sigemptyset(&blocked);
        (void) sigaddset(&blocked, SIGTERM);
        (void) sigprocmask(SIG_BLOCK, &blocked, NULL);
        ck_assert_ok(captured_verb_start(&c, look_around, words, &inputs));
        ck_assert_int_eq(read_all(&c), 0);
        ck_assert_int_eq(c.status, 0);
        captured_verb_done(&c);
        recording_fd = -EBADF;
        ck_assert_ok(captured_verb_start(&c, look_around, words, NULL));
        ck_assert_int_eq(read_all(&c), 0);
        ck_assert_int_eq(c.status, 0);
        (void) close(in.fd);
        (void) close(secret);
}
END_TEST

/* A verb in the browser's sandbox, and what the program prints alone. */
typedef struct Compared {
        int (*run)(int argc, char **argv);
        const char *name, *options;
        char *text, *errors;
        int status;
} Compared;

static void run_alone(Compared *c, const char *path) {
        _cleanup_free_ char *status = NULL, *errors = test_path("errors");

        c->text = test_command(PREFIX "%s %s -i %s 2>%s || :", c->name, c->options, path, errors);
        c->errors = test_command("cat %s", errors);
        status = test_command(PREFIX "%s %s -i %s >/dev/null 2>&1; echo $?", c->name, c->options, path);
        c->status = atoi(status);
        ck_assert_uint_gt(strlen(c->text), 0);
}

static int compare(const Compared *expected, const RecordingInputs *inputs) {
        _cleanup_(captured_verb_done) CapturedVerb c = {};
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *options = strdup(expected->options);
        char *rest = options;

        if (strv_extend(&words, expected->name) < 0)
                return 1;
        for (char *word; (word = strsep(&rest, " "));)
                if (*word && strv_extend(&words, word) < 0)
                        return 1;
        if (captured_verb_add_inputs(inputs, &words) < 0 || captured_verb_start(&c, expected->run, words, inputs) < 0)
                return 2;
        if (read_all(&c) != 0)
                return 3;
        if (c.text.n != strlen(expected->text) || memcmp(c.text.data, expected->text, c.text.n) != 0) {
                (void) fprintf(stderr, "%s: %zu bytes, not %zu:\n%.*s\nand not:\n%s\n", expected->name, c.text.n, strlen(expected->text),
                               (int) c.text.n, c.text.data, expected->text);
                return 4;
        }
        if (c.errors.n != strlen(expected->errors) || memcmp(c.errors.data, expected->errors, c.errors.n) != 0) {
                (void) fprintf(stderr, "%s: its errors are:\n%.*s\nand not:\n%s\n", expected->name, (int) c.errors.n,
                               c.errors.data, expected->errors);
                return 5;
        }
        return c.status != expected->status ? 6 : 0;
}

/* Opens and counts it as a report does, and captures the verbs twice. */
static int browse(const char *path, const Compared *verbs, size_t n) {
        _cleanup_(counted_samples_done) CountedSamples all = {};
        RecordingName name = { .path = path };
        const RecordingNames names = { .names = &name, .n = 1, .sandbox = SANDBOX_TERMINAL };
        SelectionOptions select = {};
        NameOptions how = { .quiet = true };
        const CountingPlan plan = { .select = &select, .names = &how, .dimensions = SAMPLE_BY_THREAD };

        if (name_options_begin(&how) < 0 || counted_samples_open(&all, &names) < 0 || counted_samples_count(&all, &plan) < 0 ||
            counted_samples_name(&all) < 0)
                return 10;
        for (size_t i = 0; i < 2 * n; i++) {
                int r = compare(verbs + i % n, &all.inputs);

                if (r != 0)
                        return r;
        }
        return 0;
}

static void expect_same(const char *path, Compared *verbs, size_t n) {
        int status;
        pid_t pid;

        for (size_t i = 0; i < n; i++)
                run_alone(verbs + i, path);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                _exit(browse(path, verbs, n));
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned) status);
        for (size_t i = 0; i < n; i++) {
                free(verbs[i].text);
                free(verbs[i].errors);
        }
}

START_TEST(as_alone) {
        static const char *const files[] = { "perf-6.1-plain.data", "perf-6.1-groups.data", "perf-6.1-pipe-compressed.data" };
        Compared verbs[] = {
                { verb_script, "script", "" }, { verb_report, "report", "--stdio" }, { verb_report, "report", "--json" },
                { verb_script, "script", "-F comm,tid,time,ip,sym,dso --no-demangle" }, { verb_flamegraph, "flamegraph", "--output=-" },
                { verb_flamegraph, "flamegraph", "--output=- --format=html" },
        };

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *path = test_golden(files[i]);

                expect_same(path, verbs, ELEMENTSOF(verbs));
        }
}
END_TEST

/* Functions whose code, names in the manner of C++ and lines are looked for by processes that the child forks. */
START_TEST(code_as_alone) {
        static const char source[] =
                "int counted;\n"
                "__attribute__((noinline)) void _ZN4work4moreEi(int n) {\n"
                "        for (int i = 0; i < n; i++)\n"
                "                counted += i ^ n;\n"
                "}\n"
                "int main(void) { _ZN4work4moreEi(3); return 0; }\n";
        Compared verbs[] = {
                { verb_annotate, "annotate", "--stdio" }, { verb_annotate, "annotate", "--stdio2" }, { verb_annotate, "annotate", "--json" },
                { verb_script, "script", "" }, { verb_report, "report", "-s sym,srcline -g none" },
                { verb_flamegraph, "flamegraph", "-o -" },
        };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("captured", source, "-g"), *path = test_path("captured.data");
        BuildIdEntry id;
        uint64_t work;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        work = 0x400000 + made_offset(program, "_ZN4work4moreEi");
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        for (uint64_t i = 0; i < 4; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, work + (i == 3 ? 2 : 0), 1000);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        expect_same(path, verbs, ELEMENTSOF(verbs));
}
END_TEST

#define MUCH ((size_t) 300 << 20)
#ifdef __SANITIZE_ADDRESS__ /* its memory is not malloc(3)'s: that of the parent is known alone */
#define KNOWN MUCH
#else
#define KNOWN (2 * MUCH)
#endif

static int print_memory(int argc, char **argv) {
        char *more = malloc(MUCH);

        if (!more)
                return 1;
        *more = 'x';
        (void) printf("%" PRIu64, process_data_size());
        free(more);
        return 0;
}

/* The processes that a verb forks may have some memory besides what they begin with, which is what the parent had, too. */
static int capture_memory(void) {
        _cleanup_(captured_verb_done) CapturedVerb c = {};
        _cleanup_strv_free_ char **places = NULL;
        uint64_t before = process_data_size(), size;
        _cleanup_free_ char *much = malloc(MUCH);
        char *words[] = { (char *) "memory", NULL };
        bool landlock;

        if (!much || sandbox_list_places(&places) < 0 || sandbox_enter((const char *const *) places, 0, &landlock) < 0)
                return 1;
        *much = 'x';
        if (captured_verb_start(&c, print_memory, words, NULL) < 0 || read_all(&c) != 0 || c.status != 0)
                return 2;
        text_buffer_putc(&c.text, '\0');
        size = strtoull(c.text.data, NULL, 10);
        return size >= before + KNOWN && size < before + 3 * MUCH ? 0 : 3;
}

START_TEST(memory_of_the_parent) {
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                _exit(capture_memory());
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned) status);
}
END_TEST

/* Symbols beside a recording are those beside it in the child, too, and not the user's. */
START_TEST(words_of_inputs) {
        _cleanup_free_ char *path = test_path("symbols.data"), *beside = test_path("symbols.symbols.data"), *other = test_path("other");
        _cleanup_(recording_input_done) RecordingInput first = RECORDING_INPUT_EMPTY, second = RECORDING_INPUT_EMPTY;
        RecordingInput both[] = { RECORDING_INPUT_EMPTY, RECORDING_INPUT_EMPTY };
        const RecordingInputs opened = { .inputs = both, .n = 2 };
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *joined = NULL, *expected = NULL;

        test_write_file(path, "x", 1);
        ck_assert_int_eq(mkdir(beside, 0700), 0);
        ck_assert_ok(recording_input_open(&first, path, NULL, NULL));
        ck_assert_str_eq(first.symbols, beside);
        ck_assert_ok(recording_input_open(&second, path, "name", other));
        both[0] = first;
        both[1] = second;
        ck_assert_ok(captured_verb_add_inputs(&opened, &words));
        joined = strv_join(words, "|");
        ck_assert_int_gt(asprintf(&expected, "--input=&%d,%s|--input-name=%s|--input=&%d|--input-name=name|--symfs=%s", first.fd,
                                  beside, path, second.fd, other), 0);
        ck_assert_str_eq(joined, expected);
        both[0] = both[1] = (RecordingInput) RECORDING_INPUT_EMPTY;
        ck_assert_ok(recording_input_open(both, words[0] + strlen("--input="), path, NULL));
        ck_assert_str_eq(both[0].symbols, beside);
        ck_assert(!both[0].symfs);
        recording_input_done(both);
}
END_TEST

TEST_RUN("captured-verb", text_and_errors, much_text, ends, nothing_of_the_parent, as_alone, code_as_alone, memory_of_the_parent,
         words_of_inputs);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/mman.h>

#include "top-print.h"
#include "top-samples-made.h"

#define PID 4194305u

/* 24 and 8 of 32 weights, of two programs. */
static void make(TopSamples *s, const TopOptions *o) {
        static const char *const names[] = { "often", "seldom" };

        ck_assert_int_eq(top_samples_init(s, o, false, &made_member, 1), 0);
        for (uint32_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                char path[32];
                size_t comm;

                (void) snprintf(path, sizeof(path), "/bin/%s", names[i]);
                ck_assert_int_eq(record_put_comm(&b, PID + i, PID + i, names[i], PERF_RECORD_MISC_COMM_EXEC, NULL), 0);
                comm = b.size;
                ck_assert_int_eq(record_put_mmap2(&b, &(RecordMap) { .pid = PID + i, .tid = PID + i, .start = 0x400000,
                                                                     .length = 0x1000, .protection = PROT_EXEC, .path = path,
                                                                     .misc = PERF_RECORD_MISC_USER }, NULL), 0);
                made_take(s, b.data);
                made_take(s, b.data + comm);
                for (uint32_t n = i == 0 ? 3 : 1; n > 0; n--)
                        made_take_sample(s, PID + i, 0x400010, PERF_RECORD_MISC_USER, 8);
        }
        ck_assert_int_eq(top_samples_name(s), 0);
}

static void expect_screen(const TopOptions *o, const Target *target, uint64_t rows, unsigned lines, unsigned columns, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        _cleanup_free_ char *text = NULL;
        TopSamples s;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        ck_assert_ptr_nonnull(f);
        out.file = f;
        make(&s, o);
        ck_assert_int_eq(top_print(&(TopRefresh) { .samples = &s, .target = target, .n_cpus = 2, .seconds = 2, .rows = rows,
                                                   .lines = lines, .columns = columns, .time_nsec = 7 }, &out), 0);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_str_eq(text, expected);
        top_samples_done(&s);
}

static void expect(const TopOptions *o, const Target *target, uint64_t rows, const char *expected) {
        expect_screen(o, target, rows, 0, 0, expected);
}

#define LINE "-------------------------------------------------------------------------------\n\n"
#define HEAD "\n   PerfTop:       2 irqs/sec  kernel: 0.0%  exact:  0.0% lost: 0/0 [99Hz cpu-clock],  "

static const TopKey comm = { "comm", REPORT_COMM, 0 }, dso = { "dso", REPORT_DSO, 0 }, symbol = { "symbol", REPORT_SYMBOL, 0 };

START_TEST(rows) {
        const Target all = TARGET_EMPTY;
        TopOptions o = { .keys = { { &dso, &symbol }, 2 } };

        expect(&o, &all, 20, HEAD "(all, 2 CPUs)\n" LINE
               "  75.00%  often   [.] 0x0000000000000010\n"
               "  25.00%  seldom  [.] 0x0000000000000010\n");
        expect(&o, &all, 1, HEAD "(all, 2 CPUs)\n" LINE "  75.00%  often  [.] 0x0000000000000010\n");
        o.look.percent_limit = 30;
        o.look.samples = o.look.period = true;
        expect(&o, &all, 20, HEAD "(all, 2 CPUs)\n" LINE "  75.00%           3             24  often  [.] 0x0000000000000010\n");
        o = (TopOptions) { .keys = { { &comm }, 1 }, .look.least = 2 };
        expect(&o, &all, 20, HEAD "(all, 2 CPUs)\n" LINE "  75.00%  often\n");
        o = (TopOptions) { .keys = { { &comm, &dso }, 2 }, .look.widths = { { 8, 4 }, 2 } };
        expect(&o, &all, 20, HEAD "(all, 2 CPUs)\n" LINE "  75.00%  often     o...\n  25.00%  seldom    s...\n");
}
END_TEST

/* Rows are cut, and there are as many as there is room for below the head, which is not cut. */
START_TEST(screen) {
        const Target all = TARGET_EMPTY;
        TopOptions o = { .keys = { { &dso, &symbol }, 2 } };

        expect_screen(&o, &all, UINT64_MAX, 7, 200, HEAD "(all, 2 CPUs)\n" LINE
                      "  75.00%  often   [.] 0x0000000000000010\n"
                      "  25.00%  seldom  [.] 0x0000000000000010\n");
        expect_screen(&o, &all, UINT64_MAX, 7, 80, HEAD "(all, 2 CPUs)\n" LINE "  75.00%  often  [.] 0x0000000000000010\n");
        expect_screen(&o, &all, UINT64_MAX, 20, 30, HEAD "(all, 2 CPUs)\n" LINE
                      "  75.00%  often   [.] 0x000...\n"
                      "  25.00%  seldom  [.] 0x000...\n");
        expect_screen(&o, &all, UINT64_MAX, 2, 30, HEAD "(all, 2 CPUs)\n" LINE "  75.00%  often  [.] 0x0000...\n");
}
END_TEST

/* Shares are of all, unless those of what is chosen are wanted. */
START_TEST(chosen) {
        char *seldom[] = { (char *) "seldom", (char *) "none", NULL }, *code[] = { (char *) "0x0000000000000010", NULL };
        const Target all = TARGET_EMPTY;
        TopOptions o = { .keys = { { &comm }, 1 }, .only.comms = seldom };

        expect(&o, &all, 20, HEAD "(all, 2 CPUs)\n" LINE "  25.00%  seldom\n");
        o.only.relative = true;
        expect(&o, &all, 20, HEAD "(all, 2 CPUs)\n" LINE " 100.00%  seldom\n");
        o.only = (TopChoice) { .dsos = seldom };
        expect(&o, &all, 20, HEAD "(all, 2 CPUs)\n" LINE "  25.00%  seldom\n");
        o.only = (TopChoice) { .symbols = code, .relative = true }; /* it has no symbol of that name */
        expect(&o, &all, 20, HEAD "(all, 2 CPUs)\n" LINE);
}
END_TEST

START_TEST(targets) {
        pid_t ids[] = { 7, 8 };
        int cpus[] = { 1 };
        const TopOptions o = { .keys = { { &comm }, 1 } };
        Target target = TARGET_EMPTY;

        target.pids = ids;
        target.n_pids = 2;
        expect(&o, &target, 1, HEAD "(target_pid: 7,8)\n" LINE "  75.00%  often\n");
        target = (Target) TARGET_EMPTY;
        target.cpus = cpus;
        target.n_cpus = 1;
        expect(&o, &target, 1, HEAD "(all, CPU: 1)\n" LINE "  75.00%  often\n");
}
END_TEST

START_TEST(json) {
        const Target all = TARGET_EMPTY;
        const TopOptions o = { .keys = { { &comm, &symbol }, 2 }, .look.json = true };

        expect(&o, &all, 1, "{\"time_nsec\":7,\"duration_nsec\":2000000000,\"samples\":4,\"kernel_samples\":0,\"lost\":0,\"events\":["
               "{\"event\":\"cpu-clock\",\"samples\":4,\"period\":32,\"rows\":["
               "{\"percent\":75.000000,\"samples\":3,\"period\":24,\"comm\":\"often\",\"symbol\":\"0x0000000000000010\",\"level\":\".\"}]}]}\n");
}
END_TEST

static void expect_head(TopSamples *s, const Target *target, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        _cleanup_free_ char *text = NULL;
        size_t size;

        out.file = open_memstream(&text, &size);
        ck_assert_int_eq(top_print(&(TopRefresh) { .samples = s, .target = target, .seconds = 2, .rows = 20 }, &out), 0);
        ck_assert_int_eq(fclose(out.file), 0);
        ck_assert_msg(strstr(text, expected), "%s", text);
}

static void expect_slices(TopSamples *s, const Target *target, uint64_t from, uint64_t to, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        _cleanup_free_ char *text = NULL;
        size_t size;

        s->from = from * TOP_SLICE_NSEC;
        s->to = to * TOP_SLICE_NSEC;
        out.file = open_memstream(&text, &size);
        ck_assert_int_eq(top_print(&(TopRefresh) { .samples = s, .target = target, .seconds = 2, .rows = 20 }, &out), 0);
        ck_assert_int_eq(fclose(out.file), 0);
        ck_assert_str_eq(strstr(text, LINE) + strlen(LINE), expected);
}

/* The samples of a session are shown by slices of time, whose shares are those of these slices. */
START_TEST(slices) {
        const TopOptions o = { .keys = { { &comm }, 1 }, .session = "web" };
        const Target all = TARGET_EMPTY;
        TopSamples s;

        make(&s, &o); /* in the first slice */
        for (unsigned i = 0; i < 3; i++)
                made_take_sample_at(&s, PID + 1, 0x400010, PERF_RECORD_MISC_USER, 8, 5 * TOP_SLICE_NSEC + i);
        ck_assert_int_eq(top_samples_name(&s), 0);
        expect_slices(&s, &all, 0, 0, "  57.14%  seldom\n  42.86%  often\n");
        expect_slices(&s, &all, 0, 5, "  75.00%  often\n  25.00%  seldom\n");
        expect_slices(&s, &all, 5, 0, " 100.00%  seldom\n");
        expect_slices(&s, &all, 1, 5, "");
        ck_assert_int_eq(top_samples_next_window(&s), 0); /* nothing decays */
        expect_slices(&s, &all, 0, 0, "  57.14%  seldom\n  42.86%  often\n");
        s.window.missed = 1500000000;
        s.missed = 20000000000;
        expect_head(&s, &all, "lost: 0/0 missed: 1.5s/20.0s [99Hz cpu-clock],  (session: web)\n");
        top_samples_done(&s);
        expect(&o, &all, 0, HEAD "(session: web)\n" LINE);
}
END_TEST

CHECK_MAIN("top-print", rows, screen, chosen, targets, json, slices);

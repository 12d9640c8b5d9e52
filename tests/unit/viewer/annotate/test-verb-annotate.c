/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The verb end to end, in both layouts. */

#include "made-program.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define PREFIX "ASAN_OPTIONS=detect_leaks=0 " VIEWER " annotate --stdio2 "

static const char source[] =
        "int counted;\n"
        "__attribute__((noinline)) void work(int n) {\n"
        "        for (int i = 0; i < n; i++)\n"
        "                counted += i ^ n;\n"
        "}\n"
        "int main(void) { work(3); return 0; }\n";

/* Three samples at the first instruction of work(), one at the third byte. */
static char *recording(const char *name, char **ret_program, const char *flags) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *path = test_path("annotate.data");
        BuildIdEntry id;
        uint64_t work;

        *ret_program = made_program(name, source, flags);
        if (!*ret_program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = *ret_program, .id = made_build_id(*ret_program) };
        work = 0x400000 + made_offset(*ret_program, "work");
        test_put_map(&b, 7, 0x400000, 0x100000, *ret_program, 0);
        for (uint64_t i = 0; i < 4; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, work + (i == 3 ? 2 : 0), 1000);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        return path;
}

static unsigned count(const char *text, const char *part) {
        unsigned n = 0;

        for (const char *p = text; (p = strstr(p, part)); p++)
                n++;
        return n;
}

/* Names are anybody's, also those of files. */
START_TEST(hostile_path) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("hostile", source, "-g"), *hostile = test_path("\033]0;x\a\n\xff"),
                            *path = test_path("hostile.data"), *text = NULL;
        BuildIdEntry id;
        uint64_t work;

        if (!program)
                exit(TEST_SKIPPED);
        work = 0x400000 + made_offset(program, "work");
        id = (BuildIdEntry) { .path = hostile, .id = made_build_id(program) };
        ck_assert_int_eq(rename(program, hostile), 0);
        test_put_map(&b, 7, 0x400000, 0x100000, hostile, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, work, 1000);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        text = test_command(PREFIX "-i %s; " PREFIX "--stdio -l -i %s", path, path);
        ck_assert_uint_eq(count(text, "?]0;x? \xef\xbf\xbd\n"), 2);
        ck_assert(!strchr(text, '\033') && !strchr(text, '\a') && !strchr(text, '\xff'));
}
END_TEST

START_TEST(layouts) {
        _cleanup_free_ char *program = NULL, *path = recording("annotated", &program, "-g -fcf-protection=none"), *arrows = NULL, *old = NULL,
                            *none = NULL, *title = NULL, *piped = NULL, *terminal = NULL;

        arrows = test_command(PREFIX "-i %s work", path);
        ck_assert_int_gt(asprintf(&title, "work() %s\nPercent\n", program), 0);
        ck_assert_ptr_nonnull(strstr(arrows, "Samples: 4  of event 'cpu-clock:HG', "));
        ck_assert_ptr_nonnull(strstr(arrows, title));
        ck_assert_ptr_nonnull(strstr(arrows, " 75.00  "));
        ck_assert_ptr_nonnull(strstr(arrows, " 25.00  "));
        ck_assert_ptr_nonnull(strstr(arrows, "work():\n"));
        ck_assert_ptr_nonnull(strstr(arrows, "for (int i = 0; i < n; i++)\n"));
        ck_assert_ptr_nonnull(strstr(arrows, "← ret"));
        ck_assert_ptr_nonnull(strstr(arrows, "↑ "));
        old = test_command(PREFIX "--stdio -l -i %s work", path);
        ck_assert_ptr_nonnull(strstr(old, "Source code & Disassembly of annotated for cpu-clock:HG (4 samples, percent: local period)\n"));
        ck_assert_ptr_nonnull(strstr(old, "   75.00 :   "));
        ck_assert_ptr_nonnull(strstr(old, "         : 3"));
        ck_assert_ptr_nonnull(strstr(old, " // annotated.c:"));
        ck_assert_ptr_nonnull(strstr(old, "Sorted summary for file "));
        none = test_command(PREFIX "--no-source -n -i %s -s work", path);
        ck_assert_ptr_null(strstr(none, "for ("));
        ck_assert_ptr_nonnull(strstr(none, "     3  "));
        ck_assert_uint_lt(count(none, "\n"), count(arrows, "\n"));
        piped = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " annotate -l -i %s work", path);
        ck_assert_str_eq(piped, old);
        terminal = test_command("script -qec 'ASAN_OPTIONS=detect_leaks=0 " VIEWER " annotate -i %s work' /dev/null </dev/null", path);
        ck_assert_ptr_nonnull(strstr(terminal, "← ret"));
}
END_TEST

/* All samples of a function count together, of several recordings too. */
START_TEST(several) {
        _cleanup_free_ char *program = NULL, *path = recording("twice", &program, "-g"), *text = NULL;

        text = test_command(PREFIX "--stdio -n -i %s -i %s work", path, path);
        ck_assert_uint_eq(count(text, "Source code & Disassembly of "), 1);
        ck_assert_ptr_nonnull(strstr(text, "(8 samples, "));
        ck_assert_ptr_nonnull(strstr(text, "       6 : "));
}
END_TEST

START_TEST(numbers) {
        _cleanup_free_ char *program = NULL, *path = recording("numbers", &program, "-g -fcf-protection=none"), *text = NULL;

        text = test_command(PREFIX "--stdio --no-source --show-total-period --asm-raw -i %s work", path);
        ck_assert(startswith(text, " Period      |\tSource code & Disassembly of numbers for cpu-clock:HG (4 samples, percent: local period)\n"));
        ck_assert_ptr_nonnull(strstr(text, "           3 :   "));
        ck_assert_ptr_nonnull(strstr(text, ":   85 ff                   test   %edi,%edi\n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "--show-total-period --percent-type=global-hits -i %s work", path);
        ck_assert_ptr_nonnull(strstr(text, "[percent: global hits]\n"));
        ck_assert_ptr_nonnull(strstr(text, "\nPeriod\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n          3  "));
        free(steal_ptr(text));
        text = test_command(PREFIX "--stdio-color=always -i %s work", path);
        ck_assert_ptr_nonnull(strstr(text, "\033[31m 75.00\033[m  "));
}
END_TEST

START_TEST(moved_source) {
        _cleanup_free_ char *program = NULL, *path = recording("moved", &program, "-g"), *text = NULL, *directory = test_path("");

        free(test_command("mkdir -p %s/new/deep && mv %s.c %s/new/deep/", directory, program, directory));
        text = test_command(PREFIX "-i %s work", path);
        ck_assert_ptr_null(strstr(text, "counted += i ^ n;"));
        free(steal_ptr(text));
        text = test_command(PREFIX "--prefix %s/new/deep --prefix-strip=$(dirname %s | tr -cd / | wc -c) -i %s work", directory, program, path);
        ck_assert_ptr_nonnull(strstr(text, "counted += i ^ n;"));
}
END_TEST

START_TEST(object) {
        _cleanup_free_ char *program = NULL, *path = recording("object", &program, "-g -fcf-protection=none"), *text = NULL, *expected = NULL;

        text = test_command(PREFIX "--json -i %s work", path);
        ck_assert_int_gt(asprintf(&expected, "\"unreadable\":0,\"events\":[{\"event\":\"cpu-clock:HG\",\"samples\":4,\"period\":4,"
                                  "\"functions\":[{\"symbol\":\"work\",\"dso\":\"%s\",\"samples\":4,\"period\":4,\"percent\":100.000000,"
                                  "\"instructions\":[{\"address\":\"0x", program), 0);
        ck_assert_msg(strstr(text, expected), "%s", text);
        ck_assert_ptr_nonnull(strstr(text, "\",\"text\":\"test %edi,%edi\",\"samples\":3,\"period\":3,\"percent\":75.000000,\"file\":\""));
        ck_assert_ptr_nonnull(strstr(text, "/object.c\",\"line\":3}"));
        ck_assert_ptr_nonnull(strstr(text, "]}]}]}\n"));
}
END_TEST

/* It waits for the recording when the signal comes; what was read is shown. */
START_TEST(interrupted) {
        _cleanup_free_ char *program = NULL, *path = recording("late", &program, "-g"), *caught = test_path("caught"), *command = NULL,
                            *feed = NULL, *text = NULL;
        FILE *input;

        ck_assert_int_gt(asprintf(&feed, "until test -e %s; do sleep 0.02; done; cat %s", caught, path), 0);
        input = popen(feed, "r");
        ck_assert_ptr_nonnull(input);
        ck_assert_int_gt(asprintf(&command, "env " PREFIX "--stdio -i - <&%d", fileno(input)), 0);
        text = test_interrupted(command, ":", caught);
        (void) pclose(input);
        ck_assert_msg(strstr(text, " for cpu-clock:HG (4 samples, "), "%s", text);
        ck_assert_msg(strstr(text, "Interrupted: "), "%s", text);
        ck_assert_msg(strstr(text, "status 1\n"), "%s", text);
}
END_TEST

START_TEST(nothing_to_show) {
        _cleanup_free_ char *program = NULL, *path = recording("gone", &program, "-g"), *other = NULL, *text = NULL;

        other = test_command(PREFIX "-i %s nonsense 2>&1", path);
        ck_assert_ptr_nonnull(strstr(other, "no sample hit code of 'nonsense' that can be shown\n"));
        ck_assert_int_eq(unlink(program), 0);
        text = test_command(PREFIX "-i %s 2>&1", path);
        ck_assert_ptr_nonnull(strstr(text, "no sample hit code that can be shown\n"));
}
END_TEST

#define MODULE_START UINT64_C(0xffffffffc0400000)

static const char module_source[] =
        "extern long from_elsewhere;\n"
        "int call_elsewhere(int n);\n"
        "__attribute__((noinline, section(\".text.unlikely\"), aligned(64))) int rarely(int n) { return n * 7; }\n"
        "__attribute__((noinline)) int often(int n) {\n"
        "        from_elsewhere += n;\n"
        "        return rarely(n) + call_elsewhere(n);\n"
        "}\n";

/* Three samples in often(), one in rarely(). path: as the module was mapped. */
static char *module_recording(const char *module, const char *path) {
        static const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };
        uint64_t often, text;
        const RecordMap kernel = {
                .pid = UINT32_MAX, .start = UINT64_C(0xffffffff81000000), .length = 0x1000000, .page_offset = UINT64_C(0xffffffff81000000),
                .misc = PERF_RECORD_MISC_KERNEL, .path = "[kernel.kallsyms]_text",
        }, map = {
                .pid = UINT32_MAX, .start = MODULE_START, .length = 0x4000, .misc = PERF_RECORD_MISC_KERNEL, .path = path,
        };
        const BuildIdEntry id = { .path = path, .cpumode = PERF_RECORD_MISC_KERNEL, .id = made_build_id(module) };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *data = test_path("module.data");
        _cleanup_free_ char *value = test_command("nm %s | awk '$3 == \"often\" { print $1 }'", module),
                            *size = test_command("readelf -SW %s | sed 's/^ *\\[ *[0-9]*\\]//' | awk '$1 == \".text\" { print $5 }'", module);

        ck_assert(value && *value && size && *size);
        often = MODULE_START + strtoull(value, NULL, 16);
        text = strtoull(size, NULL, 16);
        ck_assert_ok(record_put_mmap(&b, &kernel, &trailer));
        ck_assert_ok(record_put_mmap(&b, &map, &trailer));
        ck_assert_ok(record_put_comm(&b, 7, 7, "demo", 0, &trailer));
        for (unsigned i = 0; i < 3; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, often, 1000);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, MODULE_START + (text + 63) / 64 * 64, 1000);
        perf_data_reader_free(test_recording(data, &b, &id, 1));
        return data;
}

static char *made_module(const char *name) {
        char *path = made_program(name, module_source, "-r -nostdlib -g -fno-pie -mcmodel=kernel -fcf-protection=none -Wl,--build-id=sha1");

        if (!path)
                exit(TEST_SKIPPED);
        return path;
}

/* Relocations name what a module refers to, and lead to its lines. */
static void expect_module(const char *data, bool lines) {
        _cleanup_free_ char *arrows = test_command(PREFIX "-i %s often 2>&1", data), *old = NULL, *other = NULL;

        ck_assert_ptr_nonnull(strstr(arrows, "often() "));
        ck_assert_ptr_nonnull(strstr(arrows, "100.00  "));
        ck_assert_ptr_nonnull(strstr(arrows, " call   rarely\n"));
        ck_assert_ptr_nonnull(strstr(arrows, " call   call_elsewhere\n"));
        ck_assert_ptr_nonnull(strstr(arrows, "from_elsewhere"));
        ck_assert_int_eq(strstr(arrows, "return rarely(n) + call_elsewhere(n);\n") != NULL, lines);
        old = test_command(PREFIX "--stdio --no-source -i %s often 2>&1", data);
        ck_assert_ptr_nonnull(strstr(old, " :   ffffffffc04000"));
        ck_assert_ptr_nonnull(strstr(old, "<call_elsewhere>\n"));
        ck_assert_ptr_nonnull(strstr(old, " <rarely>\n"));
        ck_assert_ptr_nonnull(strstr(old, "# <from_elsewhere>\n"));
        other = test_command(PREFIX "-i %s rarely 2>&1", data);
        ck_assert_ptr_nonnull(strstr(other, "rarely() "));
        ck_assert_int_eq(strstr(other, "return n * 7;") != NULL, lines);
}

/* Other verbs show the lines of such code, too. */
static void expect_lines(const char *data) {
        _cleanup_free_ char *script = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " script -G -F ip,sym,srcline -i %s 2>&1", data);
        _cleanup_free_ char *report = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " report -q -s srcline -i %s 2>&1", data);

        ck_assert_ptr_nonnull(strstr(script, " often\n  module.ko.c:4\n"));
        ck_assert_ptr_nonnull(strstr(script, " rarely\n  module.ko.c:3\n"));
        ck_assert_ptr_nonnull(strstr(report, "75.00%  module.ko.c:4"));
        ck_assert_ptr_nonnull(strstr(report, "25.00%  module.ko.c:3"));
}

START_TEST(module) {
        _cleanup_free_ char *path = made_module("module.ko"), *data = module_recording(path, path), *text = NULL;

        expect_lines(data);
        expect_module(data, true);
        text = test_command("objcopy --compress-debug-sections %s && echo ok", path);
        ck_assert_str_eq(text, "ok\n");
        expect_module(data, true);
        free(steal_ptr(text));
        text = test_command("objcopy --strip-debug %s && echo ok", path);
        ck_assert_str_eq(text, "ok\n");
        expect_module(data, false);
        free(steal_ptr(text));
        text = test_command("mv %s %s.moved && " PREFIX "-i %s 2>&1", path, path, data);
        ck_assert_ptr_nonnull(strstr(text, "no sample hit code that can be shown\n"));
}
END_TEST

static void expect_compressed(const char *name, const char *program, const char *ending) {
        _cleanup_free_ char *path = made_module(name), *mapped = NULL, *data = NULL, *text = NULL;

        ck_assert_int_gt(asprintf(&mapped, "%s.%s", path, ending), 0);
        data = module_recording(path, mapped);
        text = test_command("%s -q %s && rm -f %s && echo ok", program, path, path);
        if (text)
                expect_module(data, true);
}

START_TEST(compressed_module) {
        expect_compressed("packed.ko", "xz", "xz");
        expect_compressed("small.ko", "zstd", "zst");
}
END_TEST

TEST_RUN("verb-annotate", layouts, several, numbers, moved_source, object, interrupted, hostile_path, nothing_to_show, module, compressed_module);

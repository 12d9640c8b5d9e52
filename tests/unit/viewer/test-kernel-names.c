/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view end to end on the recording of a kernel that does not run here, whose vmlinux is at hand, and that was loaded
 * further up than it is linked. perf shows the same. */

#include "made-program.h"

#define REPORT VIEWER " report "
#define SCRIPT VIEWER " script "
#define INSTRUCTIONS " | grep -E '[%%]|leave|ret|call' | grep -v Percent | sed 's/^ *//; s/ *$//'"
#define LINKED "0xffffffff81000000"
#define MOVED UINT64_C(0x19400000)
#define LOADED (UINT64_C(0xffffffff81000000) + MOVED)

static const char vmlinux_source[] =
        "void _text(void) { }\n"
        "static int do_softly(int n) { return n + 1; }\n"
        "int do_hardly(int n) { return do_softly(n) + 2; }\n"
        "void _start(void) { do_hardly(1); }\n";

static char *made_vmlinux(const char *name) {
        char *path = made_program(name, vmlinux_source, "-O0 -fno-toplevel-reorder -nostdlib -static -no-pie -fno-pic -mcmodel=kernel "
                                  "-fcf-protection=none -Wl,-Ttext=" LINKED " -Wl,--build-id=sha1");

        if (!path)
                exit(TEST_SKIPPED);
        return path;
}

static uint64_t address_of(const char *path, const char *function) {
        _cleanup_free_ char *text = test_command("nm %s | awk '$3 == \"%s\" { print $1 }'", path, function);

        ck_assert(text && *text);
        return strtoull(text, NULL, 16) + MOVED;
}

/* The kernel's build id is that of the vmlinux. */
static char *made_recording(const char *name, const char *vmlinux) {
        static const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };
        const RecordMap kernel = {
                .pid = UINT32_MAX, .start = LOADED, .length = 0x1000000, .page_offset = LOADED,
                .misc = PERF_RECORD_MISC_KERNEL, .path = "[kernel.kallsyms]_text",
        };
        const BuildIdEntry id = {
                .path = "[kernel.kallsyms]", .cpumode = PERF_RECORD_MISC_KERNEL, .id = made_build_id(vmlinux),
        };
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *path = test_path(name);

        ck_assert_ok(record_put_mmap(&b, &kernel, &trailer));
        ck_assert_ok(record_put_comm(&b, 7, 7, "demo", 0, &trailer));
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, address_of(vmlinux, "do_softly") + 1, 1000);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, address_of(vmlinux, "do_hardly") + 4, 2000);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, address_of(vmlinux, "do_hardly"), 3000);
        reader = test_recording(path, &b, &id, 1);
        ck_assert_ptr_nonnull(reader);
        return path;
}

START_TEST(by_a_vmlinux) {
        _cleanup_free_ char *vmlinux = made_vmlinux("vmlinux"), *path = made_recording("by.data", vmlinux), *ours = NULL, *lines = NULL;

        ours = test_command(REPORT "-i %s -q -s sym -g none --no-children -k %s 2>&1", path, vmlinux);
        ck_assert_str_eq(ours, "    66.67%  [k] do_hardly\n    33.33%  [k] do_softly\n\n\n");
        lines = test_command(SCRIPT "-i %s -G -F ip,sym,symoff --vmlinux=%s 2>&1", path, vmlinux);
        ck_assert_ptr_nonnull(strstr(lines, " do_hardly+0x4\n"));
        if (test_have_perf()) {
                _cleanup_free_ char *perfs = NULL, *perf_lines = NULL;

                perfs = test_command("perf report -f -i %s -q --stdio -s sym -g none --no-children -k %s 2>/dev/null | grep .", path, vmlinux);
                free(steal_ptr(ours));
                ours = test_command(REPORT "-i %s -q -s sym -g none --no-children -k %s | grep .", path, vmlinux);
                ck_assert_str_eq(perfs ?: "", ours);
                perf_lines = test_command("perf script -f -i %s -G -F ip,sym,symoff -k %s 2>/dev/null", path, vmlinux);
                ck_assert_str_eq(perf_lines ?: "", lines);
        }
}
END_TEST

/* Addresses are shown, and why, once. */
START_TEST(without_one) {
        _cleanup_free_ char *vmlinux = made_vmlinux("vmlinux"), *other = NULL, *path = made_recording("without.data", vmlinux),
                            *text = NULL;

        text = test_command(REPORT "-i %s -q -s sym -g none --no-children 2>&1 >/dev/null", path);
        ck_assert_ptr_nonnull(text);
        ck_assert_ptr_nonnull(startswith(text, "Functions of the recorded kernel (build id "));
        ck_assert_ptr_nonnull(strstr(text, "another kernel runs here"));
        ck_assert_ptr_null(strstr(strchr(text, '\n') + 1, "Functions of "));
        free(steal_ptr(text));
        text = test_command(REPORT "-i %s -q -s sym -g none --no-children 2>/dev/null | grep -c 0xffffffff9a4", path);
        ck_assert_str_eq(text, "3\n");
        other = made_program("other", vmlinux_source, "-nostdlib -static -no-pie -Wl,--build-id=sha1");
        ck_assert_ptr_nonnull(other);
        free(steal_ptr(text));
        text = test_command(REPORT "-i %s -q -s sym -g none --no-children -k %s 2>&1", path, other);
        ck_assert_ptr_nonnull(strstr(text, "is not used: the file that was named is another kernel's\n"));
        ck_assert_ptr_null(strstr(text, "do_hardly"));
        free(steal_ptr(text));
        text = test_command(REPORT "-i %s -k %s.gone 2>&1; echo $?", path, other);
        ck_assert_ptr_nonnull(strstr(text, "--vmlinux: No such file or directory: "));
        ck_assert_ptr_nonnull(strstr(text, "\n1\n"));
}
END_TEST

START_TEST(by_a_list) {
        _cleanup_free_ char *vmlinux = made_vmlinux("vmlinux"), *path = made_recording("list.data", vmlinux), *ours = NULL, *made = NULL;

        made = test_command("nm %s > %s.list && echo ok", vmlinux, vmlinux);
        ck_assert_str_eq(made, "ok\n");
        ours = test_command(REPORT "-i %s -q -s sym -g none --no-children --kallsyms %s.list 2>&1", path, vmlinux);
        ck_assert_str_eq(ours, "    66.67%  [k] do_hardly\n    33.33%  [k] do_softly\n\n\n");
        if (test_have_perf()) {
                _cleanup_free_ char *perfs = test_command("perf report -f -i %s -q --stdio -s sym -g none --no-children --kallsyms %s.list "
                                                          "2>/dev/null", path, vmlinux);

                ck_assert_str_eq(perfs ?: "", ours);
        }
}
END_TEST

/* perf calls the binary by the name of its file, has more lines before the first instruction, and has a wider column since 6.12. */
START_TEST(code) {
        _cleanup_free_ char *vmlinux = made_vmlinux("vmlinux"), *path = made_recording("code.data", vmlinux), *stripped = NULL,
                            *without = NULL, *ours = NULL, *separate = NULL;

        without = test_command(VIEWER " annotate --stdio2 -i %s 2>&1", path);
        ck_assert_ptr_nonnull(strstr(without, "no sample hit code that can be shown"));
        ours = test_command(VIEWER " annotate --stdio2 -i %s -k %s 2>&1" INSTRUCTIONS, path, vmlinux);
        ck_assert_ptr_nonnull(strstr(ours, "50.00        push  %rbp\n"));
        ck_assert_ptr_nonnull(strstr(ours, "→ call  do_softly\n"));
        if (test_have_perf()) {
                _cleanup_free_ char *perfs = test_command("perf annotate -f --stdio2 -i %s -k %s 2>/dev/null" INSTRUCTIONS, path, vmlinux);

                ck_assert_str_eq(perfs ?: "", ours);
        }
        stripped = test_command("objcopy --only-keep-debug %s %s.debug && echo ok", vmlinux, vmlinux);
        ck_assert_str_eq(stripped, "ok\n");
        separate = test_command(VIEWER " annotate --stdio2 -i %s -k %s.debug 2>&1", path, vmlinux);
        ck_assert_ptr_nonnull(strstr(separate, "the kernel's code is not at hand"));
}
END_TEST

TEST_RUN("kernel-names", by_a_vmlinux, code, without_one, by_a_list);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The same program with its rules in each kind of section has the same rules. */

#include <fcntl.h>

#include "file-rules.h"
#include "made-program.h"
#include "perfdata-test.h"

static void take_program(FileRules *rules, const char *path) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        _cleanup_(elf_image_done) ElfImage e = ELF_IMAGE_EMPTY;

        ck_assert_int_ge(fd, 0);
        ck_assert_ok(elf_image_open(&e, fd));
        ck_assert_ok(file_rules_take(rules, &e, NULL));
}

static UnwindRule rule_at(const FileRules *rules, uint64_t offset) {
        UnwindFrame frame = {};
        UnwindRule rule;

        ck_assert_int_eq(file_rules_find(rules, offset, &rule, &frame), 1);
        ck_assert_int_eq(rule.kind, UNWIND_PLAIN);
        ck_assert(rule.start <= offset && offset < rule.end);
        return rule;
}

/* Without .eh_frame, compilers write .debug_frame, which may be compressed: Go's linker does. */
START_TEST(test_sections) {
        static const char *const flags[] = {
                "-O0", "-O0 -Wl,--no-eh-frame-hdr", "-O0 -g -fno-asynchronous-unwind-tables",
                "-O0 -g -fno-asynchronous-unwind-tables -gz=zlib",
        };

        for (size_t i = 0; i < ELEMENTSOF(flags); i++) {
                _cleanup_free_ char *path = made_program("program", made_source, flags[i]);
                _cleanup_(file_rules_done) FileRules rules = {};
                UnwindRule rule;
                uint64_t outer;

                if (!path)
                        exit(TEST_SKIPPED);
                outer = made_offset(path, "outer");
                take_program(&rules, path);
                rule = rule_at(&rules, outer);
                ck_assert_uint_eq(rule.start, outer);
                ck_assert_int_eq(rule.cfa_register, UNWIND_RSP);
                ck_assert_int_eq(rule.cfa_offset, 8);
                rule = rule_at(&rules, rule.end); /* rbp is on the stack */
                ck_assert_int_eq(rule.cfa_offset, 16);
                rule = rule_at(&rules, rule.end);
                ck_assert_int_eq(rule.cfa_register, UNWIND_RBP);
                ck_assert_int_eq(rule.cfa_offset, 16);
                ck_assert_int_eq(rule.saved[1], -2);
        }
}
END_TEST

/* A binary without rules is asked once for all of it. */
START_TEST(test_none) {
        const FileRules none = {};
        UnwindFrame frame;
        UnwindRule rule;

        ck_assert_int_eq(file_rules_find(&none, 0x1000, &rule, &frame), 0);
        ck_assert(rule.start == 0 && rule.end == UINT64_MAX);
}
END_TEST

TEST_RUN("file-rules", test_sections, test_none);

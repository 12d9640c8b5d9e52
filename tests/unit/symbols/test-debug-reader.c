/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The reader in this process: what it answers, and its errors. */

#include "debug-reader.h"
#include "made-program.h"

static int run(const char *path, uint64_t address, char **ret, size_t *ret_size) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        FILE *f = open_memstream(ret, ret_size);
        int r;

        ck_assert(fd >= 0 && f);
        r = debug_reader_run(fd, &(ModuleMemory) {}, &address, 1, true, f);
        (void) fclose(f);
        return r;
}

START_TEST(answers) {
        _cleanup_free_ char *path = made_program("answers", made_source, "-g -no-pie"), *text = NULL, *symbol = NULL;
        DebugAnswer a, line, end;
        uint64_t address;
        size_t size;

        if (!path)
                return;
        symbol = test_command("nm %s | awk '$3 == \"inner\" { print $1 }'", path);
        address = strtoull(symbol, NULL, 16);
        ck_assert_ok(run(path, address, &text, &size));
        memcpy(&a, text, sizeof(a));
        ck_assert_uint_eq(a.type, DEBUG_ANSWER_TEXT);
        ck_assert_uint_eq(size, 3 * sizeof(a) + a.number);
        ck_assert_int_eq(memcmp(text + sizeof(a) + a.number - 2, ".c", 2), 0);
        memcpy(&line, text + sizeof(a) + a.number, sizeof(line));
        memcpy(&end, text + size - sizeof(end), sizeof(end));
        ck_assert_uint_eq(line.type, DEBUG_ANSWER_LINE);
        ck_assert_uint_eq(line.line, 2);
        ck_assert_uint_eq(line.text, 1);
        ck_assert_uint_eq(end.type, DEBUG_ANSWER_END);
}
END_TEST

START_TEST(compressed) {
        static const char *const forms[] = { "zlib-gabi", "zlib-gnu", "zstd" };
        _cleanup_free_ char *path = made_program("packed", made_source, "-g3 -no-pie"),
                            *plain = NULL, *symbol = NULL;
        size_t size;

        if (!path)
                return;
        symbol = test_command("nm %s | awk '$3 == \"inner\" { print $1 }'", path);
        ck_assert_ok(run(path, strtoull(symbol, NULL, 16), &plain, &size));
        for (size_t i = 0; i < ELEMENTSOF(forms); i++) {
                _cleanup_free_ char *text = NULL, *packed = NULL, *output = NULL;
                size_t packed_size;

                ck_assert_int_gt(asprintf(&packed, "%s.%s", path, forms[i]), 0);
                output = test_command("objcopy --compress-debug-sections=%s %s %s && readelf -SW %s", forms[i], path, packed, packed);
                ck_assert_pstr_ne(strstr(output, i == 1 ? ".zdebug_info" : ".debug_info"), NULL);
                ck_assert_ok(run(packed, strtoull(symbol, NULL, 16), &text, &packed_size));
                ck_assert_uint_eq(packed_size, size);
                ck_assert_mem_eq(text, plain, size);
        }
}
END_TEST

START_TEST(errors) {
        _cleanup_free_ char *stripped = made_program("stripped", made_source, "-s"), *text = NULL, *noise = test_path("noise");
        size_t size;

        test_write_file(noise, "noise", 5);
        ck_assert_int_eq(run(noise, 1, &text, &size), -ENOEXEC);
        free(steal_ptr(text));
        if (!stripped)
                return;
        ck_assert_int_eq(run(stripped, 0x1000, &text, &size), -ENODATA);
        ck_assert_uint_eq(size, 0);
}
END_TEST

TEST_RUN("debug-reader", answers, compressed, errors);

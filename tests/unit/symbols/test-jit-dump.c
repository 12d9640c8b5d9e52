/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "fd-file.h"
#include "jit-dump.h"
#include "made-jit-dump.h"
#include "made-program.h"

static JitReader *reader_of(int fd) {
        JitReader *r = NULL;

        ck_assert_ok(jit_reader_new(fd, &r));
        return r;
}

static void assert_load(JitReader *r, const char *name, uint64_t start, uint64_t size, uint64_t time, uint64_t place) {
        JitRecord record;

        ck_assert_int_eq(jit_reader_next(r, &record), 1);
        ck_assert_int_eq(record.kind, JIT_RECORD_LOAD);
        ck_assert_uint_eq(record.name_size, strlen(name));
        ck_assert_mem_eq(record.name, name, record.name_size);
        ck_assert_uint_eq(record.start, start);
        ck_assert_uint_eq(record.size, size);
        ck_assert_uint_eq(record.time, time);
        ck_assert_uint_eq(record.place, place);
}

START_TEST(records) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_(jit_reader_freep) JitReader *r = NULL;
        _cleanup_close_ int fd = -EBADF;
        JitRecord record;

        made_jit_begin(&b, 7, 0);
        made_jit_load(&b, 10, 0x1000, 0x40, 1, "one", true);
        made_jit_other(&b, 2, 16 + 100000); /* lines, longer than what is read at once */
        made_jit_load(&b, 20, 0x2000, 0x20, 2, "two", false);
        made_jit_move(&b, 30, 0x1000, 0x3000, 0x40, 1);
        made_jit_other(&b, 77, 16);
        made_jit_load(&b, 40, 0x4000, 0x10, 3, "", true);
        made_jit_other(&b, 3, 16);
        made_jit_load(&b, 50, 0x5000, 0x10, 4, "behind the end", true);
        fd = made_jit_fd(&b);
        r = reader_of(fd);
        ck_assert(!jit_reader_counts_cycles(r));
        assert_load(r, "one", 0x1000, 0x40, 10, 0);
        assert_load(r, "two", 0x2000, 0x20, 20, 0x40);
        ck_assert_int_eq(jit_reader_next(r, &record), 1);
        ck_assert_int_eq(record.kind, JIT_RECORD_MOVE);
        ck_assert_uint_eq(record.start, 0x3000);
        ck_assert_uint_eq(record.index, 1);
        assert_load(r, "", 0x4000, 0x10, 40, 0x60);
        ck_assert_int_eq(jit_reader_next(r, &record), 0);
        ck_assert_int_eq(jit_reader_next(r, &record), 0);
}
END_TEST

/* Each beginning of the file has the functions whose records are in it. */
START_TEST(unfinished) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        size_t size;

        made_jit_begin(&b, 7, 1);
        made_jit_load(&b, 10, 0x1000, 0x10, 1, "one", true);
        size = b.size;
        made_jit_load(&b, 20, 0x2000, 0x10, 2, "two", true);
        for (b.size = 0; b.size <= size + 16 + 40; b.size++) {
                _cleanup_(jit_reader_freep) JitReader *r = NULL;
                _cleanup_close_ int fd = made_jit_fd(&b);
                JitRecord record;

                if (b.size < 40) {
                        ck_assert_int_eq(jit_reader_new(fd, &r), -EBADMSG);
                        continue;
                }
                r = reader_of(fd);
                ck_assert(jit_reader_counts_cycles(r));
                ck_assert_int_eq(jit_reader_next(r, &record), b.size >= size);
                ck_assert_int_eq(jit_reader_next(r, &record), 0);
        }
}
END_TEST

START_TEST(impossible) {
        _cleanup_byte_buffer_ ByteBuffer b = {}, other = {};
        _cleanup_(jit_reader_freep) JitReader *r = NULL, *none = NULL;
        _cleanup_free_ char *name = malloc(JIT_DUMP_NAME_MAX + 100);
        _cleanup_close_ int fd = -EBADF, fd_other = -EBADF;
        JitRecord record;

        memset(name, 'n', JIT_DUMP_NAME_MAX + 99);
        name[JIT_DUMP_NAME_MAX + 99] = '\0';
        made_jit_begin(&b, 7, 0);
        made_jit_load(&b, 10, 0x1000, 0, 1, "empty", false);
        made_jit_load(&b, 10, UINT64_MAX - 8, 0x10, 1, "beyond the end", false);
        made_jit_load(&b, 10, 0x1000, UINT64_C(1) << 50, 1, "too large", false);
        made_jit_move(&b, 10, 0x1000, UINT64_MAX, 0x10, 1);
        made_jit_other(&b, 0, 20); /* too short for a function */
        made_jit_other(&b, 1, 20);
        made_jit_load(&b, 10, 0x1000, 0x10, 1, name, true);
        made_jit_load(&b, 10, 0x2000, 0x10, 1, "fine", true);
        made_jit_other(&b, 0, 0); /* would be passed for ever */
        fd = made_jit_fd(&b);
        r = reader_of(fd);
        name[JIT_DUMP_NAME_MAX] = '\0';
        assert_load(r, name, 0x1000, 0x10, 10, 0);
        assert_load(r, "fine", 0x2000, 0x10, 10, 0x10);
        ck_assert_int_eq(jit_reader_next(r, &record), 0);
        byte_buffer_put(&other, "DTiJ", 4); /* the other byte order */
        for (unsigned i = 0; i < 100; i++)
                byte_buffer_put_u64(&other, 0);
        fd_other = made_jit_fd(&other);
        ck_assert_int_eq(jit_reader_new(fd_other, &none), -EBADMSG);
}
END_TEST

START_TEST(symbols) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_close_ int fd = -EBADF;

        made_jit_begin(&b, 7, 0);
        made_jit_load(&b, 10, 0x1000, 0x40, 1, "one", true);
        made_jit_load(&b, 20, 0x1000, 0x20, 2, "two", true);
        fd = made_jit_fd(&b);
        ck_assert_ok(symbol_table_new(&t));
        ck_assert_ok(symbol_table_add_jit_dump(t, fd));
        symbol_table_sort(t);
        ck_assert_str_eq(found_name(t, 0x3f), "one");
        ck_assert_str_eq(found_name(t, 0x40), "two");
        ck_assert_str_eq(found_name(t, 0x60), "");
}
END_TEST

/* A copy has the same functions at the same places. */
START_TEST(copies) {
        _cleanup_byte_buffer_ ByteBuffer b = {}, empty = {};
        _cleanup_(jit_reader_freep) JitReader *r = NULL;
        _cleanup_close_ int fd = -EBADF, copy = open_memfd("copy", 0), fd_empty = -EBADF;
        JitRecord record;
        uint64_t size;

        made_jit_begin(&b, 7, 1);
        made_jit_load(&b, 10, 0x1000, 0x4000, 1, "one", true);
        made_jit_other(&b, 4, 1000);
        made_jit_load(&b, 20, 0x1000, 0x20, 2, "two", true);
        made_jit_move(&b, 30, 0x1000, 0x3000, 0x20, 2);
        fd = made_jit_fd(&b);
        ck_assert_int_eq(jit_dump_copy(fd, copy, 100, &size), -EFBIG);
        ck_assert_ok(jit_dump_copy(fd, copy, 4096, &size));
        ck_assert_int_eq(lseek(copy, 0, SEEK_END), (off_t) size);
        ck_assert_uint_lt(size, 400);
        r = reader_of(copy);
        ck_assert(jit_reader_counts_cycles(r));
        assert_load(r, "one", 0x1000, 0x4000, 10, 0);
        assert_load(r, "two", 0x1000, 0x20, 20, 0x4000);
        ck_assert_int_eq(jit_reader_next(r, &record), 1);
        ck_assert_int_eq(record.kind, JIT_RECORD_MOVE);
        ck_assert_uint_eq(record.start, 0x3000);
        ck_assert_uint_eq(record.size, 0x20);
        ck_assert_uint_eq(record.time, 30);
        ck_assert_uint_eq(record.index, 2);
        ck_assert_int_eq(jit_reader_next(r, &record), 0);
        made_jit_begin(&empty, 7, 0);
        fd_empty = made_jit_fd(&empty);
        ck_assert_int_eq(jit_dump_copy(fd_empty, copy, 4096, &size), -ENODATA);
}
END_TEST

TEST_RUN("jit-dump", records, unfinished, impossible, symbols, copies);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fields are put one by one, so that a mistake in the layouts of lib/analysis is not repeated here. */

#include "made-jit-dump.h"

#include "fd-file.h"
#include "perfdata-test.h"

static void put_u32(ByteBuffer *b, uint32_t value) {
        byte_buffer_put(b, &value, sizeof(value));
}

void made_jit_begin(ByteBuffer *b, uint32_t pid, uint64_t flags) {
        put_u32(b, 0x4a695444); /* "JiTD" */
        put_u32(b, 1);
        put_u32(b, 40);
        put_u32(b, 62);
        put_u32(b, 0);
        put_u32(b, pid);
        byte_buffer_put_u64(b, 1);
        byte_buffer_put_u64(b, flags);
}

static void begin_record(ByteBuffer *b, uint32_t id, uint32_t size, uint64_t time) {
        put_u32(b, id);
        put_u32(b, size);
        byte_buffer_put_u64(b, time);
}

void made_jit_load(ByteBuffer *b, uint64_t time, uint64_t address, uint64_t size, uint64_t index, const char *name, bool code) {
        begin_record(b, 0, (uint32_t) (16 + 40 + strlen(name) + 1 + (code ? size : 0)), time);
        put_u32(b, 7);
        put_u32(b, 8);
        byte_buffer_put_u64(b, address);
        byte_buffer_put_u64(b, address);
        byte_buffer_put_u64(b, size);
        byte_buffer_put_u64(b, index);
        byte_buffer_put(b, name, strlen(name) + 1);
        for (uint64_t i = 0; code && i < size; i++)
                byte_buffer_put(b, "\xc3", 1);
}

void made_jit_move(ByteBuffer *b, uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint64_t index) {
        begin_record(b, 1, 16 + 48, time);
        put_u32(b, 7);
        put_u32(b, 8);
        byte_buffer_put_u64(b, to);
        byte_buffer_put_u64(b, from);
        byte_buffer_put_u64(b, to);
        byte_buffer_put_u64(b, size);
        byte_buffer_put_u64(b, index);
}

void made_jit_other(ByteBuffer *b, uint32_t id, uint32_t size) {
        begin_record(b, id, size, 1);
        for (uint32_t i = 16; i < size; i++)
                byte_buffer_put(b, "x", 1);
}

char *made_jit_file(const ByteBuffer *b, const char *name) {
        char *path = test_path(name);
        _cleanup_free_ char *parent = strdup(path);

        *strrchr(parent, '/') = '\0';
        ck_assert_ok(make_directories(parent, 0700));
        test_write_file(path, b->data, b->size);
        return path;
}

int made_jit_fd(const ByteBuffer *b) {
        int fd = open_memfd("jit", 0);

        ck_assert_ok(fd);
        ck_assert_ok(write_all(fd, b->data, b->size));
        return fd;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any call with any arguments and memory: the text is one line of valid UTF-8, in strace's style of ASCII, and no memory is read
 * beyond its end. Input: ABI, number (2 bytes), whether it returned, result (8 bytes), arguments (6 times 8 bytes), then the memory of
 * each: its size, and its bytes. */

#include "call-memory.h"
#include "call-memory-record.h"
#include "fuzz.h"
#include "syscall-text.h"
#include "utf8.h"

typedef struct Input {
        const uint8_t *data;
        size_t size;
} Input;

static uint64_t take_number(Input *in, size_t size) {
        uint64_t number = 0;

        for (size_t i = 0; i < size && in->size > 0; i++, in->size--)
                number |= (uint64_t) *in->data++ << (8 * i);
        return number;
}

/* Bytes of their own, so that a sanitizer sees the first beyond them. */
static SyscallMemory take_memory(Input *in, unsigned argument, uint8_t **ret_bytes) {
        size_t size = (size_t) take_number(in, 1);
        SyscallMemory m = { .argument = argument, .cut = size & 1 };

        m.size = size < in->size ? size : in->size;
        *ret_bytes = malloc(m.size > 0 ? m.size : 1);
        FUZZ_ASSERT(*ret_bytes);
        if (m.size > 0)
                memcpy(*ret_bytes, in->data, m.size);
        m.bytes = *ret_bytes;
        in->data += m.size;
        in->size -= m.size;
        return m;
}

static const char *name_descriptor(void *userdata, int fd) {
        return fd & 1 ? "/tmp/\n<\x9b\xc2\x9b>" : NULL;
}

static const char *name_thread(void *userdata, uint32_t tid) {
        return tid & 1 ? "\x1b[2J)" : NULL;
}

static void check_line(const TextBuffer *b, bool ascii) {
        uint32_t c;

        FUZZ_ASSERT(b->error == 0);
        for (size_t i = 0, n; i < b->n; i += n) {
                n = utf8_decode(b->data + i, b->n - i, &c);
                FUZZ_ASSERT(n > 0 && !utf8_is_control(c));
                FUZZ_ASSERT(!ascii || c < 0x80);
        }
}

static void check_style(const SyscallCall *c, SyscallStyle style) {
        SyscallTextOptions o = { .style = style, .descriptor_names = true, .zeros = c->number & 1, .string_size = c->number & 7 };
        _cleanup_(text_buffer_done) TextBuffer b = {};

        syscall_put_name(&b, c->abi, c->number);
        syscall_put_arguments(&b, c, &o);
        syscall_put_result(&b, c, &o);
        check_line(&b, style == SYSCALL_STYLE_STRACE);
}

/* The same bytes as a record of a call's begin, and of its end. */
static void check_memory(const uint8_t *data, size_t size) {
        CallMemory *m = NULL;

        if (call_memory_take(&m, data, size / 2) < 0 || call_memory_take(&m, data + size / 2, size - size / 2) < 0)
                abort();
        for (size_t i = 0; m && i < m->n; i++)
                if (m->pieces[i].size > CALL_MEMORY_STRINGS_BYTES)
                        abort();
        m = call_memory_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        SyscallMemory memory[SYSCALL_MAX_ARGUMENTS];
        uint8_t *bytes[SYSCALL_MAX_ARGUMENTS];
        Input in = { data, size };
        SyscallCall c = {
                .abi = (SyscallAbi) (take_number(&in, 1) % SYSCALL_ABI_MAX), .number = (uint32_t) take_number(&in, 2),
                .returned = take_number(&in, 1) & 1, .result = (int64_t) take_number(&in, 8), .memory = memory,
                .n_memory = SYSCALL_MAX_ARGUMENTS, .descriptor_name = name_descriptor, .thread_name = name_thread,
        };

        for (unsigned i = 0; i < SYSCALL_MAX_ARGUMENTS; i++)
                c.arguments[i] = take_number(&in, 8);
        for (unsigned i = 0; i < SYSCALL_MAX_ARGUMENTS; i++)
                memory[i] = take_memory(&in, i, &bytes[i]);
        check_style(&c, SYSCALL_STYLE_STRACE);
        check_style(&c, SYSCALL_STYLE_PERF);
        check_memory(data, size);
        for (unsigned i = 0; i < SYSCALL_MAX_ARGUMENTS; i++)
                free(bytes[i]);
        return 0;
}

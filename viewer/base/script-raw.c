/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Registers have the names and numbers of asm/perf_regs.h of the machine that was recorded, as those of perf. */

#include "script-raw.h"

#include <ctype.h>
#include <sys/utsname.h>

#define LINE_BYTES 8u

static const char *const registers_x86[] = {
        "AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS", "ES", "FS", "GS",
        "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
};

static const char *const registers_aarch64[] = {
        "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
        "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr", "sp", "pc",
};

const char *script_raw_register(const char *machine, size_t number) {
        struct utsname own;

        if (!machine && uname(&own) == 0)
                machine = own.machine;
        if (machine && streq(machine, "aarch64"))
                return number < ELEMENTSOF(registers_aarch64) ? registers_aarch64[number] : "unknown";
        if (machine && (streq(machine, "x86_64") || (*machine == 'i' && streq(machine + 2, "86"))))
                return number < ELEMENTSOF(registers_x86) ? registers_x86[number] : "unknown";
        return "unknown";
}

void script_raw_registers(TextBuffer *out, const char *machine, uint64_t abi, uint64_t mask, const uint64_t *registers, size_t n) {
        size_t next = 0;

        if (!registers)
                return;
        text_buffer_format(out, " ABI:%lu ", abi);
        for (size_t i = 0; i < 64 && next < n; i++)
                if (mask >> i & 1) {
                        text_buffer_padded(out, script_raw_register(machine, i), 5);
                        text_buffer_put(out, ":0x", 3);
                        text_buffer_hex(out, registers[next++], 0);
                        text_buffer_putc(out, ' ');
                }
}

static bool raw_is_text(const uint8_t *bytes, size_t size) {
        const uint8_t *end = size > 0 ? memchr(bytes, 0, size) : NULL;

        if (!end)
                return false;
        for (const uint8_t *p = bytes; p < bytes + size; p++)
                if (p < end ? !isprint(*p) : *p != 0)
                        return false;
        return true;
}

void script_raw_line(TextBuffer *out, const uint8_t *bytes, size_t size, size_t from, size_t width) {
        for (size_t i = from; i < from + width; i++)
                if (i < size) {
                        text_buffer_putc(out, ' ');
                        text_buffer_putc(out, "0123456789abcdef"[bytes[i] >> 4]);
                        text_buffer_putc(out, "0123456789abcdef"[bytes[i] & 15]);
                } else
                        text_buffer_put(out, "   ", 3);
        text_buffer_put(out, "  ", 2);
        for (size_t i = from; i < from + width; i++)
                text_buffer_putc(out, i >= size ? ' ' : isprint(bytes[i]) ? (char) bytes[i] : '.');
        text_buffer_putc(out, '\n');
}

void script_raw_bytes(TextBuffer *out, const void *data, size_t size) {
        text_buffer_putc(out, '\n');
        for (size_t i = 0; data && i < size; i += LINE_BYTES) {
                text_buffer_format(out, "%17s %04zx:", i == 0 ? "BPF output:" : "           ", i);
                script_raw_line(out, data, size, i, LINE_BYTES);
        }
        if (data && raw_is_text(data, size)) {
                text_buffer_padded(out, "BPF string:", 17);
                text_buffer_put(out, " \"", 2);
                text_buffer_puts(out, data);
                text_buffer_put(out, "\"\n", 2);
        }
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* Parts of samples that are printed as they are, as perf script prints them. */

/* Returns the name of a register by the kernel's number. machine: what uname(2) of the recorded machine says; NULL: this one. */
const char *script_raw_register(const char *machine, size_t number);

/* mask: which registers these are, by the kernel's numbers. Nothing is put without registers. */
void script_raw_registers(TextBuffer *out, const char *machine, uint64_t abi, uint64_t mask, const uint64_t *registers, size_t n);

/* Puts bytes of a line in hexadecimal digits, and as characters where they are printable: width columns of each, from that place
 * on. */
void script_raw_line(TextBuffer *out, const uint8_t *bytes, size_t size, size_t from, size_t width);

/* The output of a BPF program: lines of 8 bytes, and the string if it is one. */
void script_raw_bytes(TextBuffer *out, const void *data, size_t size);

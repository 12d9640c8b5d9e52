/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Tables that make-calls.awk puts: the names of the calls of each ABI by their numbers; NULL where there is none. */

extern const char *const syscall_names_x86_64[], *const syscall_names_i386[], *const syscall_names_aarch64[];
extern const unsigned syscall_names_x86_64_size, syscall_names_i386_size, syscall_names_aarch64_size;

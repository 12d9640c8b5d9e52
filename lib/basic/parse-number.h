/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Whole-string parsers: 0, -EINVAL (not a number, or trailing text), -ERANGE. *ret is untouched on failure. Numbers
 * are decimal, or hexadecimal with 0x. */
int parse_uint(const char *s, unsigned *ret);
int parse_int(const char *s, int *ret);
int parse_uint64(const char *s, uint64_t *ret);
int parse_pid(const char *s, pid_t *ret); /* 1 and above */

/* systemd.syntax(7): 1 yes y true t on, 0 no n false f off, any case. Returns 1, 0 or -EINVAL. */
int parse_boolean(const char *s);

/* Returns the signal of a name with or without SIG (RTMIN+n too), or of a number; otherwise -EINVAL. */
int parse_signal(const char *s);
const char *signal_name(int sig); /* "USR2"; NULL if there is no such signal */

/* "0-3,5", with or without the newline that sysfs ends it by: the CPUs in ascending order, each once. -EINVAL, -ERANGE
 * (above 8191), -ENOMEM. */
int parse_cpu_list(const char *s, int **ret_cpus, size_t *ret_n);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A size in bytes as systemd takes it: a number with an optional K, M, G, T, P, E to the base 1024. "infinity" is
 * UINT64_MAX. -EINVAL, -ERANGE. */
int parse_size(const char *s, uint64_t *ret);

/* "1.5M", "512B" as systemd shows memory. buf is filled and returned. */
char *format_size(char *buf, size_t size, uint64_t bytes);

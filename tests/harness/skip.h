/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>

/* Ends a test that can't run on this kernel or machine, and prints the reason. */
#define SKIP(...)                                      \
        do {                                           \
                (void) fprintf(stderr, "skipped: ");   \
                (void) fprintf(stderr, __VA_ARGS__);   \
                (void) fputc('\n', stderr);            \
                return;                                \
        } while (0)

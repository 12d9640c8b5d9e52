/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include <stdbool.h>

/* Check tells the process that waits for a test how far it came, with a system call at each assertion that holds: tests that assert in
 * loops spend nearly all their time there. Here each place tells it the first time that it is reached. A crash is then reported after
 * the last place that was new. Every program of tests/unit begins with this file (tests/CMakeLists.txt). */
#define _mark_point(file, line)                         \
        ({                                              \
                static bool mark_was_told;              \
                if (!mark_was_told)                     \
                        (_mark_point)((file), (line));  \
                mark_was_told = true;                   \
        })

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "loop.h"

/* A handler of descriptors and timers whose userdata is the Loop to stop. */
static inline int stop_loop(void *userdata, int fd, uint32_t events) {
        loop_stop(userdata);
        return 0;
}

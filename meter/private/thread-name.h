/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Reads the name of a thread, as one line of UTF-8; "": it is gone. */
void thread_name_read(uint32_t tid, char *ret, size_t size);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* MemoryMax= of a recorder's scope where the session file says nothing of memory: bytes, 0 for no limit. buffer_size: the
 * daemon's DefaultBufferSize=, 0: not set. */
uint64_t memory_limit_default(const SessionSettings *s, uint64_t buffer_size);

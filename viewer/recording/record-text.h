/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "format.h"
#include "record-layout.h"
#include "text-buffer.h"

#define RECORD_TYPES ((size_t) _PERF_RECORD_USER_TYPE_MAX)

/* Returns the name of a type of records, of the kernel's or perf's own: "MMAP2". NULL: it has none. */
const char *record_text_name(uint32_t type);

/* Puts a change of the kernel's code. symbol: the function at the address, NULL: not known; offset: how far behind its start. */
void record_text_put_poke(TextBuffer *out, const PerfRecordTextPoke *poke, const char *symbol, uint64_t offset);

/* Puts what a record of the side band says, as a line; it must be whole (record_is_whole()). Returns false, after a line
 * with the name of the type, for others. */
bool record_text_put(TextBuffer *out, const struct perf_event_header *record);

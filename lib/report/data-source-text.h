/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* Puts where the data of a memory access came from (PERF_SAMPLE_DATA_SRC), in perf's words:
 * "|OP LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A". */
void data_source_put(TextBuffer *out, uint64_t source);

/* The parts of it, without their names: "L1 hit", "HitM", "L2 miss", "Yes", " Data Addr". */
void data_source_put_level(TextBuffer *out, uint64_t source);
void data_source_put_snoop(TextBuffer *out, uint64_t source);
void data_source_put_tlb(TextBuffer *out, uint64_t source);
void data_source_put_lock(TextBuffer *out, uint64_t source);
void data_source_put_block(TextBuffer *out, uint64_t source);

/* The size of a page, as perf rounds it: "4K", "1024M"; 0 is "N/A". */
void page_size_put(TextBuffer *out, uint64_t size);

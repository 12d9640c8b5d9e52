/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* The parts of union perf_mem_data_src (linux/perf_event.h), which PERF_SAMPLE_DATA_SRC has. Newer kernels have parts that older
 * headers do not name. */
typedef enum DataSourcePart {
        DATA_OP,
        DATA_LEVEL,
        DATA_SNOOP,
        DATA_LOCK,
        DATA_TLB,
        DATA_LEVEL_NUMBER,
        DATA_REMOTE,
        DATA_SNOOP_MORE,
        DATA_BLOCK,
        DATA_HOPS,
        _DATA_SOURCE_PART_MAX,
} DataSourcePart;

/* Bits of DATA_SNOOP_MORE and DATA_BLOCK. */
#define DATA_SNOOP_PEER 2u
#define DATA_BLOCK_DATA 2u
#define DATA_BLOCK_ADDRESS 4u

static inline unsigned data_source_part(uint64_t source, DataSourcePart part) {
        static const struct {
                uint8_t shift, bits;
        } parts[_DATA_SOURCE_PART_MAX] = {
                [DATA_OP] = { 0, 5 }, [DATA_LEVEL] = { 5, 14 }, [DATA_SNOOP] = { 19, 5 }, [DATA_LOCK] = { 24, 2 },
                [DATA_TLB] = { 26, 7 }, [DATA_LEVEL_NUMBER] = { 33, 4 }, [DATA_REMOTE] = { 37, 1 }, [DATA_SNOOP_MORE] = { 38, 2 },
                [DATA_BLOCK] = { 40, 3 }, [DATA_HOPS] = { 43, 3 },
        };

        return (unsigned) (source >> parts[part].shift & ((UINT64_C(1) << parts[part].bits) - 1));
}

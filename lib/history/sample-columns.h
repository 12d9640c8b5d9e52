/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-buffer.h"

/* Records of samples with call chains, rearranged so that zstd finds what they have in common, and back. Each call chain of a
 * block is the number of an earlier one with what it calls further; each word before it has a column of its own. The memory serves
 * one block after the other. */
typedef struct SampleColumns SampleColumns;

#define SAMPLE_COLUMNS_FRONT_MAX 16u /* words in front of a call chain */

int sample_columns_new(SampleColumns **ret); /* -ENOMEM */
SampleColumns *sample_columns_free(SampleColumns *c);
DEFINE_CLEANUP(SampleColumns *, sample_columns_free);

/* The words of samples behind their header: the time, and the number of addresses in the call chain. */
typedef struct SamplePlaces {
        unsigned time, chain;
} SamplePlaces;

/* Puts the columns of whole records behind what is in the buffer. -E2BIG: these records cannot be rearranged; -ENOMEM. */
int sample_columns_pack(SampleColumns *c, SamplePlaces places, const void *records, size_t size, ByteBuffer *to);

/* Puts the records back, which must be of exactly that size. -EBADMSG: they are damaged; -ENOMEM. */
int sample_columns_unpack(SampleColumns *c, SamplePlaces places, const void *columns, size_t size, void *records,
                          size_t records_size);

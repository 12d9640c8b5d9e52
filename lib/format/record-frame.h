/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "record.h"

/* The beginning and the end of every builder of a record. */

#define RECORD_SIZE_MAX 65528u /* the header has 16 bits for it, and it is a multiple of 8 */

/* Begins a record at the end of the buffer and returns its offset. */
size_t record_begin(RecordBuffer *b, uint32_t type, uint16_t misc);

/* A string and at least one zero, to a multiple of 8 bytes; cut at max bytes. */
void record_put_text(RecordBuffer *b, const char *s, size_t max);

/* Appends the trailer (may be NULL) and fills in the size. On failure the record is removed again, and the error returned. */
int record_end(RecordBuffer *b, size_t start, const RecordTrailer *trailer);

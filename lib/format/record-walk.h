/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "format.h"

/* Walks the records of a recording, and instead of a compressed record those in it. Records may be at any address;
 * those that are returned are aligned. Payloads that follow a record and are not in its size (tracing data, AUX areas)
 * are skipped. */
typedef struct RecordWalk RecordWalk;

/* Walks memory, which stays the caller's and must stay valid. -ENOMEM. */
int record_walk_new(const void *data, size_t size, RecordWalk **ret);
/* Walks size bytes of a regular file, which must stay open, from that offset on. -ENOMEM, -EFBIG. */
int record_walk_new_fd(int fd, uint64_t offset, uint64_t size, RecordWalk **ret);
RecordWalk *record_walk_free(RecordWalk *w);
DEFINE_CLEANUP(RecordWalk *, record_walk_free);

/* 1: *ret is a whole record, valid until the next call; 0: the end. -EBADMSG: the next bytes are no record, do not
 * fit, or can't be decompressed; -ENOMEM; errors of pread(2). */
int record_walk_next(RecordWalk *w, const struct perf_event_header **ret);

/* Returns the offset behind the record that was returned last, or behind the compressed record that it was in. */
uint64_t record_walk_position(const RecordWalk *w);

/* A record that is not what it should be. */
typedef struct BrokenRecord {
        uint64_t offset;   /* from the first record on */
        uint32_t type;
        uint16_t size;     /* both as its header has them; 0: there is no whole header */
        const char *fault; /* a predicate: "is too short" */
} BrokenRecord;

/* Returns, after record_walk_next() failed with -EBADMSG, the record that is to blame: the next one, or the first one that lacks
 * fields if there is any, since it was not read to its end, and what follows it may look like records. */
BrokenRecord record_walk_broken(const RecordWalk *w);

/* Returns how many compressed records of that type (COMPRESSED, COMPRESSED2) were entered since the beginning. */
uint64_t record_walk_compressed(const RecordWalk *w, uint32_t type);

/* Records of types that this library does not know, which newer kernels and perfs may write. */
#define UNKNOWN_RECORDS_TYPES 8u

typedef struct UnknownRecords {
        struct {
                uint32_t type;
                uint64_t n;
        } of[UNKNOWN_RECORDS_TYPES];
        size_t n_types;
        uint64_t others; /* records of further types */
        uint32_t trace;  /* the kind of AUX data that an AUXTRACE_INFO announced (PerfRecordAuxtraceInfo); 0: none */
} UnknownRecords;

/* Returns those of the records so far that were returned, in the order of their first ones. A walk that begins again starts
 * over. */
const UnknownRecords *record_walk_unknown(const RecordWalk *w);

void record_walk_rewind(RecordWalk *w);

/* Returns the bytes from this record to the next one, with its payload; 0: it is no record, or longer than size bytes. */
uint64_t record_walk_span(const void *record, uint64_t size);

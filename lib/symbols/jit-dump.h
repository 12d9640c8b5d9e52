/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "symbol-table.h"

/* A jitdump, "jit-PID.dump": the file in which a virtual machine writes down each function that it compiles, with the time (perf's
 * jitdump-specification.txt). It maps a page of the file as code, so that recordings show which file that is.
 *
 * Places in a jitdump are offsets in the code of all its functions, as if that were stored one after the other in the order of the
 * records: they stay the same if the code itself is left out. */

/* Records beyond the first are not read; the code of all functions has at most 2^48 bytes. */
#define JIT_DUMP_RECORDS_MAX (16u << 20)
#define JIT_DUMP_NAME_MAX 8192u /* bytes; longer names are cut */

typedef enum JitRecordKind {
        JIT_RECORD_LOAD, /* a function is at an address */
        JIT_RECORD_MOVE, /* one that was loaded is at another address */
        _JIT_RECORD_KIND_MAX,
} JitRecordKind;

/* One function. start + size does not overflow, and size is not 0. */
typedef struct JitRecord {
        JitRecordKind kind;
        uint64_t time;       /* by the clock of the file */
        uint64_t start, size; /* of the code */
        uint64_t index;      /* of the function, by which it is moved */
        uint64_t place;      /* of a LOAD, see above */
        const char *name;    /* of a LOAD: the reader's, until the next record */
        size_t name_size;
} JitRecord;

/* Reads a jitdump from its beginning. The file may hold any bytes, and grow meanwhile. */
typedef struct JitReader JitReader;

/* fd must stay open. -EBADMSG: not a jitdump of this machine's byte order; -ENOMEM and errors of pread(2). */
int jit_reader_new(int fd, JitReader **ret);
JitReader *jit_reader_free(JitReader *r);
DEFINE_CLEANUP(JitReader *, jit_reader_free);

bool jit_reader_counts_cycles(const JitReader *r); /* times are those of the processor's counter, not of CLOCK_MONOTONIC */

/* 1; 0: the last whole record was read; errors of pread(2). */
int jit_reader_next(JitReader *r, JitRecord *ret);

/* Adds the functions by their places. 0, -EBADMSG, -E2BIG, -ENOMEM and errors of pread(2). */
int symbol_table_add_jit_dump(SymbolTable *t, int fd);

/* Copies a jitdump without the code, lines and rules for unwinding to out, which is empty. max: bytes. *ret_size: bytes written. 0;
 * -ENODATA: it has no functions; -EFBIG, -EBADMSG, -ENOMEM, errors of pread(2) and write(2). */
int jit_dump_copy(int fd, int out, uint64_t max, uint64_t *ret_size);

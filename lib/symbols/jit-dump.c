/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Only the heads and names of records are read; what lies between them is passed by its size. A record whose head or name is not
 * whole ends the file: the writer has not finished it. Records of other kinds are passed over, as the specification wants it. */

#include "jit-dump.h"

#include <unistd.h>

#include "byte-buffer.h"
#include "fd-file.h"

#define MAGIC 0x4a695444u
#define VERSION 1u
#define FLAG_CYCLES UINT64_C(1)
#define HEADER_MAX 65536u /* bytes: later versions may have a longer one */
#define PLACES_MAX (UINT64_C(1) << 48)
#define WINDOW ((size_t) 64 << 10)
#define COPY_PIECE ((size_t) 1 << 20)

typedef struct JitFileHeader {
        uint32_t magic, version, size, machine, pad, pid;
        uint64_t time, flags;
} JitFileHeader;

enum { RECORD_LOAD = 0, RECORD_MOVE = 1, RECORD_CLOSE = 3 };

typedef struct JitRecordHeader {
        uint32_t id, size;
        uint64_t time;
} JitRecordHeader;

/* A name follows, and the code. */
typedef struct JitLoad {
        uint32_t pid, tid;
        uint64_t address, code, size, index;
} JitLoad;

typedef struct JitMove {
        uint32_t pid, tid;
        uint64_t address, old_code, code, size, index;
} JitMove;

struct JitReader {
        int fd;
        JitFileHeader header;
        uint64_t next;       /* offset of the next record */
        uint64_t places;     /* of the functions so far */
        unsigned n;          /* records so far */
        uint64_t begin;      /* of the window in the file */
        size_t size;
        uint8_t window[WINDOW];
};

/* Fills the window from that offset on. */
static int jit_reader_fill(JitReader *r, uint64_t offset) {
        ssize_t n = pread_up_to(r->fd, offset, r->window, WINDOW);

        if (n < 0)
                return (int) n;
        r->begin = offset;
        r->size = (size_t) n;
        return 0;
}

/* Finds size bytes at an offset, at most WINDOW. 1; 0: the file ends before. */
static int jit_reader_get(JitReader *r, uint64_t offset, size_t size, const void **ret) {
        if (offset < r->begin || offset - r->begin > r->size || size > r->size - (offset - r->begin)) {
                int q = jit_reader_fill(r, offset);

                if (q < 0)
                        return q;
        }
        *ret = r->window + (offset - r->begin);
        return size <= r->size - (offset - r->begin);
}

int jit_reader_new(int fd, JitReader **ret) {
        _cleanup_(jit_reader_freep) JitReader *r = calloc(1, sizeof(*r));
        const void *header;
        int q;

        if (!r)
                return -ENOMEM;
        r->fd = fd;
        q = jit_reader_get(r, 0, sizeof(r->header), &header);
        if (q < 0)
                return q;
        if (q > 0)
                memcpy(&r->header, header, sizeof(r->header));
        if (r->header.magic != MAGIC || r->header.version != VERSION || r->header.size < sizeof(r->header) ||
            r->header.size > HEADER_MAX)
                return -EBADMSG;
        r->next = r->header.size;
        *ret = steal_ptr(r);
        return 0;
}

JitReader *jit_reader_free(JitReader *r) {
        free(r);
        return NULL;
}

bool jit_reader_counts_cycles(const JitReader *r) {
        return r->header.flags & FLAG_CYCLES;
}

static bool code_is_possible(uint64_t start, uint64_t size) {
        return size > 0 && start <= UINT64_MAX - size;
}

/* Reads the name at that offset, which ends before end. 1; 0: it has no end there. */
static int jit_reader_get_name(JitReader *r, uint64_t offset, uint64_t end, JitRecord *ret) {
        size_t size = (size_t) MIN_OF(end - offset, (uint64_t) JIT_DUMP_NAME_MAX + 1);
        const void *name = NULL, *zero;
        int q = jit_reader_get(r, offset, size, &name);

        if (q <= 0)
                return q;
        zero = memchr(name, '\0', size);
        if (!zero && size <= JIT_DUMP_NAME_MAX)
                return 0;
        ret->name = name;
        ret->name_size = zero ? (size_t) ((const char *) zero - ret->name) : JIT_DUMP_NAME_MAX;
        return 1;
}

/* 1; 0: no function. */
static int jit_reader_take_load(JitReader *r, uint64_t offset, uint64_t end, JitRecord *ret) {
        const void *data;
        JitLoad load;
        int q = end - offset >= sizeof(load) ? jit_reader_get(r, offset, sizeof(load), &data) : 0;

        if (q <= 0)
                return q;
        memcpy(&load, data, sizeof(load));
        if (!code_is_possible(load.code, load.size) || load.size > PLACES_MAX - r->places)
                return 0;
        *ret = (JitRecord) {
                .kind = JIT_RECORD_LOAD, .time = ret->time, .start = load.code, .size = load.size, .index = load.index,
                .place = r->places,
        };
        q = jit_reader_get_name(r, offset + sizeof(load), end, ret);
        if (q > 0)
                r->places += load.size;
        return q;
}

static int jit_reader_take_move(JitReader *r, uint64_t offset, uint64_t end, JitRecord *ret) {
        const void *data;
        JitMove move;
        int q = end - offset >= sizeof(move) ? jit_reader_get(r, offset, sizeof(move), &data) : 0;

        if (q <= 0)
                return q;
        memcpy(&move, data, sizeof(move));
        *ret = (JitRecord) {
                .kind = JIT_RECORD_MOVE, .time = ret->time, .start = move.code, .size = move.size, .index = move.index,
        };
        return code_is_possible(move.code, move.size);
}

/* Reads the head of the next record. 1; 0: there is none. */
static int jit_reader_begin(JitReader *r, JitRecordHeader *ret) {
        const void *data;
        int q = r->n < JIT_DUMP_RECORDS_MAX ? jit_reader_get(r, r->next, sizeof(*ret), &data) : 0;

        if (q <= 0)
                return q;
        memcpy(ret, data, sizeof(*ret));
        if (ret->size < sizeof(*ret) || ret->id == RECORD_CLOSE)
                return 0;
        r->n++;
        return 1;
}

int jit_reader_next(JitReader *r, JitRecord *ret) {
        JitRecordHeader h;
        int q;

        while ((q = jit_reader_begin(r, &h)) > 0) {
                uint64_t offset = r->next + sizeof(h), end = r->next + h.size;

                r->next = end;
                ret->time = h.time;
                q = h.id == RECORD_LOAD ? jit_reader_take_load(r, offset, end, ret) :
                    h.id == RECORD_MOVE ? jit_reader_take_move(r, offset, end, ret) : 0;
                if (q != 0)
                        break;
        }
        return q;
}

int symbol_table_add_jit_dump(SymbolTable *t, int fd) {
        _cleanup_(jit_reader_freep) JitReader *reader = NULL;
        JitRecord record;
        int r = jit_reader_new(fd, &reader);

        while (r >= 0 && (r = jit_reader_next(reader, &record)) > 0)
                if (record.kind == JIT_RECORD_LOAD && record.name_size > 0)
                        r = symbol_table_put(t, record.place, record.size, SYMBOL_RANK_GLOBAL, record.name, record.name_size);
        return r;
}

static void put_load(ByteBuffer *b, const JitRecord *record, uint32_t pid) {
        const JitRecordHeader h = {
                .id = RECORD_LOAD, .size = (uint32_t) (sizeof(h) + sizeof(JitLoad) + record->name_size + 1), .time = record->time,
        };
        const JitLoad load = {
                .pid = pid, .tid = pid, .address = record->start, .code = record->start, .size = record->size,
                .index = record->index,
        };

        byte_buffer_put(b, &h, sizeof(h));
        byte_buffer_put(b, &load, sizeof(load));
        byte_buffer_put(b, record->name, record->name_size);
        byte_buffer_put(b, "", 1);
}

static void put_move(ByteBuffer *b, const JitRecord *record, uint32_t pid) {
        const JitRecordHeader h = { .id = RECORD_MOVE, .size = sizeof(h) + sizeof(JitMove), .time = record->time };
        const JitMove move = {
                .pid = pid, .tid = pid, .address = record->start, .code = record->start, .size = record->size,
                .index = record->index,
        };

        byte_buffer_put(b, &h, sizeof(h));
        byte_buffer_put(b, &move, sizeof(move));
}

static int write_piece(ByteBuffer *b, int out, uint64_t max, uint64_t *written) {
        int r = b->error < 0 ? b->error : b->size > max - *written ? -EFBIG : write_all(out, b->data, b->size);

        *written += r < 0 ? 0 : b->size;
        b->size = 0;
        return r;
}

int jit_dump_copy(int fd, int out, uint64_t max, uint64_t *ret_size) {
        _cleanup_(jit_reader_freep) JitReader *reader = NULL;
        _cleanup_byte_buffer_ ByteBuffer b = {};
        JitFileHeader header;
        JitRecord record;
        uint64_t written = 0;
        bool any = false;
        int r = jit_reader_new(fd, &reader), q;

        if (r < 0)
                return r;
        header = reader->header;
        header.size = sizeof(header);
        byte_buffer_put(&b, &header, sizeof(header));
        while (r >= 0 && (r = jit_reader_next(reader, &record)) > 0) {
                any = true;
                if (record.kind == JIT_RECORD_LOAD)
                        put_load(&b, &record, header.pid);
                else
                        put_move(&b, &record, header.pid);
                if (b.size >= COPY_PIECE)
                        r = write_piece(&b, out, max, &written);
        }
        if (r < 0 || !any)
                return r < 0 ? r : -ENODATA;
        q = write_piece(&b, out, max, &written);
        *ret_size = written;
        return q;
}

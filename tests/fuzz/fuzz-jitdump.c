/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as a jitdump: functions lie one after the other, what is found for an address lies in a function, and a copy has the
 * same functions. */

#include <string.h>
#include <unistd.h>

#include "fd-file.h"
#include "fuzz.h"
#include "jit-codes.h"
#include "jit-dump.h"

#define ASKED_MAX 64u

static int memory_file(const uint8_t *data, size_t size) {
        int fd = open_memfd("fuzz", 0);

        FUZZ_ASSERT(fd >= 0 && write_all(fd, data, size) == 0);
        return fd;
}

static void ask(const JitCodes *codes, const SymbolTable *names, const JitRecord *record, uint64_t places) {
        const uint64_t addresses[] = { record->start, record->start + record->size - 1, record->start + record->size };

        for (unsigned i = 0; i < 3; i++) {
                uint64_t place;
                Symbol s;

                if (!jit_codes_find(codes, addresses[i], record->time, &place)) {
                        FUZZ_ASSERT(i == 2 || record->kind == JIT_RECORD_MOVE);
                        continue;
                }
                FUZZ_ASSERT(place < places);
                if (symbol_table_find(names, place, &s))
                        FUZZ_ASSERT(s.start <= place && place < s.end && s.end <= places);
        }
        FUZZ_ASSERT(record->kind == JIT_RECORD_MOVE || jit_codes_until(codes, record->time) > 0);
}

static uint64_t read_all(int fd, unsigned *ret_n) {
        _cleanup_(jit_reader_freep) JitReader *r = NULL;
        uint64_t places = 0;
        JitRecord record;
        unsigned n = 0;

        FUZZ_ASSERT(jit_reader_new(fd, &r) == 0);
        for (; jit_reader_next(r, &record) > 0; n++) {
                FUZZ_ASSERT(record.size > 0 && record.start + record.size > record.start);
                if (record.kind != JIT_RECORD_LOAD)
                        continue;
                FUZZ_ASSERT(record.place == places && record.name_size <= JIT_DUMP_NAME_MAX);
                FUZZ_ASSERT(!memchr(record.name, '\0', record.name_size));
                places += record.size;
        }
        *ret_n = n;
        return places;
}

static void ask_all(int fd, uint64_t places) {
        _cleanup_(symbol_table_freep) SymbolTable *names = NULL;
        _cleanup_(jit_reader_freep) JitReader *r = NULL;
        _cleanup_(jit_codes_freep) JitCodes *timed = NULL, *untimed = NULL;
        JitRecord record;

        FUZZ_ASSERT(symbol_table_new(&names) == 0 && symbol_table_add_jit_dump(names, fd) == 0);
        symbol_table_sort(names);
        FUZZ_ASSERT(jit_codes_read(fd, true, &timed) == 0 && jit_codes_read(fd, false, &untimed) == 0);
        FUZZ_ASSERT(jit_codes_n(timed) == jit_codes_n(untimed));
        FUZZ_ASSERT(jit_reader_new(fd, &r) == 0);
        for (unsigned i = 0; i < ASKED_MAX && jit_reader_next(r, &record) > 0; i++) {
                ask(timed, names, &record, places);
                ask(untimed, names, &record, places);
        }
}

static void copy(int fd, uint64_t places, unsigned n) {
        _cleanup_close_ int out = memory_file((const uint8_t *) "", 0);
        unsigned n_copied;
        uint64_t size;
        int r = jit_dump_copy(fd, out, 1u << 30, &size);

        FUZZ_ASSERT(r == (n > 0 ? 0 : -ENODATA));
        if (n == 0)
                return;
        FUZZ_ASSERT(lseek(out, 0, SEEK_END) == (off_t) size);
        FUZZ_ASSERT(read_all(out, &n_copied) == places && n_copied == n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_close_ int fd = memory_file(data, size);
        _cleanup_(jit_reader_freep) JitReader *r = NULL;
        uint64_t places;
        unsigned n;

        if (jit_reader_new(fd, &r) < 0)
                return 0;
        places = read_all(fd, &n);
        ask_all(fd, places);
        copy(fd, places, n);
        return 0;
}

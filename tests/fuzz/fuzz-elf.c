/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as a binary: reading its symbols does no harm, and the file of symbols that is made of it is readable and
 * within its limit. */

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "fd-file.h"
#include "fuzz.h"
#include "symbol-elf.h"
#include "symbol-file.h"

#define SYMBOL_FILE_MAX (64u * 1024u)

static int memory_file(void) {
        int fd = memfd_create("fuzz", MFD_CLOEXEC);

        FUZZ_ASSERT(fd >= 0);
        return fd;
}

static void load(ElfImage *e) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        _cleanup_free_ char *link = NULL;
        uint32_t checksum;
        Symbol s;

        FUZZ_ASSERT(symbol_table_new(&t) == 0);
        FUZZ_ASSERT(symbol_table_add_elf(t, e, e, NULL) == 0);
        symbol_table_sort(t);
        (void) symbol_table_find(t, 0x1000, &s);
        (void) elf_image_debug_link(e, &link, &checksum);
}

static void shrink(ElfImage *e) {
        _cleanup_close_ int out = memory_file();
        ElfImage again;
        struct stat st;
        uint64_t size;

        if (symbol_file_write(e, e, out, SYMBOL_FILE_MAX, &size) < 0)
                return;
        FUZZ_ASSERT(fstat(out, &st) == 0 && (uint64_t) st.st_size == size && size <= 2 * SYMBOL_FILE_MAX);
        FUZZ_ASSERT(elf_image_open(&again, out) == 0);
        load(&again);
        elf_image_done(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_close_ int fd = memory_file();
        ElfImage e;

        FUZZ_ASSERT(write_all(fd, data, size) == 0);
        if (elf_image_open(&e, fd) < 0)
                return 0;
        load(&e);
        shrink(&e);
        elf_image_done(&e);
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as a binary: reading its symbols does no harm, and the file of symbols that is made of it is readable and
 * within its limit. So is reading it as a file of the kernel. */

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "fd-file.h"
#include "frame-functions.h"
#include "fuzz.h"
#include "kernel-elf.h"
#include "module-code.h"
#include "symbol-elf.h"
#include "symbol-file.h"

#define SYMBOL_FILE_MAX (64u * 1024u)
#define MODULE_SIZE 0x10000u

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
        FUZZ_ASSERT(symbol_table_add_frames(t, e, "f") == 0);
        symbol_table_sort(t);
        (void) symbol_table_find(t, 0x1000, &s);
        (void) elf_image_debug_link(e, &link, &checksum);
}

/* Symbols of a module are all in its map. */
static void load_of_kernel(ElfImage *e) {
        _cleanup_(symbol_table_freep) SymbolTable *kernel = NULL, *module = NULL;

        FUZZ_ASSERT(symbol_table_new(&kernel) == 0 && symbol_table_new(&module) == 0);
        (void) symbol_table_add_vmlinux(kernel, e, "_text", UINT64_C(0xffffffff81000000));
        symbol_table_sort(kernel);
        (void) symbol_table_add_module(module, e, MODULE_SIZE);
        symbol_table_sort(module);
        for (size_t i = 0; i < symbol_table_size(module); i++) {
                Symbol s;

                symbol_table_get(module, i, &s);
                FUZZ_ASSERT(s.start < MODULE_SIZE);
        }
}

/* Code of a module: what it refers to is in the order in which it does. */
static void read_module_code(ElfImage *e) {
        for (uint64_t start = 0; start < 0x100; start += 0x40) {
                _cleanup_(module_code_done) ModuleCode c;

                if (module_code_read(&c, e, MODULE_SIZE, start, 0x20) < 0)
                        continue;
                FUZZ_ASSERT(c.bytes);
                for (size_t i = 0; i < c.n; i++)
                        FUZZ_ASSERT(c.references[i].offset < 0x20 && (i == 0 || c.references[i - 1].offset <= c.references[i].offset));
        }
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
        load_of_kernel(&e);
        read_module_code(&e);
        shrink(&e);
        elf_image_done(&e);
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's text from _text to _etext. /proc/kallsyms is sorted by address and _text is among its first lines, but
 * _etext is a hundred thousand lines further, which the kernel takes 40 ms to print. /proc/iomem has the size of the text
 * in one line instead: x86 and RISC-V give "Kernel code" from _text up to _etext (arch/x86/kernel/setup.c), arm64 from
 * _stext up to the init section (arch/arm64/kernel/setup.c). Only where that is hidden, from users without privileges,
 * the whole list is read. */

#include "kernel-map.h"

#define LINES_MAX 1000000u /* of kallsyms; a kernel with all its modules has a fifth of that */

#if defined(__aarch64__)
#define KERNEL_CODE_SYMBOL "_stext"
#else
#define KERNEL_CODE_SYMBOL "_text"
#endif

static FILE *open_proc(const char *root, const char *name) {
        char path[256];

        (void) snprintf(path, sizeof(path), "%s/proc/%s", root, name);
        return fopen(path, "re");
}

/* 1: a symbol, 0: the end. name has room for 256 bytes. */
static int next_symbol(FILE *f, uint64_t *ret_address, char name[static 256]) {
        char line[1024];

        while (fgets(line, sizeof(line), f)) {
                unsigned long long address;

                if (sscanf(line, "%llx %*c %255s", &address, name) != 2)
                        continue;
                *ret_address = address;
                return 1;
        }
        return 0;
}

static int find_start(const char *root, uint64_t *ret_text, uint64_t *ret_stext) {
        _cleanup_fclose_ FILE *f = open_proc(root, "kallsyms");
        bool has_text = false, has_stext = false;
        uint64_t address, text = 0, stext = 0;
        char name[256];

        if (!f)
                return -errno;
        for (unsigned i = 0; i < LINES_MAX && next_symbol(f, &address, name) > 0; i++) {
                if (has_stext && address > stext)
                        break; /* sorted: _text is not behind _stext */
                if (streq(name, "_text")) {
                        has_text = true;
                        text = address;
                }
                if (streq(name, "_stext")) {
                        has_stext = true;
                        stext = address;
                }
                if (has_text && has_stext)
                        break;
        }
        if (!has_text && !has_stext)
                return -ENODATA;
        if (text == 0 && stext == 0)
                return -EPERM;
        *ret_text = text;
        *ret_stext = stext;
        return 0;
}

static int read_code_size(const char *root, uint64_t *ret) {
        _cleanup_fclose_ FILE *f = open_proc(root, "iomem");
        char line[256];

        if (!f)
                return -errno;
        while (fgets(line, sizeof(line), f)) {
                unsigned long long start, end;

                if (!strstr(line, ": Kernel code") || sscanf(line, " %llx-%llx", &start, &end) != 2)
                        continue;
                if (end <= start)
                        return -EPERM;
                *ret = end + 1 - start;
                return 0;
        }
        return -ENODATA;
}

static int find_etext(const char *root, uint64_t *ret) {
        _cleanup_fclose_ FILE *f = open_proc(root, "kallsyms");
        uint64_t address;
        char name[256];

        if (!f)
                return -errno;
        for (unsigned i = 0; i < LINES_MAX && next_symbol(f, &address, name) > 0; i++)
                if (streq(name, "_etext")) {
                        *ret = address;
                        return 0;
                }
        return -ENODATA;
}

int kernel_map_read(const char *root, KernelMap *ret) {
        uint64_t text = 0, stext = 0, size = 0, base, end = UINT64_MAX;
        int r = find_start(root, &text, &stext);

        if (r < 0)
                return r;
        base = streq(KERNEL_CODE_SYMBOL, "_stext") && stext ? stext : text;
        if (base != 0 && read_code_size(root, &size) >= 0 && size < UINT64_MAX - base)
                end = base + size;
        else
                (void) find_etext(root, &end);
        *ret = (KernelMap) { .symbol = text ? "_text" : "_stext", .start = text ? text : stext, .end = end };
        return 0;
}

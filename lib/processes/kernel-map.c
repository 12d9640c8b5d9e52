/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's text from _text to _etext. /proc/kallsyms is sorted by address and _text is among its first lines, but
 * _etext is a hundred thousand lines further, which the kernel takes 40 ms to print. /proc/iomem has the size of the
 * text in one line: x86 and RISC-V have "Kernel code" from _text up to _etext (arch/x86/kernel/setup.c), arm64 from
 * _stext up to the init section (arch/arm64/kernel/setup.c). If that is hidden (the kernel shows it only to
 * CAP_SYS_ADMIN, which the service does not have), the whole list is read, once for all workers of a service. */

#include "kernel-map.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>

#include "fd-file.h"

#define SCAN_SIZE (64u * 1024)
#define LINE_TAIL 256u /* more than a line up to the end of its symbol, where that is _etext */
#define LINES_MAX 1000000u /* of kallsyms; a kernel with all its modules has a fifth of that */

#if defined(__aarch64__)
#define KERNEL_CODE_SYMBOL "_stext"
#else
#define KERNEL_CODE_SYMBOL "_text"
#endif

static FILE *kernel_map_open_proc(const char *root, const char *name) {
        char path[256];

        (void) snprintf(path, sizeof(path), "%s/proc/%s", root, name);
        return fopen(path, "re");
}

/* Returns 1 for a symbol, 0 at the end. name has room for 256 bytes. */
static int kallsyms_next_name(FILE *f, uint64_t *ret_address, char name[static 256]) {
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

static int kernel_map_find_start(const char *root, uint64_t *ret_text, uint64_t *ret_stext) {
        _cleanup_fclose_ FILE *f = kernel_map_open_proc(root, "kallsyms");
        bool has_text = false, has_stext = false;
        uint64_t address, text = 0, stext = 0;
        char name[256];

        if (!f)
                return -errno;
        for (unsigned i = 0; i < LINES_MAX && kallsyms_next_name(f, &address, name) > 0; i++) {
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

static int kernel_map_read_code_size(const char *root, uint64_t *ret) {
        _cleanup_fclose_ FILE *f = kernel_map_open_proc(root, "iomem");
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

/* The list is long, so it is not split into fields but searched for the line of the symbol. */
static int kernel_map_find_etext(const char *root, uint64_t *ret) {
        static const char wanted[] = " _etext\n";
        _cleanup_fclose_ FILE *f = kernel_map_open_proc(root, "kallsyms");
        _cleanup_free_ char *buffer = malloc(SCAN_SIZE + 1);
        size_t kept = 0;
        ssize_t n;

        if (!f)
                return -errno;
        if (!buffer)
                return -ENOMEM;
        while ((n = read(fileno(f), buffer + kept, SCAN_SIZE - kept)) > 0) {
                size_t size = kept + (size_t) n;
                char *hit = memmem(buffer, size, wanted, strlen(wanted)), *line = hit;

                while (line && line > buffer && line[-1] != '\n')
                        line--;
                if (line) {
                        *ret = strtoull(line, NULL, 16);
                        return 0;
                }
                kept = MIN_OF(size, (size_t) LINE_TAIL);
                memmove(buffer, buffer + size - kept, kept);
        }
        return n < 0 ? -errno : -ENODATA;
}

/* Reads the end that another worker found, if that was in this boot: the kernel's random address shows it. */
static bool kernel_map_read_cached_end(int fd, uint64_t start, uint64_t *ret) {
        unsigned long long cached_start, cached_end;
        char text[64] = "";

        if (pread(fd, text, sizeof(text) - 1, 0) <= 0 || sscanf(text, "%llx %llx", &cached_start, &cached_end) != 2)
                return false;
        if (cached_start != start || cached_end <= start)
                return false;
        *ret = cached_end;
        return true;
}

/* Hundreds of workers may start at once: the first one reads the list, the others wait for its result. Without a cache
 * directory that it can write to, each worker reads the list. */
static void kernel_map_find_etext_cached(const char *root, const char *cache_directory, uint64_t start, uint64_t *ret) {
        _cleanup_close_ int fd = -EBADF;
        _cleanup_free_ char *path = cache_directory ? path_join(cache_directory, "kernel-text") : NULL;
        char text[64];
        int n;

        if (path)
                fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
        if (fd >= 0 && flock(fd, LOCK_EX) == 0 && kernel_map_read_cached_end(fd, start, ret))
                return;
        if (kernel_map_find_etext(root, ret) < 0 || fd < 0)
                return;
        n = snprintf(text, sizeof(text), "%" PRIx64 " %" PRIx64 "\n", start, *ret);
        (void) pwrite(fd, text, (size_t) n, 0);
}

int kernel_map_read(const char *root, const char *cache_directory, KernelMap *ret) {
        uint64_t text = 0, stext = 0, size = 0, base, end = UINT64_MAX;
        int r = kernel_map_find_start(root, &text, &stext);

        if (r < 0)
                return r;
        base = streq(KERNEL_CODE_SYMBOL, "_stext") && stext ? stext : text;
        if (base != 0 && kernel_map_read_code_size(root, &size) >= 0 && size < UINT64_MAX - base)
                end = base + size;
        else
                kernel_map_find_etext_cached(root, cache_directory, text ? text : stext, &end);
        *ret = (KernelMap) { .symbol = text ? "_text" : "_stext", .start = text ? text : stext, .end = end };
        return 0;
}

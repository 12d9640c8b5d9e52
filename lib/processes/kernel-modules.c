/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's modules: addresses from /proc/modules, files from depmod's list, /lib/modules/VERSION/modules.dep,
 * which takes one read, while a walk through the directories takes thousands. A module without a file there is called
 * "[name]", as in perf. */

#include <sys/utsname.h>
#include "array.h"
#include "fd-file.h"
#include "fnv.h"
#include "format-text.h"
#include "kernel-map.h"

#define MODULES_MAX 4096u
#define MODULES_SIZE_MAX (UINT64_C(4) << 20) /* bytes of /proc/modules and of modules.dep */

void kernel_modules_done(KernelModules *m) {
        for (size_t i = 0; i < m->n_modules; i++)
                free(m->modules[i].path);
        free(m->modules);
        *m = (KernelModules) {};
}

static int kernel_modules_read_list(const char *root, char **ret) {
        _cleanup_free_ char *path = format_text("%s/proc/modules", root);

        return path ? read_file(path, MODULES_SIZE_MAX, ret, NULL) : -ENOMEM;
}

static int compare_address(const void *a, const void *b) {
        const KernelModule *x = a, *y = b;

        return x->start < y->start ? -1 : x->start > y->start;
}

/* "NAME SIZE USES DEPENDENCIES STATE 0xADDRESS", proc(5). */
static int kernel_modules_add(KernelModules *m, const char *line) {
        unsigned long long size, start;
        char name[128];
        char *path;

        if (sscanf(line, "%127s %llu %*s %*s %*s %llx", name, &size, &start) != 3)
                return 0;
        if (start == 0)
                return -EPERM;
        if (m->n_modules >= MODULES_MAX)
                return -E2BIG;
        if (ARRAY_RESERVE_NEXT(m->modules, m->n_modules) < 0)
                return -ENOMEM;
        path = format_text("[%s]", name);
        if (!path)
                return -ENOMEM;
        m->modules[m->n_modules++] = (KernelModule) { .path = path, .start = start, .size = size };
        return 0;
}

/* Returns true if file ("kernel/fs/xfs/xfs.ko.xz", n bytes) is that of "[xfs]"; files may have "-" where names have "_". */
static bool module_is_file(const char *file, size_t n, const char *bracketed) {
        const char *name = bracketed + 1;
        const char *base = memrchr(file, '/', n);
        const char *end = file + n;

        for (base = base ? base + 1 : file; base < end && *base != '.'; base++, name++)
                if ((*base == '-' ? '_' : *base) != *name)
                        return false;
        return *name == ']';
}

static int module_set_path(KernelModule *module, const char *directory, const char *file, size_t n) {
        char *path = format_text("%s/%.*s", directory, (int) n, file);

        if (!path)
                return -ENOMEM;
        free(module->path);
        module->path = path;
        return 0;
}

static int kernel_modules_find_files(KernelModules *m, const char *root) {
        _cleanup_free_ char *directory = NULL, *list = NULL, *text = NULL;
        struct utsname u;
        int r;

        if (uname(&u) < 0)
                return -errno;
        directory = format_text("%s/lib/modules/%s", root, u.release);
        list = directory ? path_join(directory, "modules.dep") : NULL;
        if (!list)
                return -ENOMEM;
        r = read_file(list, MODULES_SIZE_MAX, &text, NULL);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        for (const char *line = text; *line;) {
                size_t n = strcspn(line, "\n"), file = MIN_OF(n, strcspn(line, ":"));

                for (size_t i = 0; r >= 0 && i < m->n_modules; i++)
                        if (m->modules[i].path[0] == '[' && module_is_file(line, file, m->modules[i].path))
                                r = module_set_path(&m->modules[i], directory, line, file);
                if (r < 0)
                        return r;
                line += n + (line[n] == '\n');
        }
        return 0;
}

int kernel_modules_read(const char *root, KernelModules *ret) {
        _cleanup_(kernel_modules_done) KernelModules m = {};
        _cleanup_free_ char *text = NULL;
        char *state = NULL;
        int r = kernel_modules_read_list(root, &text);

        if (r < 0)
                return r == -ENOENT ? 0 : r;
        for (char *line = strtok_r(text, "\n", &state); line && r >= 0; line = strtok_r(NULL, "\n", &state))
                r = kernel_modules_add(&m, line);
        if (r >= 0 && m.n_modules > 0)
                r = kernel_modules_find_files(&m, root);
        if (r < 0)
                return r;
        if (m.n_modules > 0)
                qsort(m.modules, m.n_modules, sizeof(KernelModule), compare_address);
        *ret = steal_value(m, (KernelModules) {});
        return 0;
}

uint64_t kernel_modules_digest(const char *root) {
        _cleanup_free_ char *text = NULL;
        uint64_t digest = FNV_BEGIN;
        char *state = NULL;

        if (kernel_modules_read_list(root, &text) < 0)
                return 0;
        for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
                const char *address = strstr(line, " 0x");

                line[strcspn(line, " ")] = '\0';
                digest = fnv_word(fnv_word(digest, line), address);
        }
        return digest;
}

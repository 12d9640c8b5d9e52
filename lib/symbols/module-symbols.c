/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* depmod(8) lists the files of a kernel's modules in modules.dep, "kernel/fs/ext4/ext4.ko.xz: …", relative to its place.
 * The name of a module has "_" where its file may have "-". Distributions have separate files with debug information
 * below /usr/lib/debug, at the path of the module without what compression adds, as it is or with ".debug" behind it. */

#include "module-symbols.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "elf-build-id.h"
#include "fd-file.h"
#include "format-text.h"
#include "kernel-elf.h"
#include "root-file.h"
#include "symbols-file.h"

#define MODULES "/lib/modules/"
#define DEBUG_ROOT "/usr/lib/debug"
#define LIST_MAX ((size_t) 16 << 20) /* bytes */
#define FILE_MAX ((size_t) 64 << 20) /* of a compressed module */

/* The module that is sought, and what to do with a file that may be it. */
typedef struct ModuleSearch {
        const SymbolSources *sources;
        const DsoHit *dso;
        const char *release;
        int (*use)(const struct ModuleSearch *m, int fd); /* takes a file of the recorded build id */
        uint64_t size;
        SymbolTable *table; /* of take_symbols() */
        int *ret_code;      /* of module_keep_code() */
        bool binary;        /* the module itself, no separate file */
} ModuleSearch;

static int take_symbols(const ModuleSearch *m, int fd) {
        ElfImage e = ELF_IMAGE_EMPTY;
        int r = elf_image_open(&e, fd);

        if (r < 0)
                return r;
        r = symbol_table_add_module(m->table, &e, m->size);
        elf_image_done(&e);
        if (r == -E2BIG)
                r = 0;
        return r >= 0 && symbol_table_size(m->table) == 0 ? -ENODATA : r;
}

/* Separate files with debug information have no code. */
static int module_keep_code(const ModuleSearch *m, int fd) {
        ElfImage e = ELF_IMAGE_EMPTY;
        int r = elf_image_open(&e, fd);
        bool code = r >= 0 && e.header.e_type == ET_REL && elf_image_has_code(&e);

        if (r < 0)
                return r;
        elf_image_done(&e);
        if (!code)
                return -ENODATA;
        *m->ret_code = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        return *m->ret_code < 0 ? -errno : 0;
}

static int module_take_file(const ModuleSearch *m, int fd) {
        BuildId id;

        return build_id_of_fd(fd, &id) < 0 || !build_id_equal(&id, &m->dso->id) ? -ESTALE : m->use(m, fd);
}

static bool is_compressed(int fd) {
        static const uint8_t marks[][4] = { { 0xfd, '7', 'z', 'X' }, { 0x28, 0xb5, 0x2f, 0xfd } }; /* xz, zstd */
        uint8_t begin[4];

        return pread_exactly(fd, 0, begin, sizeof(begin)) >= 0 &&
               (memcmp(begin, marks[0], sizeof(begin)) == 0 || memcmp(begin, marks[1], sizeof(begin)) == 0);
}

static int open_module(const SymbolSources *sources, const char *root, const char *path) {
        const SymbolHelpers *helpers = sources->helpers;
        _cleanup_close_ int fd = root_file_open(root, path);
        _cleanup_free_ char *data = NULL;
        size_t size;
        int r;

        if (fd < 0 || !is_compressed(fd))
                return steal_fd(&fd);
        if (!helpers || !helpers->expand)
                return -EOPNOTSUPP;
        r = read_fd(fd, FILE_MAX, &data, &size);
        return r < 0 ? r : helpers->expand(helpers->userdata, data, size);
}

static int load_at(const ModuleSearch *m, const char *root, const char *path) {
        _cleanup_close_ int fd = open_module(m->sources, root, path);

        return fd < 0 ? fd : module_take_file(m, fd);
}

static int module_load_separate(const ModuleSearch *m, const char *root, const char *path) {
        const char *slash = strrchr(path, '/'), *end = slash ? strstr(slash, ".ko") : NULL;
        int r = -ENOENT;

        for (unsigned i = 0; end && r < 0 && r != -ENOMEM && i < 2; i++) {
                _cleanup_free_ char *file = format_text(DEBUG_ROOT "%.*s%s", (int) (end + 3 - path), path, i > 0 ? ".debug" : "");

                r = file ? load_at(m, root, file) : -ENOMEM;
        }
        return r;
}

/* Returns whether the file, of n bytes, is that of the module's name. */
static bool is_file_of(const char *file, size_t n, const char *name, size_t name_size) {
        for (size_t i = 0; i < name_size; i++)
                if (i >= n || (file[i] == '-' ? '_' : file[i]) != name[i])
                        return false;
        return n >= name_size + 3 && memcmp(file + name_size, ".ko", 3) == 0;
}

/* Finds the path of the module "[name]" in modules.dep. A new string; NULL: it is not there. */
static char *find_listed(const char *text, const char *release, const char *name, size_t name_size) {
        while (*text) {
                size_t n = strcspn(text, ":\n"), base = n;

                while (base > 0 && text[base - 1] != '/')
                        base--;
                if (n < PATH_MAX && text[n] == ':' && is_file_of(text + base, n - base, name, name_size))
                        return *text == '/' ? strndup(text, n) : format_text(MODULES "%s/%.*s", release, (int) n, text);
                text += n;
                text += strcspn(text, "\n");
                text += *text == '\n';
        }
        return NULL;
}

/* *ret is the path of the module's file as a new string. */
static int find_path(const char *root, const DsoHit *dso, const char *release, char **ret) {
        _cleanup_free_ char *list = NULL, *text = NULL;
        _cleanup_close_ int fd = -EBADF;
        size_t n = strlen(dso->path), size;
        int r;

        if (*dso->path == '/') {
                *ret = strdup(dso->path);
                return *ret ? 0 : -ENOMEM;
        }
        if (!release || n < 3 || dso->path[0] != '[' || dso->path[n - 1] != ']')
                return -ENOENT;
        list = format_text(MODULES "%s/modules.dep", release);
        fd = list ? root_file_open(root, list) : -ENOMEM;
        r = fd < 0 ? fd : read_fd(fd, LIST_MAX, &text, &size);
        if (r < 0)
                return r;
        *ret = find_listed(text, release, dso->path + 1, n - 2);
        return *ret ? 0 : -ENOENT;
}

/* Reports that the module's file is another one. */
static void module_refuse(const ModuleSearch *m, const char *root, const char *path) {
        const SymbolHelpers *helpers = m->sources->helpers;
        _cleanup_close_ int fd = helpers && helpers->refuse ? open_module(m->sources, root, path) : -ENOENT;
        BuildId present;

        if (fd < 0)
                return;
        if (build_id_of_fd(fd, &present) < 0)
                present.size = 0;
        helpers->refuse(helpers->userdata, path, &m->dso->id, &present);
}

static int load_by_path(const ModuleSearch *m, const char *root) {
        _cleanup_free_ char *path = NULL;
        int r = find_path(root, m->dso, m->release, &path), q;

        if (r < 0)
                return r;
        r = load_at(m, root, path);
        if (r >= 0 || r == -ENOMEM)
                return r;
        q = module_load_separate(m, root, path);
        if (q < 0 && r == -ESTALE)
                module_refuse(m, root, path);
        return q >= 0 || q == -ENOMEM ? q : r;
}

static int load_below(const ModuleSearch *m, const char *root) {
        char place[SYMBOLS_ID_PATH_SIZE];
        int r = -ENOENT;

        for (size_t i = 0; r < 0 && r != -ENOMEM && symbols_id_place(&m->dso->id, i, place); i++)
                r = load_at(m, root, place);
        return r >= 0 || r == -ENOMEM ? r : load_by_path(m, root);
}

static int module_load_kept(const ModuleSearch *m) {
        const char *directory = m->sources->directory;
        char place[PATH_MAX];
        _cleanup_close_ int fd = directory ? symbols_open_kept(directory, m->dso, place) : -ENOENT;

        return fd < 0 ? fd : module_take_file(m, fd);
}

static int module_load_fetched(const ModuleSearch *m) {
        _cleanup_close_ int fd = symbol_sources_fetch(m->sources->helpers, &m->dso->id, m->binary);

        return fd < 0 ? fd : module_take_file(m, fd);
}

static int module_find(const ModuleSearch *m) {
        const char *const roots[] = { m->sources->directory, m->sources->root, m->sources->cache };
        int r, q;

        if (m->dso->id.size < 2)
                return -ENOENT;
        r = module_load_kept(m);
        for (size_t i = 0; r < 0 && r != -ENOMEM && i < ELEMENTSOF(roots); i++)
                if (roots[i])
                        r = load_below(m, roots[i]);
        if (r >= 0 || r == -ENOMEM)
                return r;
        q = module_load_fetched(m);
        return q >= 0 || q == -ENOMEM ? q : r;
}

int module_symbols_load(const SymbolSources *sources, const DsoHit *dso, const char *release, uint64_t size, SymbolTable *t) {
        return module_find(&(ModuleSearch) {
                .sources = sources, .dso = dso, .release = release, .use = take_symbols, .size = size, .table = t,
        });
}

int module_symbols_open_code(const SymbolSources *sources, const DsoHit *dso, const char *release) {
        int code = -EBADF, r;

        r = module_find(&(ModuleSearch) {
                .sources = sources, .dso = dso, .release = release, .use = module_keep_code, .ret_code = &code, .binary = true,
        });
        return r < 0 ? r : code;
}

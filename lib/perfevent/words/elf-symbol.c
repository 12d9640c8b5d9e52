/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Looks up functions in the symbol tables of an ELF file. Both tables are read, .symtab for functions that are not
 * exported and .dynsym for those of a stripped library. A name may occur several times: once per table, once per
 * version, once per source file that has a static function of that name. It is ambiguous only if it has several
 * addresses.
 *
 * Values of symbols are addresses; program headers map these to offsets in the file, for position-independent files
 * and others. */

#include "elf-symbol.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <sys/stat.h>
#include "near-name.h"

#define TABLES_MAX 2
#define VERSIONS_MAX 1024
#define PLACES_MAX 8 /* addresses that one message lists */

typedef struct ElfSymbolTable {
        Elf_Data *data;
        Elf_Data *versions; /* of .dynsym; or NULL */
        size_t n, strings;
} ElfSymbolTable;

struct ElfFile {
        int fd;
        Elf *elf;
        ElfSymbolTable tables[TABLES_MAX];
        size_t n_tables;
        const char **version_names; /* by number; entries may be NULL */
        bool is_go;
};

typedef struct ElfSymbol {
        const char *name; /* of name_length bytes: the version is cut off */
        size_t name_length;
        const char *version; /* NULL: none */
        bool old;            /* not the version that new programs link */
        GElf_Sym sym;
} ElfSymbol;

ElfFile *elf_file_free(ElfFile *f) {
        if (!f)
                return NULL;
        (void) elf_end(f->elf);
        free(f->version_names);
        (void) safe_close(f->fd);
        free(f);
        return NULL;
}

static void add_table(ElfFile *f, Elf_Scn *section, const GElf_Shdr *header) {
        Elf_Data *data = elf_getdata(section, NULL);

        if (!data || header->sh_entsize == 0 || f->n_tables == TABLES_MAX)
                return;
        f->tables[f->n_tables++] = (ElfSymbolTable){
                .data = data, .n = header->sh_size / header->sh_entsize, .strings = header->sh_link,
        };
}

/* Reads .gnu.version_d, the names of the numbers in .gnu.version. */
static int read_version_names(ElfFile *f, Elf_Scn *section, const GElf_Shdr *header) {
        Elf_Data *data = elf_getdata(section, NULL);
        int at = 0;

        if (!data || f->version_names)
                return 0;
        f->version_names = calloc(VERSIONS_MAX, sizeof(char *));
        if (!f->version_names)
                return -ENOMEM;
        for (size_t i = 0; i < header->sh_info; i++) {
                GElf_Verdaux name;
                GElf_Verdef v;

                if (!gelf_getverdef(data, at, &v) || !gelf_getverdaux(data, at + (int) v.vd_aux, &name))
                        break;
                if (v.vd_ndx < VERSIONS_MAX)
                        f->version_names[v.vd_ndx] = elf_strptr(f->elf, header->sh_link, name.vda_name);
                if (v.vd_next == 0)
                        break;
                at += (int) v.vd_next;
        }
        return 0;
}

static int read_sections(ElfFile *f) {
        Elf_Scn *section = NULL;
        Elf_Data *versions = NULL;
        size_t names, dynamic = SIZE_MAX;
        int r = 0;

        if (elf_getshdrstrndx(f->elf, &names) < 0)
                return 0; /* without sections only offsets can be probed */
        while (r >= 0 && (section = elf_nextscn(f->elf, section))) {
                GElf_Shdr header;
                const char *name;

                if (!gelf_getshdr(section, &header))
                        continue;
                name = elf_strptr(f->elf, names, header.sh_name);
                f->is_go = f->is_go || (name && (streq(name, ".gopclntab") || streq(name, ".go.buildinfo")));
                if (header.sh_type == SHT_DYNSYM)
                        dynamic = f->n_tables;
                if (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB)
                        add_table(f, section, &header);
                else if (header.sh_type == SHT_GNU_versym)
                        versions = elf_getdata(section, NULL);
                else if (header.sh_type == SHT_GNU_verdef)
                        r = read_version_names(f, section, &header);
        }
        if (dynamic < f->n_tables)
                f->tables[dynamic].versions = versions;
        return r;
}

/* Opening a device may have effects, so the type of the file is checked before. */
static int open_regular(const char *path, Diagnosis *d) {
        struct stat st;
        int fd;

        if (stat(path, &st) < 0 && errno == ENOENT)
                return diagnosis_set(d, -ENOENT, "There is no file %s", path);
        if (stat(path, &st) >= 0 && !S_ISREG(st.st_mode))
                return diagnosis_set(d, -ENOEXEC, "%s is not a file", path);
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        return fd >= 0 ? fd : diagnosis_set(d, -errno, "%s can't be opened: %s", path, strerror(errno));
}

static int refuse_not_elf(const ElfFile *f, const char *path, Diagnosis *d) {
        char begin[2] = "";

        if (pread(f->fd, begin, sizeof(begin), 0) == sizeof(begin) && begin[0] == '#' && begin[1] == '!')
                return diagnosis_set(d, -ENOEXEC, "%s is a script: the functions that can be probed are its interpreter's", path);
        return diagnosis_set(d, -ENOEXEC, "%s is neither a program nor a library (ELF)", path);
}

int elf_file_open(const char *path, ElfFile **ret, Diagnosis *d) {
        _cleanup_(elf_file_freep) ElfFile *f = calloc(1, sizeof(ElfFile));
        GElf_Ehdr header;
        int r;

        if (!f)
                return -ENOMEM;
        f->fd = open_regular(path, d);
        if (f->fd < 0)
                return f->fd;
        if (elf_version(EV_CURRENT) == EV_NONE)
                return -ELIBBAD;
        f->elf = elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
        if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &header))
                return refuse_not_elf(f, path, d);
        if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
                return diagnosis_set(d, -ENOEXEC, "%s is not a program or library that runs as it is (of ELF's types "
                                     "EXEC and DYN)", path);
        r = read_sections(f);
        if (r < 0)
                return r;
        *ret = steal_ptr(f);
        return 0;
}

/* Returns the offset in the file of the byte at the address; code only. */
static bool address_to_offset(const ElfFile *f, uint64_t address, uint64_t *ret) {
        GElf_Phdr p;

        for (int i = 0; gelf_getphdr(f->elf, i, &p); i++)
                if (p.p_type == PT_LOAD && (p.p_flags & PF_X) && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz) {
                        *ret = address - p.p_vaddr + p.p_offset;
                        return true;
                }
        return false;
}

bool elf_file_is_code(const ElfFile *f, uint64_t offset) {
        GElf_Phdr p;

        for (int i = 0; gelf_getphdr(f->elf, i, &p); i++)
                if (p.p_type == PT_LOAD && (p.p_flags & PF_X) && offset >= p.p_offset && offset - p.p_offset < p.p_filesz)
                        return true;
        return false;
}

bool elf_file_is_go(const ElfFile *f) {
        return f->is_go;
}

/* .symtab has the version in the name, "memcpy@GLIBC_2.2.5", and .dynsym in another table. */
static bool read_symbol(const ElfFile *f, const ElfSymbolTable *t, size_t i, ElfSymbol *ret) {
        GElf_Versym version;
        const char *at;

        *ret = (ElfSymbol){};
        if (!gelf_getsym(t->data, (int) i, &ret->sym))
                return false;
        ret->name = elf_strptr(f->elf, t->strings, ret->sym.st_name);
        if (!ret->name || !*ret->name)
                return false;
        at = strchr(ret->name, '@');
        ret->name_length = at ? (size_t) (at - ret->name) : strlen(ret->name);
        if (at) {
                ret->old = at[1] != '@';
                ret->version = at + (ret->old ? 1 : 2);
        } else if (t->versions && gelf_getversym(t->versions, (int) i, &version)) {
                unsigned number = version & 0x7fff; /* the bit above: VERSYM_HIDDEN */

                ret->old = version & 0x8000;
                if (number > VER_NDX_GLOBAL && number < VERSIONS_MAX && f->version_names)
                        ret->version = f->version_names[number];
        }
        return true;
}

/* Calls take for each symbol that has a name. */
static void visit_symbols(const ElfFile *f, void (*take)(const ElfFile *f, const ElfSymbol *s, void *userdata), void *userdata) {
        for (size_t t = 0; t < f->n_tables; t++)
                for (size_t i = 1; i < f->tables[t].n; i++) {
                        ElfSymbol s;

                        if (read_symbol(f, &f->tables[t], i, &s))
                                take(f, &s, userdata);
                }
}

static bool symbol_is(const ElfSymbol *s, unsigned type) {
        return s->sym.st_shndx != SHN_UNDEF && GELF_ST_TYPE(s->sym.st_info) == type;
}

/* Functions written in assembler may have no type. */
static bool symbol_is_function(const ElfFile *f, const ElfSymbol *s, uint64_t *ret_offset) {
        return (symbol_is(s, STT_FUNC) || symbol_is(s, STT_NOTYPE)) && address_to_offset(f, s->sym.st_value, ret_offset);
}

typedef struct Search {
        const char *name;
        size_t name_length;
        const char *version; /* the requested one, or NULL */
        ElfFunction places[PLACES_MAX];
        size_t n_places;
        bool old; /* places are of old versions only */
        bool chosen_at_run_time, imported, data;
        bool default_is_chosen; /* chosen_at_run_time applies to a version that new programs link */
        NearNames near;
} Search;

static void search_add(Search *w, uint64_t offset, const ElfSymbol *s) {
        if (w->n_places > 0 && w->old && !s->old)
                w->n_places = 0; /* the default version replaces old ones */
        else if (w->n_places > 0 && !w->old && s->old)
                return;
        w->old = s->old;
        for (size_t i = 0; i < w->n_places; i++)
                if (w->places[i].offset == offset) {
                        w->places[i].size = MAX_OF(w->places[i].size, s->sym.st_size);
                        return;
                }
        if (w->n_places < PLACES_MAX)
                w->places[w->n_places++] = (ElfFunction){ .offset = offset, .size = s->sym.st_size };
}

static bool symbol_has_name(const ElfSymbol *s, const Search *w) {
        return s->name_length == w->name_length && memcmp(s->name, w->name, w->name_length) == 0;
}

static void search_symbol(const ElfFile *f, const ElfSymbol *s, void *userdata) {
        Search *w = userdata;
        uint64_t offset;

        if (!symbol_has_name(s, w))
                return;
        if (s->sym.st_shndx == SHN_UNDEF)
                w->imported = true;
        else if (w->version && !(s->version && streq(s->version, w->version)))
                return;
        else if (symbol_is(s, STT_GNU_IFUNC)) {
                w->chosen_at_run_time = true;
                w->default_is_chosen = w->default_is_chosen || !s->old;
        } else if (symbol_is_function(f, s, &offset))
                search_add(w, offset, s);
        else
                w->data = true;
}

static void search_near(const ElfFile *f, const ElfSymbol *s, void *userdata) {
        Search *w = userdata;
        _cleanup_free_ char *name = NULL;
        uint64_t offset;

        if (!symbol_is_function(f, s, &offset) || symbol_has_name(s, w))
                return;
        name = strndup(s->name, s->name_length);
        if (name)
                near_names_offer(&w->near, name);
}

static int refuse_not_found(const ElfFile *f, Search *w, const char *name, Diagnosis *d) {
        _cleanup_free_ char *near = NULL;

        visit_symbols(f, search_near, w);
        near = near_names_join(&w->near);
        if (w->chosen_at_run_time)
                return diagnosis_set(d, -EOPNOTSUPP, "%s is chosen among several functions when the program starts "
                                     "(IFUNC): name the one that this machine uses, or its offset", name);
        if (w->imported)
                return diagnosis_set(d, -EOPNOTSUPP, "%s is used by this file and defined in another: probe it in that "
                                     "library", name);
        if (w->data)
                return diagnosis_set(d, -EOPNOTSUPP, "%s is not a function", name);
        if (f->n_tables == 0)
                return diagnosis_set(d, -ENOENT, "There is no function %s: the file has no symbols; offsets can be "
                                     "probed (0x…)", name);
        return diagnosis_set(d, -ENOENT, "There is no function %s%s%s", name, near ? "; like it are " : "", near ?: "");
}

static int refuse_several(const Search *w, const char *name, Diagnosis *d) {
        char places[PLACES_MAX * 20] = "";
        size_t used = 0;

        for (size_t i = 0; i < w->n_places; i++)
                used += (size_t) snprintf(places + used, sizeof(places) - used, "%s%#" PRIx64, i > 0 ? ", " : "",
                                          w->places[i].offset);
        return diagnosis_set(d, -ENOTUNIQ, "There are several functions %s, at the offsets %s: name one of these instead",
                             name, places);
}

int elf_file_find_function(const ElfFile *f, const char *name, ElfFunction *ret, Diagnosis *d) {
        size_t n = strcspn(name, "@");
        Search w = { .name = name, .name_length = n, .near = { .wanted = name } };
        int r = 0;

        if (name[n])
                w.version = name + n + strspn(name + n, "@");
        visit_symbols(f, search_symbol, &w);
        if (w.n_places == 0 || (w.old && w.default_is_chosen))
                r = refuse_not_found(f, &w, name, d);
        else if (w.n_places > 1)
                r = refuse_several(&w, name, d);
        else
                *ret = w.places[0];
        near_names_done(&w.near);
        return r;
}

typedef struct At {
        uint64_t offset;
        ElfFunction function;
        char *name;
} At;

static void search_at(const ElfFile *f, const ElfSymbol *s, void *userdata) {
        At *a = userdata;
        uint64_t offset;

        if (a->name || !symbol_is(s, STT_FUNC) || !address_to_offset(f, s->sym.st_value, &offset))
                return;
        if (a->offset != offset && (a->offset < offset || a->offset - offset >= s->sym.st_size))
                return;
        a->function = (ElfFunction){ .offset = offset, .size = s->sym.st_size };
        a->name = strndup(s->name, s->name_length);
}

bool elf_file_function_at(const ElfFile *f, uint64_t offset, ElfFunction *ret, char **ret_name) {
        At a = { .offset = offset };

        visit_symbols(f, search_at, &a);
        if (!a.name)
                return false;
        *ret = a.function;
        *ret_name = a.name;
        return true;
}

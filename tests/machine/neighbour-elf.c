/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Makes a program whose symbols are expensive to read, and runs it until it is killed.
 *
 *   neighbour-elf notes|dynamic FILE COUNT      COUNT sections of 1,000 MB, of which nothing is on the disk
 *   neighbour-elf names FILE COUNT              COUNT functions, whose C++ names of 250 to 310 bytes repeatedly refer to
 *                                               parts of themselves twice: readable, each has gigabytes
 *
 * The code is COUNT functions of no operations, and a jump back. For x86-64 only. */

#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef __x86_64__
#error "code of x86-64"
#endif

#define HOLE (UINT64_C(16) << 20) /* offset in the file */
#define HOLE_SIZE (UINT64_C(1000) * 1000 * 1000 / sizeof(Elf64_Sym) * sizeof(Elf64_Sym))
#define FUNCTION_SIZE 16u /* bytes */
#define BASE 0x400000u
#define CODE 0x1000u /* offset of the code in the file; symbols, strings and section headers follow */
#define NAME_MAX 320u
#define COUNT_MAX 60000u

typedef struct Program {
        unsigned count;
        Elf64_Shdr *sections;
        unsigned n;
        int fd;
        uint64_t end; /* of the bytes written so far */
} Program;

static const char section_names[] = "\0.text\0.note\0.dynsym\0.symtab\0.strtab";
enum { NAME_TEXT = 1, NAME_NOTE = 7, NAME_DYNSYM = 13, NAME_SYMTAB = 21, NAME_STRTAB = 29 };

static void write_at(const Program *p, const void *data, size_t size, uint64_t offset) {
        if (pwrite(p->fd, data, size, (off_t) offset) != (ssize_t) size)
                err(1, "write");
}

static uint64_t append(Program *p, const void *data, size_t size) {
        uint64_t offset = (p->end + 15) & ~UINT64_C(15);

        write_at(p, data, size, offset);
        p->end = offset + size;
        return offset;
}

static void add_section(Program *p, Elf64_Shdr section) {
        p->sections[p->n++] = section;
}

/* Puts "S_", "S0_" … "S10_", which refer to earlier parts of the name, in their order. */
static size_t put_reference(char *name, unsigned i) {
        static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

        if (i == 0)
                return (size_t) sprintf(name, "S_");
        i--;
        return (size_t) (i < 36 ? sprintf(name, "S%c_", digits[i]) : sprintf(name, "S%c%c_", digits[i / 36], digits[i % 36]));
}

/* A function of templates: f<a<int, int>, a<X, X>, …>(), in which each X is the previous argument. Its own name is
 * "S_", a is "S0_". */
static size_t put_name(char *name, unsigned number, size_t size) {
        size_t n = (size_t) sprintf(name, "_Z6f%05uI1aIiiE", number);

        for (unsigned i = 2; n < size; i++) {
                n += (size_t) sprintf(name + n, "S0_I");
                n += put_reference(name + n, i);
                n += put_reference(name + n, i);
                n += (size_t) sprintf(name + n, "E");
        }
        return n + (size_t) sprintf(name + n, "Evv") + 1;
}

static void add_symbols(Program *p, const char *names, size_t names_size, const Elf64_Sym *symbols) {
        size_t size = (p->count + 1) * sizeof(*symbols);
        uint64_t symbols_at = append(p, symbols, size), names_at = append(p, names, names_size);

        add_section(p, (Elf64_Shdr) { .sh_name = NAME_STRTAB, .sh_type = SHT_STRTAB, .sh_offset = names_at,
                                      .sh_size = names_size, .sh_addralign = 1 });
        add_section(p, (Elf64_Shdr) { .sh_name = NAME_SYMTAB, .sh_type = SHT_SYMTAB, .sh_offset = symbols_at, .sh_size = size,
                                      .sh_link = p->n - 1, .sh_info = 1, .sh_addralign = 8, .sh_entsize = sizeof(*symbols) });
}

static void make_names(Program *p) {
        char *names = calloc(p->count + 1, NAME_MAX);
        Elf64_Sym *symbols = calloc(p->count + 1, sizeof(*symbols));
        size_t size = 1;

        if (!names || !symbols)
                err(1, "names");
        for (unsigned i = 0; i < p->count; i++) {
                symbols[i + 1] = (Elf64_Sym) { .st_name = (Elf64_Word) size, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                               .st_shndx = 1, .st_value = BASE + CODE + i * FUNCTION_SIZE,
                                               .st_size = FUNCTION_SIZE };
                size += put_name(names + size, i, 250 + i % 50);
        }
        add_symbols(p, names, size, symbols);
        free(symbols);
        free(names);
}

static void add_hole(Program *p, Elf64_Word name, Elf64_Word type, Elf64_Word link) {
        add_section(p, (Elf64_Shdr) { .sh_name = name, .sh_type = type, .sh_flags = SHF_ALLOC, .sh_offset = HOLE,
                                      .sh_size = HOLE_SIZE, .sh_link = link, .sh_info = 1, .sh_addralign = 4,
                                      .sh_entsize = type == SHT_DYNSYM ? sizeof(Elf64_Sym) : 0 });
}

/* Each section is the same hole behind everything. */
static void make_holes(Program *p, Elf64_Word name, Elf64_Word type) {
        unsigned strings = p->n;

        add_hole(p, NAME_STRTAB, SHT_STRTAB, 0);
        for (unsigned i = 0; i < p->count; i++)
                add_hole(p, name, type, strings);
        if (ftruncate(p->fd, (off_t) (HOLE + HOLE_SIZE)) < 0)
                err(1, "size");
}

static void write_code(Program *p) {
        size_t size = p->count * FUNCTION_SIZE;
        int32_t back = -(int32_t) (size + 5);
        uint8_t *code = malloc(size + 5);

        if (!code)
                err(1, "code");
        memset(code, 0x90, size);
        code[size] = 0xe9;
        memcpy(code + size + 1, &back, sizeof(back));
        write_at(p, code, size + 5, CODE);
        p->end = CODE + size + 5;
        free(code);
        add_section(p, (Elf64_Shdr) { .sh_name = NAME_TEXT, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                      .sh_addr = BASE + CODE, .sh_offset = CODE, .sh_size = size + 5, .sh_addralign = 16 });
}

static void finish(Program *p) {
        Elf64_Ehdr header = {
                .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_entry = BASE + CODE,
                .e_phoff = sizeof(header), .e_ehsize = sizeof(header), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
                .e_shentsize = sizeof(Elf64_Shdr),
        };
        const Elf64_Phdr load = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = BASE, .p_paddr = BASE,
                                  .p_filesz = p->sections[1].sh_offset + p->sections[1].sh_size,
                                  .p_memsz = p->sections[1].sh_offset + p->sections[1].sh_size, .p_align = 0x1000 };
        uint64_t names = append(p, section_names, sizeof(section_names));

        add_section(p, (Elf64_Shdr) { .sh_name = NAME_STRTAB, .sh_type = SHT_STRTAB, .sh_offset = names,
                                      .sh_size = sizeof(section_names), .sh_addralign = 1 });
        header.e_shnum = (Elf64_Half) p->n;
        header.e_shstrndx = (Elf64_Half) (p->n - 1);
        header.e_shoff = append(p, p->sections, p->n * sizeof(*p->sections));
        write_at(p, &header, sizeof(header), 0);
        write_at(p, &load, sizeof(load), sizeof(header));
}

int main(int argc, char **argv) {
        Program p = { .n = 1 };

        p.count = argc == 4 ? (unsigned) strtoul(argv[3], NULL, 10) : 0;
        if (p.count == 0 || p.count > COUNT_MAX)
                errx(2, "neighbour-elf notes|dynamic|names FILE COUNT");
        p.sections = calloc(p.count + 8, sizeof(*p.sections));
        p.fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
        if (!p.sections || p.fd < 0)
                err(1, "%s", argv[2]);
        write_code(&p);
        if (strcmp(argv[1], "notes") == 0)
                make_holes(&p, NAME_NOTE, SHT_NOTE);
        else if (strcmp(argv[1], "dynamic") == 0)
                make_holes(&p, NAME_DYNSYM, SHT_DYNSYM);
        else
                make_names(&p);
        finish(&p);
        (void) close(p.fd);
        puts("ready");
        (void) fflush(stdout);
        (void) execl(argv[2], argv[2], NULL);
        err(1, "%s", argv[2]);
}

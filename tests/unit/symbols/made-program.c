/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Programs are made by the machine's compiler and binutils, so that they are like real ones. */

#include "made-program.h"

#include <fcntl.h>
#include <inttypes.h>

#include "elf-build-id.h"
#include "fd-file.h"
#include "binary-symbols.h"

const char made_assembly_source[] =
        "__asm__(\".text\\n.globl sizeless\\n.type sizeless, %function\\nsizeless: nop\\n.skip 512\\n\"\n"
        "\".globl worker\\n.hidden worker\\n.type worker, %function\\nworker: .cfi_startproc\\n.skip 64\\n.cfi_endproc\\n\"\n"
        "\".size worker, . - worker\\n.skip 512\\n\"\n"
        "\".globl labelled\\n.type labelled, %function\\nlabelled: nop\\n.skip 32\\nloop: nop\\n.skip 32\\n\"\n"
        "\".size labelled, . - labelled\\n.globl unsized\\n.type unsized, %function\\nunsized: .skip 64\\n\");\n"
        "int main(void) { return 0; }\n";

const char made_source[] =
        "int outer(int n);\n"
        "__attribute__((noinline)) static int inner(int n) { volatile int x = n; return x * 3; }\n"
        "__attribute__((noinline)) int outer(int n) { return inner(n) + 1; }\n"
        "int main(void) { return outer(2) == 7 ? 0 : 1; }\n";

const char made_calls_by_pointer[] =
        "#include <stdio.h>\n"
        "int (*puts_pointer)(const char *), (*getchar_pointer)(void);\n"
        "int main(int n, char **v) {\n"
        "        if (n > 5) { puts_pointer = puts; getchar_pointer = getchar; }\n"
        "        return puts(v[0]) + getchar();\n"
        "}\n";

char *made_program(const char *name, const char *source, const char *flags) {
        _cleanup_free_ char *code = NULL, *path = test_path(name), *output = NULL;

        ck_assert_int_gt(asprintf(&code, "%s.c", path), 0);
        test_write_file(code, source, strlen(source));
        ck_assert_int_eq(chmod(code, 0644), 0); /* as sources are; see source_files_get() */
        output = test_command("cc -O1 -fno-inline %s -o %s %s 2>&1", flags, path, code);
        return output ? steal_ptr(path) : NULL;
}

BuildId made_build_id(const char *path) {
        BuildId id;

        ck_assert_ok(build_id_of_file(AT_FDCWD, path, &id));
        return id;
}

uint64_t made_offset(const char *path, const char *function) {
        _cleanup_free_ char *symbol = test_command("nm %s | awk '$3 == \"%s\" { print $1 }'", path, function);
        _cleanup_free_ char *loads = test_command("readelf -lW %s | awk '$1 == \"LOAD\" { print $2, $3, $6 }'", path);
        uint64_t address, offset, start, size;

        ck_assert(symbol && loads);
        ck_assert_int_eq(sscanf(symbol, "%" SCNx64, &address), 1);
        for (const char *line = loads; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
                if (sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNx64, &offset, &start, &size) == 3 && address >= start &&
                    address - start < size)
                        return address - start + offset;
        ck_abort_msg("no %s in %s", function, path);
}

const char *found_name(const SymbolTable *t, uint64_t address) {
        Symbol s;

        return symbol_table_find(t, address, &s) ? s.name : "";
}

SymbolTable *loaded_symbols(const char *root, const char *path) {
        _cleanup_free_ char *whole = root ? path_join(root, path + 1) : strdup(path);
        _cleanup_close_ int fd = open(whole, O_RDONLY | O_CLOEXEC);
        SymbolTable *t = NULL;

        ck_assert_ok(symbol_table_new(&t));
        ck_assert_ok(binary_symbols_load(&(SymbolSources) { .root = root, .frames = true }, path, fd, t));
        symbol_table_sort(t);
        return t;
}

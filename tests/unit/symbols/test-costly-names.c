/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>

#include "costly-names.h"
#include "made-elf.h"
#include "perfdata-test.h"

#define NAMES (MADE_ELF_DATA + 0x1000)

/* f<a<int, int>, a<X, X>, …>(), in which each X is the previous argument. */
#define BOMB \
        "_Z1fI1aIiiES0_IS1_S1_ES0_IS2_S2_ES0_IS3_S3_ES0_IS4_S4_ES0_IS5_S5_ES0_IS6_S6_ES0_IS7_S7_ES0_IS8_S8_ES0_IS9_S9_E" \
        "S0_ISA_SA_ES0_ISB_SB_ES0_ISC_SC_ES0_ISD_SD_ES0_ISE_SE_ES0_ISF_SF_ES0_ISG_SG_ES0_ISH_SH_ES0_ISI_SI_ES0_ISJ_SJ_E" \
        "S0_ISK_SK_ES0_ISL_SL_ES0_ISM_SM_EEvv"
/* As many references, each to a short part: f(a, a*, a*, …). */
#define HARMLESS "_Z1f1aPS_S0_S0_S0_S0_S0_S0_S0_S0_S0_S0_S0_S0_"
#define SHORT "_Z1f1aIiiES_IS0_S0_E"

/* Finds the costly names of a file with these names, NUL-separated. */
static int try(const char *names, size_t size, const Elf64_Sym *symbols, size_t n, uint32_t type, CostlyNames *c) {
        const MadeSection sections[] = {
                { .name = ".strtab", .type = SHT_STRTAB, .offset = NAMES, .size = size, .data = names },
                { .name = ".symtab", .type = type, .offset = MADE_ELF_DATA, .size = n * sizeof(*symbols), .link = 1,
                  .entry = sizeof(*symbols), .data = symbols },
        };
        _cleanup_free_ char *path = made_elf("names", sections, 2, NAMES + size);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

        ck_assert_int_ge(fd, 0);
        return costly_names_find(c, fd);
}

static void find(const char *names, size_t size, const Elf64_Sym *symbols, size_t n, uint32_t type, CostlyNames *c) {
        ck_assert_ok(try(names, size, symbols, n, type, c));
}

/* A table that takes no space in the file; a reader without limits would take memory for all of it. */
START_TEST(tables_of_nothing) {
        static const size_t bytes[] = { 16 << 20, (size_t) 5 << 30 };

        for (size_t i = 0; i < ELEMENTSOF(bytes); i++) {
                const MadeSection sections[] = {
                        { .name = ".strtab", .type = SHT_STRTAB, .offset = MADE_ELF_DATA, .size = 8, .data = "\0a\0b\0c\0" },
                        { .name = ".symtab", .type = SHT_SYMTAB, .offset = NAMES, .size = bytes[i], .link = 1,
                          .entry = sizeof(Elf64_Sym) },
                };
                _cleanup_free_ char *path = made_elf("sparse", sections, 2, NAMES + bytes[i]);
                _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
                CostlyNames c = {};

                ck_assert_int_ge(fd, 0);
                ck_assert_int_eq(costly_names_find(&c, fd), -E2BIG);
                costly_names_done(&c);
        }
}
END_TEST

START_TEST(only_the_costly) {
        static const char names[] = "\0main\0" BOMB "\0" HARMLESS "\0" SHORT;
        const Elf64_Word bomb = 6, harmless = bomb + sizeof(BOMB), brief = harmless + sizeof(HARMLESS);
        const Elf64_Sym symbols[] = { {}, { .st_name = 1 }, { .st_name = bomb }, { .st_name = harmless }, { .st_name = brief },
                                      { .st_name = 100000 } };

        if (!dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL))
                return;
        ck_assert_str_eq(names + brief, SHORT);
        for (unsigned i = 0; i < 2; i++) {
                CostlyNames c = {};

                find(names, sizeof(names), symbols, ELEMENTSOF(symbols), i == 0 ? SHT_SYMTAB : SHT_DYNSYM, &c);
                ck_assert_uint_eq(c.n, 1);
                ck_assert_uint_eq(c.offsets[0], NAMES + bomb);
                costly_names_done(&c);
        }
}
END_TEST

/* A name above the limit is costly, whatever it is. */
START_TEST(a_name_too_long) {
        const Elf64_Sym symbols[] = { {}, { .st_name = 1 } };
        _cleanup_free_ char *names = calloc(1, 40000);
        CostlyNames c = {};

        memset(names + 1, 'i', 39998);
        memcpy(names + 1, "_Z1f", 4);
        find(names, 40000, symbols, ELEMENTSOF(symbols), SHT_SYMTAB, &c);
        ck_assert_uint_eq(c.n, 1);
        costly_names_done(&c);
}
END_TEST

/* Each byte of a control character is found, once for all symbols that share a name. */
START_TEST(control_characters) {
        static const char names[] = "\0in\033[31mner\0gr\xc3\xb6\xc3\x9f" "e\0a\nb\x7f\xc2\x9b\xe2\x80\xae\xff";
        static const uint64_t expected[] = { 3, 21, 23, 24, 25, 26, 27, 28, 29 };
        const Elf64_Sym symbols[] = { {}, { .st_name = 1 }, { .st_name = 1 }, { .st_name = 12 }, { .st_name = 20 } };
        CostlyNames c = {};

        find(names, sizeof(names), symbols, ELEMENTSOF(symbols), SHT_SYMTAB, &c);
        ck_assert_uint_eq(c.n, ELEMENTSOF(expected));
        for (size_t i = 0; i < ELEMENTSOF(expected); i++)
                ck_assert_uint_eq(c.offsets[i], NAMES + expected[i]);
        costly_names_done(&c);
}
END_TEST

START_TEST(without_time) {
        static const char names[] = "\0" HARMLESS;
        const Elf64_Sym symbols[] = { {}, { .st_name = 1 } };
        CostlyNames c = { .spent_usec = UINT64_C(3600) * 1000000 };

        find(names, sizeof(names), symbols, ELEMENTSOF(symbols), SHT_SYMTAB, &c);
        ck_assert_uint_eq(c.n, 1);
        costly_names_done(&c);
}
END_TEST

START_TEST(of_what_is_no_elf) {
        _cleanup_close_ int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        CostlyNames c = {};

        ck_assert_ok(costly_names_find(&c, fd));
        ck_assert_uint_eq(c.n, 0);
        costly_names_done(&c);
}
END_TEST

TEST_RUN("costly-names", tables_of_nothing, only_the_costly, a_name_too_long, control_characters, without_time, of_what_is_no_elf);

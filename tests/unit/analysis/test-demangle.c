/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <dlfcn.h>
#include <sys/resource.h>

#include "demangle.h"
#include "perfdata-test.h"

static void expect(const char *name, const char *readable) {
        _cleanup_free_ char *s = demangle(name);

        ck_assert_pstr_eq(s, readable);
}

START_TEST(other_names) {
        expect("main", "main");
        expect("", "");
        expect("_Znonsense", "_Znonsense");
}
END_TEST

START_TEST(of_compilers) {
        if (!dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL))
                return;
        expect("_ZN3foo3barEv", "foo::bar()");
        expect("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
}
END_TEST

START_TEST(a_deep_name) {
        static char name[100000] = "_Z1f";

        memset(name + 4, 'P', sizeof(name) - 6);
        name[sizeof(name) - 2] = 'i';
        expect(name, name);
}
END_TEST

/* Each argument is the previous one, twice: "_Z1f1aIiiES_IS0_S0_E…". */
static char *make_bomb(unsigned depth) {
        static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        char *name = strdup("_Z1f1aIiiE");

        for (unsigned i = 0; name && i < depth; i++) {
                _cleanup_free_ char *before = name;

                name = NULL;
                ck_assert_int_gt(asprintf(&name, "%sS_IS%c_S%c_E", before, digits[i], digits[i]), 0);
        }
        return name;
}

START_TEST(names_that_explode) {
        struct rusage before, after;

        ck_assert_int_eq(getrusage(RUSAGE_SELF, &before), 0);
        for (unsigned depth = 12; depth < 36; depth++) {
                _cleanup_free_ char *name = make_bomb(depth);

                expect(name, name);
        }
        ck_assert_int_eq(getrusage(RUSAGE_SELF, &after), 0);
        ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 16 * 1024);
        ck_assert_int_lt(after.ru_utime.tv_sec - before.ru_utime.tv_sec, 2);
        ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &after), 0);
        ck_assert_int_lt(after.ru_maxrss, 256 * 1024); /* most of it is the sanitizers' */
        ck_assert_int_lt(after.ru_utime.tv_sec + after.ru_stime.tv_sec, 10);
}
END_TEST

/* Returns the library's own result. */
static char *by_library(const char *name) {
        void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
        char *(*demangle_name)(const char *, char *, size_t *, int *) = NULL;
        int status;

        if (library)
                *(void **) &demangle_name = dlsym(library, "__cxa_demangle");
        return demangle_name ? demangle_name(name, NULL, NULL, &status) : NULL;
}

/* std::map of std::vector of std::map …, as templates of real programs nest. */
static char *make_long(unsigned depth) {
        char *name = NULL;
        size_t size;
        FILE *f = open_memstream(&name, &size);

        ck_assert_ptr_nonnull(f);
        (void) fputs("_Z1fI", f);
        for (unsigned i = 0; i < depth; i++)
                (void) fputs("St3mapIlSt6vectorI", f);
        (void) fputs("i", f);
        for (unsigned i = 0; i < depth; i++)
                (void) fputs("SaIlEESt4lessIlEE", f);
        (void) fputs("Evv", f);
        ck_assert_int_eq(fclose(f), 0);
        return name;
}

START_TEST(a_long_name) {
        for (unsigned depth = 1; depth <= 64; depth *= 2) {
                _cleanup_free_ char *name = make_long(depth), *readable = by_library(name);

                if (!readable)
                        return;
                expect(name, readable);
                ck_assert(depth < 64 || strlen(readable) > 4096);
        }
}
END_TEST

TEST_RUN("demangle", other_names, of_compilers, a_deep_name, names_that_explode, a_long_name);

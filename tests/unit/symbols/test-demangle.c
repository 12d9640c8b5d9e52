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
        expect("_Rnonsense", "_Rnonsense");
        expect("_RTC", "_RTC");
        expect("_D3", "_D3");
        expect("_DYNAMIC", "_DYNAMIC");
}
END_TEST

START_TEST(of_compilers) {
        static const struct {
                const char *name, *whole, *function;
        } names[] = {
                { "_ZN3foo3barEv", "foo::bar()", "foo::bar" },
                { "_ZN3fooIiE3barIdEET_v", "double foo<int>::bar<double>()", "foo<int>::bar<double>" },
                { "_ZZN3foo3barEvENKUlvE_clEv", "foo::bar()::{lambda()#1}::operator()() const",
                  "foo::bar()::{lambda()#1}::operator()" },
                { "_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()", "(anonymous namespace)::f" },
                { "_ZN3foo3barEv.constprop.0", "foo::bar() [clone .constprop.0]", "foo::bar" },
                { "_ZTv0_n24_N3foo3barEv", "virtual thunk to foo::bar()", "virtual thunk to foo::bar()" },
                { "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write", "core::fmt::write" },
                { "_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo" },
                { "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>", "std::mem::align_of::<f64>" },
                { "_D3std5stdio4File5closeMFNeZv", "std.stdio.File.close()", "std.stdio.File.close" },
                { "_D8demangle4testFaaZv", "demangle.test(char, char)", "demangle.test" },
                { "_Dmain", "D main", "D main" },
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *function = demangle_function(names[i].name);

                expect(names[i].name, names[i].whole);
                ck_assert_pstr_eq(function, names[i].function);
        }
}
END_TEST

/* As perf shows them, and its own test of Java. */
START_TEST(of_other_compilers) {
        static const char *const names[][2] = {
                { "camlStdlib__List__map_154", "Stdlib.List.map_154" },
                { "camlStdlib.List.iter_9", "Stdlib.List.iter_9" },
                { "camlFoo__$2b$2B_12", "Foo.++_12" },
                { "camlFoo__x$y__$zz", "Foo.x$y.$zz" },
                { "camlFoo__$", "Foo.$" },
                { "camlFoo__$00", "Foo.?" },
                { "caml_alloc", "caml_alloc" },
                { "camlfoo_bar", "camlfoo_bar" },
                { "caml", "caml" },
                { "Lcom/example/Main;hot(I)V", "com.example.Main.hot(int)" },
                { "Ljava/lang/StringLatin1;equals([B[B)Z", "java.lang.StringLatin1.equals(byte[], byte[])" },
                { "Ljava/util/HashMap;put(Ljava/lang/Object;[[IJ)Ljava/lang/Object;",
                  "java.util.HashMap.put(java.lang.Object, int[][], long)" },
                { "La/B;<init>(ZBCSIJFD)V", "a.B<init>(boolean, byte, char, short, int, long, float, double)" },
                { "La/B$C;f(LX;LY/Z;)[I", "a.B$C.f(X, Y.Z)" },
                { "Lfoo;x()V", "foo.x()" },
                { "Lfoo;x()", "Lfoo;x()" },
                { "Lfoo;x()VV", "Lfoo;x()VV" },
                { "Lfoo;x(Q)V", "Lfoo;x(Q)V" },
                { "Lfoo;x([)V", "Lfoo;x([)V" },
                { "Lfoo;x(LX)V", "Lfoo;x(LX)V" },
                { "Lfoo;x(", "Lfoo;x(" },
                { "Lfoo;(I)V", "Lfoo;(I)V" },
                { "L;x()V", "L;x()V" },
                { "Lua_call", "Lua_call" },
                { "plain(I)V", "plain(I)V" },
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *function = demangle_function(names[i][0]);

                expect(names[i][0], names[i][1]);
                ck_assert_pstr_eq(function, names[i][1]);
        }
}
END_TEST

START_TEST(of_stubs_and_versions) {
        expect("_ZN3foo3barEv@plt", "foo::bar()@plt");
        expect("camlFoo__x_1@plt", "Foo.x_1@plt");
        expect("_ZN3foo3barEv@@V2", "foo::bar()@@V2");
        expect("memcpy@GLIBC_2.2.5", "memcpy@GLIBC_2.2.5");
        expect("puts@plt", "puts@plt");
        expect("@plt", "@plt");
}
END_TEST

START_TEST(raw_names) {
        demangle_set_raw(true);
        expect("_ZN3foo3barEv", "_ZN3foo3barEv");
        expect("camlFoo__x_1@plt", "camlFoo__x_1@plt");
        demangle_set_raw(false);
        expect("_ZN3foo3barEv", "foo::bar()");
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

static void put_reference(FILE *f, long place) {
        static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        long n = place - 1; /* "B_" is 0 */

        (void) fputc('B', f);
        if (n >= 62)
                (void) fputc(digits[n / 62], f);
        (void) fputc(digits[n % 62], f);
        (void) fputc('_', f);
}

/* Each argument is a pair of the previous one, twice. Places count from behind "_R". */
static char *make_rust_bomb(unsigned depth) {
        char *name = NULL;
        size_t size;
        FILE *f = open_memstream(&name, &size);
        long before = (long) strlen("INvC1a1b");

        ck_assert_ptr_nonnull(f);
        (void) fputs("_RINvC1a1bTaaE", f);
        for (unsigned i = 0; i < depth; i++) {
                long place = ftell(f) - 2;

                (void) fputc('T', f);
                put_reference(f, before);
                put_reference(f, before);
                (void) fputc('E', f);
                before = place;
        }
        (void) fputc('E', f);
        ck_assert_int_eq(fclose(f), 0);
        return name;
}

START_TEST(names_of_rust_that_explode) {
        _cleanup_free_ char *small = make_rust_bomb(1);

        expect(small, "a::b::<(i8, i8), ((i8, i8), (i8, i8))>");
        for (unsigned depth = 12; depth < 36; depth += 4) {
                _cleanup_free_ char *name = make_rust_bomb(depth);

                expect(name, name);
        }
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

TEST_RUN("demangle", other_names, of_compilers, of_other_compilers, of_stubs_and_versions, raw_names, a_deep_name, names_that_explode,
         names_of_rust_that_explode, a_long_name);

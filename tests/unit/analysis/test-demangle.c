/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <dlfcn.h>

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

TEST_RUN("demangle", other_names, of_compilers, a_deep_name);

/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "cleanup.h"
#include "function-name.h"

START_TEST(test_cut) {
        static const struct {
                const char *name, *cut;
        } cases[] = {
                { "f()", "f" },
                { "a::f(int, std::vector<int>&)", "a::f" },
                { "a::f(void (*)(int)) const", "a::f" },
                { "a::f() volatile &&", "a::f" },
                { "void a::f<int>(int)", "a::f<int>" },
                { "std::vector<int> a::f<int, long>(int)", "a::f<int, long>" },
                { "a::operator()(int) const", "a::operator()" },
                { "a::operator<<(int)", "a::operator<<" },
                { "operator new(unsigned long)", "operator new" },
                { "a::operator unsigned long() const", "a::operator unsigned long" },
                { "(anonymous namespace)::f(int)", "(anonymous namespace)::f" },
                { "a::f(int)::{lambda(int)#1}::operator()(int) const", "a::f(int)::{lambda(int)#1}::operator()" },
                { "core::fmt::write", "core::fmt::write" },
                { "vtable for a", "vtable for a" },
                { "f)", "f)" },
                { "()", "()" },
                { "", "" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *name = strdup(cases[i].name);

                function_name_cut(name);
                ck_assert_str_eq(name, cases[i].cut);
        }
}
END_TEST

CHECK_MAIN("function-name", test_cut);

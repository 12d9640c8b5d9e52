/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The parameters are the last parentheses; what is before the last blank outside of brackets is the type that the function
 * returns, which demanglers show for templates. Names of operators have any of these characters. */

#include "function-name.h"

#include "cleanup.h"

static bool function_ends_with(const char *s, size_t n, const char *end) {
        size_t k = strlen(end);

        return n >= k && memcmp(s + n - k, end, k) == 0;
}

/* Returns the length without qualifiers behind the parameters: " const", " &" and the like. */
static size_t without_qualifiers(const char *name, size_t n) {
        static const char *const qualifiers[] = { " const", " volatile", " &", " &&" };
        bool found = true;

        while (found) {
                found = false;
                for (size_t i = 0; !found && i < ELEMENTSOF(qualifiers); i++)
                        if (function_ends_with(name, n, qualifiers[i])) {
                                n -= strlen(qualifiers[i]);
                                found = true;
                        }
        }
        return n;
}

/* Returns the place of the parenthesis that opens the parameters; n: there are none. */
static size_t find_parameters(const char *name, size_t n) {
        size_t depth = 0;

        if (n == 0 || name[n - 1] != ')')
                return n;
        for (size_t i = n; i > 0; i--) {
                depth += name[i - 1] == ')';
                depth -= name[i - 1] == '(';
                if (depth == 0)
                        return i - 1;
        }
        return n;
}

static bool begins_operator(const char *name, size_t i) {
        char before = i > 0 ? name[i - 1] : ' ';

        return startswith(name + i, "operator") && (before == ' ' || before == ':');
}

/* Returns where the name begins, behind the type that is returned. */
static size_t function_find_name(const char *name, size_t n) {
        size_t depth = 0, begin = 0;

        for (size_t i = 0; i < n; i++) {
                if (depth == 0 && begins_operator(name, i))
                        return begin;
                if (strchr("(<[{", name[i]))
                        depth++;
                else if (strchr(")>]}", name[i]) && depth > 0)
                        depth--;
                else if (name[i] == ' ' && depth == 0)
                        begin = i + 1;
        }
        return begin;
}

void function_name_cut(char *name) {
        size_t end = find_parameters(name, without_qualifiers(name, strlen(name))), begin;

        if (name[end] == '\0' || end == 0 || function_ends_with(name, end, "operator"))
                return;
        begin = function_find_name(name, end);
        memmove(name, name + begin, end - begin);
        name[end - begin] = '\0';
}

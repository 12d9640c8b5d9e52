/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The compiler of OCaml puts "caml" before the name of a module, which begins with a capital letter, "__" (since 5.1 ".") between
 * names, and "$xx" in hexadecimal for characters that assemblers do not take. Functions of its runtime, in C, are "caml_…". */

#include "demangle-parts.h"

#include <ctype.h>

#include "cleanup.h"

#define PREFIX "caml"

static unsigned hex_value(char c) {
        return c >= '0' && c <= '9' ? (unsigned) (c - '0') : (unsigned) ((c | 0x20) - 'a' + 10);
}

char *demangle_ocaml(const char *name) {
        const char *at = name + strlen(PREFIX);
        char *readable, *to;

        if (!startswith(name, PREFIX) || *at < 'A' || *at > 'Z')
                return NULL;
        readable = to = calloc(1, strlen(at) + 1);
        if (!readable)
                return NULL;
        while (*at)
                if (at[0] == '_' && at[1] == '_') {
                        *to++ = '.';
                        at += 2;
                } else if (at[0] == '$' && isxdigit((unsigned char) at[1]) && isxdigit((unsigned char) at[2])) {
                        char c = (char) (hex_value(at[1]) << 4 | hex_value(at[2]));

                        *to++ = c ? c : '?';
                        at += 3;
                } else
                        *to++ = *at++;
        *to = '\0';
        return readable;
}

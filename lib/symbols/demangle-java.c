/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The Java virtual machine writes a method as "LCLASS;NAME(PARAMETERS)TYPE" (chapter 4.3 of its specification). The type that is
 * returned is left out, and "<init>" follows its class without a dot, as in perf. */

#include "demangle-parts.h"

#include <ctype.h>

#include "byte-buffer.h"
#include "cleanup.h"

static const char *base_type(char c) {
        switch (c) {
        case 'B':
                return "byte";
        case 'C':
                return "char";
        case 'D':
                return "double";
        case 'F':
                return "float";
        case 'I':
                return "int";
        case 'J':
                return "long";
        case 'S':
                return "short";
        case 'V':
                return "void";
        case 'Z':
                return "boolean";
        default:
                return NULL;
        }
}

static void java_put_text(ByteBuffer *b, const char *text) {
        byte_buffer_put(b, text, strlen(text));
}

/* Puts "java.util.HashMap" for "Ljava/util/HashMap;". Returns what is behind it; NULL: that is no class. */
static const char *put_class(ByteBuffer *b, const char *at) {
        const char *end = *at == 'L' ? strpbrk(at, ";(") : NULL;

        if (!end || *end != ';' || end == at + 1)
                return NULL;
        for (at++; at < end; at++)
                byte_buffer_put(b, *at == '/' ? "." : at, 1);
        return end + 1;
}

/* Returns what is behind the type; NULL: that is none. */
static const char *java_put_type(ByteBuffer *b, const char *at) {
        const char *element = at + strspn(at, "["), *name = base_type(*element), *end;

        if (name) {
                java_put_text(b, name);
                end = element + 1;
        } else
                end = put_class(b, element);
        for (; end && at < element; at++)
                java_put_text(b, "[]");
        return end;
}

static const char *put_parameters(ByteBuffer *b, const char *at) {
        const char *first = at;

        java_put_text(b, "(");
        while (at && *at != ')') {
                if (at > first)
                        java_put_text(b, ", ");
                at = java_put_type(b, at);
        }
        java_put_text(b, ")");
        return at ? at + 1 : NULL;
}

char *demangle_java(const char *name) {
        _cleanup_(byte_buffer_done) ByteBuffer b = {}, returned = {};
        const char *at = put_class(&b, name), *parameters = at ? strchr(at, '(') : NULL;

        if (!parameters || parameters == at)
                return NULL;
        if (isalpha((unsigned char) *at))
                java_put_text(&b, ".");
        byte_buffer_put(&b, at, (size_t) (parameters - at));
        at = put_parameters(&b, parameters + 1);
        at = at ? java_put_type(&returned, at) : NULL;
        if (!at || *at)
                return NULL;
        byte_buffer_put(&b, "", 1);
        return b.error < 0 ? NULL : (char *) steal_ptr(b.data);
}

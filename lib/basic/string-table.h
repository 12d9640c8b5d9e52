/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The names of an enum whose values count up from 0: an array of as many strings. */

/* NULL for a value that is none of the enum's. */
static inline const char *string_table_name(const char *const *table, size_t n, int value) {
        return value >= 0 && (size_t) value < n ? table[value] : NULL;
}

/* The value, or -EINVAL; s may be NULL. */
static inline int string_table_value(const char *const *table, size_t n, const char *s) {
        for (size_t i = 0; s && i < n; i++)
                if (streq(table[i], s))
                        return (int) i;
        return -EINVAL;
}

/* Define NAME_to_string() or NAME_from_string() of the enum over the array NAME_table, or both. */
#define DEFINE_STRING_TABLE(name, type)                                                  \
        DEFINE_TO_STRING(name, type);                                                    \
        DEFINE_FROM_STRING(name, type)
#define DEFINE_TO_STRING(name, type)                                                     \
        const char *name##_to_string(type value) {                                       \
                return string_table_name(name##_table, ELEMENTSOF(name##_table), value); \
        }                                                                                \
        struct string_table_needs_a_semicolon_##name
#define DEFINE_FROM_STRING(name, type)                                                   \
        type name##_from_string(const char *s) {                                         \
                return string_table_value(name##_table, ELEMENTSOF(name##_table), s);    \
        }                                                                                \
        struct string_table_needs_a_semicolon_##name

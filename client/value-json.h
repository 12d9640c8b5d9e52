/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "value.h"

typedef enum JsonMode {
        JSON_OFF,
        JSON_SHORT,  /* one line */
        JSON_PRETTY, /* indented, for people */
        _JSON_MODE_MAX,
        _JSON_MODE_INVALID = -EINVAL,
} JsonMode;

const char *json_mode_to_string(JsonMode mode);
JsonMode json_mode_from_string(const char *s);

/* The value in JSON without a newline at its end: a new string. -ENOMEM. */
int value_to_json(const Value *v, JsonMode mode, char **ret);

/* Prints it and a newline on standard output. 0 or a negative errno. */
int value_print_json(const Value *v, JsonMode mode);

/* The same of rows whose items get names, value_name_rows(). */
int value_print_rows_json(const Value *rows, const char *const *keys, JsonMode mode);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json.h"
#include "lendings.h"

/* The times of which a dump lacks samples, because counters were lent: the property Lent of a dump, an array of [first, last, what,
 * who], with times in µs since the epoch; last is 0 if it was not over. */

/* Reads them from the facts of a file. -ENODATA: it has none. */
int dump_lendings_read(int fd, json_object **ret);

/* Adds those of a property to the list. What is not understood is left out. 0 or -ENOMEM. */
int dump_lendings_add(const json_object *rows, Lendings *l);

/* Makes an array of objects, for JSON. */
int dump_lendings_to_json(const json_object *rows, json_object **ret);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json.h"

/* The facts in a recording's extended attributes (perf-recorder/dump-facts.h), under the names of the properties on the bus,
 * so that a copy of a dump shows the same. Missing facts are left out; a file without attributes has Path, Size and the time
 * of its last change. 0, -ENOMEM, or the error of fstat(2). */
int dump_file_facts(int fd, const char *path, json_object **ret);

/* Opens a recording for reading, without waiting. Returns a descriptor or a negative errno; -EISDIR, -EBADFD: not a regular
 * file. */
int dump_file_open(const char *path);

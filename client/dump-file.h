/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json.h"


/* What a recording says of itself in its extended attributes (perf-recorder/dump-facts.h), under the names that the
 * properties on the bus have, so that a copy somewhere shows what the dump did. What is missing is left out; a file
 * without any is just that, with Path, Size and the time of its last change. 0, -ENOMEM, what fstat(2) answers. */
int dump_file_facts(int fd, const char *path, json_object **ret);

/* Opens a recording for reading, however it came here: a regular file or what can be read like one. Never waits. */
int dump_file_open(const char *path); /* descriptor or negative errno; -EISDIR */

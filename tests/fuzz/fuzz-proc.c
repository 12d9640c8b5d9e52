/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Texts of /proc, in which anybody chooses names of processes and paths of mappings. */

#include "fuzz.h"
#include "process-maps.h"
#include "process.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *stat = strndup((const char *) data, size), *line = strndup((const char *) data, size);
        ProcessMap map;
        Process p;

        FUZZ_ASSERT(stat && line);
        if (process_parse_stat(stat, &p) >= 0)
                FUZZ_ASSERT(memchr(p.comm, 0, sizeof(p.comm)));
        if (process_map_parse(line, &map) >= 0)
                FUZZ_ASSERT(map.path >= line && map.path <= line + strlen(line));
        return 0;
}

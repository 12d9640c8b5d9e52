/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as a file with DWARF, read in this process: what is answered is about the addresses that were asked for. */

#include <sys/mman.h>

#include "debug-reader.h"
#include "fd-file.h"
#include "fuzz.h"
#include "source-lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const uint64_t addresses[] = { 0x401000, 0x401004, 0x401008, 0x40100c, 0x401010, 0x401014, 0x401018, 0x402000, UINT64_MAX };
        _cleanup_close_ int fd = memfd_create("fuzz", MFD_CLOEXEC);
        _cleanup_(source_lines_done) SourceLines s = {};
        SourcePlace places[ELEMENTSOF(addresses)] = {};
        const ModuleMemory memory = { .start = 0x401000, .size = 0x2000 };
        _cleanup_free_ char *text = NULL;
        size_t n = 0;
        FILE *f = open_memstream(&text, &n), *answers;
        int r;

        FUZZ_ASSERT(fd >= 0 && f && write_all(fd, data, size) == 0);
        r = debug_reader_run(fd, &memory, addresses, ELEMENTSOF(addresses), true, f);
        FUZZ_ASSERT(fclose(f) == 0 && r != -EIO);
        answers = n > 0 ? fmemopen(text, n, "r") : NULL;
        if (!answers)
                return 0;
        FUZZ_ASSERT(source_lines_take(&s, answers, ELEMENTSOF(addresses), places) == (r < 0 ? -EBADMSG : 0));
        FUZZ_ASSERT(fclose(answers) == 0);
        return 0;
}

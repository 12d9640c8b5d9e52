/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as machine code, of each machine: instructions follow each other without gaps, and their words have no control characters. */

#include <elf.h>

#include "disassembly.h"
#include "fuzz.h"

static void check_words(const char *words) {
        for (; *words; words++)
                FUZZ_ASSERT(*words >= ' ' && *words < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const unsigned machines[] = { EM_X86_64, EM_386, EM_AARCH64 };

        for (size_t i = 0; i < ELEMENTSOF(machines); i++) {
                _cleanup_(disassembly_done) Disassembly d = {};
                uint64_t address = 0x1000;

                FUZZ_ASSERT(disassembly_init(&d, machines[i], size % 2 > 0 ? DISASSEMBLY_INTEL : DISASSEMBLY_ATT, data, size, address) ==
                            (size > DISASSEMBLY_CODE_MAX ? -EFBIG : 0));
                for (size_t k = 0; k < d.n; k++) {
                        FUZZ_ASSERT(d.instructions[k].address == address && d.instructions[k].size > 0);
                        address += d.instructions[k].size;
                        check_words(d.instructions[k].mnemonic);
                        check_words(d.instructions[k].operands);
                }
                FUZZ_ASSERT(address <= 0x1000 + size && (machines[i] == EM_AARCH64 || d.n == 0 || address == 0x1000 + size));
        }
        return 0;
}

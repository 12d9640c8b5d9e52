/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf shows call chains that are cut off, or lost on the way, as if they were whole. */

#include "unwound-remark.h"

#include <inttypes.h>
#include <stdio.h>

#include "utf8.h"

#define NAME_MAX_BYTES ((size_t) 4096)

const char *unwound_word(UnwindEnd end) {
        static const char *const words[UNWIND_END_MAX] = {
                [UNWIND_WHOLE] = "whole", [UNWIND_CUT] = "cut", [UNWIND_DEEP] = "deep", [UNWIND_LOST] = "lost",
                [UNWIND_MISSING] = "missing", [UNWIND_FOREIGN] = "foreign",
        };

        return end < UNWIND_END_MAX ? words[end] : "";
}

const char *unwound_reason(UnwindEnd end) {
        static const char *const reasons[UNWIND_END_MAX] = {
                [UNWIND_WHOLE] = "", [UNWIND_CUT] = "the copy of the stack ends", [UNWIND_DEEP] = "127 addresses in user space",
                [UNWIND_LOST] = "it is not known how the code returns",
                [UNWIND_MISSING] = "addresses in user space were not recorded",
                [UNWIND_FOREIGN] = "stacks are followed of 64-bit programs on x86-64 only",
        };

        return end < UNWIND_END_MAX ? reasons[end] : "";
}

void unwound_remark(const char *recording, const char *event, const uint64_t n[static UNWIND_END_MAX]) {
        static const char *const reasons[UNWIND_END_MAX] = {
                [UNWIND_CUT] = "are cut off where the copy of the stack ends",
                [UNWIND_DEEP] = "are cut off at 127 addresses in user space",
                [UNWIND_LOST] = "end where it is not known how the code returns",
                [UNWIND_MISSING] = "have no addresses in user space: the kernel puts them off, and they were not recorded",
                [UNWIND_FOREIGN] = "have no callers in user space: stacks are followed of 64-bit programs on x86-64 only",
        };
        _cleanup_free_ char *shown = utf8_line(event, SIZE_MAX, NAME_MAX_BYTES);
        uint64_t all = 0;

        for (size_t i = 0; i < UNWIND_END_MAX; i++)
                all += n[i];
        for (size_t i = 0; i < UNWIND_END_MAX; i++)
                if (reasons[i] && n[i] > 0)
                        (void) fprintf(stderr, "%s: %" PRIu64 " of %" PRIu64 " call chains of %s %s\n", recording, n[i], all,
                                       shown ?: "?", reasons[i]);
}

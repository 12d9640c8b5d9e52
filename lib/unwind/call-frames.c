/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The tables of a binary, in the order in which they are asked. A rule is for the addresses for which those that were asked before
 * have none.
 *
 * Invariant: all rules of one binary together take a limited number of steps. Beyond it there are none. Honest functions have some
 * ten instructions, and each row is asked for once. */

#include "call-frames.h"

#include "frame-row.h"

#define STEPS_MAX (UINT64_C(1) << 28) /* about a second */

enum { SECTION_EH, SECTION_DEBUG, SECTION_MAX };

struct CallFrames {
        FrameSection sections[SECTION_MAX];
        uint64_t steps; /* that are left */
};

CallFrames *call_frames_free(CallFrames *f) {
        if (!f)
                return NULL;
        for (size_t i = 0; i < SECTION_MAX; i++)
                frame_section_done(f->sections + i);
        free(f);
        return NULL;
}

int call_frames_new(ElfImage *e, CallFrames **ret) {
        _cleanup_call_frames_free_ CallFrames *f = calloc(1, sizeof(*f));
        int n = 0;

        if (!f)
                return -ENOMEM;
        if (e->header.e_machine != EM_X86_64 || e->header.e_ident[EI_CLASS] != ELFCLASS64 ||
            e->header.e_ident[EI_DATA] != ELFDATA2LSB)
                return -ENODATA;
        f->steps = STEPS_MAX;
        for (size_t i = 0; i < SECTION_MAX; i++) {
                int r = frame_section_open(f->sections + i, e, i == SECTION_EH);

                if (r < 0)
                        return r;
                n += r;
        }
        if (n == 0)
                return -ENODATA;
        *ret = steal_ptr(f);
        return 0;
}

int call_frames_find(CallFrames *f, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        uint64_t start = 0, end = UINT64_MAX;
        FrameEntry entry;
        int r = 0;

        *ret = (UnwindRule) {};
        for (size_t i = 0; r == 0 && f->steps > 0 && i < SECTION_MAX; i++) {
                if (!f->sections[i].section.data)
                        continue;
                if (frame_section_find(f->sections + i, address, &entry))
                        r = frame_row_find(&entry, address, &f->steps, ret, ret_frame);
                else
                        *ret = (UnwindRule) { .start = entry.start, .end = entry.end };
                start = MAX_OF(start, ret->start);
                end = MIN_OF(end, ret->end);
        }
        ret->start = start;
        ret->end = end;
        return r;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Call frame information has addresses as linked, while maps lead to offsets in the file: the segments translate them. Segments
 * may share the pages at their borders: code is in the one that is executed. */

#include "file-rules.h"

void file_rules_done(FileRules *f) {
        call_frames_free(f->frames);
        call_frames_free(f->separate);
        free(f->loads);
        *f = (FileRules) {};
}

int file_rules_take(FileRules *f, ElfImage *e, ElfImage *separate) {
        int r = call_frames_new(e, &f->frames);

        if (r != -ENOMEM && separate)
                r = call_frames_new(separate, &f->separate);
        if (r == -ENOMEM)
                return r;
        if (!f->frames && !f->separate)
                return -ENODATA;
        f->loads = steal_ptr(e->loads);
        f->n_loads = e->n_loads;
        e->n_loads = 0;
        return 0;
}

int file_rules_find(const FileRules *f, uint64_t offset, UnwindRule *ret, UnwindFrame *ret_frame) {
        const GElf_Phdr *load = elf_code_segment(f->loads, f->n_loads, offset);
        uint64_t address, start, end;
        CallFrames *const frames[] = { f->frames, f->separate };
        int r = 0;

        *ret = (UnwindRule) { .start = offset, .end = offset + 1 };
        if (!f->frames && !f->separate)
                *ret = (UnwindRule) { .end = UINT64_MAX };
        if (!load)
                return 0;
        address = offset - load->p_offset + load->p_vaddr;
        start = load->p_vaddr;
        end = load->p_vaddr + load->p_filesz;
        for (size_t i = 0; r == 0 && i < ELEMENTSOF(frames); i++) {
                if (!frames[i])
                        continue;
                r = call_frames_find(frames[i], address, ret, ret_frame);
                start = MAX_OF(start, ret->start);
                end = MIN_OF(end, ret->end);
        }
        ret->start = start - load->p_vaddr + load->p_offset;
        ret->end = end - load->p_vaddr + load->p_offset;
        return r;
}

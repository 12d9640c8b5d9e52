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

static bool file_rules_address(const FileRules *f, uint64_t offset, uint64_t *ret) {
        for (size_t i = 0; i < f->n_loads; i++) {
                const GElf_Phdr *p = f->loads + i;

                if (p->p_flags & PF_X && offset >= p->p_offset && offset - p->p_offset < p->p_filesz) {
                        *ret = offset - p->p_offset + p->p_vaddr;
                        return true;
                }
        }
        return false;
}

int file_rules_find(const FileRules *f, uint64_t offset, UnwindRule *ret, UnwindFrame *ret_frame) {
        uint64_t address;
        int r = 0;

        if (!file_rules_address(f, offset, &address))
                return 0;
        if (f->frames)
                r = call_frames_find(f->frames, address, ret, ret_frame);
        if (r == 0 && f->separate)
                r = call_frames_find(f->separate, address, ret, ret_frame);
        return r;
}

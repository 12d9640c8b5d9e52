/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-frames.h"

/* The rules of one binary, by offsets in the file, as maps have them. Zero-initialise. */
typedef struct FileRules {
        CallFrames *frames;   /* NULL: none */
        CallFrames *separate; /* of the file of debug symbols, for what the first does not have */
        GElf_Phdr *loads;
        size_t n_loads;
} FileRules;

void file_rules_done(FileRules *f);

/* Takes those of a binary, and those of its separate file unless that is NULL. -ENODATA: there are none; -ENOMEM and errors of
 * call_frames_new(). */
int file_rules_take(FileRules *f, ElfImage *e, ElfImage *separate);

/* Finds the rule of the code at that offset. ret_frame->operations are the caller's. 1; 0: there is none from ret->start to
 * ret->end, which are offsets too; -ENOMEM. */
int file_rules_find(const FileRules *f, uint64_t offset, UnwindRule *ret, UnwindFrame *ret_frame);

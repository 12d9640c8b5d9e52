/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"
#include "unwind-rule.h"

/* The call frame information of a binary: .eh_frame, and .debug_frame of the binary or of its separate file, for code that the
 * first does not have. */
typedef struct CallFrames CallFrames;

/* Copies what it needs of the image. -ENODATA: there is no such information, or not for x86-64; -ENOMEM. */
int call_frames_new(ElfImage *e, CallFrames **ret);
CallFrames *call_frames_free(CallFrames *f);
DEFINE_CLEANUP(CallFrames *, call_frames_free);
#define _cleanup_call_frames_free_ _cleanup_(call_frames_freep)

/* Finds the rule at an address; addresses are as linked. ret_frame->operations are the caller's. 1; 0: there is none from
 * ret->start to ret->end; -ENOMEM. */
int call_frames_find(CallFrames *f, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame);

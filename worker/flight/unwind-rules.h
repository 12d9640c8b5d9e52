/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "parse-time.h"
#include "unwind-rule.h"

/* The unwinding rules of the binaries that processes have mapped, as another process without rights reads them:
 * $PERF_RECORDER_VIEW, or the package's. */
typedef struct UnwindRules UnwindRules;

/* root: the prefix of /proc and of the machine's own files; "" for the real ones. 0, -ENOMEM, or an error of
 * pthread_create(3). */
int unwind_rules_new(const char *root, UnwindRules **ret);
UnwindRules *unwind_rules_free(UnwindRules *u);
DEFINE_CLEANUP(UnwindRules *, unwind_rules_free);

/* Begins a round of questions, whose answers may be waited for so long in all. */
void unwind_rules_begin_round(UnwindRules *u, usec_t time);

/* Finds the rule of the code at an address, an offset in the file, of the binary that has that number. ret_frame->operations are
 * the caller's. 0; -EAGAIN: it is not known yet, ask again later; -ENOMEM. */
int unwind_rules_find(UnwindRules *u, uint32_t dso, const DsoHit *hit, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame);

/* Forgets which binary a number stands for. */
void unwind_rules_forget(UnwindRules *u);

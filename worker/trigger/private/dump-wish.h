/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "trigger.h"

/* What a dump is to have. */
typedef struct DumpWish {
        DumpContent content;
        bool automatic, requested;
        usec_t since, until;
} DumpWish;

DumpWish dump_wish_of(const Trigger *trigger, bool overlap); /* overlap: automatic dumps have all that is in memory */

/* Whether one dump can be both. */
bool dump_wishes_agree(const DumpWish *a, const DumpWish *b);
void dump_wish_add(DumpWish *to, const DumpWish *w); /* that agree */

/* Whether a dump that was begun has all that is wished, and counts as that. */
bool dump_wish_covers(const DumpWish *begun, const DumpWish *w);

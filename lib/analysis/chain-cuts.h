/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "sample-table.h"

/* Parts of call chains that a report leaves out; see sample_table_replace_places() for when to call these. */

/* Leaves out the places whose function is not known. 0, -ENOMEM. */
int chain_cuts_unresolved(SampleTable *t, const PlaceNames *names);

/* Forgets what functions called whose names match an extended regular expression. 0, -ENOMEM, -EINVAL (no expression). */
int chain_cuts_callees(SampleTable *t, const PlaceNames *names, const char *pattern);

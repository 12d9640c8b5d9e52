/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-catalog.h"
#include "loop.h"

/* Notices BPF programs when they are loaded, so that the file also has those that are unloaded before its end. */
typedef struct BpfWatch BpfWatch;

/* Updates the catalog, which must outlive it. root: the prefix of "/sys", "" for the real one. *ret is NULL if the
 * process may not read programs or open the events. 0 or -ENOMEM. */
int bpf_watch_new(Loop *loop, BpfCatalog *catalog, const char *root, BpfWatch **ret);
BpfWatch *bpf_watch_free(BpfWatch *w); /* before its loop */
DEFINE_CLEANUP(BpfWatch *, bpf_watch_free);

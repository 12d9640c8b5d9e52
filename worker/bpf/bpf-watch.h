/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-catalog.h"
#include "loop.h"

/* Hears of BPF programs as they are loaded, so that those which have gone at the end are in the file all the same. */
typedef struct BpfWatch BpfWatch;

/* Updates the catalog, which must outlive it. root: before "/sys", "" for the real one. *ret is NULL where programs are
 * not ours to know or to hear of. 0 or -ENOMEM. */
int bpf_watch_new(Loop *loop, BpfCatalog *catalog, const char *root, BpfWatch **ret);
BpfWatch *bpf_watch_free(BpfWatch *w); /* before its loop */
DEFINE_CLEANUP(BpfWatch *, bpf_watch_free);

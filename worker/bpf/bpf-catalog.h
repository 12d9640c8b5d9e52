/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-program.h"
#include "feature.h"

/* Every BPF program that was loaded at any time of the recording, as far as it could be looked at. */
typedef struct BpfCatalog BpfCatalog;

int bpf_catalog_new(BpfCatalog **ret);
BpfCatalog *bpf_catalog_free(BpfCatalog *c);
DEFINE_CLEANUP(BpfCatalog *, bpf_catalog_free);

/* Looks at what is loaded now; what is known already costs one call each. What can't be known is left out. 0 or -ENOMEM. */
int bpf_catalog_update(BpfCatalog *c);

/* Each program that the last update saw, in the order of their numbers; types may be NULL. */
typedef int (*BpfProgramHandler)(void *userdata, const BpfProgram *p, const BpfTypes *types);
int bpf_catalog_each(const BpfCatalog *c, BpfProgramHandler handler, void *userdata);

/* BPF_PROG_INFO and BPF_BTF, of all that was ever seen; perf has both in every file. */
int bpf_catalog_add_features(const BpfCatalog *c, FeatureTable *t);
size_t bpf_catalog_size(const BpfCatalog *c); /* bytes of both */

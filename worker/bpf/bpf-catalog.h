/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-program.h"
#include "feature.h"

/* All BPF programs that were loaded at any time of the recording, as far as the kernel let the recorder read them. */
typedef struct BpfCatalog BpfCatalog;

int bpf_catalog_new(BpfCatalog **ret);
BpfCatalog *bpf_catalog_free(BpfCatalog *c);
DEFINE_CLEANUP(BpfCatalog *, bpf_catalog_free);

/* Adds the programs that are loaded now; one that is known already costs one system call. Programs that can't be read
 * are left out. 0 or -ENOMEM. */
int bpf_catalog_update(BpfCatalog *c);

/* Calls handler for each program that the last update saw, in the order of their ids; types may be NULL. */
typedef int (*BpfProgramHandler)(void *userdata, const BpfProgram *p, const BpfTypes *types);
int bpf_catalog_each(const BpfCatalog *c, BpfProgramHandler handler, void *userdata);

/* Adds BPF_PROG_INFO and BPF_BTF, with all programs that were ever seen; perf has both in every file. */
int bpf_catalog_add_features(const BpfCatalog *c, FeatureTable *t);
size_t bpf_catalog_size(const BpfCatalog *c); /* bytes of both */

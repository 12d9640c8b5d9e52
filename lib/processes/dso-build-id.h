/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-source.h"

/* The build id of what was mapped: one that came with it, else from the kernel's notes, a module's, or the file, wherever
 * that is found. 0; -ENODATA and others: there is none to be had; -ENOMEM. */
int dso_build_id_read(DsoSearch *search, const DsoHit *d, BuildId *ret);

/* The same for those that are asked for again and again: each binary is read once. */
typedef struct BuildIdCache BuildIdCache;

int build_id_cache_new(const char *root, BuildIdCache **ret);
BuildIdCache *build_id_cache_free(BuildIdCache *c);
DEFINE_CLEANUP(BuildIdCache *, build_id_cache_free);

/* 0, also where there is none (size 0); -ENOMEM. */
int build_id_cache_get(BuildIdCache *c, const DsoHit *d, BuildId *ret);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* The build id of what was mapped: one that came with it, else from the kernel's notes, a module's, or the file if it is
 * still the one that was mapped, here or below the process's own root. root as in feature-machine.h, never NULL. 0;
 * -ENODATA and others: there is none to be had; -ENOMEM. */
int dso_build_id_read(const char *root, const DsoHit *d, BuildId *ret);

/* The same for those that are asked for again and again: each binary is read once. */
typedef struct BuildIdCache BuildIdCache;

int build_id_cache_new(const char *root, BuildIdCache **ret);
BuildIdCache *build_id_cache_free(BuildIdCache *c);
DEFINE_CLEANUP(BuildIdCache *, build_id_cache_free);

/* 0, also where there is none (size 0); -ENOMEM. */
int build_id_cache_get(BuildIdCache *c, const DsoHit *d, BuildId *ret);

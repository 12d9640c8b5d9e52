/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-source.h"

/* Returns the build id of a mapped binary: the one that its record had, otherwise one from the notes of the kernel or
 * of a module, or from the file. 0; -ENODATA and others: none is available; -ENOMEM. */
int dso_build_id_read(DsoSearch *search, const DsoHit *d, BuildId *ret);

/* A cache of build ids that are asked for again and again: each binary is read once. */
typedef struct BuildIdCache BuildIdCache;

int build_id_cache_new(const char *root, BuildIdCache **ret);
BuildIdCache *build_id_cache_free(BuildIdCache *c);
DEFINE_CLEANUP(BuildIdCache *, build_id_cache_free);

/* 0, even if there is none (then its size is 0); -ENOMEM. */
int build_id_cache_get(BuildIdCache *c, const DsoHit *d, BuildId *ret);

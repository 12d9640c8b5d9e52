/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

#define DROP_INS_MAX 256 /* entries of a drop-in directory */

/* Lists the *.conf files of all directories, which are given by precedence, sorted by file name; of files with the same name only
 * that of the first directory. Masks are listed, too, and hide files of their name. Missing directories are skipped. 0, -ENOMEM,
 * or a negative errno with d filled and located. */
int drop_ins_find(char *const *directories, char ***ret_paths, Diagnosis *d);

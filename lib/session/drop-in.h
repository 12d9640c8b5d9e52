/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

#define DROP_INS_MAX 256 /* entries of a drop-in directory */

/* The *.conf files of all these directories, which are listed by precedence, in the order of the files' names; of
 * files of one name only the first directory's. Masks are among them, and hide those of their name. Directories that
 * are not there are none. 0, -ENOMEM, or a negative errno with d filled and located. */
int drop_ins_find(char *const *directories, char ***ret_paths, Diagnosis *d);

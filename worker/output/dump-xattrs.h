/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-order.h"

/* Puts what a dump says of itself (dump-facts.h) on its file. session: NULL for none. A file system that has no extended
 * attributes, or no room for these, takes what it can: that is no failure of the dump. */
void dump_xattrs_put(int fd, const char *session, const DumpOrder *order, const DumpResult *result);

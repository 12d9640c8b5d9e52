/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

#define DEMANGLE_NAME_MAX 8192u /* bytes of a mangled name: what takes it apart goes as deep as the name does */
#define DEMANGLE_MAX 8192u      /* bytes of a readable one */

/* The name as a C++ or Rust source has it, for what a compiler made of it, by the C++ library if this machine has one;
 * any other name as it is, and one that is above the limits, or takes long. Costs a round trip to a process that is
 * forked for the first such name and ends with this one. A new string; NULL: no memory. */
char *demangle(const char *name);

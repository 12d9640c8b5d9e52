/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The name as a C++ or Rust source has it, for what a compiler made of it, by the C++ library if this machine has one;
 * any other name as it is. A new string; NULL: no memory. */
char *demangle(const char *name);

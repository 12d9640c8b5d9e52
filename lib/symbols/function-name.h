/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Cuts a readable C++ name, as demangle() returns it, to the function's name with its scope and template arguments, which is what
 * perf shows: "void a::f<int>(int) const" becomes "a::f<int>". Other names stay. */
void function_name_cut(char *name);

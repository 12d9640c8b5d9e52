/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Names of languages that the library of demangle.c does not know. Each returns a new string, the name as perf shows it, or NULL:
 * it is none of the language, or there is no memory. Time and memory grow with the length of the name. */
char *demangle_ocaml(const char *name); /* "camlStdlib__List__map_154": "Stdlib.List.map_154" */
char *demangle_java(const char *name);  /* "Lcom/example/Main;hot(I)V": "com.example.Main.hot(int)" */

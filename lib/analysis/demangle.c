/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* __cxa_demangle() of the C++ ABI. Only the C++ library has it, which a C program has no other need of: it is
 * loaded when the first such name comes up, and not unloaded. */

#include "demangle.h"

#include <dlfcn.h>
#include <pthread.h>

#define LIBRARY "libstdc++.so.6"
#define NAME_MAX_LENGTH 8192u /* what takes a name apart goes as deep as the name does */

typedef char *(*Demangler)(const char *name, char *buffer, size_t *size, int *ret_status);

static Demangler demangler;

static void load(void) {
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

        if (library)
                demangler = (Demangler) dlsym(library, "__cxa_demangle");
}

/* Rust's first scheme puts a hash behind the name, "…::h0123456789abcdef". */
static void cut_hash(char *name) {
        size_t n = strlen(name);

        if (n > 19 && strncmp(name + n - 19, "::h", 3) == 0 && strspn(name + n - 16, "0123456789abcdef") == 16)
                name[n - 19] = '\0';
}

char *demangle(const char *name) {
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        char *readable = NULL;
        int status;

        if (!startswith(name, "_Z") || strlen(name) > NAME_MAX_LENGTH)
                return strdup(name);
        (void) pthread_once(&once, load);
        if (demangler)
                readable = demangler(name, NULL, NULL, &status);
        if (!readable)
                return strdup(name);
        cut_hash(readable);
        return readable;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Ownership in C: a cleanup attribute on every owner, and explicit moves. Each owner is initialised where it is
 * declared; an empty descriptor is -EBADF. */

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define _cleanup_(f) __attribute__((cleanup(f)))
#define _printf_(a, b) __attribute__((format(printf, a, b)))
#define ELEMENTSOF(a) (sizeof(a) / sizeof((a)[0]))
#define MIN_OF(a, b) ({ __typeof__(a) _min_a = (a); __typeof__(b) _min_b = (b); _min_a < _min_b ? _min_a : _min_b; })
#define MAX_OF(a, b) ({ __typeof__(a) _max_a = (a); __typeof__(b) _max_b = (b); _max_a > _max_b ? _max_a : _max_b; })

/* Takes the value out of an owner and leaves the owner empty. */
#define steal_ptr(p) ({ __typeof__(p) *_p = &(p); __typeof__(p) _v = *_p; *_p = NULL; _v; })
#define steal_value(x, ...) ({ __typeof__(x) *_x = &(x); __typeof__(x) _v = *_x; *_x = __VA_ARGS__; _v; }) /* …: the empty one */

static inline int steal_fd(int *fd) {
        int v = *fd;

        *fd = -EBADF;
        return v;
}

/* Closes fd unless it is negative, keeps errno, and returns -EBADF: fd = safe_close(fd). */
static inline int safe_close(int fd) {
        if (fd >= 0) {
                int saved = errno;

                (void) close(fd);
                errno = saved;
        }
        return -EBADF;
}

/* Makes free_function, which takes NULL and whose result is ignored, usable as _cleanup_(free_functionp). */
#define DEFINE_CLEANUP(type, free_function)                          \
        static inline void free_function##p(type *p) {               \
                if (*p)                                              \
                        (void) free_function(*p);                    \
        }                                                            \
        struct cleanup_needs_a_semicolon_##free_function

static inline void freep(void *p) {
        free(*(void **) p);
}

static inline void closep(int *fd) {
        (void) safe_close(*fd);
}

DEFINE_CLEANUP(FILE *, fclose);
DEFINE_CLEANUP(DIR *, closedir);

#define _cleanup_free_ _cleanup_(freep)
#define _cleanup_close_ _cleanup_(closep)
#define _cleanup_fclose_ _cleanup_(fclosep)
#define _cleanup_closedir_ _cleanup_(closedirp)

/* Frees what *p held and sets it to a copy of s (NULL: to NULL). 0 or -ENOMEM; on failure *p is untouched. */
static inline int free_and_strdup(char **p, const char *s) {
        char *copy = s ? strdup(s) : NULL;

        if (s && !copy)
                return -ENOMEM;
        free(*p);
        *p = copy;
        return 0;
}

static inline bool streq(const char *a, const char *b) {
        return strcmp(a, b) == 0;
}

/* Like streq, and NULL equals NULL only. */
static inline bool streq_ptr(const char *a, const char *b) {
        return a == b || (a && b && strcmp(a, b) == 0);
}

/* Returns the rest of s after prefix, or NULL if s does not start with it. */
static inline const char *startswith(const char *s, const char *prefix) {
        size_t n = strlen(prefix);

        return strncmp(s, prefix, n) == 0 ? s + n : NULL;
}

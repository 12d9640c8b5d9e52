/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* dlopen(3) of libbpf, in the ABI of version 1, which is in the name of its file; a library that lacks a function is
 * refused. The library's messages go to the caller, and its first warning becomes part of the sentence that says why a
 * program can't be loaded. */

#include "bpf-library.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

static char warning[256];
static BpfLineFunc take_line;

void bpf_library_unload(BpfLibrary *l) {
        if (l->library)
                (void) dlclose(l->library);
        *l = (BpfLibrary) {};
}

/* Keeps the first warning, which says most: the place where the library gave up and the verifier's log follow. */
__attribute__((format(printf, 2, 0)))
static int bpf_library_on_line(enum libbpf_print_level level, const char *format, va_list ap) {
        char line[sizeof(warning)];

        if (vsnprintf(line, sizeof(line), format, ap) < 0)
                return 0;
        line[strcspn(line, "\n")] = '\0';
        if (level == LIBBPF_WARN && *line && !warning[0])
                memcpy(warning, line, sizeof(line));
        if (take_line)
                take_line(level, line);
        return 0;
}

const char *bpf_library_take_warning(void) {
        static char taken[sizeof(warning)];

        memcpy(taken, warning, sizeof(taken));
        warning[0] = '\0';
        return taken;
}

static bool bpf_library_find_functions(BpfLibrary *l) {
        const struct {
                const char *name;
                void **function;
        } table[] = {
                { "bpf_object__open_file", (void **) &l->object_open },
                { "bpf_object__open_mem", (void **) &l->object_open_memory },
                { "bpf_object__load", (void **) &l->object_load },
                { "bpf_object__close", (void **) &l->object_close },
                { "bpf_object__next_program", (void **) &l->next_program },
                { "bpf_program__autoload", (void **) &l->program_is_wanted },
                { "bpf_program__name", (void **) &l->program_name },
                { "bpf_program__attach", (void **) &l->program_attach },
                { "bpf_link__destroy", (void **) &l->link_destroy },
                { "bpf_object__next_map", (void **) &l->next_map },
                { "bpf_map__type", (void **) &l->map_type },
                { "bpf_map__name", (void **) &l->map_name },
                { "bpf_map__fd", (void **) &l->map_fd },
                { "bpf_map_update_elem", (void **) &l->map_update },
                { "bpf_map_lookup_elem", (void **) &l->map_lookup },
                { "bpf_map_get_next_key", (void **) &l->map_next_key },
                { "ring_buffer__new", (void **) &l->buffers.ring_new },
                { "ring_buffer__free", (void **) &l->buffers.ring_free },
                { "ring_buffer__epoll_fd", (void **) &l->buffers.ring_epoll_fd },
                { "ring_buffer__consume", (void **) &l->buffers.ring_consume },
                { "perf_buffer__new", (void **) &l->buffers.perf_new },
                { "perf_buffer__free", (void **) &l->buffers.perf_free },
                { "perf_buffer__epoll_fd", (void **) &l->buffers.perf_epoll_fd },
                { "perf_buffer__consume", (void **) &l->buffers.perf_consume },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                *table[i].function = dlsym(l->library, table[i].name);
                if (!*table[i].function)
                        return false;
        }
        return true;
}

int bpf_library_load(BpfLibrary *l, const char *name, BpfLineFunc line, Diagnosis *d) {
        libbpf_print_fn_t (*set_print)(libbpf_print_fn_t print);
        BpfLibrary loaded = {};

        name = name ?: BPF_LIBRARY;
        loaded.library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!loaded.library)
                return diagnosis_set(d, -EOPNOTSUPP, "this needs the library %s, which is not installed (Debian's package libbpf1)",
                                     name);
        *(void **) &set_print = dlsym(loaded.library, "libbpf_set_print");
        if (!set_print || !bpf_library_find_functions(&loaded)) {
                bpf_library_unload(&loaded);
                return diagnosis_set(d, -EOPNOTSUPP, "%s is not the libbpf that is needed (version 1)", name);
        }
        take_line = line;
        (void) set_print(bpf_library_on_line);
        *l = loaded;
        return 0;
}

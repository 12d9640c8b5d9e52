/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Loading libpfm when it is wanted. What is loaded is the ABI of version 4, which names its library file; a function that
 * is not there means that it is something else. */

#include "pfm-library.h"

#include <dlfcn.h>

void pfm_unload(Pfm *p) {
        if (p->ready)
                p->terminate();
        if (p->library)
                (void) dlclose(p->library);
        *p = (Pfm){};
}

static bool find_functions(Pfm *p) {
        const struct {
                const char *name;
                void **function;
        } table[] = {
                { "pfm_initialize", (void **) &p->initialize },
                { "pfm_terminate", (void **) &p->terminate },
                { "pfm_strerror", (void **) &p->describe_error },
                { "pfm_get_os_event_encoding", (void **) &p->encode },
                { "pfm_get_pmu_info", (void **) &p->get_pmu },
                { "pfm_get_event_info", (void **) &p->get_event },
                { "pfm_get_event_attr_info", (void **) &p->get_attribute },
                { "pfm_get_event_next", (void **) &p->next_event },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                *table[i].function = dlsym(p->library, table[i].name);
                if (!*table[i].function)
                        return false;
        }
        return true;
}

int pfm_load(Pfm *p, const char *name, Diagnosis *d) {
        name = name ?: PFM_LIBRARY;
        p->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!p->library)
                return diagnosis_set(d, -EOPNOTSUPP, "--pfm-events needs the library %s, which is not installed (Debian's "
                                     "package libpfm4); -e takes the same events as cpu/event=NUMBER,umask=NUMBER/", name);
        if (!find_functions(p))
                return diagnosis_set(d, -EOPNOTSUPP, "%s is not the libpfm that --pfm-events needs (version 4)", name);
        if (p->initialize() != PFM_SUCCESS)
                return diagnosis_set(d, -EOPNOTSUPP, "libpfm knows no CPU like this one");
        p->ready = true;
        return 0;
}

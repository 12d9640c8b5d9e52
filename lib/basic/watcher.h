/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Asked again and again by what may take long. go_on returns false to end it early, with what there is. */
typedef struct Watcher {
        bool (*go_on)(void *userdata); /* NULL: nobody watches */
        void *userdata;
} Watcher;

static inline bool watcher_go_on(const Watcher *w) {
        return !w->go_on || w->go_on(w->userdata);
}

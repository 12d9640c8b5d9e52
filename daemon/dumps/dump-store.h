/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "dump.h"

/* All dumps that lie below a base directory. They are found there, at the start and whenever something comes or goes,
 * whoever did that; there is no list besides the files. */

#define DUMPS_MAX 100000u /* more are not looked at */

typedef struct DumpStore DumpStore;

/* Reports of changes after the store was made. A dump that others wrote over is removed and added. */
typedef struct DumpStoreObserver {
        /* There is a file of that name that was not there before; it has not been read yet. */
        void (*found)(int directory_fd, const char *session, const char *name, void *userdata);
        void (*added)(const Dump *d, void *userdata);
        void (*removed)(const Dump *d, void *userdata); /* d is whole, and no longer in the store */
        void (*changed)(const Dump *d, void *userdata); /* symbols.path, usage */
        void *userdata;
} DumpStoreObserver;

/* Reads what is there. base_fd stays the caller's, for as long as the store is there. Without inotify the store learns
 * only by dump_store_look(), as *ret_watching says. */
int dump_store_new(sd_event *event, int base_fd, const char *base, const DumpStoreObserver *observer, DumpStore **ret,
                   bool *ret_watching);
void dump_store_follow(DumpStore *s); /* the base directory is another one, under the same descriptor */
DumpStore *dump_store_free(DumpStore *s);
DEFINE_CLEANUP(DumpStore *, dump_store_free);

/* Sorted by session, and by name within each. Valid until the next one comes or goes. */
const Dump *const *dump_store_all(const DumpStore *s, size_t *ret_n);
const Dump *const *dump_store_of(const DumpStore *s, const char *session, size_t *ret_n);

const Dump *dump_store_find(const DumpStore *s, const char *id);                             /* NULL: none */
const Dump *dump_store_find_name(const DumpStore *s, const char *session, const char *name); /* NULL: none */
const Dump *dump_store_newest(const DumpStore *s, const char *session);                      /* NULL: none */

/* Sees what is under that name now, before inotify reports it. */
void dump_store_look(DumpStore *s, const char *session, const char *name);

/* As dump_open(), dump_open_symbols() and dump_remove(); what turns out to be gone is reported. */
int dump_store_open(DumpStore *s, const Dump *d, int *ret_fd);
int dump_store_open_symbols(DumpStore *s, const Dump *d, int *ret_fd);
int dump_store_remove(DumpStore *s, const Dump *d, bool unless_used);

/* As dump_remove_symbols(). *d: the dump as it is then; NULL: it turned out to be gone. */
int dump_store_remove_symbols(DumpStore *s, const Dump **d);

bool dump_store_is_measured(const DumpStore *s); /* what all dumps use is known */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "dump.h"

/* All dumps below a base directory. They are found at the start, and whenever a file comes or goes, whoever did
 * that; there is no list besides the files. */

#define DUMPS_MAX 100000u /* more are not looked at */

typedef struct DumpStore DumpStore;

/* Reports changes after dump_store_new(). A dump that somebody overwrote is reported as removed and added. */
typedef struct DumpStoreObserver {
        /* A file of that name is new; it has not been read yet. */
        void (*found)(int directory_fd, const char *session, const char *name, void *userdata);
        void (*added)(const Dump *d, void *userdata);
        void (*removed)(const Dump *d, void *userdata); /* d is still valid, but no longer in the store */
        void (*changed)(const Dump *d, void *userdata); /* symbols.path, usage */
        void *userdata;
} DumpStoreObserver;

/* Reads the existing dumps. base_fd is not owned, and must stay open as long as the store exists. *ret_watching is
 * false without inotify: then the store changes only by dump_store_look(). */
int dump_store_new(sd_event *event, int base_fd, const char *base, const DumpStoreObserver *observer, DumpStore **ret,
                   bool *ret_watching);
void dump_store_follow(DumpStore *s); /* the base directory was made again, under the same descriptor */
DumpStore *dump_store_free(DumpStore *s);
DEFINE_CLEANUP(DumpStore *, dump_store_free);

/* Sorted by session, and by name within each. Valid until the next one comes or goes. */
const Dump *const *dump_store_all(const DumpStore *s, size_t *ret_n);
const Dump *const *dump_store_of(const DumpStore *s, const char *session, size_t *ret_n);

const Dump *dump_store_find(const DumpStore *s, const char *id);                             /* NULL: none */
const Dump *dump_store_find_name(const DumpStore *s, const char *session, const char *name); /* NULL: none */
const Dump *dump_store_newest(const DumpStore *s, const char *session);                      /* NULL: none */

/* Looks at that name now, before inotify reports it. */
void dump_store_look(DumpStore *s, const char *session, const char *name);

/* As dump_open(), dump_open_symbols() and dump_remove(); a dump that turns out to be gone is reported. */
int dump_store_open(DumpStore *s, const Dump *d, int *ret_fd);
int dump_store_open_symbols(DumpStore *s, const Dump *d, int *ret_fd);
int dump_store_remove(DumpStore *s, const Dump *d, bool unless_used);

/* As dump_remove_symbols(). *d is replaced by the changed dump; NULL: it turned out to be gone. */
int dump_store_remove_symbols(DumpStore *s, const Dump **d);

bool dump_store_is_measured(const DumpStore *s); /* the disk usage of all dumps is known */

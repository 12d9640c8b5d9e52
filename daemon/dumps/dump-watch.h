/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "cleanup.h"

/* inotify(7) on a base directory and the sessions' directories in it. It reports where something happened; the
 * caller looks at what is there now. */

#define DUMP_DIRECTORY_PREFIX "session-"

typedef struct DumpWatch DumpWatch;

typedef struct DumpWatchHandler {
        void (*entry)(const char *session, const char *name, bool removed, void *userdata);
        void (*directory)(const char *session, void *userdata); /* it came, went, or was replaced; it is watched */
        void (*lost)(void *userdata); /* events were lost: anything may have changed */
        void *userdata;
} DumpWatchHandler;

int dump_watch_new(sd_event *event, const char *base, const DumpWatchHandler *handler, DumpWatch **ret); /* copied */
int dump_watch_follow(DumpWatch *w); /* the base directory was made again */
DumpWatch *dump_watch_free(DumpWatch *w);
DEFINE_CLEANUP(DumpWatch *, dump_watch_free);

/* Watches the existing directory of a session. */
int dump_watch_add(DumpWatch *w, const char *session);

const char *dump_directory_session(const char *name); /* the session whose directory has that name; NULL: none */
int dump_directory_open(int base_fd, const char *session); /* a descriptor, or a negative errno */

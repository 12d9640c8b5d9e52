/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "load.h"

/* Notices changes of session files and drop-ins in the search path, of a perfconfig file (or NULL), and of the daemon's own
 * settings, also in directories that are not there yet. */

typedef struct SessionWatch SessionWatch;

/* settings: directories in which perf-recorderd.conf may lie (daemon_settings_roots()). changed: called a moment
 * after something that can be one of these files was made, removed or written; several changes in a row are
 * reported once. */
int session_watch_new(sd_event *event, const SearchPath *path, char *const *settings, void (*changed)(void *userdata),
                      void *userdata, SessionWatch **ret);
int session_watch_set_perf_config(SessionWatch *w, const char *path); /* watches that one instead */
SessionWatch *session_watch_free(SessionWatch *w);
DEFINE_CLEANUP(SessionWatch *, session_watch_free);

/* Calls changed() now if a change has not been reported yet. Never blocks. */
void session_watch_catch_up(SessionWatch *w);

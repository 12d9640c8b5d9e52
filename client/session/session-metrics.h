/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "metrics-text.h"
#include "session-list.h"

/* All that the metrics of sessions are made of, which is two calls of the service however many sessions there are. */
typedef struct SessionMetrics {
        SessionList sessions;
        json_object *reply;
        const json_object *counts; /* in the reply: the rows of ListCounts */
} SessionMetrics;

/* Asks the service for the sessions whose names match one of the patterns, session_name_matches(). On failure returns a negative
 * errno, and bus_client_fail() prints why. */
int session_metrics_load(BusClient *c, char *const *patterns, SessionMetrics *ret);
void session_metrics_done(SessionMetrics *m);

/* Writes the metrics, which perfctl(1) describes. The caller checks the stream for errors. */
void session_metrics_write(FILE *f, MetricsFormat format, const SessionMetrics *m);

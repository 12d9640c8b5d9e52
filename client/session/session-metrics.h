/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "metrics-text.h"
#include "session-list.h"

/* Writes the metrics of all sessions of a list, which perfctl(1) describes. The caller checks the stream for errors. */
void session_metrics_write(FILE *f, MetricsFormat format, const SessionList *l);

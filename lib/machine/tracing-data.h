/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "feature.h"

/* Adds the TRACING_DATA feature, without which perf script cannot print the fields of a tracepoint: header_page,
 * header_event, the formats of ftrace's own events and of the named ones, printk formats, saved command lines. tracefs
 * is the mount point ("/sys/kernel/tracing"); names are "system:event" without patterns, any order, duplicates are
 * fine. Sizes are bounded (64 MiB in all: -EFBIG). -ENOENT (no tracefs or no such event), -EACCES, -EINVAL (a name
 * without a colon or with a slash), -ENOMEM. */
int feature_table_add_tracing_data(FeatureTable *t, const char *tracefs, char *const *names);

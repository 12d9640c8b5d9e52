/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of evlist. */

#define EVLIST_ROWS \
        VIEW_TEXT(EvlistOptions, path, "input", 'i', "=FILE", "The recording, or - for standard input (perf.data)"), \
        VIEW_TEXT(EvlistOptions, name, "input-name", 0, "=NAME", "Its name in messages"), \
        VIEW_SET(EvlistOptions, attributes, "verbose", 'v', "Show all that the kernel was asked for"), \
        VIEW_SET(EvlistOptions, frequency, "freq", 'F', "Show frequencies and periods"), \
        VIEW_SET(EvlistOptions, fields, "trace-fields", 0, "Show the fields of tracepoints"), \
        VIEW_SET(EvlistOptions, groups, "group", 'g', "Show which events are one group"), \
        VIEW_SET(EvlistOptions, json, "json", 0, "Show all of it as an object of JSON"), \
        VIEW_ACCEPTED("force", 'f')

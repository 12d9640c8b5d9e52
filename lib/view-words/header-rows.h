/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of header. */

#define HEADER_ROWS \
        VIEW_TEXT(HeaderOptions, path, "input", 'i', "=FILE", "The recording, or - for standard input (perf.data)"), \
        VIEW_TEXT(HeaderOptions, name, "input-name", 0, "=NAME", "Its name in messages"), \
        VIEW_SET(HeaderOptions, json, "json", 0, "Show it as an object of JSON")

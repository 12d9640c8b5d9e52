/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "trace-tree.h"

/* Parses the text of a format, to which the fields, nodes and pieces point afterwards, and in which escapes are replaced. Returns
 * false if it has something that is not supported. */
bool trace_parser_run(TraceFormat *f);

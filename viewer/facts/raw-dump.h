/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-input.h"
#include "text-buffer.h"

/* Puts all records in the order of the file, each with its place, its bytes and what they mean, as "perf script -D" does.
 * Those in a compressed record have its place. 0; -EBADMSG and errors of read(2): the rest cannot be read; -ENOMEM,
 * errors of writing. */
int raw_dump_put(PerfDataReader *reader, TextBuffer *out);

/* Prints them on standard output, and what went wrong. Returns the exit status. */
int raw_dump_print(const RecordingInput *in);

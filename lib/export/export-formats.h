/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "exported-samples.h"
#include "text-buffer.h"

/* Formats of other tools. Each writes all events of the samples; errors are the buffer's. Names are lines of valid UTF-8. */

/* The gzipped Profile of pprof's profile.proto: for each event the number of samples and their weight; a sample has labels for its
 * thread, process, CPU, control group's unit and host. */
void export_put_pprof(const ExportedSamples *c, TextBuffer *out);

/* speedscope's file format, a profile for each event and process. */
void export_put_speedscope(const ExportedSamples *c, TextBuffer *out);

/* The Firefox Profiler's processed profile, with the time of each sample: from the timeline, whose marks
 * are sorted. */
void export_put_firefox(const ExportedSamples *c, TextBuffer *out);

/* The format of valgrind's callgrind tool: what each function costs by itself, and what its calls cost. */
void export_put_callgrind(const ExportedSamples *c, TextBuffer *out);

/* Values as in RFC 4180, with a line of names: a line for each distinct call chain of a thread. */
void export_put_csv(const ExportedSamples *c, TextBuffer *out);

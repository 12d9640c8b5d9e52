/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counted-samples.h"
#include "forked-process.h"
#include "report-options.h"

/* Counts the samples of recordings that are open, and shows the entries of a report on the terminal, until the user leaves.
 * taken: what other verbs are given of the command line (browse-words.h). pages: the process that writes files
 * (page-writer.h). Returns the exit status. */
int browse_report(ReportOptions *o, char *const *taken, CountedSamples *c, const ForkedProcess *pages);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counted-samples.h"
#include "forked-process.h"
#include "report-options.h"

/* Shows the entries of a report, which are counted and named, until the user leaves. pages: the process that writes files
 * (page-writer.h). Returns the exit status. */
int browse_report(ReportOptions *o, CountedSamples *c, const ForkedProcess *pages);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counted-samples.h"
#include "report-options.h"

/* The steps of the verb "report", for who shows its entries in another way. Each prints what went wrong. */

/* Opens the recordings, restricts the process and reads what they begin with. 0 or a negative errno. */
int report_steps_open(ReportOptions *o, CountedSamples *all);

/* Completes the options by what the recordings have, and counts and names what these ask for. also: SampleDimensions by which
 * samples are told apart, too, and not only by what is shown, so that call chains are counted in any case; 0: none. 0 or a
 * negative errno. */
int report_steps_count(ReportOptions *o, CountedSamples *all, unsigned also);

/* Prints all that the options ask for, from the first step on. Returns the exit status. */
int report_steps_print(ReportOptions *o);

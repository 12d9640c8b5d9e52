/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-columns.h"

/* Returns the numbers of the entries in the order in which they are shown, a new array; NULL without memory. */
size_t *report_order(const ReportColumns *c);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Locates what the recorder complained of (all that it wrote to standard error) in the checked file that its command line was
 * made from: the line and the key, or the line of the section where no key can be told. */
void session_blame(const SessionFile *f, const char *complaint, Diagnosis *d);

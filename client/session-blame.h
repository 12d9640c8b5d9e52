/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Locates the recorder's complaint in the checked session file that its command line was made from. complaint: all that it wrote
 * to standard error. d gets the line and the key, or the line of the section if the key cannot be determined. */
void session_blame(const SessionFile *f, const char *complaint, Diagnosis *d);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* What is wrong with a setting and was found only after its file was read, since a program had to be asked. */

/* Fills d with the sentence and the line of the session's files that assigned the value: reads them again. Returns -EINVAL. */
int late_error_locate(const SessionFile *f, const char *section, const char *key, const char *value, const char *sentence,
                      Diagnosis *d);

/* Asks for each OnCalendar= and waits for the answers, as perfctl verify does. A wrong one is an error of the file, whose settings
 * go then. 0 or -ENOMEM. */
int late_errors_of_calendar(SessionFile *f);

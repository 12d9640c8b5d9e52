/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* An error in a setting that is found only after its file was read, since another program has to check it. */

/* Fills d with the sentence and the line of the session's files that assigned the value: reads them again. Returns
 * -EINVAL. */
int late_error_locate(const SessionFile *f, const char *section, const char *key, const char *value, const char *sentence,
                      Diagnosis *d);

/* Checks each OnCalendar= and waits for that, as perfctl verify does. A wrong one is an error of the file, whose settings are
 * dropped then. 0 or -ENOMEM. */
int late_errors_of_calendar(SessionFile *f);

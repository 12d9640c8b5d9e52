/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "notifier.h"

/* The recorder's own lines on standard error, in perf's words where perf prints the same. A line is one write. A line
 * for which the file behind standard error has no space is sent to the daemon instead. */

void log_set_quiet(bool quiet);       /* -q: errors only */
void log_set_verbose(unsigned level); /* -v: 1, -vv: 2 */
void log_set_notifier(Notifier *n); /* borrowed; NULL: none */

/* True if the daemon started this recorder: it logs each dump and each refused one, from the notifications about them. */
bool log_is_for_daemon(void);

bool log_is_verbose(unsigned level); /* 0: without -q */

void log_error(const char *format, ...) _printf_(1, 2);
void log_verbose(unsigned level, const char *format, ...) _printf_(2, 3);
#define log_info(...) log_verbose(0, __VA_ARGS__)
#define log_warning(...) log_verbose(0, __VA_ARGS__)

/* Prints the diagnosis if it is set, otherwise what and the errno's text, as an error. Returns r. */
int log_diagnosis(const Diagnosis *d, int r, const char *what);

/* The last error as one line, for the daemon; "" if there was none. */
const char *log_last_error(void);
